"""B9: an elbow by the dialogue on the sync lines, in 40 and 36 mm (000 §4.1.6, Fig 12 and 25).

The operator says EXP (scenario ``elbow-dialogue``).  The nose's touch is told to the central
control (TS), which answers with the direction (TUP); the last module's TSF ends it; all else is
between the modules, on the sync lines.  Radius, angle and plane of the bend are drawn within what
``annelid range`` says of the chain in that bore: 45 to 120 mm, but no tighter than its tightest
elbow, and no steeper behind the bend than it climbs.  A run has passed when the front of the last
module has left the elbow, and has turned in order when the joints began one after another, head
first.
"""

from __future__ import annotations

from functools import cache, partial
from math import ceil, degrees, pi, radians, sin
from typing import Any, Final, NamedTuple

from annelid.kernel import RandomStreams
from annelid.motion.turn_in_pipe import TurnPhase
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import along
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.robot.hauling import Hauling
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run
from annelid.worlds.limits import ChainRange
from annelid.worlds.pipe_world import Pipe

ENTRY_MM, EXIT_MM = 100.0, 450.0
CELLS: Final = (("TRRHRRVP", 40), ("TRRH", 40), ("TRRH", 36), ("TRRHRRVP", 36))
"""Chain and bore, mm."""
RADII_MM: Final = (45.0, 120.0)
ANGLES_DEG: Final = (30.0, 90.0)
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
    return Case("elbow-dialogue", fields, varied=partial(bent, chain, bore_mm))


@cache
def limits(chain: str, bore_mm: int) -> tuple[float, float]:
    """The tightest radius, mm, and the steepest slope, degrees, that are within its range."""
    fields = {"robot.chain": chain, "world.bore_mm": bore_mm}
    robot, _ = resolve(load("elbow-dialogue", overrides=fields))
    found = ChainRange.of(Hauling.of([module.type for module in robot.modules]), bore_mm)
    tightest, steepest = found.tightest_mm, found.steepest_deg
    assert tightest is not None
    assert steepest is not None
    return max(RADII_MM[0], float(ceil(tightest))), steepest


def bent(chain: str, bore_mm: int, seed: int) -> dict[str, Any]:
    """To any side that is not too steep behind the bend, sooner or later."""
    draw = RandomStreams(seed)["papers/b09"]
    tightest, steepest = limits(chain, bore_mm)
    radius, angle = draw.uniform(tightest, RADII_MM[1]), draw.uniform(*ANGLES_DEG)
    roll = draw.uniform(-pi, pi)
    while slope(angle, degrees(roll)) > sin(radians(steepest)):
        roll = draw.uniform(-pi, pi)
    return {
        "world.parts.0.length_mm": round(float(ENTRY_MM + draw.uniform(0, 30)), 1),
        "world.parts.1.radius_mm": round(float(radius), 1),
        "world.parts.1.angle_deg": round(float(angle), 1),
        "world.parts.1.roll_deg": round(degrees(roll), 1),
    }


def slope(angle_deg: float, roll_deg: float) -> float:
    """Sine of how steep the pipe is behind the bend, up or down."""
    return abs(sin(radians(angle_deg)) * sin(radians(roll_deg)))


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
    drawn = [
        f"{chain} in {bore} mm {limits(chain, bore)[0]:.0f} to {RADII_MM[1]:.0f} mm, at most "
        f"{limits(chain, bore)[1]:.0f}° steep behind the bend"
        for chain, bore in CELLS
    ]
    return Outcome(
        ours="; ".join(told[cell] for cell in CELLS),
        passed=all(passed[cell].low >= ENOUGH and order[cell].value >= ENOUGH for cell in CELLS),
        note=(
            f"Bends of {ANGLES_DEG[0]:.0f} to {ANGLES_DEG[1]:.0f}°, to any side, within the range "
            f"of the chain (annelid range): {'; '.join(drawn)}.  Entry, bore and robot varied, "
            f"{repeats} runs a cell of at most 60 s.  Judged: a lower 95 % bound of {ENOUGH:.0%} "
            "of those who pass, and the order of the turns in as many: there are none where the "
            "nose takes the bend for a bifurcation or does not feel it, and limp joints give way."
        ),
        values=numbers(
            {f"{chain}_{bore}mm_passed": rate for (chain, bore), rate in passed.items()}
            | {f"{chain}_{bore}mm_in_order": rate for (chain, bore), rate in order.items()}
        ),
    )
