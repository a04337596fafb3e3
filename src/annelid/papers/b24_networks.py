"""B24: exploration of pipe networks that nobody tuned for (our row).

A hundred networks are drawn for each of two robots, as ``annelid networks`` draws them: for
T R R H R R V P level ones whose inlet rises or falls by up to 12 degrees, for the robot of the
scenario ``survey`` ones in any plane, with up to 15 degrees.  Which ends can be reached is decided
outside the robot, by the geometry and statics that ``annelid range`` goes by too: do rigid pieces
fit through every fitting on the way, and are drives stronger than the weight?  Seen is an end that
the nose was at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from annelid.papers import Bench, Outcome
from annelid.papers.case import Heard
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.systems.microtub.front.campaign import kept_runs
from annelid.systems.microtub.front.named_robot import robot_named
from annelid.systems.microtub.front.networks import (
    FEATURES,
    Explored,
    explore,
    name_of,
)
from annelid.systems.microtub.networks import Plane

RUNS: Final = 100
GOOD_MIN: Final = 0.8
"""Of the networks: every reachable end seen, and home."""
HELD_MIN: Final = 0.9
"""Of the stated 95 % intervals."""
REACHABLE_MIN: Final = 0.6
"""Of the ends drawn."""


@dataclass(frozen=True)
class Field:
    """Networks of one kind, for one robot."""

    robot: str
    plane: Plane
    slope_deg: float


FIELDS: Final = {
    "T R R H R R V P, level": Field("TRRHRRVP", "level", 12.0),
    "survey robot, any plane": Field("survey", "any", 15.0),
}


@dataclass(frozen=True)
class Seen:
    """What became of the networks of one kind."""

    found: Sequence[Explored]

    @property
    def good(self) -> Rate:
        return Rate.count(one.good for one in self.found)

    @property
    def home(self) -> Rate:
        return Rate.count(one.home for one in self.found)

    @property
    def held(self) -> Rate:
        return Rate.share(
            sum(one.held for one in self.found), sum(one.intervals for one in self.found)
        )

    @property
    def reachable(self) -> Rate:
        ends = sum(one.ends for one in self.found)
        return Rate.share(ends - sum(len(one.unreachable) for one in self.found), ends)

    @property
    def whole(self) -> Rate:
        """Networks of which every end can be reached."""
        return Rate.count(one.whole for one in self.found)

    @property
    def lacking(self) -> int:
        """Robots whose map lacks a part that they went through."""
        return sum(bool(one.lacks) for one in self.found)

    @property
    def false(self) -> int:
        return sum(len(one.false) for one in self.found)

    @property
    def passed(self) -> bool:
        enough = self.good.value >= GOOD_MIN and self.reachable.value >= REACHABLE_MIN
        return enough and self.held.value >= HELD_MIN and not self.false

    def worst(self) -> str:
        """The feature with the lowest rate, of those that five networks or more have."""
        rates = {
            f"{feature} {value}": Rate.count(one.good for one in self.found if of(one) == value)
            for feature, of in FEATURES.items()
            for value in {of(one) for one in self.found}
        }
        often = {name: rate for name, rate in rates.items() if rate.of >= 5}
        if not often:
            return "too few networks to say which feature is worst"
        name = min(sorted(often), key=lambda each: often[each].value)
        return f"worst where {name}: {often[name]}"


def experiment(bench: Bench) -> Outcome:
    runs = 2 if bench.quick else RUNS
    seen = {name: Seen(_explored(bench, field, runs)) for name, field in FIELDS.items()}
    return Outcome(
        ours="; ".join(
            f"{name}: {each.good} seen as far as can be reached, and home"
            for name, each in seen.items()
        ),
        passed=all(each.passed for each in seen.values()),
        note=(
            f"{runs} networks each: 1 to 3 elbows of 45 to 120 mm, up to 2 branches of 30 to 90°, "
            "bores of 38.5 to 44 mm.  "
            + "  ".join(
                f"{name[0].upper()}{name[1:]}: {each.reachable} ends can be reached, all of them "
                f"in {each.whole} networks; home {each.home}, {each.held} stated intervals hold, "
                f"{each.false} false statements, {each.lacking} maps lack a part that the robot "
                f"went through; {each.worst()}."
                for name, each in seen.items()
            )
            + f"  Asked: {GOOD_MIN:.0%} of the networks, {REACHABLE_MIN:.0%} of the ends within "
            f"reach, {HELD_MIN:.0%} of the intervals, nothing false."
        ),
        values=numbers(
            {
                f"{name}, {what}": value
                for name, each in seen.items()
                for what, value in (
                    ("good", each.good),
                    ("home", each.home),
                    ("reachable ends", each.reachable),
                    ("networks of reachable ends", each.whole),
                    ("maps that lack a part", each.lacking),
                    ("intervals held", each.held),
                    ("false statements", each.false),
                )
            }
        ),
    )


def _explored(bench: Bench, field: Field, runs: int) -> list[Explored]:
    """A hundred networks take hours: those that are done are kept, as ``annelid networks`` keeps
    them, and the row goes on where it was broken off."""
    robot = robot_named(field.robot)
    work = partial(explore, robot=robot, plane=field.plane, slope=field.slope_deg)
    seeds = range(bench.seed, bench.seed + runs)
    if bench.quick:
        found = bench.map(work, seeds, what="B24")
    else:
        found = kept_runs(
            name_of(robot, field.plane, field.slope_deg),
            work,
            seeds,
            workers=bench.workers,
            read=Explored.read,
            tell=lambda done, of: bench.progress("B24", done / of),
        )
    bench.heard = sum((_heard(one) for one in found), bench.heard)
    return found


def _heard(one: Explored) -> Heard:
    false = tuple(f"{words} (network {one.seed})" for words in one.false)
    return Heard(
        one.statements,
        false,
        empty=one.empty,
        unjudged=one.unjudged,
        intervals=one.intervals,
        held=one.held,
    )
