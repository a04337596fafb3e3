"""The planner's model of its robot, read from the modules before anything moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.modules.hub import Hub
from annelid.modules.leg import CUP_AREA, CUP_REACH, HALF_WIDTH, TIP, Leg
from annelid.robot.body import Part
from annelid.robot.robot import Placed, Robot
from annelid.systems.climber.executive.collision import CollisionModel
from annelid.systems.climber.executive.forces import ForceModel, Grip
from annelid.systems.climber.executive.kinematics import Legs
from annelid.systems.climber.executive.mass import Masses, MassModel

Floats = NDArray[np.float64]

STANDING_MIN = 3
"""Cups that a body needs to stand on."""


@dataclass(frozen=True)
class Climber:
    """Everything that follows from body and legs."""

    hub: str
    names: tuple[str, ...]
    """Of the legs, in the order of the trunk's places."""
    joints: tuple[str, ...]
    """Servos of a leg, from the body outward."""
    legs: Legs
    masses: MassModel
    forces: ForceModel
    collision: CollisionModel
    stance: Floats
    """Default feet in the body: the recovery stance, (n, 3)."""
    full_pressure: float
    """Of a whole vacuum, Pa."""
    encoder_step: float
    """Of the joints, rad."""

    @property
    def count(self) -> int:
        return len(self.names)


def read_robot(robot: Robot, *, stance_mm: Sequence[tuple[float, float]] = ()) -> Climber:
    """The climber that ``robot`` is; what is none is refused with the reason.

    ``stance_mm``: x and y of every foot in the body, where they shall not be straight outward.
    """
    hub, trunk, legs = _parts(robot)
    types = [leg.type for leg in legs if isinstance(leg.type, Leg)]
    if len({kind.joints for kind in types}) > 1:
        raise InputError("climber: expected legs with equal joints, got some with an ankle")
    places = {f"leg{k}": place for k, place in enumerate(trunk.places, 1)}
    mounted = [places[_face(robot, hub.name, leg.name)] for leg in legs]
    geometry = Legs(
        mounts=np.array([(p.x_mm / 1000, p.y_mm / 1000, 0.0) for p in mounted]),
        yaws=np.array([radians(p.yaw_deg) for p in mounted]),
        coxae=np.array([kind.coxa_mm for kind in types]) / 1000,
        links=np.array([kind.links_mm for kind in types]) / 1000 + _lips(len(types[0].links_mm)),
        low=np.array([[low for low, _ in kind.limits] for kind in types]),
        high=np.array([[high for _, high in kind.limits] for kind in types]),
    )
    masses = MassModel(geometry, _masses(hub, legs, len(types[0].joints) - 1))
    servo = types[0].servo
    grip = Grip(
        suction=min(kind.suction_n for kind in types),
        friction=min(kind.cup_friction for kind in types),
        torque=servo.stall_torque,
    )
    return Climber(
        hub=hub.name,
        names=tuple(leg.name for leg in legs),
        joints=types[0].joints,
        legs=geometry,
        masses=masses,
        forces=ForceModel(geometry, masses, servo.stiffness, grip),
        collision=CollisionModel(geometry, CUP_REACH, HALF_WIDTH),
        stance=_stance(geometry, types, stance_mm),
        full_pressure=grip.suction / CUP_AREA,
        encoder_step=servo.angle_resolution,
    )


def _lips(links: int) -> Floats:
    """What is added to each link: a foot rolls on its lip, as if the last link ended in it."""
    return np.array([*(0.0,) * (links - 1), TIP])


def _parts(robot: Robot) -> tuple[Placed, Hub, list[Placed]]:
    hubs = [(m, m.type) for m in robot.modules if isinstance(m.type, Hub)]
    if len(hubs) != 1:
        raise InputError(
            f"climber: expected one trunk (Y) with legs (L), got {len(hubs)} in {robot.letters}"
        )
    hub, trunk = hubs[0]
    near = {end[0] for dock in robot.docks for end in (dock.a, dock.b)}
    legs = [m for m in robot.modules if isinstance(m.type, Leg) and m.name in near]
    legs.sort(key=lambda leg: int(_face(robot, hub.name, leg.name)[3:]))
    if len(legs) < STANDING_MIN:
        raise InputError(
            f"climber: {len(legs)} legs: three can stand still and four walk (003 §5); "
            "dock more (L) to the trunk"
        )
    return hub, trunk, legs


def _face(robot: Robot, hub: str, leg: str) -> str:
    for dock in robot.docks:
        ends = dict((dock.a, dock.b))
        if hub in ends and leg in ends:
            return ends[hub]
    raise InputError(f"climber: {leg} is not docked to the trunk {hub}")


def _stance(legs: Legs, types: Sequence[Leg], stance_mm: Sequence[tuple[float, float]]) -> Floats:
    out = np.array([kind.length_mm for kind in types]) / 1000
    high = np.array([kind.height_mm for kind in types]) / 1000
    feet = legs.mounts + legs.frames[:, 1] * out[:, None]
    if stance_mm:
        if len(stance_mm) != legs.count:
            raise InputError(
                f"stance_mm: expected a place for each of {legs.count} legs, got {len(stance_mm)}"
            )
        feet[:, :2] = np.array(stance_mm) / 1000
    feet[:, 2] = -high
    return feet


def _masses(hub: Placed, legs: Sequence[Placed], links: int) -> Masses:
    """Masses and centres of the parts as they are built."""
    coxae, coxae_at, link_mass, link_along = [], [], [], []
    for leg in legs:
        parts = {part.name: part for part in leg.body.parts}
        names = list(parts)
        mass, (x, y, z) = _centre([parts["mount"], parts["coxa"]])
        coxae.append(mass)
        coxae_at.append((y, -x, z))
        order = names[2 : 2 + links]
        rows = [[parts[name]] for name in order]
        ends = names[2 + links :]
        row_mass, row_along = [], []
        for place, row in enumerate(rows):
            mass, (x, _, _) = _centre(row)
            along = -x * mass
            if place == links - 1:  # what hangs at its end: the cup
                end = -parts["tip"].at[0]
                more = sum(_centre([parts[name]])[0] for name in ends)
                cup = sum(m * (end - at[0]) for m, at in (_centre([parts[n]]) for n in ends))
                along, mass = along + cup, mass + more
            row_mass.append(mass)
            row_along.append(along / mass)
        link_mass.append(row_mass)
        link_along.append(row_along)
    trunk, at = _centre(hub.body.parts)
    return Masses(
        body=trunk,
        body_at=np.array(at),
        coxae=np.array(coxae),
        coxae_at=np.array(coxae_at),
        links=np.array(link_mass),
        links_along=np.array(link_along),
    )


def _centre(parts: Sequence[Part]) -> tuple[float, tuple[float, float, float]]:
    """(mass, centre) of parts that share one frame."""
    geoms = [geom for part in parts for geom in part.geoms]
    mass = sum(geom.mass for geom in geoms)
    if not mass:
        return 0.0, (0.0, 0.0, 0.0)
    x, y, z = (sum(geom.mass * geom.at[axis] for geom in geoms) / mass for axis in range(3))
    return mass, (x, y, z)
