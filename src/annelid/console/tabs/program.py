"""Tab Program: edit the program of a board, or one of its behaviours, and apply it to the robot.

What does not compile is refused with its line; what fails gives way to the program before it, and
says where; what never ends is noticed, named and taken back (``session``).
"""

from __future__ import annotations

from typing import Any

import viser

from annelid.console import look
from annelid.console.messages import Built
from annelid.console.tabs import Desk, put, trying
from annelid.errors import InputError
from annelid.trial.outside import Outside, Reprogram, Rethink
from annelid.trial.programs import FAILED, TEMPLATE

ALL = "all modules"
PROGRAM = "its program"
OWN = "a new program"
SHOWN = 6
APPLIED = ("reprogram", "rethink")
"""Kinds of event."""


class Program:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._gui = desk.server.gui
        self._built: Built | None = None
        self._boards: viser.GuiDropdownHandle[str] = self._gui.add_dropdown("Board", ("–",))
        self._from: viser.GuiDropdownHandle[str] = self._gui.add_dropdown("Write", (PROGRAM, OWN))
        self._boards.on_update(trying(desk, lambda _: self._offer()))
        self._from.on_update(trying(desk, lambda _: self._load()))
        self._text = self._gui.add_text("Program", TEMPLATE, multiline=True)
        self._own = TEMPLATE
        """The text as somebody who may edit left it; another visitor's is taken back."""
        self._text.on_update(trying(desk, self._edited))
        buttons = self._gui.add_button_group("Text", ("Load", "Apply", "Save"))
        self._state = self._gui.add_html("")
        buttons.on_click(trying(desk, self._pressed))

    def renew(self, built: Built) -> None:
        before, self._built = self._built, built
        if before is not None and before.boards == built.boards:
            return
        modules = {name for name, _ in built.modules}
        boards = tuple(name for name in built.boards if name in modules)
        others = tuple(name for name in built.boards if name not in modules)
        choices = (*boards, *others, *([ALL] if len(boards) > 1 else []))
        self._boards.options = choices or ("–",)
        if choices:
            put(self._boards, choices[0])
        self._offer()
        self._load()

    def draw(self) -> None:
        built = self._built
        if built is not None and not built.boards:
            words = "Gaits drive this robot; programs run where control.system is set."
            if not built.live:
                words = "A recorded run: its programs have run."
            self._state.content = look.html(look.dim(words))
            return
        said = [
            event
            for event in self._desk.session.events
            if event.kind == FAILED or (event.source == "outside" and event.kind in APPLIED)
        ][-SHOWN:]
        rows = [
            [
                f"{event.t_ns / 1e9:.2f} s",
                look.bad(f"{event.source}: {event.detail['where']}, {event.detail['error']}")
                + " The one before goes on."
                if event.kind == FAILED
                else look.good(f"applied to {', '.join(event.detail['boards'])}"),
            ]
            for event in reversed(said)
        ]
        self._state.content = look.html(look.table(("time", "programs"), rows) if rows else "")

    def _pressed(self, event: Any) -> None:
        match event.target.value:
            case "Load":
                self._load()
            case "Save":
                content = self._text.value.encode()
                if event.client is not None:
                    event.client.send_file_download(
                        f"{self._boards.value}.py", content, save_immediately=True
                    )
            case "Apply":
                if self._desk.may_edit(event):
                    self._desk.session.do(self._written())

    def _written(self) -> Outside:
        boards, name, source = self._chosen(), self._from.value, self._own
        if source != self._text.value:
            raise InputError("the text was changed just now; look at it and press Apply again")
        if name in self._behaviours():
            return Rethink(boards=boards, behaviour=name, source=source)
        return Reprogram(boards=boards, source=source)

    def _edited(self, event: Any) -> None:
        """Nobody may change the text under another's hand: programs run on this machine."""
        if event.client is None or event.target.value == self._own:
            return
        if self._desk.may_edit(event):
            self._own = event.target.value
        else:
            put(self._text, self._own)

    def _put(self, text: str) -> None:
        self._own = text
        put(self._text, text)

    def _offer(self) -> None:
        """What can be written for the board that is chosen; a text that fits it stays."""
        before = self._from.value
        self._from.options = options = (PROGRAM, OWN, *self._behaviours())
        if before not in options:
            put(self._from, PROGRAM)
            self._load()

    def _behaviours(self) -> dict[str, str]:
        """Name to text, of those that all chosen boards have."""
        built = self._built
        if built is None or not built.boards:
            return {}
        first, *others = (built.behaviours.get(board, {}) for board in self._chosen())
        return {name: text for name, text in first.items() if all(name in each for each in others)}

    def _chosen(self) -> tuple[str, ...]:
        built = self._built
        if built is None or self._boards.value != ALL:
            return (self._boards.value,)
        modules = {name for name, _ in built.modules}
        return tuple(name for name in built.boards if name in modules)

    def _load(self) -> None:
        built = self._built
        if built is None or self._from.value == OWN or not built.boards:
            self._put(TEMPLATE)
            return
        own = built.sources[self._chosen()[0]]
        self._put(self._behaviours().get(self._from.value, own))
