"""The map of ``annelid climber range`` and its check by runs; the table of ``climber legs``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import cos, radians, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from annelid.errors import InputError
from annelid.modules import shelf
from annelid.robot import RobotSpec, assemble
from annelid.systems.climber.footing import Footing, footing, suction_needed, with_cups
from annelid.systems.climber.model import Climber, read_robot
from annelid.systems.climber.planner.mind import ARRIVED
from annelid.systems.climber.spec import ClimberSpec
from annelid.trial.load import load, resolve
from annelid.trial.pool import processes
from annelid.trial.replay import Run
from annelid.trial.run import Trial
from annelid.trial.summary import wilson
from annelid.worlds.plane import Plane

SUCTIONS_N: Final = (13.0, 30.0, 60.0)
SLOPES_DEG: Final = range(0, 181, 15)
HEADINGS_DEG: Final = range(0, 360, 30)
SIGN: Final = {
    Footing.WALKS: "W",
    Footing.BARELY: "b",
    Footing.STANDS: "s",
    Footing.REFUSES: "-",
}
WAY_MM: Final = 60.0
WALK_S: Final = 50.0
"""A way that takes steps of most legs, and the time for it, recoveries included."""
TRIES: Final = 50
"""Draws for one cell that the map is sure of."""


def climber_of(scenario: str) -> Climber:
    """The climber of a scenario on a plane."""
    loaded = load(scenario)
    options = loaded.control.options
    if not isinstance(options, ClimberSpec) or not isinstance(loaded.world, Plane):
        raise InputError(
            f"{scenario}: expected a climber on a plane, got the system {loaded.control.system!r} "
            f"in a world of kind {loaded.world.kind!r}"
        )
    return read_robot(resolve(loaded)[0], stance_mm=options.stance_mm)


def map_of(scenario: str, suctions: Sequence[float]) -> Iterator[str]:
    """A grid for each suction."""
    climber = climber_of(scenario)
    for suction in suctions:
        robot = with_cups(climber, suction)
        yield f"{scenario}, {climber.count} legs, {climber.masses.total:.2f} kg, {suction:g} N"
        yield f"| slope | {' | '.join(f'{heading}°' for heading in HEADINGS_DEG)} | needs |"
        yield f"|---|{'---|' * (len(HEADINGS_DEG) + 1)}"
        for slope in SLOPES_DEG:
            signs = [SIGN[footing(robot, slope, heading)] for heading in HEADINGS_DEG]
            yield f"| {slope}° | {' | '.join(signs)} | {_needs(robot, slope)} |"
        yield ""


def _needs(climber: Climber, slope: float) -> str:
    """Cups that walk in every direction there."""
    needed = [suction_needed(climber, slope, heading) for heading in HEADINGS_DEG[:4]]
    known = [each for each in needed if each is not None]
    return f"{max(known):.0f} N" if len(known) == len(needed) else "none will do"


@dataclass(frozen=True)
class MapCell:
    """One that the map is sure of, and the run that checks it."""

    seed: int
    suction_n: float
    slope_deg: float
    heading_deg: float
    says: Footing

    @classmethod
    def drawn(cls, climber: Climber, suctions: Sequence[float], seed: int) -> MapCell:
        chance = np.random.default_rng(seed)
        for _ in range(TRIES):
            suction = float(chance.choice(suctions))
            slope, heading = chance.uniform(0, 180), chance.uniform(0, 360)
            says = footing(with_cups(climber, suction), slope, heading)
            if says is not Footing.BARELY:
                break
        return cls(seed, suction, round(float(slope), 1), round(float(heading), 1), says)


def happens(cell: MapCell, *, scenario: str) -> str:
    """What a robot drawn from its tolerances did: ``walks``, ``stands``, ``refuses``, or worse."""
    fields = {
        "seed": cell.seed,
        "tolerances.draw": True,
        "robot.each.L.suction_n": cell.suction_n,
        "world.slope_deg": cell.slope_deg,
        "world.heading_deg": cell.heading_deg,
        "control.options.way": [{"x_mm": WAY_MM}],
        "duration_s": WALK_S,
        "success.progress_m": 1.0,
    }
    try:
        trial = Trial(load(scenario, overrides=fields))
        with TemporaryDirectory(prefix="annelid-") as folder:
            run = Run(trial.run(Path(folder)).folder)
            if run.metrics.fell_s is not None:
                return "falls"
            if run.events(ARRIVED):
                return Footing.WALKS
            return Footing.STANDS if run.events("critical stop") else "does not arrive"
    except InputError:
        return Footing.REFUSES


def checked(
    scenario: str, suctions: Sequence[float], count: int, *, seed: int, workers: int | None
) -> Iterator[str]:
    """Cells drawn at random, each run once with a robot of its own."""
    climber = climber_of(scenario)
    cells = [MapCell.drawn(climber, suctions, 1_000_000 * seed + k) for k in range(count)]
    with processes(workers) as pool:
        found = list(pool.map(partial(happens, scenario=scenario), cells, ordered=True))
    right = 0
    yield "| seed | cups | slope | heading | map | run |"
    yield "|---|---|---|---|---|---|"
    for cell, did in zip(cells, found, strict=True):
        right += did == cell.says
        yield (
            f"| {cell.seed} | {cell.suction_n:g} N | {cell.slope_deg:g}° | {cell.heading_deg:g}° | "
            f"{cell.says} | {did} |"
        )
    low, high = wilson(right, count)
    fell = sum(did == "falls" for did in found)
    yield f"{right} of {count} as the map says ({low:.0%} to {high:.0%}); {fell} fell"


def evenly(legs: int) -> dict[str, Any]:
    """A robot with legs evenly all round."""
    radius = 120.0
    turns = [360 * (k + 0.5) / legs for k in range(legs)]
    places = [
        {
            "x_mm": round(radius * cos(radians(turn)), 3),
            "y_mm": round(radius * sin(radians(turn)), 3),
            "yaw_deg": turn,
        }
        for turn in turns
    ]
    return {
        "modules": [{"type": "Y", "places": places}, *({"type": "L"},) * legs],
        "docks": [{"a": f"Y1.leg{k}", "b": f"L{k}.front"} for k in range(1, legs + 1)],
    }


def legs_table(numbers: Iterable[int]) -> Iterator[str]:
    """What each number needs, in the worst of the directions."""
    slopes = (45, 90, 120, 180)
    yield f"| legs | kg | {' | '.join(f'{slope}°' for slope in slopes)} |"
    yield f"|---|---|{'---|' * len(slopes)}"
    for number in numbers:
        climber = read_robot(assemble(RobotSpec.parse(evenly(number), where="robot"), shelf()))
        cells = [_needs(climber, slope) for slope in slopes]
        yield f"| {number} | {climber.masses.total:.2f} | {' | '.join(cells)} |"
