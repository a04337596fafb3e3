"""B16: find a break in the wall with the camera and report where; repair it (000 §6.1.6).

T R R H R R V P is told to explore pipes with one break of chance shape, size and place, in a
straight or in a bend (``b16-break``).  What counts is the answer that the operator reads: how far
from home.  Whole pipes, straight, with a bend and with a tee, are the control: nothing may be found
there, and a robot that does not get through them has shown nothing.  Then a robot with a tool
module is told to repair, or to make a hole, and the wall is looked at: what was closed, what was
made, where.  A hole is to be made where the tool stands when the order comes, on the upper side.
Without a tool the commands are refused, and that counts, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan, pi
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import along
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import answers, when
from annelid.trial.load import resolve
from annelid.trial.replay import Run
from annelid.worlds.pipe import Straight
from annelid.worlds.pipe_world import Pipe

SCENARIO: Final = "b16-break"
NEAR_M: Final = 0.020
SHARE: Final = 0.03
"""Found within 20 mm or 3 % of the way, whichever is more (CLAIMS)."""
TOOL_MM, TOOL_DEG = 10.0, 20.0
"""The tool works so near to the break, along the pipe and round it (CLAIMS)."""
LOW_MIN: Final = 0.8
"""Least lower bound of the rates of found breaks, with 95 % confidence."""
BREAKS, WHOLE, TOOLS = 20, 4, 10
"""Breaks in straights and in bends; whole pipes of each kind; repairs, and holes made."""
STRAIGHT_MM: Final = 200.0
"""Before the bend or the tee, where there is one."""
ORDER_S: Final = (8.0, 14.0)
"""Between these a hole is ordered: the robot is under way."""


TOOL: Final = "G1"
"""The module with the tool."""


def _told(words: str, at_s: float, duration_s: float) -> dict[str, Any]:
    says = [{"at_s": 2.0, "say": "EXP"}, {"at_s": at_s, "say": words}]
    chain = {"robot.chain": "TGRHRVP", "duration_s": duration_s}
    return {**chain, "control.options.operator": says}


REPAIR: Final = _told("DO repair", 25.0, 150.0)


def ordered(seed: int) -> dict[str, Any]:
    """A hole in a whole pipe, at some time, and so at some place."""
    chance = RandomStreams(seed)["papers/b16"]
    return {"world.breaks": [], **_told("DO hole", round(float(chance.uniform(*ORDER_S)), 2), 35.0)}


REFUSED: Final = {
    "world.breaks": [],
    "duration_s": 3.0,
    "control.options.operator": [
        {"at_s": 2.0, "say": "DO repair"},
        {"at_s": 2.5, "say": "DO hole"},
    ],
}
TEE: Final[dict[str, Any]] = {"part": "tee", "run_mm": 200, "branch_mm": 150}
_TOLD: Final = re.compile(r"a break in the wall (\d+) mm from home")


def broken(seed: int) -> dict[str, Any]:
    """A hole or a crack, somewhere in the wall of a straight."""
    chance = RandomStreams(seed)["papers/b16"]
    along_mm = round(float(chance.uniform(180, 400)), 1)
    return {"world.breaks": [{"part": "straight1", "along_mm": along_mm, **_shape(chance)}]}


def in_bend(seed: int) -> dict[str, Any]:
    """The same, in an elbow."""
    chance = RandomStreams(seed)["papers/b16"]
    radius_mm = float(chance.uniform(60, 110))
    parts = [
        {"part": "straight", "length_mm": STRAIGHT_MM},
        {"part": "elbow", "angle_deg": 90, "radius_mm": radius_mm},
        {"part": "straight", "length_mm": 250},
    ]
    along_mm = round(float(chance.uniform(20, radius_mm * pi / 2 - 20)), 1)
    hole = {"part": "elbow1", "along_mm": along_mm, **_shape(chance)}
    return {"world.parts": parts, "world.breaks": [hole], "duration_s": 60.0}


def whole_bend(seed: int) -> dict[str, Any]:
    """The same bends, and nothing in their walls."""
    return {**in_bend(seed), "world.breaks": []}


def whole_tee(seed: int) -> dict[str, Any]:
    """A branch of 45 to 90° to either side, past which the robot goes straight on."""
    chance = RandomStreams(seed)["papers/b16"]
    angle, roll = float(chance.uniform(45, 90)), float(chance.choice((0.0, 180.0)))
    parts = [
        {"part": "straight", "length_mm": STRAIGHT_MM},
        {**TEE, "branch_angle_deg": round(angle, 1), "roll_deg": roll},
        {"part": "straight", "length_mm": 250},
    ]
    return {"world.parts": parts, "world.breaks": [], "duration_s": 60.0}


def _shape(chance: np.random.Generator) -> dict[str, Any]:
    crack = bool(chance.random() < 0.4)
    size_mm = chance.uniform(14, 24) if crack else chance.uniform(8, 14)
    return {
        "clock_deg": round(float(chance.uniform(0, 360))),
        "shape": "crack" if crack else "hole",
        "size_mm": round(float(size_mm), 1),
    }


@dataclass(frozen=True)
class Found:
    true_m: float
    """NaN: there is no break."""
    told_m: tuple[float, ...]
    refusals: int = 0
    tool_mm: float = nan
    """Along the pipe, from where the tool should work (at the break, or where it stood when a hole
    was ordered) to where it worked last; NaN: it never did."""
    tool_deg: float = nan
    closed: bool = False
    """Whether the break is closed, by the wall."""
    holes: int = 0
    """Made by the drill."""
    through: bool = False
    """The nose came past the bend or the tee, or half of a straight."""

    @property
    def right(self) -> bool:
        limit = max(NEAR_M, SHARE * self.true_m)
        return len(self.told_m) == 1 and abs(self.told_m[0] - self.true_m) <= limit

    @property
    def quiet(self) -> bool:
        """Went through a whole pipe and found nothing."""
        return self.through and not self.told_m

    @property
    def at_place(self) -> bool:
        return abs(self.tool_mm) <= TOOL_MM and abs(self.tool_deg) <= TOOL_DEG

    @property
    def repaired(self) -> bool:
        return self.closed and self.at_place

    @property
    def drilled(self) -> bool:
        return self.holes == 1 and self.at_place


def judge(run: Run) -> Found:
    world, words = run.scenario.world, answers(run)
    assert isinstance(world, Pipe)
    true_m, place_mm, clock_deg = nan, nan, 0.0
    if world.breaks:
        hole = world.breaks[0]
        before_mm = 0.0 if hole.part == "straight1" else STRAIGHT_MM
        true_m = (before_mm + hole.along_mm) / 1000
        place_mm, clock_deg = hole.along_mm, hole.clock_deg
    elif orders := when(words, "make a hole: begun"):
        place_mm = 1000 * _tool_at(run, orders[0])
    tool_mm, tool_deg = _worked(run, place_mm, clock_deg)
    return Found(
        true_m,
        tuple(int(match[1]) / 1000 for _, line in words if (match := _TOLD.search(line))),
        refusals=len(when(words, "refused, no module")),
        tool_mm=tool_mm,
        tool_deg=tool_deg,
        closed=bool(run.events("break closed")),
        holes=len(run.events("hole made")),
        through=_through(run, world),
    )


def _worked(run: Run, place_mm: float, clock_deg: float) -> tuple[float, float]:
    """Where a tool worked last against where it should: mm along the pipe, degrees round it."""
    kinds = ("break closed", "patch on sound wall", "hole made")
    done = [event for kind in kinds for event in run.events(kind)]
    if not done:
        return nan, nan
    last = max(done, key=lambda event: event.time_ns).detail
    return last["along_mm"] - place_mm, (last["clock_deg"] - clock_deg + 180) % 360 - 180


def _tool_at(run: Run, time_s: float) -> float:
    """How far along the pipe the tool stood, m: it sits in the middle of its module."""
    robot, _ = resolve(run.scenario)
    (module,) = (each for each in robot.modules if each.name == TOOL)
    front = float(np.interp(time_s, run.time("modules"), along(run, TOOL)))
    return front - module.type.length / 2


def _through(run: Run, world: Pipe) -> bool:
    tubes = world.tubes()
    last = tubes.tube(f"straight{sum(isinstance(part, Straight) for part in world.parts)}")
    wanted = last.along if len(world.parts) > 1 else last.length / 2
    return bool(run["robot"]["progress"].max() >= wanted)


@dataclass(frozen=True)
class Verdict:
    """All runs of the row, by kind of case."""

    seen: Mapping[str, Sequence[Found]]
    whole: Mapping[str, Sequence[Found]]
    repaired: Sequence[Found]
    drilled: Sequence[Found]
    refused: Sequence[Found]

    @property
    def rates(self) -> dict[str, Rate]:
        return {name: Rate.count(each.right for each in runs) for name, runs in self.seen.items()}

    @property
    def mended(self) -> Rate:
        return Rate.count(each.repaired for each in self.repaired)

    @property
    def made(self) -> Rate:
        return Rate.count(each.drilled for each in self.drilled)

    @property
    def quiet(self) -> Rate:
        return Rate.count(each.quiet for runs in self.whole.values() for each in runs)

    @property
    def false_alarms(self) -> int:
        return sum(len(each.told_m) for runs in self.whole.values() for each in runs)

    @property
    def honest(self) -> bool:
        return all(each.refusals == 2 and not each.holes for each in self.refused)

    @property
    def passed(self) -> bool:
        every = (self.mended, self.made, self.quiet)
        return (
            all(rate.low >= LOW_MIN for rate in self.rates.values())
            and all(rate.value == 1.0 for rate in every)
            and self.honest
        )


def experiment(bench: Bench) -> Outcome:
    breaks, whole, tools = (2, 1, 1) if bench.quick else (BREAKS, WHOLE, TOOLS)
    looked = {"straight": Case(SCENARIO, varied=broken), "bend": Case(SCENARIO, varied=in_bend)}
    sound = {
        "straight": Case(SCENARIO, {"world.breaks": []}),
        "bend": Case(SCENARIO, varied=whole_bend),
        "tee": Case(SCENARIO, varied=whole_tee),
    }
    ours = {
        "repaired": Case(SCENARIO, REPAIR, varied=broken),
        "drilled": Case(SCENARIO, varied=ordered),
    }
    seen = bench.trials(looked, judge, repeats=breaks)
    found = bench.trials(ours, judge, repeats=tools)
    verdict = Verdict(
        seen,
        bench.trials({f"whole {name}": case for name, case in sound.items()}, judge, repeats=whole),
        **found,
        **bench.trials({"refused": Case(SCENARIO, REFUSED)}, judge),
    )
    rates, mended, made, quiet = verdict.rates, verdict.mended, verdict.made, verdict.quiet
    told = [each for kind in seen.values() for each in kind if each.told_m]
    errors = [1000 * abs(each.told_m[0] - each.true_m) for each in told] or [nan]
    worked = {
        name: "; ".join(f"{e.tool_mm:.0f} mm, {e.tool_deg:.0f}°" for e in each)
        for name, each in found.items()
    }
    return Outcome(
        ours=(
            f"found in straights {rates['straight']}, in bends {rates['bend']}, "
            f"{float(np.median(errors)):.0f} mm off at the median; closed by the tool {mended}, "
            f"holes made at their place {made}; {verdict.false_alarms} false alarms, {quiet} whole "
            f"pipes gone through and nothing found; without a tool "
            f"{'refused' if verdict.honest else 'not refused'}"
        ),
        passed=verdict.passed,
        note=(
            "Pipes of 40 mm; holes of 8 to 14 mm, cracks of 14 to 24 mm by 2 mm, on any side; "
            f"found: within the larger of {1000 * NEAR_M:.0f} mm and {SHARE:.0%} of the way, and "
            "told once.  Bends of 90° with radii of 60 to 110 mm.  Closed: the wall has no hole "
            f"there any more, and the stamp worked within {TOOL_MM:.0f} mm along the pipe and "
            f"{TOOL_DEG:.0f}° round it ({worked['repaired']}).  A hole is ordered on the way; it "
            "has to be as near to where the tool stood then, and on the upper side "
            f"({worked['drilled']}).  Whole pipes: {whole} straight, {whole} with a bend, {whole} "
            f"with a tee.  Asked for: found, a lower 95 % bound of {LOW_MIN:.0%} each; every "
            "repair, hole and whole pipe.  The tool is ours; the paper describes none."
        ),
        values=numbers(
            {
                "rate_straight": rates["straight"],
                "rate_bend": rates["bend"],
                "repaired": mended,
                "drilled": made,
                "error_median_mm": float(np.median(errors)),
                "error_worst_mm": max(errors),
                "false_alarms": verdict.false_alarms,
                "whole_pipes_quiet": quiet,
            }
        ),
        plots=(
            curves(
                "Breaks: where they are and where the robot says",
                "true way from the inlet, m",
                "told, m",
                {"told": [(each.true_m, each.told_m[0]) for each in told]},
                style="points",
            ),
        ),
    )
