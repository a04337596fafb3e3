"""Chooses the program of a module from the scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from annelid.electronics.board import Firmware
from annelid.errors import InputError
from annelid.motion.casts import Cast
from annelid.motion.roles import LOOP_MIN, Role
from annelid.motion.selector import select
from annelid.robot import Placed, Robot
from annelid.robot.body import Ray
from annelid.systems.conro.gait_table import column, open_loop, triggered
from annelid.systems.conro.general import SLOTS, general
from annelid.systems.conro.hormone import hormone
from annelid.systems.conro.lineage import (
    Lineage,
    LineagePlace,
    require_loops,
    require_one_leader,
    require_one_root,
)
from annelid.systems.conro.ring import HOPS_MAX, ring
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.tree import tree
from annelid.systems.conro.walker import walker
from annelid.systems.conro.wall import wall

SPACED: Final = 0.05
"""Of a period, by which delays differ if they do: what clocks that are 2.5 % off, either way, need.
"""


def firmware(spec: ConroSpec, cast: Cast, place: LineagePlace) -> Firmware:
    """With its roles, which fit the module already; only a gait table must know its place."""
    role, step_s = cast.root, spec.step_ms / 1000
    match spec.method:
        case "gait-table":
            return partial(
                triggered,
                parent=role.parent,
                children=place.children,
                own=column(role, place.behind),
                step_s=step_s,
                master=not place.number,
            )
        case "gait-table-open-loop":
            return partial(open_loop, own=column(role, place.behind), step_s=step_s)
        case "hormone" | "hormone-both-ways":
            both_ways = spec.method == "hormone-both-ways"
            return partial(hormone, role=role, step_s=step_s, both_ways=both_ways)
    if spec.wall is not None:
        return partial(wall, role=role, step_s=step_s, steering=spec.wall.steering())
    if spec.signals == "both":
        return partial(general, cast=cast, step_s=step_s)
    if len(cast.roles) > 1:
        return partial(walker, cast=cast, step_s=step_s)
    if role.loop:
        return partial(ring, roles=tracks(spec, role), step_s=step_s)
    return partial(tree, role=role, step_s=step_s)


def tracks(spec: ConroSpec, role: Role) -> dict[int, Role]:
    """What a loop does by the number of its modules, with the servos of one that fits."""
    found = {}
    for modules in range(LOOP_MIN, HOPS_MAX + 1, 2):
        made = spec.made_role(modules)
        bend = made.motion["pitch"]
        motion = {servo: bend if swing.amplitude else swing for servo, swing in role.motion.items()}
        found[modules] = replace(made, motion=motion)
    return found


def require_fit(spec: ConroSpec, cast: Cast, found: Lineage) -> None:
    """Refuse a body in which some module would wait for ever, or two would conduct."""
    require_spaced(cast, SLOTS if spec.signals == "both" else 0)
    if spec.signals == "both":
        require_one_leader(found)
    elif cast.root.loop and "hormone" not in spec.method:
        require_loops(found, cast.root, HOPS_MAX)
    else:
        require_one_root(found, cast.root.parent)


def require_spaced(cast: Cast, late: int) -> None:
    """Refuse delays that clocks cannot tell apart: a module that is reset at one of them, a little
    early, would jump over the other and never signal there.

    ``late``: steps by which signals may be sent late.
    """
    for role in cast.roles:
        for connector, delay in role.delays.items():
            for other, theirs in {role.parent: 0, **role.delays}.items():
                apart = (theirs - delay) % role.period
                if 0 < apart < SPACED * role.period + late:
                    raise InputError(
                        f"conro: delay {delay} through {connector} is {apart} steps before "
                        f"{theirs}, that of {other}: expected the same, or at least "
                        f"{SPACED * role.period + late:.0f} of {role.period} steps before it"
                    )


def require_motions(spec: ConroSpec, robot: Robot, able: Collection[str]) -> None:
    """Refuse a motion for a module that has not the servos for it."""
    for selector in spec.motions:
        for module in select(robot, selector, where="control.options.motions"):
            if module.name not in able:
                asked = set(spec.casts(robot)[module.name].root.motion)
                missing = sorted(asked - {mount.name for mount in module.body.mounts})
                raise InputError(
                    f"conro: motions.{selector}: {module.name} has no servo {', '.join(missing)}"
                )


def require_senses(spec: ConroSpec, modules: Iterable[Placed]) -> None:
    """Refuse modules that cannot see the wall they are to keep from."""
    if spec.wall is None:
        return
    sensor = spec.wall.steering().sensor
    for module in modules:
        ray = next((each for each in module.body.sensors if each.name == sensor), None)
        if ray is None:
            raise InputError(
                f"conro: {module.name} has no sensor {sensor} to keep from a wall by; a C has it "
                f'with looks = ["{spec.wall.side}"]'
            )
        if isinstance(ray, Ray) and spec.wall.keep_mm >= 1000 * ray.range:
            raise InputError(
                f"conro: wall.keep_mm: expected less than the {1000 * ray.range:.0f} mm that "
                f"{module.name} sees, got {spec.wall.keep_mm:g}"
            )


def needs_latches(spec: ConroSpec, cast: Cast) -> bool:
    """Whether a program must see what is docked, to tell its place or that it is the root."""
    if "gait-table" in spec.method:
        return False
    return len(cast.roles) > 1 or (spec.signals == "down" and not cast.root.loop)
