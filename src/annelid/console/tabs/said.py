"""A system's forms: buttons and numbers that make a line, said at its terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annelid.console.tabs import Desk, trying
from annelid.systems.front import Form
from annelid.trial.outside import Say


def say(desk: Desk, line: str) -> None:
    desk.session.do(Say(line=line))


def lay_form(desk: Desk, form: Form) -> None:
    """Where the page's widgets are being laid at the moment."""
    gui = desk.server.gui
    inputs = {
        each.name: gui.add_number(
            each.label or each.name, each.value, min=each.low, max=each.high, step=1
        )
        for each in form.fields
    }

    def pressed(event: Any) -> None:
        numbers = {name: f"{box.value:.10g}" for name, box in inputs.items()}
        say(desk, form.buttons[event.target.value].format(**numbers))

    buttons = gui.add_button_group(form.title, tuple(form.buttons))
    deed: Callable[[Any], None] = trying(desk, pressed)
    buttons.on_click(deed)
