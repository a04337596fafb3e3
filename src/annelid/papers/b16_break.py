"""B16: find a break in the wall with the camera and report where; repair it (000 §6.1.6).

T R R H R R V P is told to explore pipes with one break of chance shape, size and place, or none.
What counts is the answer that the operator reads: how far from home, and on which side.  Then a
robot with a tool module is told to repair; what counts there is how near the tool's front came to
the true break.  Without a tool the command is refused, and that counts, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.told_run import ToldRun
from annelid.trial.summary import wilson
from annelid.worlds import parse_world, worlds

CHAIN, WITH_TOOL = "TRRHRRVP", "TGRHRVP"
LENGTH_MM: Final = 520.0
EXPLORE_S: Final = 2.0
NEAR_M: Final = 0.020
SHARE: Final = 0.03
"""Found within 20 mm or 3 % of the way, whichever is more (CLAIMS)."""
RATE_MIN: Final = 0.8

_TOLD: Final = re.compile(r"a break in the wall (\d+) mm from home, (\d+) deg")


@dataclass(frozen=True)
class Case:
    seed: int
    broken: bool = True

    def break_table(self) -> dict[str, Any]:
        chance = np.random.default_rng([16, self.seed])
        crack = bool(chance.random() < 0.4)
        return {
            "part": "straight1",
            "along_mm": round(float(chance.uniform(180, 400)), 1),
            "clock_deg": round(float(chance.uniform(0, 360))),
            "shape": "crack" if crack else "hole",
            "size_mm": round(float(chance.uniform(14, 24) if crack else chance.uniform(8, 14)), 1),
        }


@dataclass(frozen=True)
class Found:
    true_m: float
    told_m: tuple[float, ...]
    side_off_deg: float

    @property
    def right(self) -> bool:
        limit = max(NEAR_M, SHARE * self.true_m)
        return len(self.told_m) == 1 and abs(self.told_m[0] - self.true_m) <= limit


def pipe(*breaks: dict[str, Any]) -> Any:
    parts = [{"part": "straight", "length_mm": LENGTH_MM}]
    return parse_world({"kind": "pipe", "parts": parts, "breaks": list(breaks)}, worlds())


def explore(case: Case) -> Found:
    table = case.break_table()
    world = pipe(table) if case.broken else pipe()
    run = ToldRun(CHAIN, world, [(EXPLORE_S, "EXP")], seed=case.seed)
    run.run_until_told("going home", 30.0)
    told = [m.groups() for _, words in run.answers if (m := _TOLD.search(words))]
    side = (90.0 + table["clock_deg"]) % 360
    off = abs((float(told[0][1]) - side + 180) % 360 - 180) if told else float("nan")
    return Found(table["along_mm"] / 1000, tuple(int(at) / 1000 for at, _ in told), off)


def repair(seed: int) -> float:
    """How far the tool's front is from the break while it works, m; infinite: it never did."""
    table = Case(seed).break_table()
    run = ToldRun(WITH_TOOL, pipe(table), [(EXPLORE_S, "EXP")], seed=seed)
    found = run.run_until_told("a break in the wall", 25.0)
    if found is None:
        return float("inf")
    terminal = run.circuit.nodes["operator"].board.ports["terminal"]
    terminal.type("DO repair")
    if run.run_until_told("the tool has worked", 60.0) is None:
        return float("inf")
    return float(abs(run.sim.placement("G1").at[0] - table["along_mm"] / 1000))


def refused(seed: int) -> bool:
    run = ToldRun(CHAIN, pipe(), [(EXPLORE_S, "DO repair"), (EXPLORE_S + 0.5, "DO hole")])
    run.run(EXPLORE_S + 1.0)
    return [("refused, no module" in words) for _, words in run.answers] == [True, True]


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 12))
    whole = range(bench.seed, bench.seed + (1 if bench.quick else 4))
    cases = [Case(seed) for seed in seeds] + [Case(seed, broken=False) for seed in whole]
    found = bench.map(explore, cases, what="breaks")
    seen, clean = found[: len(seeds)], found[len(seeds) :]
    good = sum(each.right for each in seen)
    false_alarms = sum(len(each.told_m) for each in clean)
    errors = [abs(each.told_m[0] - each.true_m) for each in seen if each.told_m]
    sides = [each.side_off_deg for each in seen if each.told_m]
    off = bench.map(repair, list(whole), what="repairs")
    honest = refused(bench.seed)
    worst = 1000 * max(errors, default=float("nan"))
    reached = sum(each <= NEAR_M for each in off)
    return Outcome(
        ours=(
            f"{good} of {len(seen)} found, {1000 * float(np.median(errors or [np.nan])):.0f} mm "
            f"off at the median, {worst:.0f} at worst; {false_alarms} false alarms in "
            f"{len(clean)} whole pipes; the tool within 20 mm of it in {reached} of {len(off)}; "
            f"without a tool {'refused' if honest else 'not refused'}"
        ),
        passed=good / len(seen) >= RATE_MIN and false_alarms == 0 and honest,
        note=(
            "Straight pipe of 40 mm; holes of 8 to 14 mm, cracks of 14 to 24 mm by 2 mm, on any "
            f"side; right within the larger of {1000 * NEAR_M:.0f} mm and {SHARE:.0%} of the way. "
            "The wall of a simulated pipe does not mend: repair means that the tool worked there."
        ),
        values={
            "rate": good / len(seen),
            "rate_low": wilson(good, len(seen))[0],
            "error_median_mm": 1000 * float(np.median(errors or [np.nan])),
            "error_worst_mm": worst,
            "side_error_median_deg": float(np.median(sides or [np.nan])),
            "false_alarms": float(false_alarms),
            "tool_within_20_mm": float(reached),
        },
        plots=(
            Figure(
                "Breaks: where they are and where the robot says",
                "true way from the inlet, m",
                "told, m",
                (
                    Series.of(
                        "told",
                        [each.true_m for each in seen if each.told_m],
                        [each.told_m[0] for each in seen if each.told_m],
                        style="points",
                    ),
                    Series.of("equal", [0.15, 0.45], [0.15, 0.45], style="dashed"),
                ),
            ),
        ),
    )
