"""Draws a system's forms: buttons and fields that make a command line for the robot's terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import viser

from annelid.console.tabs import Desk, trying
from annelid.systems.front import Form, Number, Text
from annelid.trial.outside import Say


def say(desk: Desk, line: str) -> None:
    desk.session.do(Say(line=line))


def lay_form(desk: Desk, form: Form) -> viser.GuiFolderHandle:
    """The folder that it is in; it has a title where there is something to set."""
    gui = desk.server.gui
    folder = gui.add_folder(form.title if form.fields else None)
    with folder:
        inputs = {each.name: _input(gui, each) for each in form.fields}
        label = "Tell it" if form.fields else form.title
        buttons = gui.add_button_group(label, tuple(form.buttons))

    def pressed(event: Any) -> None:
        said = {name: read() for name, read in inputs.items()}
        say(desk, form.buttons[event.target.value].format(**said))

    buttons.on_click(trying(desk, pressed))
    return folder


def _input(gui: viser.GuiApi, field: Number | Text) -> Callable[[], str]:
    """What stands in the field, as it is put into the line."""
    label = field.label or field.name
    if isinstance(field, Text):
        words = gui.add_text(label, field.value)
        return lambda: words.value
    box = gui.add_number(label, field.value, min=field.low, max=field.high, step=1)
    return lambda: f"{box.value:.10g}"
