"""A system as a stranger's plugin file brings it: a lamp on the first module, which is told how
bright to be, with words, a panel and sections of a report."""

from __future__ import annotations

from functools import partial
from typing import Any

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.electronics.port import ANSWER, TERMINAL, Terminal
from annelid.errors import InputError
from annelid.kernel import AnyOf, Program, Receive
from annelid.report import page
from annelid.report.recording import Recording
from annelid.spec import Spec
from annelid.systems import System
from annelid.systems.front import Columns, Form, Number, Panel, Plot, Section, Table, Words


class Options(Spec):
    level: float = 1.25
    """Candela, at the start."""


def parse(line: str) -> float:
    word, _, number = line.partition(" ")
    try:
        level = float(number)
    except ValueError:
        level = -1.0
    if word != "lamp" or level < 0:
        raise InputError(f"lamp: expected lamp LEVEL, got {line!r}")
    return level


def shine(board: Board, level: float) -> Program:
    terminal: Terminal = board.ports[TERMINAL]
    yield board.sleep(0.05)
    while True:
        board.log("lit", {"level": level, "halves": [level / 2, level / 2], "most": 9.0})
        fired = yield AnyOf(Receive(terminal.typed), board.sleep(0.1))
        if fired.index == 0:
            level = parse(fired.value)
            board.log(ANSWER, {"words": f"shines with {level:g} cd"})


def build(options: Options, circuit: Circuit) -> None:
    first = circuit.sim.robot.modules[0]
    node = circuit.add(first.name, partial(shine, level=options.level))
    node.board.ports[TERMINAL] = Terminal(parse)


def report(recording: Recording) -> Any:
    count = sum(event.kind == "lit" for event in recording.events)
    yield page.section("Counted", page.paragraph(f"It told its level {count} times."))


LAMP = System(
    "lamp",
    "a lamp on the first module",
    Options,
    build,
    example='system = "lamp"\noptions = {level = 3.5}',
    words=Words(parse, help_lines=lambda: ["lamp LEVEL   candela"]),
    panel=Panel(
        (Form("Lamp", {"On": "lamp {cd}", "Off": "lamp 0"}, (Number("cd", 5, "level (cd)"),)),)
    ),
    sections=(
        Section(
            "Light",
            (
                Table("lit", ("level", "missing")),
                Plot("lit", ("level",), "level (cd)", levels={"bright": "most", "dim": 0.5}),
                Plot("lit", ("halves",), each="half"),
                Columns("actuators", ("target",), "targets (°)"),
            ),
            "How bright it is.",
        ),
        Section("Dark", (Table("unlit", ("level",)),)),
    ),
    report=report,
)
