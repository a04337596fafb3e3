"""A10: the movements of a chain of rotation modules in open air (001 §3.3.1).

001 names six and gives no numbers, so the bar is ours: each must carry a chain of eight at least
one body length in its own direction in 20 s.  "Its own direction" is taken strictly: forward,
backward and sideways are measured in the frame of the start; a turn is the arc of the centre, and
must change the heading by a right angle at least; rotating in place is the arc of the chain's ends,
with the centre staying within half a length.

A chain that has fallen on its side may still get somewhere, in another gait than the one asked
for: the lean of every run is logged, and a toppled run fails.  Rolling is the opposite: it counts
only if the modules really go round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi, radians
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from annelid.motion import SNAKE
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import drive, open_air, simulation
from annelid.physics.frames import rotate
from annelid.physics.simulation import Simulation

MODULES: Final = 8
SECONDS: Final = 20.0
TICK_S: Final = 0.015
JITTER: Final = 0.02
"""Of the first joint angles and of the first lean, rad."""

TOPPLED: Final = radians(60)
"""A middle module that leans this far to the side has fallen over."""

FAST: Final[Mapping[str, Any]] = {"timestep_ms": 1.0, "servo": "quasi-static"}
FINE: Final[Mapping[str, Any]] = {"timestep_ms": 0.5, "servo": "dcmotor"}


@dataclass(frozen=True)
class Run:
    move: str
    seed: int
    fine: bool = False


@dataclass(frozen=True)
class Moved:
    """Lengths are in body lengths, in the frame of the start."""

    ahead: float
    left: float
    arc: float
    """Way of the centre, from period to period: the waving itself does not count."""
    heading: float
    """Change of the direction from tail to head, rad."""
    lean: float
    """Largest lean of a middle module to the side, rad."""
    rounds: float
    """How often a middle module has gone round its own axis."""
    path: tuple[tuple[float, float], ...]


Own = Callable[[Moved], float]

OWN: Final[Mapping[str, Own]] = MappingProxyType(
    {
        "forward": lambda m: m.ahead,
        "backward": lambda m: -m.ahead,
        "turn": lambda m: m.arc if m.heading > pi / 2 else 0.0,
        "roll": lambda m: m.left if abs(m.rounds) >= 1 else 0.0,
        "rotate": lambda m: abs(m.heading) / 2 if np.hypot(m.ahead, m.left) < 0.5 else 0.0,
        "lateral": lambda m: m.left,
    }
)
"""What each movement has done in its own direction, in body lengths."""


def move(given: Run) -> Moved:
    letters = "R" * MODULES
    run = simulation(
        letters, open_air(), seed=given.seed, jitter=JITTER, **(FINE if given.fine else FAST)
    )
    middle, last = f"R{MODULES // 2}", f"R{MODULES}.back"

    def look(now: Simulation) -> tuple[float, ...]:
        x, y, _ = now.centre()
        ahead = now.head() - now.face(last).at
        turn = now.placement(middle).turn
        lean = np.arctan2(rotate(turn, (0, 1, 0))[2], rotate(turn, (0, 0, 1))[2])
        return x, y, float(np.arctan2(ahead[1], ahead[0])), float(lean)

    gaits: list[dict[str, Any]] = [{"gait": "snake", "move": given.move}]
    x, y, heading, lean = np.array(drive(run, gaits, SECONDS, look, tick_s=TICK_S)).T
    heading, lean = np.unwrap(heading), np.unwrap(lean)
    place = np.column_stack((x - x[0], y - y[0])) / run.robot.length
    period = round(2 * pi / SNAKE[given.move].omega / TICK_S)
    stops = place[::period]
    return Moved(
        ahead=float(place[-1, 0]),
        left=float(place[-1, 1]),
        arc=float(np.linalg.norm(np.diff(stops, axis=0), axis=1).sum()),
        heading=float(heading[-1] - heading[0]),
        lean=float(np.abs(lean).max()),
        rounds=float((lean[-1] - lean[0]) / (2 * pi)),
        path=tuple((float(a), float(b)) for a, b in place[::10]),
    )


def toppled(name: str, moved: Moved) -> bool:
    return name != "roll" and moved.lean > TOPPLED


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    todo = [Run(name, seed) for name in OWN for seed in seeds]
    if not bench.quick:
        todo += [Run(name, bench.seed, fine=True) for name in OWN]
    found = bench.map(move, todo, what="A10")
    values: dict[str, float] = {}
    series, fallen, least = [], 0, {}
    for place, (name, own) in enumerate(OWN.items()):
        runs = found[place * len(seeds) : (place + 1) * len(seeds)]
        fine = found[len(OWN) * len(seeds) + place : len(OWN) * len(seeds) + place + 1]
        falls = sum(toppled(name, run) for run in (*runs, *fine))
        fallen += falls
        least[name] = min(own(run) for run in (*runs, *fine))
        values |= {
            f"{name}_lengths_mean": float(np.mean([own(run) for run in runs])),
            f"{name}_lengths_least": least[name],
            f"{name}_heading_deg": float(np.degrees(np.mean([run.heading for run in runs]))),
            f"{name}_lean_deg": float(np.degrees(max(run.lean for run in runs))),
            f"{name}_toppled": float(falls),
        }
        if fine:
            values[f"{name}_lengths_at_0.5_ms"] = own(fine[0])
        series.append(Series.of(name, *zip(*runs[0].path, strict=True)))
    short = [name for name in OWN if least[name] < 1]
    lengths = ", ".join(f"{name} {values[f'{name}_lengths_mean']:.1f}" for name in OWN)
    return Outcome(
        ours=f"body lengths in 20 s: {lengths}",
        passed=not short and not fallen,
        note=(
            f"{MODULES} R, {len(seeds)} runs a movement, quasi-static servos at 1 ms, and one with "
            "dcmotor servos at 0.5 ms; the least of all counts.  Turn: arc of the centre, heading "
            f"{values['turn_heading_deg']:.0f}°; rotate: arc of the ends, heading "
            f"{values['rotate_heading_deg']:.0f}°.  {fallen} of {len(todo)} runs toppled"
            + (f".  Below one length: {', '.join(short)}" if short else "")
        ),
        values=values,
        plots=(
            Figure(
                "Way of the centre in 20 s",
                "ahead (body lengths)",
                "left (body lengths)",
                tuple(series),
            ),
        ),
    )
