"""B9: an elbow by the dialogue on the sync lines, in 40 and 36 mm (000 §4.1.6, Fig 12 and 25).

Boards on their bus and wires.  A PC finds the chain, sets the mode and says MHE; then it only
answers: the nose's TS with TUP and its direction, the last module's TSF with TSF to all.  All else
is between the modules.  A run has passed when the front of the last module has left the elbow, and
has turned in order when the joints began one after another, head first.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, Final

import numpy as np

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program, seconds, to_seconds
from annelid.motion.turn_in_pipe import TurnPhase
from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.drive import along, simulation
from annelid.systems.microtub.discovery import Ear, check
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.network import build
from annelid.systems.microtub.protocol import LLC1, LLC2, TouchSide, WorkingMode
from annelid.systems.microtub.spec import MicrotubSpec
from annelid.trial.summary import wilson
from annelid.worlds import World, parse_world, worlds
from annelid.worlds.fitting import SMALLEST_BORE_MM

ENTRY_MM, RADIUS_MM, EXIT_MM = 100.0, 60.0, 450.0
POLL_S: Final = 0.1
LIMIT_S: Final = 60.0
LOOK_S: Final = 0.5
RUNS, QUICK_RUNS = 20, 2


@dataclass(frozen=True)
class Cell:
    chain: str
    bore_mm: float
    answers: bool = True
    """Whether the PC answers a touch; else the joints only give way."""

    @property
    def name(self) -> str:
        silent = "" if self.answers else "_unanswered"
        return f"{self.chain}_{self.bore_mm:.0f}mm{silent}"


CELLS: Final = (
    Cell("TRRHRRVP", 40.0),
    Cell("TRRH", 40.0),
    Cell("TRRH", 36.0),
    Cell("TRRH", 36.0, answers=False),
    Cell("TRRHRRVP", 36.0),
)
JUDGED, SILENT, LONG = CELLS[:3], CELLS[3], CELLS[4]
ENOUGH: Final = 0.8
"""Least lower bound of the rate of passing, with 95 % confidence."""


@dataclass(frozen=True)
class Went:
    passed: bool
    in_order: bool
    seconds: float


@dataclass(frozen=True)
class Try:
    cell: Cell
    seed: int


class Answering(Ear):
    """A central control of a few lines."""

    def life(self, spec: MicrotubSpec, *, answers: bool) -> Program:
        yield self.board.sleep(0.3)
        yield from check(self, spec)
        yield from self.say(LLC2.CM, WorkingMode.PIPE)
        yield from self.say(LLC2.MHE)
        turning = False
        while True:
            yield from self.say(LLC2.PO)
            until = self.board.now + seconds(POLL_S)
            while (said := (yield from self.hear(until))) is not None:
                if said.command is LLC1.TSF:
                    turning = False
                    yield from self.say(LLC1.TSF)
                elif said.command is LLC1.TS and said.values[0] is TouchSide.NOSE and not turning:
                    turning = answers and len(said.values) > 1
                    if turning:
                        yield from self.say(LLC2.TUP, *said.values[1:])


def elbow(seed: int, bore_mm: float) -> tuple[World, float]:
    """To either side, the bore a percent wider or narrower; and the way to its end, m."""
    draw = np.random.default_rng(seed)
    bend: dict[str, Any] = {"part": "elbow", "radius_mm": RADIUS_MM}
    bend["roll_deg"] = float(draw.choice([0.0, 180.0]) + draw.uniform(-10, 10))
    entry_mm = ENTRY_MM + draw.uniform(0, 30)
    parts = [
        {"part": "straight", "length_mm": entry_mm},
        bend,
        {"part": "straight", "length_mm": EXIT_MM},
    ]
    bore = max(SMALLEST_BORE_MM, bore_mm * draw.uniform(0.99, 1.01))
    world = parse_world({"kind": "pipe", "bore_mm": bore, "parts": parts}, worlds())
    return world, (entry_mm + RADIUS_MM * pi / 2) / 1000


def go(given: Try) -> Went:
    cell = given.cell
    world, out = elbow(given.seed, cell.bore_mm)
    sim = simulation(cell.chain, world, seed=given.seed, timestep_ms=1.0)
    events: list[tuple[int, str, str, Any]] = []
    kernel = Kernel(record=lambda *event: events.append(event))
    circuit = Circuit(kernel, sim)
    addresses = tuple(range(1, len(cell.chain) + 1))
    spec = MicrotubSpec.parse({"addresses": addresses, "boot_ms": 0.0}, where="control.options")

    def pc(board: Board) -> Program:
        return Answering(board, board.ports[BUS]).life(spec, answers=cell.answers)

    build(spec, circuit, pc=pc)
    circuit.start()
    tail = sim.robot.modules[-1].name
    while to_seconds(kernel.now) < LIMIT_S and along(sim, tail) <= out:
        kernel.run(kernel.now + seconds(LOOK_S))
        circuit.grid.sync()
    began = [
        name
        for _, name, kind, detail in events
        if kind == "elbow" and detail["phase"] == TurnPhase.TURNING.value
    ]
    joints = [module.name for module in sim.robot.modules if module.type.letter == "R"]
    went = Went(along(sim, tail) > out, began[: len(joints)] == joints, to_seconds(kernel.now))
    circuit.close()
    kernel.close()
    return went


def experiment(bench: Bench) -> Outcome:
    runs = QUICK_RUNS if bench.quick else RUNS
    todo = [Try(cell, bench.seed + k) for cell in CELLS for k in range(runs)]
    went = bench.map(go, todo, what="B9")
    values: dict[str, float] = {}
    rates: dict[Cell, str] = {}
    for place, cell in enumerate(CELLS):
        mine = went[place * runs : (place + 1) * runs]
        good = sum(each.passed for each in mine)
        rates[cell] = f"{good}/{runs}"
        values |= {
            f"{cell.name}_passed": good / runs,
            f"{cell.name}_passed_low": wilson(good, runs)[0],
            f"{cell.name}_in_order": sum(each.in_order for each in mine) / runs,
            f"{cell.name}_s": float(np.mean([e.seconds for e in mine if e.passed] or [np.nan])),
        }
    passed = all(
        values[f"{cell.name}_passed_low"] >= ENOUGH and values[f"{cell.name}_in_order"] >= ENOUGH
        for cell in JUDGED
    )
    return Outcome(
        ours="; ".join(f"{cell.chain} in {cell.bore_mm:.0f} mm {rates[cell]}" for cell in JUDGED),
        passed=passed,
        note=(
            f"elbow of {RADIUS_MM:.0f} mm, level, to either side; bore ±1 %, entry, roll of the "
            f"bend ±10° and start varied, {runs} runs a cell, boards and wires simulated.  Judged: "
            f"a lower 95 % bound of {ENOUGH:.0%}, and the order of the turns.  Where nobody "
            f"answers the touch, joints that only give way take T R R H round in 36 mm in "
            f"{rates[SILENT]} ({values[f'{SILENT.name}_s']:.0f} s instead of "
            f"{values[f'{JUDGED[2].name}_s']:.0f} s); T R R H R R V P gets round there in "
            f"{rates[LONG]}."
        ),
        values=values,
    )
