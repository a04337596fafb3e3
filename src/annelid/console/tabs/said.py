"""Draws a system's forms: buttons and numbers that make a command line for the robot's terminal."""

from __future__ import annotations

from typing import Any

import viser

from annelid.console.tabs import Desk, trying
from annelid.systems.front import Form
from annelid.trial.outside import Say


def say(desk: Desk, line: str) -> None:
    desk.session.do(Say(line=line))


def lay_form(desk: Desk, form: Form) -> viser.GuiFolderHandle:
    """The folder that it is in; it has a title where there are numbers to set."""
    gui = desk.server.gui
    folder = gui.add_folder(form.title if form.fields else None)
    with folder:
        inputs = {
            each.name: gui.add_number(
                each.label or each.name, each.value, min=each.low, max=each.high, step=1
            )
            for each in form.fields
        }
        label = "Tell it" if form.fields else form.title
        buttons = gui.add_button_group(label, tuple(form.buttons))

    def pressed(event: Any) -> None:
        numbers = {name: f"{box.value:.10g}" for name, box in inputs.items()}
        say(desk, form.buttons[event.target.value].format(**numbers))

    buttons.on_click(trying(desk, pressed))
    return folder
