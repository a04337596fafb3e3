"""A6: T R R H gets round an elbow, T R H gets stuck (001 §6.1): where, and where not.

Both chains, told to explore, round single elbows, round two elbows that lead on to the other side
(S) and round two that lead back (U).

In a single elbow only a part of the robot is bent, and one joint is enough.  The U is as long as
the robot: every piece rubs, T R H creeps, and its only joint has nobody to hand on to
(``docs/elbow-study.md``).

A chain *passes* a bend if it does so more often than not, beyond chance: the lower bound of its
rate is above a half.  It *sticks* if the upper bound is below a half.  The two separate as the
paper says where T R R H passes and T R H sticks, and the other way round where T R H passes and
T R R H sticks.  The row passes if they separate as the paper says somewhere, and nowhere the other
way round; there is no difference to speak of in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf, isinf, pi
from statistics import median
from typing import Any, Final

from annelid.kernel import RandomStreams
from annelid.modules import shelf
from annelid.papers import Bench, Case, Outcome
from annelid.papers.interval import Interval, Rate
from annelid.robot import assemble, chain
from annelid.trial.replay import Run


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

    def __str__(self) -> str:
        return self.title


TWO, ONE = "TRRH", "TRH"
CHAINS: Final = (TWO, ONE)
BENDS: Final = (
    Bend("elbow 60 mm", 60.0),
    Bend("elbow 38 mm", 38.0),
    Bend("elbow 33 mm", 33.0),
    Bend("elbow 33 mm ±45°", 33.0, range_deg=45.0),
    Bend("elbow 33 mm ±30°", 33.0, range_deg=30.0),
    Bend("elbow 60 mm ±30°", 60.0, range_deg=30.0),
    Bend("S 33 mm", 33.0, second_deg=180.0),
    Bend("U 38 mm", 38.0, second_deg=0.0),
    Bend("U 33 mm", 33.0, second_deg=0.0),
)
REPEATS: Final = 20
ENTRY_MM, EXIT_MM = 60.0, 250.0
HALF: Final = 0.5
IN_TIME_S, LIMIT_S = 45.0, 60.0
"""For each elbow: what counts as passing, and how long a run goes on."""
SAID_S: Final = 2.0
"""When the operator says EXP: time counts from there."""


def case(letters: str, bend: Bend) -> Case:
    fields = {
        "robot.chain": letters,
        "robot.each.R.bend_deg": bend.range_deg,
        "control.options.operator.0.at_s": SAID_S,
        "duration_s": SAID_S + LIMIT_S * bend.elbows,
    }
    return Case("minimal-elbow", fields, partial(varied, letters=letters, bend=bend))


def varied(seed: int, *, letters: str, bend: Bend) -> dict[str, Any]:
    """Side and plane (±10°) of the bend, bore (±2 %) and entry; the tail must leave the bend."""
    draw = RandomStreams(seed)["papers/a06"]
    entry_mm = ENTRY_MM + float(draw.uniform(0, 30))
    roll = float(draw.choice([0.0, 180.0]) + draw.uniform(-10, 10))
    rolls = [roll] if bend.second_deg is None else [roll, roll + bend.second_deg]
    behind = assemble(chain(letters), shelf()).length
    return {
        "world.bore_mm": 40.0 * float(draw.uniform(0.98, 1.02)),
        "world.parts": [
            {"part": "straight", "length_mm": entry_mm},
            *({"part": "elbow", "radius_mm": bend.radius_mm, "roll_deg": one} for one in rolls),
            {"part": "straight", "length_mm": EXIT_MM},
        ],
        "success.progress_m": (entry_mm + bend.elbows * bend.radius_mm * pi / 2) / 1000 + behind,
    }


def judge(run: Run) -> float:
    """How long it took to get round, s; infinite: it did not."""
    done = run.metrics.time_to_goal_s
    return inf if done is None else done - SAID_S


AS_SAID, REVERSED = "T R R H passes and T R H sticks", "T R H passes and T R R H sticks"
BOTH, NEITHER, UNSURE = "both pass", "both stick", "not decided"


@dataclass(frozen=True)
class Cell:
    """All runs of both chains round one bend, s each."""

    bend: Bend
    took: dict[str, list[float]]

    def rate(self, letters: str, each_s: float = IN_TIME_S) -> Interval:
        return Rate.count(took <= each_s * self.bend.elbows for took in self.took[letters])

    def passes(self, letters: str) -> bool:
        return self.rate(letters).low > HALF

    def sticks(self, letters: str) -> bool:
        return self.rate(letters).high < HALF

    def only(self, letters: str) -> bool:
        """Whether this chain passes and the other one sticks."""
        other = ONE if letters == TWO else TWO
        apart = self.rate(letters).above(self.rate(other))
        return apart and self.passes(letters) and self.sticks(other)

    @property
    def kind(self) -> str:
        """As the row sorts its bends."""
        if self.only(TWO):
            return AS_SAID
        if self.only(ONE):
            return REVERSED
        if all(map(self.passes, CHAINS)):
            return BOTH
        return NEITHER if all(map(self.sticks, CHAINS)) else UNSURE

    def told(self) -> str:
        rates = " and ".join(f"{self.rate(letters).value:.0%}" for letters in CHAINS)
        times = " and ".join(_seconds(self.took[letters]) for letters in CHAINS)
        return f"{self.bend.title}: {rates} (median {times})"


def separate(cells: Sequence[Cell]) -> bool:
    """As the paper says: somewhere so, and nowhere the other way round."""
    return any(cell.only(TWO) for cell in cells) and not any(cell.only(ONE) for cell in cells)


def _seconds(took: Sequence[float]) -> str:
    middle = median(took)
    return "never" if isinf(middle) else f"{middle:.0f} s"


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    bends = BENDS[:1] if bench.quick else BENDS
    keys = list(product(bends, CHAINS))
    found = bench.trials(
        {f"{bend} {letters}": case(letters, bend) for bend, letters in keys}, judge, repeats=repeats
    )
    cells = [
        Cell(bend, {letters: found[f"{bend} {letters}"] for letters in CHAINS}) for bend in bends
    ]
    sorted_out = {
        kind: ", ".join(cell.bend.title for cell in cells if cell.kind == kind) or "nowhere"
        for kind in (AS_SAID, REVERSED, BOTH, NEITHER, UNSURE)
    }
    return Outcome(
        ours=f"within {IN_TIME_S:.0f} s an elbow "
        + "; ".join(f"{kind}: {where}" for kind, where in sorted_out.items()),
        passed=separate(cells),
        note=(
            f"{repeats} robots a cell; T R R H and T R H passed: "
            f"{'; '.join(cell.told() for cell in cells)}.  Passes: the lower 95 % bound "
            "is above a half; sticks: the upper one is below.  The row passes if somewhere T R R H "
            "passes and T R H sticks, and nowhere the other way round.  Servos turn ±90° where "
            "nothing else is said.  Told EXP on boards; bore "
            "±2 %, side and plane of the bend (±10°) and entry varied besides the robot."
        ),
        values={
            f"{letters} {cell.bend.title}{label}": cell.rate(letters, each_s).value
            for cell in cells
            for letters in CHAINS
            for label, each_s in (("", IN_TIME_S), (", late ones too", LIMIT_S))
        },
    )
