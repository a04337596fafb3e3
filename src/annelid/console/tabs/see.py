"""Tab See: states, curves, who is in control and why, the camera, the system's view, the wires."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from typing import Any

import numpy as np
import viser
from numpy.typing import NDArray

from annelid.console import look
from annelid.console.messages import Built, Happened, Readings, ServoLabel
from annelid.console.plots import Curves
from annelid.console.sections import SectionView
from annelid.console.tabs import Desk, Drawn, put, system_of, trying
from annelid.console.timeline import timeline, winners
from annelid.systems import DescribeFrames
from annelid.systems.front import found

NONE = "none"
KEPT = 400
"""Readings: 40 s of them at real time."""


class See:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        gui = self._gui = desk.server.gui
        self._built: Built | None = None
        self._kept: deque[Readings] = deque(maxlen=KEPT)
        self._describe: DescribeFrames | None = None
        with gui.add_folder("In control, and why"):
            self._control = gui.add_html("")
        with gui.add_folder("Modules"):
            self._modules = gui.add_html("")
        with gui.add_folder("Curves") as curves:
            self._which: viser.GuiDropdownHandle[str] = gui.add_dropdown("Module", ("–",))
            self._curves = Curves(gui, curves)
        with gui.add_folder("Camera"):
            self._camera: viser.GuiDropdownHandle[str] = gui.add_dropdown("Camera", (NONE,))
            self._picture = gui.add_image(np.zeros((4, 4, 3), np.uint8), visible=False)
        self._place = gui.add_folder(None)
        self._own: list[viser.GuiFolderHandle] = []
        self._parts: list[Drawn] = []
        with gui.add_folder("Wires", expand_by_default=False):
            self._listen = gui.add_checkbox("Listen", False)
            self._filter = gui.add_text("Only with", "")
            self._wires = gui.add_html("")
        self._camera.on_update(trying(desk, self._look))
        self._listen.on_update(
            trying(desk, lambda event: desk.session.watch(wire=event.target.value))
        )

    def renew(self, built: Built) -> None:
        before, self._built = self._built, built
        self._kept.clear()
        if before is not None and before.servos == built.servos and before.system == built.system:
            return
        moving = tuple(dict.fromkeys(servo.name.split(".")[0] for servo in built.servos))
        self._which.options = moving or ("–",)
        put(self._which, self._which.options[0])
        self._camera.options = (NONE, *built.cameras)
        put(self._camera, NONE)
        self._renew_system(built)

    def _renew_system(self, built: Built) -> None:
        """What the robot's system shows of itself."""
        for folder in self._own:
            folder.remove()
        system = system_of(self._desk, built)
        self._describe = None if system is None else system.describe_frames
        self._own, self._parts = [], []
        if system is None:
            return
        makes: list[Callable[[], Drawn]] = [
            partial(SectionView, self._desk, section) for section in system.sections
        ]
        if system.panel is not None and system.panel.see is not None:
            makes.append(partial(found(system.panel.see), self._desk, built))
        with self._place:
            for make in makes:
                self._own.append(self._gui.add_folder(None))
                with self._own[-1]:
                    self._parts.append(make())

    def draw(self) -> None:
        built, session = self._built, self._desk.session
        readings = session.readings
        if built is None or readings is None or len(readings.target) != len(built.servos):
            return
        self._modules.content = look.html(_state(built, readings, _alarms(session.events)))
        if not self._kept or self._kept[-1] is not readings:
            if self._kept and readings.t_ns < self._kept[-1].t_ns:
                self._kept.clear()
            self._kept.append(readings)
            self._curves.draw(built.servos, tuple(self._kept), self._which.value)
        events = session.events
        strips = timeline(events, session.now_s)
        self._control.content = look.html(strips + winners(events))
        if session.seen is not None and self._camera.value == session.seen.camera:
            self._picture.image = _enlarged(session.seen.picture)
            self._picture.visible = True
        for part in self._parts:
            part.draw()
        if self._listen.value:
            shown = traffic(session.wires, self._describe, self._filter.value)
            self._wires.content = look.html(shown)

    def _look(self, event: Any) -> None:
        chosen = event.target.value
        self._desk.session.watch(camera=None if chosen == NONE else chosen)
        self._picture.visible = False


def _enlarged(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    times = max(1, 320 // picture.shape[1])
    large = np.kron(picture, np.ones((times, times), np.uint8))
    return np.repeat(large[:, :, None], 3, axis=2)


def _alarms(events: Any) -> dict[str, str]:
    """Board or servo to what is wrong with it, the last that was said."""
    found: dict[str, str] = {}
    for event in events:
        owner = event.source.split(".")[0]
        match event.kind:
            case "alarm":
                found[owner] = str(event.detail.get("alarm", "alarm"))
            case "fault":
                found[owner] = str(event.detail.get("fault", "fault")).replace("_", " ")
            case "mended":
                found.pop(owner, None)
    return found


def _state(built: Built, readings: Readings, alarms: dict[str, str]) -> str:
    """A row for each servo, in the order of the robot."""
    rows = []
    for module, title in built.modules:
        mine = [k for k, servo in enumerate(built.servos) if servo.name.split(".")[0] == module]
        tripped = any(bool(readings.tripped[k]) for k in mine)
        name = f'<b title="{escape(title)}">{escape(module)}</b>'
        end = [_board(readings, module), _trouble(module, tripped, alarms)]
        for place, k in enumerate(mine):
            measured = _servo(built.servos[k], readings, k)
            rows.append([name, *measured, *end] if not place else ["", *measured, "", ""])
        if not mine:
            rows.append([name, "–", "", "", "", *end])
    head = ("module", "joint", "angle", "mA", "°C", "board", "alarm")
    return look.table(head, rows, numbers=(2, 3, 4))


def _servo(servo: ServoLabel, readings: Readings, k: int) -> list[str]:
    """A drive has no angle of interest; what it is told stands there."""
    shown = readings.target[k] if servo.unit == "%" else readings.position[k]
    free = np.isnan(readings.target[k])
    return [
        escape(servo.name.partition(".")[2]),
        "free" if free and servo.unit == "%" else _told(round(shown * servo.scale) + 0, servo.unit),
        f"{1000 * readings.current[k]:.0f}",
        f"{readings.temperature[k]:.0f}",
    ]


def _told(value: int, unit: str) -> str:
    return f"{value}{'' if unit == '°' else ' '}{unit}"


def _board(readings: Readings, module: str) -> str:
    state = readings.boards.get(module)
    if state is None:
        return ""
    levels = [on for name, on in readings.lines.items() if name.split(".")[0] == module]
    pins = "".join("●" if on else "○" for on in levels)
    told = escape(state) if state in ("running", "booting") else look.bad(state)
    return f'{told} <span title="sync lines: in, out">{pins}</span>'


def _trouble(module: str, tripped: bool, alarms: dict[str, str]) -> str:
    if tripped:
        return look.bad("tripped")
    return look.bad(alarms[module]) if module in alarms else ""


LISTED = 40


def traffic(events: Sequence[Happened], describe: DescribeFrames | None, wanted: str) -> str:
    """Those rows that have ``wanted`` in them, whatever the case."""
    rows = []
    for event in reversed(events):
        row = _row(event, describe)
        if wanted.casefold() in " ".join(row).casefold():
            rows.append([escape(cell) for cell in row])
        if len(rows) == LISTED:
            break
    if not rows:
        return look.dim("Nothing heard yet." if not events else "Nothing like that.")
    return look.table(("time", "from", "to", "outcome", "what"), rows)


def _row(event: Happened, describe: DescribeFrames | None) -> list[str]:
    detail = event.detail
    data = bytes.fromhex(str(detail.get("bytes", "")))
    words = data.hex(" ")
    if describe is not None and data:
        words = "; ".join(said for _, said in describe(data)) or words
    to = detail.get("to") or []
    heard = ", ".join(map(str, to)) if len(to) <= 2 else f"{len(to)} boards"
    outcome = str(detail.get("outcome", ""))
    when = f"{event.t_ns / 1e9:.3f} s"
    return [when, str(detail.get("from", "")), heard, outcome, words]
