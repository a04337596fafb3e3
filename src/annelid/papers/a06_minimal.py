"""A6: T R R H gets round an elbow, T R H gets stuck (001 §6.1): where, and where not.

Both chains, with the elbow's dialogue, round single elbows, round two elbows that lead on to the
other side (S) and round two that lead back (U).

In a single elbow only a part of the robot is bent, and one joint is enough.  The U is as long as
the robot: every piece rubs, T R H creeps, and its only joint has nobody to hand on to.  T R R H
gets on quickest while the second joint turns and the first is still bent
(``docs/elbow-study.md``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import isinf, pi
from statistics import median
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import robot, simulation
from annelid.papers.elbow_run import ElbowRun
from annelid.trial.summary import wilson
from annelid.worlds import parse_world, worlds


@dataclass(frozen=True)
class Bend:
    """One elbow, or two in a row."""

    title: str
    radius_mm: float
    range_deg: float = 90.0
    """Of the rotation modules' servos, to either side."""
    second_deg: float | None = None
    """Where the second elbow leads, against the first; None: there is none."""

    @property
    def elbows(self) -> int:
        return 1 if self.second_deg is None else 2


CHAINS: Final = ("TRRH", "TRH")
BENDS: Final = (
    Bend("elbow 60 mm", 60.0),
    Bend("elbow 38 mm", 38.0),
    Bend("elbow 33 mm", 33.0),
    Bend("elbow 33 mm ±45°", 33.0, range_deg=45.0),
    Bend("S 33 mm", 33.0, second_deg=180.0),
    Bend("U 38 mm", 38.0, second_deg=0.0),
    Bend("U 33 mm", 33.0, second_deg=0.0),
)
RUNS, QUICK_RUNS = 20, 2
ENTRY_MM, EXIT_MM = 60.0, 250.0
IN_TIME_S, LIMIT_S = 45.0, 60.0
"""For each elbow: what counts as passing, and how long a run goes on."""
STUCK_S: Final = 30.0
"""Longer than a whole dialogue of two without getting on."""
TIMESTEP_MS: Final = 1.0
"""The largest at which the servo keeps its current; tight bends depend on it."""


@dataclass(frozen=True)
class Try:
    chain: str
    bend: Bend
    seed: int


def takes(given: Try) -> float:
    """One run, s; roll of the bend, bore, friction, entry and start are drawn from the seed."""
    draw = np.random.default_rng(given.seed)
    bend = given.bend
    entry_mm = ENTRY_MM + draw.uniform(0, 30)
    roll_deg = float(draw.choice([0.0, 180.0]) + draw.uniform(-10, 10))
    rolls = [roll_deg] if bend.second_deg is None else [roll_deg, roll_deg + bend.second_deg]
    parts: list[dict[str, Any]] = [
        {"part": "straight", "length_mm": entry_mm},
        *({"part": "elbow", "radius_mm": bend.radius_mm, "roll_deg": roll} for roll in rolls),
        {"part": "straight", "length_mm": EXIT_MM},
    ]
    world = parse_world(
        {"kind": "pipe", "bore_mm": 40.0 * draw.uniform(0.98, 1.02), "parts": parts}, worlds()
    )
    slippery = draw.uniform(0.9, 1.1)
    who = robot(
        given.chain,
        T={"friction": 0.15 * slippery},
        R={"friction": 0.15 * slippery, "bend_deg": bend.range_deg},
        H={"friction": 0.15 * slippery},
    )
    sim = simulation(who, world, seed=given.seed, timestep_ms=TIMESTEP_MS)
    end = (entry_mm + bend.elbows * bend.radius_mm * pi / 2) / 1000
    return ElbowRun(sim).round_the_bend(end, limit_s=LIMIT_S * bend.elbows, stuck_s=STUCK_S)


@dataclass(frozen=True)
class Cell:
    """All runs of both chains round one bend, s each."""

    bend: Bend
    took: dict[str, list[float]]

    def passed(self, chain: str, each_s: float = IN_TIME_S) -> int:
        return sum(seconds <= each_s * self.bend.elbows for seconds in self.took[chain])

    def better(self) -> str | None:
        """The chain that passes more often, if the 95 % intervals do not meet."""
        rates = {chain: wilson(self.passed(chain), len(self.took[chain])) for chain in CHAINS}
        two, one = CHAINS
        if rates[two][0] > rates[one][1]:
            return two
        return one if rates[one][0] > rates[two][1] else None

    def told(self) -> str:
        counts = " and ".join(str(self.passed(chain)) for chain in CHAINS)
        times = " and ".join(_seconds(median(self.took[chain])) for chain in CHAINS)
        return f"{self.bend.title}: {counts} (median {times})"


def _seconds(value: float) -> str:
    return "never" if isinf(value) else f"{value:.0f} s"


def experiment(bench: Bench) -> Outcome:
    runs = QUICK_RUNS if bench.quick else RUNS
    which = list(product(BENDS, CHAINS))
    todo = [Try(chain, bend, bench.seed + k) for bend, chain in which for k in range(runs)]
    found = iter(bench.map(takes, todo, what="A6"))
    took = {key: [next(found) for _ in range(runs)] for key in which}
    cells = [Cell(bend, {chain: took[bend, chain] for chain in CHAINS}) for bend in BENDS]
    two, one, alike = (
        ", ".join(cell.bend.title for cell in cells if cell.better() == which) or "nowhere"
        for which in (*CHAINS, None)
    )
    last = cells[-1]
    late = " and ".join(str(last.passed(chain, LIMIT_S)) for chain in CHAINS)
    return Outcome(
        ours=(
            f"within {IN_TIME_S:.0f} s an elbow T R R H passes more often: {two}; "
            f"T R H more often: {one}; no difference: {alike}"
        ),
        passed=any(cell.better() == CHAINS[0] for cell in cells if cell.bend.elbows == 1),
        note=(
            f"of {runs} runs T R R H and T R H passed within {IN_TIME_S:.0f} s an elbow: "
            f"{'; '.join(cell.told() for cell in cells)}.  A pass needs a single "
            "elbow, as the paper has it, at which the 95 % intervals do not meet.  Round the U "
            f"T R H is slow rather than stuck for good: with {LIMIT_S:.0f} s an elbow {late} of "
            f"{runs} pass {last.bend.title}.  40 mm ±2 %, friction ±10 %, roll of the bend ±10°, "
            "entry and start varied; elbow by the dialogue, begun again while the nose touches, "
            "without boards; 1 ms, dcmotor servos.  Bends were chosen on other seeds than these."
        ),
        values={
            f"{chain} {cell.bend.title}{label}": cell.passed(chain, each_s) / runs
            for cell in cells
            for chain in CHAINS
            for label, each_s in (("", IN_TIME_S), (", late ones too", LIMIT_S))
        },
        plots=(_figure(last, runs),),
    )


def _figure(cell: Cell, runs: int) -> Figure:
    """How many have passed, over time."""
    times = [float(each) for each in range(0, int(LIMIT_S * cell.bend.elbows) + 1, 5)]
    return Figure(
        f"Round the {cell.bend.title}",
        "time (s)",
        "share of runs that have passed",
        tuple(
            Series.of(
                chain,
                times,
                [sum(took <= time for took in cell.took[chain]) / runs for time in times],
            )
            for chain in CHAINS
        ),
    )
