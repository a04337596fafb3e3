"""Tab Break: cause any fault on any module, and see what happens.

The forms follow the specs of the faults there are: a plugin's fault is here too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, get_args

import viser

from annelid.console import look
from annelid.console.messages import Built, Happened
from annelid.console.tabs import Desk, trying
from annelid.electronics.faults import FAULTS, FaultSpec, parse_fault
from annelid.trial.outside import InjectFault

TARGETS = ("servo", "cup", "sensor", "board", "link")
"""Fields that say what breaks; the others are how."""
MOMENT = {"fault", "at_s", "when", "until_s", "between"}
SHOWN = 16
TROUBLE = ("fault", "mended", "alarm", "found", "trip", "dead", "reset", "crash", "module lost")
UNTOLD = ("reason", "epoch", "at_s", "address", "id", "detail")
"""Of an event's detail: nothing for people."""
PLAIN = ("fault", "alarm", "words", "name", "servo", "sensor", "board", "link")
"""Values that say by themselves what they are."""
RESPONSE = ("abilities", "movement", "capabilities")
"""What the robot makes of it."""


class Faults:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._gui = desk.server.gui
        self._built: Built | None = None
        self._rows: list[Any] = []
        self._read: dict[str, Callable[[], Any]] = {}
        self._kinds = desk.plugins.table(FAULTS)
        self._kind = self._gui.add_dropdown("Fault", tuple(map(_words, self._kinds)))
        self._kind.on_update(lambda _: self._ask())
        self._panel = self._gui.add_folder(None)
        self._seconds = self._gui.add_number("Mended after (s), 0: never", 0.0, min=0.0, step=1.0)
        button = self._gui.add_button("Break it", color="orange", icon=viser.Icon.BOLT)
        button.on_click(trying(desk, self._break))
        self._happened = self._gui.add_html("")

    def renew(self, built: Built) -> None:
        self._built = built
        self._ask()

    def draw(self) -> None:
        self._happened.content = look.html(_table(self._desk.session.events))

    def _spec(self) -> type[FaultSpec]:
        return self._kinds[self._kind.value.replace(" ", "_")]

    def _ask(self) -> None:
        built = self._built
        if built is None:
            return
        for row in self._rows:
            row.remove()
        self._rows, self._read = [], {}
        there = {
            "servo": tuple(servo.name for servo in built.servos),
            "cup": built.cups,
            "sensor": (*built.sensors, *built.cameras),
            "board": built.boards,
            "link": tuple(built.links),
        }
        with self._panel:
            for name, field in self._spec().model_fields.items():
                if name in MOMENT:
                    continue
                self._rows.append(self._field(name, field, there))

    def _field(self, name: str, field: Any, there: Mapping[str, tuple[str, ...]]) -> Any:
        gui = self._gui
        if name in TARGETS:
            choices = there[name]
            if not choices:
                self._read[name] = lambda: ""
                nothing = f"This robot has no {name} to break."
                return gui.add_html(look.html(look.dim(nothing)))
            box = gui.add_dropdown(name.capitalize(), choices)
            self._read[name] = lambda: box.value
            return box
        if get_args(field.annotation) and isinstance(field.default, str):
            pick = gui.add_dropdown(name.capitalize(), get_args(field.annotation))
            self._read[name] = lambda: pick.value
            return pick
        if field.default is None:
            text = gui.add_text(f"{_words(name).capitalize()}, empty: none given", "")
            self._read[name] = lambda: text.value.strip() or None
            return text
        start = field.default if isinstance(field.default, int | float) else 1.0
        number = gui.add_number(_words(name).capitalize(), float(start), step=0.05)
        self._read[name] = lambda: number.value
        return number

    def _break(self, _: Any) -> None:
        session = self._desk.session
        table = {name: read() for name, read in self._read.items()}
        table["fault"] = self._kind.value.replace(" ", "_")
        if self._seconds.value:
            table["until_s"] = session.now_s + self._seconds.value
        session.do(InjectFault(fault=parse_fault(table, context=self._desk.plugins.context)))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _table(events: Any) -> str:
    """The newest first; what several boards say at the same time is one row."""
    rows: dict[tuple[str, str, float], dict[str, int]] = {}
    for event in events:
        if event.kind in (*TROUBLE, *RESPONSE):
            key = (event.kind, _detail(event), round(event.t_ns / 1e9))
            rows.setdefault(key, {}).setdefault(event.source, 0)
            rows[key][event.source] += 1
    if not rows:
        return look.dim("Nothing is broken yet.")
    table = [
        [
            f"{time:.0f} s",
            escape(_where(sources)),
            look.bad(kind) if kind in TROUBLE else f"<b>{escape(kind)}</b>",
            detail,
        ]
        for (kind, detail, time), sources in reversed(list(rows.items())[-SHOWN:])
    ]
    return look.table(("time", "where", "what", "detail"), table)


def _where(sources: Mapping[str, int]) -> str:
    return " ".join(sources) if len(sources) < 4 else f"{len(sources)} boards"


def _detail(event: Happened) -> str:
    shown = {k: v for k, v in event.detail.items() if k not in UNTOLD}
    if event.kind == "abilities":
        able = event.detail.get("abilities", {})
        ways = (f"{name} by {' or '.join(ways)}" for name, (_, ways) in able.items())
        return escape("; ".join(ways) or "nothing")
    text = ", ".join(
        _plain(v) if k in PLAIN else f"{_words(str(k))} {_plain(v)}" for k, v in shown.items()
    )
    return escape(text if len(text) < 160 else text[:157] + "…")


def _plain(value: Any) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return _words(text)
