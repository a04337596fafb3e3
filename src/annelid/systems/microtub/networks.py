"""Draws pipe networks that nobody tuned for, lets a robot explore them, and judges from outside.

``network(seed)`` is a whole scenario: a world ``pipe-network``, a chain that is told ``EXP``, and
tolerances drawn from the seed.  What it may be:

=========  ==================================================================================
bore       38.5 to 44 mm
inlet      rises or falls by up to ``slope`` degrees
elbows     1 to 3, of 30 to 90°, radius 45 to 120 mm, level or in any plane
branches   0 to 2, of 30 to 90°, level or at any clock angle
ends       open, or (three of ten) capped
=========  ==================================================================================

The judge looks at the physics.  An end (and the place where a loop closes) counts as *seen* when
the nose was there, as *reachable* when rigid pieces fit through every fitting on the way and drives
are stronger than the weight (:mod:`annelid.worlds.passing`), or when it was seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import asin, degrees
from typing import Any, Final, Literal

import numpy as np

from annelid.physics.simulation import Simulation
from annelid.robot.hauling import Hauling
from annelid.robot.robot import Robot
from annelid.worlds import parse_world, worlds
from annelid.worlds.passing import Reach, reaches
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.tubes import TubeNetwork

Plane = Literal["level", "any"]
Fields = dict[str, Any]

NEAR_M: Final = 0.06
"""An end was seen by a nose that was this near."""
HOME_M: Final = 0.05
AT_LEAST_S: Final = 240.0
SLOWEST: Final = 0.006
"""m/s, of the nose there and back through everything: what time is given by."""


def network(
    seed: int,
    *,
    robot: Fields | None = None,
    plane: Plane = "any",
    slope: float = 15.0,
) -> Fields:
    """A scenario, the same for the same seed; ``robot``: as in a scenario."""
    world = {
        "kind": "pipe-network",
        "number": seed,
        "bores_mm": [38.5, 44.0],
        "slopes_deg": [-slope, slope],
        "elbows": [1, 3],
        "branches": [0, 2],
        "plane": plane,
        "holes": [0, 0],
        "launch": "closed" if slope else "open",
    }
    robot = robot or {"chain": "TRRHRRVP"}
    return exploring(world, seed, robot=robot, name=f"network-{seed}")


def exploring(world: Fields, seed: int, *, robot: Fields, name: str) -> Fields:
    """A scenario in which a robot is told ``EXP`` and has time enough for all of these pipes."""
    pipes = parse_world(world, worlds())
    assert isinstance(pipes, Pipe)
    whole = sum(tube.length for tube in pipes.tubes().tubes)
    return {
        "name": name,
        "about": "A pipe network that nobody tuned for.",
        "seed": seed,
        "duration_s": round(AT_LEAST_S + whole / SLOWEST),
        "robot": robot,
        "world": world,
        "physics": {"timestep_ms": 1.0},
        "tolerances": {"draw": True},
        "record": {"rate_hz": 10},
        "control": {
            "system": "microtub",
            "options": {
                "operator": [{"at_s": 2.0, "say": "EXP"}],
                "bifurcations": "both",
                "look_s": 60.0,
            },
        },
    }


@dataclass(frozen=True)
class Features:
    """Of one network, as a table groups it."""

    bore_mm: float
    slope_deg: float
    """Of the inlet."""
    steepest_deg: float
    """Of any straight, up or down."""
    elbows: int
    tightest_mm: float | None
    """Radius of the tightest elbow."""
    branches: int
    sharpest_deg: float | None
    """Angle of the sharpest branch."""

    @classmethod
    def of(cls, world: Pipe) -> Features:
        tubes = world.tubes().tubes
        bends = [tube for tube in tubes if tube.bent]
        sharp = [part.branch_angle_deg for part in world.parts if part.part == "tee"]
        rises = [abs(asin(min(max(tube.tangent[2], -1), 1))) for tube in tubes if not tube.bent]
        return cls(
            bore_mm=world.bore_mm,
            slope_deg=world.slope_deg,
            steepest_deg=round(degrees(max(rises)), 6),
            elbows=len(bends),
            tightest_mm=min((1000 * tube.bend_radius for tube in bends), default=None),
            branches=len(sharp),
            sharpest_deg=max(sharp, default=None),
        )


@dataclass
class Onlooker:
    """Notes which ends the nose has met; call ``look`` now and then."""

    sim: Simulation
    reach: tuple[Reach, ...]
    ends: dict[int, tuple[float, float, float]]
    met: set[int] = field(default_factory=set)
    start: float = 0.0

    @classmethod
    def of(cls, sim: Simulation, world: Pipe, robot: Robot) -> Onlooker:
        tubes = world.tubes()
        hauling = Hauling.of([module.type for module in robot.modules])
        found = cls(sim, reaches(tubes, hauling), tubes.ends() | tubes.seams())
        found.start = found.progress
        return found

    @property
    def nose(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.asarray(self.sim.poses()[0][:3])

    @property
    def progress(self) -> float:
        return self.sim.world.progress(tuple(self.nose.tolist()))

    def look(self) -> None:
        nose = self.nose
        for end, point in self.ends.items():
            if float(np.linalg.norm(nose - point)) <= NEAR_M:
                self.met.add(end)

    @property
    def home(self) -> bool:
        return self.progress - self.start <= HOME_M

    @property
    def missed(self) -> tuple[str, ...]:
        """Reachable ends that were not met, by part."""
        parts = [tube.part for tube in self._tubes.tubes]
        return tuple(
            parts[each.end] for each in self.reach if each.reachable and each.end not in self.met
        )

    @property
    def unreachable(self) -> tuple[str, ...]:
        """Why the others could not be."""
        return tuple(
            each.why_not for each in self.reach if not each.reachable and each.end not in self.met
        )

    @property
    def _tubes(self) -> TubeNetwork:
        world = self.sim.world
        assert isinstance(world, Pipe)
        return world.tubes()
