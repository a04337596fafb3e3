"""B16: find a break in the wall with the camera and report where; repair it (000 §6.1.6).

T R R H R R V P is told to explore pipes with one break of chance shape, size and place, in a
straight or in a bend, or none (``b16-break``).  What counts is the answer that the operator reads:
how far from home.  Then a robot with a tool module is told to repair, or to make a hole, and the
wall is looked at: what was closed, what was made, where.  Without a tool the commands are refused,
and that counts, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import nan, pi
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import answers, when
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe

SCENARIO: Final = "b16-break"
NEAR_M: Final = 0.020
SHARE: Final = 0.03
"""Found within 20 mm or 3 % of the way, whichever is more (CLAIMS)."""
TOOL_MM, TOOL_DEG = 10.0, 20.0
"""The tool works so near to the break, along the pipe and round it (CLAIMS)."""
RATE_MIN: Final = 0.8
BREAKS, OTHERS = 12, 4
STRAIGHT_MM: Final = 200.0
"""Before the bend, where there is one."""


def _told(words: str, at_s: float) -> dict[str, Any]:
    says = [{"at_s": 2.0, "say": "EXP"}, {"at_s": at_s, "say": words}]
    chain = {"robot.chain": "TGRHRVP", "duration_s": 150.0}
    return {**chain, "control.options.operator": says}


REFUSED: Final = {
    "world.breaks": [],
    "duration_s": 3.0,
    "control.options.operator": [
        {"at_s": 2.0, "say": "DO repair"},
        {"at_s": 2.5, "say": "DO hole"},
    ],
}
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
    """Along the pipe, from the break to where the stamp worked last; NaN: it never did."""
    tool_deg: float = nan
    closed: bool = False
    """Whether the break is closed, by the wall."""
    holes: int = 0
    """Made by the drill."""
    false: int = 0
    """Statements that the witness found false."""

    @property
    def right(self) -> bool:
        limit = max(NEAR_M, SHARE * self.true_m)
        return len(self.told_m) == 1 and abs(self.told_m[0] - self.true_m) <= limit

    @property
    def repaired(self) -> bool:
        return self.closed and abs(self.tool_mm) <= TOOL_MM and abs(self.tool_deg) <= TOOL_DEG


def judge(run: Run) -> Found:
    world, words = run.scenario.world, answers(run)
    assert isinstance(world, Pipe)
    true_m, tool_mm, tool_deg = nan, nan, nan
    if world.breaks:
        hole = world.breaks[0]
        before_mm = 0.0 if hole.part == "straight1" else STRAIGHT_MM
        true_m = (before_mm + hole.along_mm) / 1000
    patches = [*run.events("break closed"), *run.events("patch on sound wall")]
    if patches and world.breaks:
        last = max(patches, key=lambda event: event.time_ns).detail
        tool_mm = last["along_mm"] - hole.along_mm
        tool_deg = (last["clock_deg"] - hole.clock_deg + 180) % 360 - 180
    return Found(
        true_m,
        tuple(int(match[1]) / 1000 for _, line in words if (match := _TOLD.search(line))),
        refusals=len(when(words, "refused, no module")),
        tool_mm=tool_mm,
        tool_deg=tool_deg,
        closed=bool(run.events("break closed")),
        holes=len(run.events("hole made")),
        false=len(run.metrics.statements_false),
    )


def experiment(bench: Bench) -> Outcome:
    several, few = (2, 1) if bench.quick else (BREAKS, OTHERS)
    looked = {"straight": Case(SCENARIO, varied=broken), "bend": Case(SCENARIO, varied=in_bend)}
    seen = bench.trials(looked, judge, repeats=several)
    cases = {
        "whole": Case(SCENARIO, {"world.breaks": []}),
        "repaired": Case(SCENARIO, _told("DO repair", 25.0), varied=broken),
        "drilled": Case(SCENARIO, {"world.breaks": [], **_told("DO hole", 12.0)}),
        "refused": Case(SCENARIO, REFUSED),
    }
    found = bench.trials(cases, judge, repeats=few)
    rates = {name: Rate.count(each.right for each in runs) for name, runs in seen.items()}
    mended = Rate.count(each.repaired for each in found["repaired"])
    drilled = Rate.count(each.holes == 1 for each in found["drilled"])
    false_alarms = sum(len(each.told_m) for each in found["whole"])
    false = sum(each.false for runs in (*seen.values(), *found.values()) for each in runs)
    honest = all(each.refusals == 2 and not each.holes for each in found["refused"])
    told = [each for runs in seen.values() for each in runs if each.told_m]
    errors = [1000 * abs(each.told_m[0] - each.true_m) for each in told] or [nan]
    wanted = (*rates.values(), mended, drilled)
    tools = "; ".join(f"{e.tool_mm:.0f} mm, {e.tool_deg:.0f}°" for e in found["repaired"])
    return Outcome(
        ours=(
            f"found in straights {rates['straight']}, in bends {rates['bend']}, "
            f"{float(np.median(errors)):.0f} mm off at the median; closed by the tool {mended}, "
            f"holes made {drilled}; {false_alarms} false alarms in {few} whole pipes; without a "
            f"tool {'refused' if honest else 'not refused'}"
        ),
        passed=all(rate.value >= RATE_MIN for rate in wanted) and not false_alarms and honest,
        note=(
            "Pipes of 40 mm; holes of 8 to 14 mm, cracks of 14 to 24 mm by 2 mm, on any side; "
            f"found: within the larger of {1000 * NEAR_M:.0f} mm and {SHARE:.0%} of the way, and "
            "told once.  Bends of 90° with radii of 60 to 110 mm.  Closed: the wall has no hole "
            f"there any more, and the stamp worked within {TOOL_MM:.0f} mm along the pipe and "
            f"{TOOL_DEG:.0f}° round it ({tools}).  The tool is ours; the paper describes none.  "
            f"Statements that were false in these runs: {false}."
        ),
        values=numbers(
            {
                "rate_straight": rates["straight"],
                "rate_bend": rates["bend"],
                "repaired": mended,
                "drilled": drilled,
                "error_median_mm": float(np.median(errors)),
                "error_worst_mm": max(errors),
                "false_alarms": false_alarms,
                "false_statements": false,
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
