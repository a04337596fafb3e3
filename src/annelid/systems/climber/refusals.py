"""Refuses what a climber cannot do, before it tries: planes too steep, poses too far, starts from
which its feet do not reach the surface, a surface that is not what the robot is told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.model import Climber
from annelid.systems.climber.planner.urgency import urgency
from annelid.worlds.plane import Plane
from annelid.worlds.world import World

Floats = NDArray[np.float64]


def refuse_another_surface(told: str, world: World) -> None:
    """``told``: flat or curved.  A robot told that a drum is flat blames its joints for the bend,
    one told that a plane bends looks for a bend; other worlds do not say what they are."""
    if not isinstance(world, Plane):
        return
    bends = "flat" if world.shape == "flat" else "curved"
    if told != bends:
        raise InputError(
            f"climber: control.options.surface: expected {bends!r} on a plane of the shape "
            f"{world.shape!r}, got {told!r}"
        )


def refuse_a_fall(climber: Climber, gravity: Floats) -> None:
    """``gravity`` in the body, m/s².  All feet down and attached, the cups must hold."""
    q = climber.legs.inverse(climber.stance)
    loads = climber.forces.loads(q, gravity, np.ones(climber.count))
    use = np.maximum(loads.pull_use, loads.shear_use)
    leg = int(np.argmax(use))
    if use[leg] > 1.0:
        lean = np.degrees(np.arccos(np.clip(-gravity @ UP / np.linalg.norm(gravity), -1.0, 1.0)))
        grip = climber.forces.grip
        raise InputError(
            f"climber: cups of {grip.suction:g} N (µ {grip.friction:g}) do not hold "
            f"{climber.masses.total:.2f} kg at {lean:.0f}°: leg {leg + 1} would have to bear "
            f"{use[leg]:.2f} of what it can (pull {max(-loads.normal[leg], 0.0):.1f} N, shear "
            f"{loads.shear[leg]:.1f} N); stronger cups, more legs or a gentler slope"
        )


def refuse_out_of_reach(climber: Climber, feet: Floats, below: Floats) -> None:
    """``feet`` at the start, in the body; ``below``: how far the surface is below the body at each
    of them, m, infinite where there is none.  Every foot must be able to go down to it."""
    for leg, (foot, depth) in enumerate(zip(feet, below, strict=True)):
        if not np.isfinite(depth):
            raise InputError(
                f"climber: at the start there is no surface below the foot of leg {leg + 1}; "
                "begin away from edges, every foot above the surface"
            )
        if climber.legs.alone[leg].reachable(_at(foot, depth)[None])[0]:
            continue
        depths = np.arange(0.0, 0.5, 0.001)
        cases = np.stack([_at(foot, each) for each in depths])[:, None]
        good = depths[climber.legs.alone[leg].reachable(cases)[:, 0]]
        reach = f"{1000 * good.min():.0f} to {1000 * good.max():.0f} mm" if len(good) else "nothing"
        raise InputError(
            f"climber: at the start the surface is {1000 * depth:.0f} mm below the body at the "
            f"foot of leg {leg + 1}, which reaches {reach}; put the body nearer or more level "
            "(world.height_mm, pitch_deg, roll_deg)"
        )


def _at(foot: Floats, depth: float) -> Floats:
    return np.array([foot[0], foot[1], -depth])


def refuse_unreachable(climber: Climber, way: Sequence[BodyPose], danger_limit: float) -> None:
    """Every pose must be one in which all feet could stand in their stance, short of danger."""
    high = -float(climber.stance[:, 2].mean())
    ground = climber.stance + high * UP
    for number, pose in enumerate(way):
        heading = np.arctan2(pose.turn[1, 0], pose.turn[0, 0])
        cos, sin = np.cos(heading), np.sin(heading)
        level = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        body = BodyPose((high + pose.at[2]) * UP, level.T @ pose.turn)
        q = climber.legs.inverse(body.into(ground))
        urgent = urgency(climber, q)
        leg = int(np.argmax(urgent))
        if urgent[leg] >= danger_limit:
            margin = float(climber.legs.margin(q)[leg])
            told = (
                "cannot be reached"
                if not np.isfinite(margin)
                else f"is {margin:.2f} rad from a joint's limit"
            )
            raise InputError(
                f"climber: way[{number}]: at {1000 * (high + pose.at[2]):.0f} mm above the surface "
                f"and this inclination the place of leg {leg + 1} {told}: urgency "
                f"{urgent[leg]:.2f}, allowed are less than {danger_limit:g}"
            )
