"""C9: signals up and down a tree, and whoever has the highest number leads (002 §6).

Two branched robots, a quadruped and a hexapod, in which every module in turn has the highest
number: seeds are chosen for that.  All modules must fall into step with it: every dock keeps its
delay to within 2 % of a cycle, told by what the servos are commanded.  Clocks are off by up to
0.2 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Final

from annelid.kernel import RandomStreams
from annelid.motion.casts import walker
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.role_run import RoleRun
from annelid.papers.walk_run import legged, out_of_step, phases

CYCLES: Final = 10
IN_STEP: Final = 0.02
"""Of a cycle."""
DRIFT_PPM: Final = 2000.0


@dataclass(frozen=True)
class Run:
    pairs: int
    leader: str
    nth: int = 0
    """Which of the seeds that give it the highest number."""


@dataclass(frozen=True)
class Choir:
    """How one robot fell into step."""

    misses: tuple[float, ...]
    """In each cycle, the worst dock's, in parts of a cycle."""
    led: bool
    """Whether the number that is heard in the last cycle is the leader's."""

    @property
    def cycles(self) -> float:
        """After which all docks keep their delays; infinite: never."""
        wrong = [cycle for cycle, miss in enumerate(self.misses) if miss > IN_STEP]
        last = wrong[-1] + 1 if wrong else 0
        return float(last) if last < len(self.misses) else float("inf")


def number(seed: int, module: str) -> int:
    """What a board draws with that seed."""
    return int(RandomStreams(seed)[f"board/{module}"].integers(1 << 16))


def seed_of(given: Run, names: list[str]) -> int:
    fits = (s for s in count() if max(names, key=lambda n: number(s, n)) == given.leader)
    return next(seed for place, seed in enumerate(fits) if place == given.nth)


def sing(given: Run) -> Choir:
    body, cast = legged(given.pairs), walker()
    seed = seed_of(given, [module.name for module in body.modules])
    spec = {"role": "walker", "signals": "both", "drift_ppm": DRIFT_PPM}
    run = RoleRun(spec, who=body, seed=seed)
    misses = [out_of_step(phases(run, cast, cycle), cast) for cycle in range(CYCLES)]
    start = (CYCLES - 1) * run.network.cycle_s * 1e9
    wire = (d for _, _, kind, d in run.events if kind == "wire" and d["start_ns"] >= start)
    heard = {int(detail["bytes"][:4], 16) for detail in wire}
    return Choir(tuple(misses), heard == {number(seed, given.leader)})


def experiment(bench: Bench) -> Outcome:
    todo = [
        Run(pairs, module.name, nth)
        for pairs in (2, 3)
        for module in legged(pairs).modules
        for nth in range(bench.seed, bench.seed + (1 if bench.quick else 3))
    ]
    if bench.quick:
        todo = todo[:6:2]
    choirs = bench.map(sing, todo, what="C9")
    good = sum(choir.led and choir.cycles <= CYCLES - 2 for choir in choirs)
    slowest = max(choir.cycles for choir in choirs)
    left = max(choir.misses[-1] for choir in choirs)
    leaders = len({(run.pairs, run.leader) for run in todo})
    cycles = tuple(float(cycle) for cycle in range(CYCLES))
    return Outcome(
        ours=(
            f"{good} of {len(choirs)} in step with the highest number, in {slowest:.0f} cycles at "
            f"the latest; {left:.1%} of a cycle off at the end"
        ),
        passed=good == len(choirs),
        note=(
            f"Quadruped (6 modules) and hexapod (9); each of {leaders} modules in turn has the "
            f"highest number; clocks off by up to {DRIFT_PPM / 1e4:g} %.  Up a dock a signal "
            "takes T - d, down d, so that a leg may lead as well as the head"
        ),
        values={
            "runs": len(choirs),
            "in_step": good,
            "cycles_slowest": slowest,
            "off_at_the_end": left,
        },
        plots=(
            Figure(
                "How far the worst dock is from its delay",
                "cycle",
                "parts of a cycle",
                tuple(
                    Series(f"{run.leader} of {run.pairs} pairs", cycles, choir.misses)
                    for run, choir in zip(todo, choirs, strict=True)
                    if run.nth == bench.seed
                ),
            ),
        ),
    )
