"""B9: an elbow by the dialogue on the sync lines, in 40 and 36 mm (000 §4.1.6, Fig 12 and 25).

The operator says EXP (scenario ``elbow-dialogue``).  The nose's touch is told to the central
control (TS), which answers with the direction (TUP); the last module's TSF ends it; all else is
between the modules, on the sync lines.  A run has passed when the front of the last module has left
the elbow, and has turned in order when the joints began one after another, head first.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from annelid.kernel import RandomStreams
from annelid.motion.turn_in_pipe import TurnPhase
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import along
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.trial.load import resolve
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe

ENTRY_MM, EXIT_MM = 100.0, 450.0
CELLS: Final = (("TRRHRRVP", 40), ("TRRH", 40), ("TRRH", 36), ("TRRHRRVP", 36))
"""Chain and bore, mm; the last is not judged."""
JUDGED: Final = CELLS[:3]
ENOUGH: Final = 0.8
"""Least lower bound of the rate of passing, with 95 % confidence."""
REPEATS, QUICK_REPEATS = 20, 1


def case(chain: str, bore_mm: int) -> Case:
    fields = {
        "robot.chain": chain,
        "world.bore_mm": bore_mm,
        "world.parts.2.length_mm": EXIT_MM,
        "physics.timestep_ms": 1.0,
    }
    return Case("elbow-dialogue", fields, varied=bent)


def bent(seed: int) -> dict[str, Any]:
    """To either side, within 10° of level, sooner or later."""
    draw = RandomStreams(seed)["papers/b09"]
    return {
        "world.parts.0.length_mm": round(float(ENTRY_MM + draw.uniform(0, 30)), 1),
        "world.parts.1.roll_deg": float(draw.choice((0.0, 180.0)) + draw.uniform(-10, 10)),
    }


class Went(NamedTuple):
    passed: bool
    in_order: bool


def judge(run: Run) -> Went:
    robot, world = resolve(run.scenario)
    assert isinstance(world, Pipe)
    straight = world.tubes().tube("straight2")
    tail = along(run, robot.modules[-1].name)[-1]
    turning = [
        event.source
        for event in run.events("elbow")
        if event.detail["phase"] == TurnPhase.TURNING.value
    ]
    joints = [module.name for module in robot.modules if module.type.letter == "R"]
    return Went(bool(tail > straight.along), turning[: len(joints)] == joints)


def experiment(bench: Bench) -> Outcome:
    repeats = QUICK_REPEATS if bench.quick else REPEATS
    found = bench.trials({cell: case(*cell) for cell in CELLS}, judge, repeats=repeats)
    passed = {cell: Rate.count(went.passed for went in runs) for cell, runs in found.items()}
    order = {cell: Rate.count(went.in_order for went in runs) for cell, runs in found.items()}
    told = {
        cell: f"{cell[0]} in {cell[1]} mm {passed[cell]}, in order {order[cell].good}"
        for cell in CELLS
    }
    return Outcome(
        ours="; ".join(told[cell] for cell in JUDGED),
        passed=all(passed[cell].low >= ENOUGH and order[cell].value >= ENOUGH for cell in JUDGED),
        note=(
            "Elbow of 60 mm, level, to either side; entry, roll of the bend (±10°), bore and robot "
            f"varied, {repeats} runs a cell of at most 60 s.  Judged: a lower 95 % bound of "
            f"{ENOUGH:.0%} of those who pass, and the order of the turns in as many: there are "
            "none where the nose takes the elbow for a bifurcation, and limp joints give way.  Not "
            f"judged: {told[CELLS[3]]}."
        ),
        values=numbers(
            {f"{chain}_{bore}mm_passed": rate for (chain, bore), rate in passed.items()}
            | {f"{chain}_{bore}mm_in_order": rate for (chain, bore), rate in order.items()}
        ),
    )
