"""Which program a module runs, by what the scenario asks for."""

from __future__ import annotations

from functools import partial

from annelid.electronics.board import Firmware
from annelid.motion.casts import Cast
from annelid.systems.conro.general import general
from annelid.systems.conro.ring import ring
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.tree import tree
from annelid.systems.conro.walker import walker


def firmware(spec: ConroSpec, cast: Cast) -> Firmware:
    """With its roles, which fit the module already."""
    step_s = spec.step_ms / 1000
    if spec.signals == "both":
        return partial(general, cast=cast, step_s=step_s)
    if len(cast.roles) > 1:
        return partial(walker, cast=cast, step_s=step_s)
    return partial(ring if cast.root.loop else tree, role=cast.root, step_s=step_s)


def needs_latches(spec: ConroSpec, cast: Cast) -> bool:
    """Whether a program must see what is docked, to tell its place or that it is the root."""
    return len(cast.roles) > 1 or (spec.signals == "down" and not cast.root.loop)
