"""C9: signals up and down a tree, and whoever has the highest number leads (002 §6).

Two walkers, a quadruped and a hexapod, in which every module in turn has the highest number: seeds
are chosen for that.  Random trees of 4 to 64 modules, led by whoever has the highest number there.
All modules must fall into step with it: every dock keeps its delay to within 2 % of a cycle.  How
long that may take follows from the way of the leader's signal to the last module.  Clocks are off
by up to 0.2 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.conro_bodies import random_tree, reached
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
from annelid.systems.conro.spec import ConroSpec
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario

SLACK: Final = 0.02
"""Of a cycle."""
REPEATS: Final = 3
SIZES: Final = (4, 8, 16, 32, 64)
SEARCH: Final = 3
"""Cycles that may pass besides the way of the leader's signal: one in which it collides with
another's, and two until parent and child have both signalled again, which is how phases are seen.
"""
ROBOTS: Final = ("walker", "c09-hexapod")
SINGS: Final = {
    **COARSE,
    "control.options.drift_ppm": 2000,
    "control.options.signals": "both",
}


@dataclass(frozen=True)
class Choir:
    """How one robot fell into step."""

    since: float
    """The cycle from which on all docks keep their delays; infinite: never."""
    allowed: float
    """Cycles that the leader's signal takes to the last module."""
    led: bool
    """Whether the number that is heard in the last cycle is the highest."""
    left: float
    """By how much of a cycle the worst dock is off at the end."""

    @property
    def good(self) -> bool:
        return self.led and self.since <= self.allowed + SEARCH


def modules(scenario: Scenario) -> list[str]:
    robot, _ = resolve(scenario)
    return [module.name for module in robot.modules]


def led_by(nth: int, *, chosen: str, among: list[str]) -> dict[str, Any]:
    """A seed, another one for every ``nth``, that gives a module alone the highest number."""
    others = [name for name in among if name != chosen]
    fits = (s for s in count(1000 * nth) if number(s, chosen) > number(s, leader(s, others)))
    return {"seed": next(fits)}


def tree(modules: int, seed: int) -> dict[str, Any]:
    """A random body, and long enough for whoever leads it."""
    fields = {**SINGS, **random_tree(modules, seed), "seed": seed, "record.state_hz": 0}
    scenario = load("caterpillar", overrides=fields)
    return {**fields, "duration_s": (_allowed(scenario) + SEARCH + 2) * CYCLE_S}


def walks(nth: int, *, scenario: str, chosen: str, among: list[str]) -> dict[str, Any]:
    seed = led_by(nth, chosen=chosen, among=among)
    allowed = _allowed(load(scenario, overrides={**SINGS, **seed}))
    return {**seed, "duration_s": (allowed + SEARCH + 2) * CYCLE_S}


def _allowed(scenario: Scenario) -> float:
    robot, _ = resolve(scenario)
    spec = scenario.control.options
    assert isinstance(spec, ConroSpec)
    leads = leader(scenario.seed, [module.name for module in robot.modules])
    return reached(robot, spec, leads) / spec.period


def judge(run: Run) -> Choir:
    found = misses(run)
    highest = max(number(run.scenario.seed, name) for name in modules(run.scenario))
    end = run.scenario.duration_s / CYCLE_S
    late = [d for d in wire(run) if d["start_ns"] >= (end - 1) * CYCLE_S * 1e9]
    return Choir(
        since=in_step_from(found, begin=0, end=end, slack=SLACK),
        allowed=_allowed(run.scenario),
        led={int(signal["bytes"][:4], 16) for signal in late} == {highest},
        left=max(float(off[-1]) if len(off) else 1.0 for _, off in found),
    )


def experiment(bench: Bench) -> Outcome:
    robots = {scenario: modules(load(scenario)) for scenario in ROBOTS}
    cases = {
        f"{scenario} {name}": Case(
            scenario, SINGS, partial(walks, scenario=scenario, chosen=name, among=names)
        )
        for scenario, names in robots.items()
        for name in names
    }
    sizes = SIZES[:2] if bench.quick else SIZES
    if bench.quick:
        cases = {key: cases[key] for key in [*cases][1::5]}
    trees = {f"tree of {n}": Case("caterpillar", SINGS, partial(tree, n)) for n in sizes}
    repeats = 1 if bench.quick else REPEATS
    found = bench.trials({**cases, **trees}, judge, repeats=repeats)
    choirs = [choir for each in found.values() for choir in each]
    good = [choir.good for choir in choirs]
    slowest, left = max(choir.since for choir in choirs), max(choir.left for choir in choirs)
    over = max(choir.since - choir.allowed for choir in choirs)
    rate = Rate.count(good)
    return Outcome(
        ours=(
            f"{rate} in step with the highest number, at most {over:.1f} cycles "
            f"after its signal can have reached the last, {slowest:.1f} from the start; "
            f"{left:.1%} of a cycle off at the end"
        ),
        passed=all(good),
        note=(
            f"Quadruped (6 modules) and hexapod (9), each of {len(cases)} modules in turn with "
            f"the highest number; {repeats * len(sizes)} random trees of {sizes[0]} to "
            f"{sizes[-1]} modules; clocks off by up to 0.2 %.  Asked: at most {SEARCH} cycles "
            "after the leader's signal can have been everywhere every dock keeps its delay to "
            f"{SLACK:.0%} of a cycle, and only that number is heard.  Up a dock a signal takes "
            "T - d, down d, so that a leg may lead as well as the head."
        ),
        values={
            "runs": len(good),
            "in_step": sum(good),
            "in_step_rate_low": rate.low,
            "cycles_slowest": slowest,
            "cycles_beyond_the_way": over,
            "off_at_the_end": left,
            **{
                f"{key}_cycles_{k}": choir.since
                for key in trees
                for k, choir in enumerate(found[key])
            },
        },
    )
