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
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import TICK_S, drive, robot, simulation, straight_pipe
from annelid.physics.simulation import Simulation
from annelid.robot.body import DriveMount

CHAIN: Final = "TRRHSESRR"
"""Touch, rotation, helicoidal, extension and support, as in Fig 19."""

STAND_IN: Final = "TRRPSESRR"
"""The same with a passive of the same mass: a helicoidal module at rest holds the chain, so an
inchworm or snake alone is measured without it as well."""

SLOPES: Final = (0.0, 10.0)
SECONDS, SETTLE_S = 10.0, 3.0

PUSH: Final[dict[str, Any]] = {"gait": "push"}
WAVE: Final[dict[str, Any]] = {
    "gait": "wave",
    "modules": "R",
    "axis": "pitch",
    "amplitude_deg": 15,
    "omega_rad_s": 8,
    "phase_rad": pi / 2,
}
INCH: Final[dict[str, Any]] = {"gait": "inchworm"}
PULL_UP: Final[list[dict[str, Any]]] = [
    {"gait": "inchworm", "durations_s": [0.03, 0.30, 0.02, 0.03, 0.30, 0.06]},
    {"gait": "hold", "modules": "S1", "pose": {"grip": 0}},
]
"""The inchworm without its front support; phases that move get the time, the others little."""

SINGLE: Final[dict[str, tuple[str, list[dict[str, Any]]]]] = {
    "helicoidal": (CHAIN, [PUSH]),
    "inchworm": (CHAIN, [INCH]),
    "snake": (CHAIN, [WAVE]),
    "inchworm, helix replaced": (STAND_IN, [INCH]),
    "snake, helix replaced": (STAND_IN, [WAVE]),
}
MIXED: Final[dict[str, tuple[str, list[dict[str, Any]]]]] = {
    "switched on together": (CHAIN, [PUSH, INCH, WAVE]),
    "helicoidal and snake": (CHAIN, [PUSH, WAVE]),
    "helicoidal and worm": (CHAIN, [PUSH, *PULL_UP]),
    "all three": (CHAIN, [PUSH, *PULL_UP, WAVE]),
}


@dataclass(frozen=True)
class Ride:
    name: str
    slope_deg: float
    seed: int


@dataclass(frozen=True)
class Found:
    speed: float
    """Of the head, cm/s."""
    way: tuple[float, ...]
    """Of the head, m, at every tick."""
    bend: float
    """Swing of the rotation modules' pitch, degrees from end to end."""
    stroke: float
    """Of the extension, mm."""
    rolled: float
    """By the wheels of the helicoidal module, mm; 0 where it is replaced."""


def ride(given: Ride) -> Found:
    letters, gaits = (SINGLE | MIXED)[given.name]
    run = simulation(
        robot(letters, P={"mass_g": 50.0, "length_mm": 32.0}),
        straight_pipe(given.slope_deg, length_mm=1500),
        seed=given.seed,
        ahead_m=0.2,
    )

    def look(now: Simulation) -> tuple[float, ...]:
        return now.progress(), *now.actuators.position()

    rows = np.array(drive(run, gaits, SECONDS, look))
    names = run.actuators.names
    moved = dict(zip(names, np.ptp(rows[round(SETTLE_S / TICK_S) :, 1:], axis=0), strict=True))
    way = rows[:, 0] - rows[0, 0]
    drives = (m for who in run.robot.modules for m in who.body.mounts if isinstance(m, DriveMount))
    radius = next((mount.wheel_radius for mount in drives), 0.0)
    return Found(
        speed=100 * float(way[-1] - way[round(SETTLE_S / TICK_S)]) / (SECONDS - SETTLE_S),
        way=tuple(way.tolist()),
        bend=float(np.degrees(moved["R1.pitch"])),
        stroke=1000 * float(moved["E1.extend"]),
        rolled=1000 * radius * float(moved.get("H1.drive", 0.0)),
    )


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 3))
    names = [*SINGLE, *MIXED]
    todo = [Ride(n, slope, seed) for n in names for slope in SLOPES for seed in seeds]
    found = bench.map(ride, todo, what="A9")
    speeds = np.array([f.speed for f in found]).reshape(len(names), len(SLOPES), len(seeds))
    mean = dict(zip(names, speeds.mean(axis=2).tolist(), strict=True))
    best = speeds[: len(SINGLE)].mean(axis=2).max(axis=0)
    luckiest = speeds[: len(SINGLE)].max(axis=(0, 2))
    worst = speeds[names.index("all three")].min(axis=1)
    mixed = np.array(mean["all three"])
    one = found[names.index("all three") * len(SLOPES) * len(seeds)]
    at_once = one.bend > 5 and one.stroke > 5 and one.rolled > 5
    values = {
        f"{name.replace(', ', '_').replace(' ', '_')}_at_{slope:.0f}_deg_cm_s": mean[name][place]
        for name in names
        for place, slope in enumerate(SLOPES)
    }
    return Outcome(
        ours="; ".join(
            f"{slope:.0f}°: all three {mixed[k]:.2f}, best single drive {best[k]:.2f} cm/s"
            for k, slope in enumerate(SLOPES)
        ),
        passed=bool(at_once and (worst > luckiest).all()),
        note=(
            f"{CHAIN}, {len(seeds)} runs each; the slowest of all three against the fastest single "
            "one.  The helicoidal module acts as front support, the worm's rear support pushes, "
            "the rotation modules wave.  Simply switched on together they give "
            + " and ".join(f"{speed:.2f}" for speed in mean["switched on together"])
            + " cm/s.  In the run shown the rotation modules swing "
            f"{one.bend:.0f}°, the extension {one.stroke:.0f} mm, and the helicoidal wheels roll "
            f"{one.rolled:.0f} mm"
        ),
        values={**values, "bend_deg": one.bend, "stroke_mm": one.stroke, "rolled_mm": one.rolled},
        plots=tuple(
            Figure(
                f"{CHAIN} at {slope:.0f}°",
                "time (s)",
                "way of the head (m)",
                tuple(
                    _curve(name, found[(names.index(name) * len(SLOPES) + place) * len(seeds)])
                    for name in ("helicoidal", "switched on together", "all three")
                ),
            )
            for place, slope in enumerate(SLOPES)
        ),
    )


def _curve(name: str, found: Found) -> Series:
    return Series.of(name, TICK_S * (1 + np.arange(len(found.way))), found.way)
