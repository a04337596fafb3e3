"""Chooses the program of a module from the scenario."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from annelid.electronics.board import Firmware
from annelid.errors import InputError
from annelid.motion.casts import Cast
from annelid.motion.roles import LOOP_MIN, Role
from annelid.robot import Placed
from annelid.systems.conro.gait_table import column, open_loop, triggered
from annelid.systems.conro.general import general
from annelid.systems.conro.hormone import hormone
from annelid.systems.conro.lineage import Lineage, LineagePlace, require_loops, require_one_root
from annelid.systems.conro.ring import HOPS_MAX, ring
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.tree import tree
from annelid.systems.conro.walker import walker
from annelid.systems.conro.wall import wall


def firmware(spec: ConroSpec, cast: Cast, place: LineagePlace) -> Firmware:
    """With its roles, which fit the module already; only a gait table must know its place."""
    role, step_s = cast.root, spec.step_ms / 1000
    match spec.method:
        case "gait-table":
            own = column(role, place.behind)
            return partial(triggered, role=role, own=own, step_s=step_s, master=not place.number)
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
    if spec.signals == "both" or len(cast.roles) > 1:
        return
    if cast.root.loop and "hormone" not in spec.method:
        require_loops(found, cast.root, HOPS_MAX)
    else:
        require_one_root(found, cast.root)


def require_senses(spec: ConroSpec, modules: Iterable[Placed]) -> None:
    """Refuse modules that cannot see the wall they are to keep from."""
    if spec.wall is None:
        return
    sensor = spec.wall.steering().sensor
    for module in modules:
        if sensor not in (found.name for found in module.body.sensors):
            raise InputError(
                f"conro: {module.name} has no sensor {sensor} to keep from a wall by; a C has it "
                f'with looks = ["{spec.wall.side}"]'
            )


def needs_latches(spec: ConroSpec, cast: Cast) -> bool:
    """Whether a program must see what is docked, to tell its place or that it is the root."""
    if "gait-table" in spec.method:
        return False
    return len(cast.roles) > 1 or (spec.signals == "down" and not cast.root.loop)
