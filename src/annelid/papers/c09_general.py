"""C9: signals up and down a tree, and whoever has the highest number leads (002 §6).

Two branched robots, a quadruped and a hexapod, in which every module in turn has the highest
number: seeds are chosen for that.  All modules must fall into step with it: every dock keeps its
delay to within 2 % of a cycle.  Clocks are off by up to 0.2 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.cycles import (
    COARSE,
    CYCLE_S,
    in_step_from,
    leader,
    misses,
    number,
    wire,
)
from annelid.papers.interval import Rate
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario

CYCLES: Final = 10
SLACK: Final = 0.02
"""Of a cycle."""
REPEATS: Final = 3
ROBOTS: Final = ("walker", "c09-hexapod")
SINGS: Final = {
    **COARSE,
    "duration_s": CYCLES * CYCLE_S,
    "control.options.drift_ppm": 2000,
    "control.options.signals": "both",
}


@dataclass(frozen=True)
class Choir:
    """How one robot fell into step."""

    since: float
    """The cycle from which on all docks keep their delays; infinite: never."""
    led: bool
    """Whether the number that is heard in the last cycle is the highest."""
    left: float
    """By how much of a cycle the worst dock is off at the end."""

    @property
    def good(self) -> bool:
        return self.led and self.since <= CYCLES - 2


def modules(scenario: Scenario) -> list[str]:
    robot, _ = resolve(scenario)
    return [module.name for module in robot.modules]


def led_by(nth: int, *, chosen: str, among: list[str]) -> dict[str, Any]:
    """A seed, another one for every ``nth``, that gives a module alone the highest number."""
    others = [name for name in among if name != chosen]
    fits = (s for s in count(1000 * nth) if number(s, chosen) > number(s, leader(s, others)))
    return {"seed": next(fits)}


def judge(run: Run) -> Choir:
    found = misses(run)
    highest = max(number(run.scenario.seed, name) for name in modules(run.scenario))
    late = [d for d in wire(run) if d["start_ns"] >= (CYCLES - 1) * CYCLE_S * 1e9]
    return Choir(
        since=in_step_from(found, begin=0, end=CYCLES, slack=SLACK),
        led={int(signal["bytes"][:4], 16) for signal in late} == {highest},
        left=max(float(off[-1]) if len(off) else 1.0 for _, off in found),
    )


def experiment(bench: Bench) -> Outcome:
    robots = {scenario: modules(load(scenario)) for scenario in ROBOTS}
    cases = {
        f"{scenario} {name}": Case(scenario, SINGS, partial(led_by, chosen=name, among=names))
        for scenario, names in robots.items()
        for name in names
    }
    if bench.quick:
        cases = {key: cases[key] for key in [*cases][1::5]}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    choirs = [choir for each in found.values() for choir in each]
    good = [choir.good for choir in choirs]
    slowest, left = max(choir.since for choir in choirs), max(choir.left for choir in choirs)
    return Outcome(
        ours=(
            f"{sum(good)} of {len(good)} in step with the highest number, in {slowest:.1f} cycles "
            f"at the latest; {left:.1%} of a cycle off at the end"
        ),
        passed=all(good),
        note=(
            f"Quadruped (6 modules) and hexapod (9); each of {len(cases)} modules in turn has the "
            f"highest number; clocks off by up to 0.2 %.  Asked: within {CYCLES - 2} cycles every "
            f"dock keeps its delay to {SLACK:.0%} of a cycle, and only that number is heard.  Up "
            "a dock a signal takes T - d, down d, so that a leg may lead as well as the head."
        ),
        values={
            "runs": len(good),
            "in_step": sum(good),
            "in_step_rate_low": Rate.count(good).low,
            "cycles_slowest": slowest,
            "off_at_the_end": left,
        },
    )
