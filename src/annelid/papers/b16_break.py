"""B16: find a break in the wall with the camera and report where; repair it (000 §6.1.6).

T R R H R R V P is told to explore pipes with one break of chance shape, size and place, or none
(``b16-break``).  What counts is the answer that the operator reads: how far from home.  Then a
robot with a tool module is told to repair, and the tool's place is read while it works.  Without a
tool the command is refused, and that counts, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, nan
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import answers, place_at, when
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe

SCENARIO: Final = "b16-break"
NEAR_M: Final = 0.020
SHARE: Final = 0.03
"""Found within 20 mm or 3 % of the way, whichever is more (CLAIMS)."""
RATE_MIN: Final = 0.8
BREAKS, OTHERS = 12, 4
REPAIR: Final = {
    "robot.chain": "TGRHRVP",
    "duration_s": 75.0,
    "control.options.operator": [{"at_s": 2.0, "say": "EXP"}, {"at_s": 25.0, "say": "DO repair"}],
}
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
    """A hole or a crack, somewhere in the wall."""
    chance = RandomStreams(seed)["papers/b16"]
    crack = bool(chance.random() < 0.4)
    size_mm = chance.uniform(14, 24) if crack else chance.uniform(8, 14)
    table = {
        "part": "straight1",
        "along_mm": round(float(chance.uniform(180, 400)), 1),
        "clock_deg": round(float(chance.uniform(0, 360))),
        "shape": "crack" if crack else "hole",
        "size_mm": round(float(size_mm), 1),
    }
    return {"world.breaks": [table]}


@dataclass(frozen=True)
class Found:
    true_m: float
    """NaN: there is no break."""
    told_m: tuple[float, ...]
    tool_off_m: float
    """Along the pipe, from the break to the tool when it had worked; infinite: it never did."""
    refusals: int

    @property
    def right(self) -> bool:
        limit = max(NEAR_M, SHARE * self.true_m)
        return len(self.told_m) == 1 and abs(self.told_m[0] - self.true_m) <= limit


def judge(run: Run) -> Found:
    world, words = run.scenario.world, answers(run)
    assert isinstance(world, Pipe)
    true_m = world.breaks[0].along_mm / 1000 if world.breaks else nan
    told = [int(match[1]) / 1000 for _, line in words if (match := _TOLD.search(line))]
    tool_off = inf
    if worked := when(words, "the tool has worked"):
        tool_off = abs(float(place_at(run, "G1", worked[0])[0]) - true_m)
    return Found(true_m, tuple(told), tool_off, len(when(words, "refused, no module")))


def experiment(bench: Bench) -> Outcome:
    several, few = (2, 1) if bench.quick else (BREAKS, OTHERS)
    seen = bench.trials({"broken": Case(SCENARIO, varied=broken)}, judge, repeats=several)["broken"]
    others = {
        "whole": Case(SCENARIO, {"world.breaks": []}),
        "repaired": Case(SCENARIO, REPAIR, varied=broken),
        "refused": Case(SCENARIO, REFUSED),
    }
    found = bench.trials(others, judge, repeats=few)
    rate = Rate.count(each.right for each in seen)
    false_alarms = sum(len(each.told_m) for each in found["whole"])
    honest = all(each.refusals == 2 for each in found["refused"])
    told = [each for each in seen if each.told_m]
    errors = [1000 * abs(each.told_m[0] - each.true_m) for each in told] or [nan]
    tools = [1000 * each.tool_off_m for each in found["repaired"]]
    reached = Rate.count(off <= 1000 * NEAR_M for off in tools)
    return Outcome(
        ours=(
            f"{rate} found, {float(np.median(errors)):.0f} mm off at the median, "
            f"{max(errors):.0f} at worst; {false_alarms} false alarms in {few} whole pipes; "
            f"without a tool {'refused' if honest else 'not refused'}"
        ),
        passed=rate.value >= RATE_MIN and false_alarms == 0 and honest,
        note=(
            "Straight pipe of 40 mm; holes of 8 to 14 mm, cracks of 14 to 24 mm by 2 mm, on any "
            f"side; right within the larger of {1000 * NEAR_M:.0f} mm and {SHARE:.0%} of the way, "
            "and told once.  Not judged: on which side it is, and where the tool worked (within "
            f"20 mm of the break in {reached}: {', '.join(f'{off:.0f}' for off in tools)} mm).  "
            "The wall of a simulated pipe does not mend: repair means that the tool worked there."
        ),
        values=numbers(
            {
                "rate": rate,
                "error_median_mm": float(np.median(errors)),
                "error_worst_mm": max(errors),
                "false_alarms": false_alarms,
                "tool_within_20_mm": reached,
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
