"""A9: snake, worm and helicoidal movement at the same time in one chain (000 Fig 19, 001 §6.7).

Drives that are simply switched on together hinder each other: a helicoidal module does not roll
faster than its own speed nor backwards, so it brakes every stroke of an inchworm, and a support in
front that grips stops the helicoidal module.  They help each other when each does what the other
cannot:

- the helicoidal module in front is the front support: the supports before the extension stay
  folded, and nothing ever stops the head;
- while the rear supports grip, the extension pushes against the wall and takes load off the drive,
  which therefore rolls faster;
- while they are folded, the extension pulls the tail up in a fraction of the time;
- the rotation modules pass a flat wave to the head, which loosens the chain from the wall.

Fitted: the worm's phases (``durations_s`` of the scenario) were chosen because the mixture was the
fastest with them, so by the number that this row judges.  The mixture with the phases that an
inchworm has by itself is measured beside it, and one without the wave, so that the share of each is
seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.interval import Interval
from annelid.robot.body import DriveMount
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run

SCENARIO: Final = "a09-mixed"
SLOPES: Final = (0, 10)
SETTLE_S: Final = 3.0
MOVES: Final = 5.0
"""Degrees of bending, mm of stroke and mm of rolling that count as moving."""
REPEATS: Final = 10

STAND_IN: Final[dict[str, Any]] = {
    "robot.chain": "TRRPSESRR",
    "robot.each.P.mass_g": 50.0,
    "robot.each.P.length_mm": 32.0,
}
"""A passive of the same mass: a helicoidal module at rest holds the chain, so an inchworm or snake
alone is measured without it as well."""

MIXED: Final = "all three"
NO_WAVE: Final = "helicoidal and worm"
UNFITTED: Final = "all three, phases of an inchworm"
SINGLE: Final = (
    "helicoidal",
    "inchworm",
    "snake",
    "inchworm, helix replaced",
    "snake, helix replaced",
)


def cases() -> dict[tuple[str, int], Case]:
    """Movement and slope; the file has all three at once."""
    push, pull_up, folded, wave = load(SCENARIO).model_dump(mode="json")["control"]["gaits"]
    inch = {"gait": "inchworm"}
    gaits: dict[str, list[dict[str, Any]]] = {
        "helicoidal": [push],
        "inchworm": [inch],
        "snake": [wave],
        "switched on together": [push, inch, wave],
        "helicoidal and snake": [push, wave],
        NO_WAVE: [push, pull_up, folded],
        UNFITTED: [push, {k: v for k, v in pull_up.items() if k != "durations_s"}, folded, wave],
    }
    moves: dict[str, dict[str, Any]] = {
        **{name: {"control.gaits": chosen} for name, chosen in gaits.items()},
        "inchworm, helix replaced": {"control.gaits": [inch], **STAND_IN},
        "snake, helix replaced": {"control.gaits": [wave], **STAND_IN},
        MIXED: {},
    }
    return {
        (name, slope): Case(SCENARIO, {**moves[name], "world.slope_deg": slope})
        for name, slope in product(moves, SLOPES)
    }


@dataclass(frozen=True)
class Ride:
    speed: float
    """Of the head, cm/s."""
    time: tuple[float, ...]
    way: tuple[float, ...]
    """Of the head, m."""
    bend: float
    """Swing of the first rotation module's pitch, degrees from end to end."""
    stroke: float
    """Of the extension, mm."""
    rolled: float
    """By the wheels of the helicoidal module, mm; 0 where it is replaced."""

    @property
    def at_once(self) -> bool:
        return min(self.bend, self.stroke, self.rolled) > MOVES


def judge(run: Run) -> Ride:
    time, way = run.time("robot"), run["robot"]["progress"]
    settled = time >= SETTLE_S
    positions = run["actuators"]

    def moved(motor: str) -> float:
        return float(np.ptp(positions[f"position[{motor}]"][settled]))

    robot, _ = resolve(run.scenario)
    rolled = sum(
        mount.wheel_radius * moved(f"{module.name}.{mount.name}")
        for module in robot.modules
        for mount in module.body.mounts
        if isinstance(mount, DriveMount)
    )
    first = int(np.argmax(settled))
    return Ride(
        speed=100 * float((way[-1] - way[first]) / (time[-1] - time[first])),
        time=tuple(time.tolist()),
        way=tuple((way - way[0]).tolist()),
        bend=float(np.degrees(moved("R1.pitch"))),
        stroke=1000 * moved("E1.extend"),
        rolled=1000 * rolled,
    )


def faster(speed: Mapping[tuple[str, int], Interval]) -> bool:
    """Whether all three are faster than every single drive on every slope, beyond chance."""
    return all(speed[MIXED, slope].above(speed[name, slope]) for slope in SLOPES for name in SINGLE)


def _share(speed: Mapping[tuple[str, int], Interval], slope: int) -> str:
    """What the snake's wave adds to the others, where that is more than chance."""
    whole, rest = speed[MIXED, slope], speed[NO_WAVE, slope]
    if whole.above(rest):
        return f" (the wave gives {whole.value - rest.value:.2f})"
    return " (the wave costs speed)" if rest.above(whole) else " (the wave gives nothing sure)"


def experiment(bench: Bench) -> Outcome:
    repeats = 3 if bench.quick else REPEATS
    found = bench.trials(cases(), judge, repeats=repeats)
    speed = {key: Interval.mean([ride.speed for ride in rides]) for key, rides in found.items()}
    best = {
        slope: max((speed[name, slope] for name in SINGLE), key=lambda one: one.value)
        for slope in SLOPES
    }
    at_once = all(ride.at_once for slope in SLOPES for ride in found[MIXED, slope])
    one = found[MIXED, 0][0]
    return Outcome(
        ours="; ".join(
            f"{slope}°: all three {speed[MIXED, slope].told()}, best single drive "
            f"{best[slope].told()}, without the wave {speed[NO_WAVE, slope].told()} cm/s"
            f"{_share(speed, slope)}"
            for slope in SLOPES
        ),
        passed=at_once and faster(speed),
        note=(
            "Fitted: the durations of the worm's phases were chosen for the speed of all three, "
            "which is judged here; with the phases of an inchworm by itself it is "
            + " and ".join(speed[UNFITTED, slope].told() for slope in SLOPES)
            + f" cm/s.  TRRHSESRR, {repeats} runs each, mean and 95 % interval; the intervals of "
            "all three and of every single drive must not meet.  The helicoidal module acts as "
            "front support, the worm's rear support pushes, the rotation modules wave.  That the "
            "wave adds something is not asked for; its share is told where the intervals do not "
            "meet.  Simply switched on together they give "
            + " and ".join(speed["switched on together", slope].told() for slope in SLOPES)
            + " cm/s.  In the run shown the rotation modules swing "
            f"{one.bend:.0f}°, the extension {one.stroke:.0f} mm, and the helicoidal wheels roll "
            f"{one.rolled:.0f} mm"
        ),
        values={
            **{
                f"{name.replace(', ', '_').replace(' ', '_')}_at_{slope}_deg_cm_s{what}": value
                for (name, slope), each in speed.items()
                for what, value in (("", each.value), ("_half_interval", each.half))
            },
            "bend_deg": one.bend,
            "stroke_mm": one.stroke,
            "rolled_mm": one.rolled,
        },
        plots=tuple(
            Figure(
                f"TRRHSESRR at {slope}°",
                "time (s)",
                "way of the head (m)",
                tuple(
                    Series.of(name, found[name, slope][0].time, found[name, slope][0].way)
                    for name in ("helicoidal", "switched on together", MIXED)
                ),
            )
            for slope in SLOPES
        ),
    )
