"""The worlds that a robot can move in, one file each, found by ``kind``.

A world is a frozen spec (``World``) that lays out neutral ``Scenery`` for a robot of a given
length: fixed blocks, a grid of heights, convex solids, a network of tubes.  It also knows the way:
how far along it a point is, where it ends, how narrow it gets.  Nothing here knows the engine.

``worlds()`` gives the built-in ones and those of installed packages; ``WORLDS`` says how one is
brought (``annelid.registry``); ``parse_world`` makes one from a scenario's table.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from annelid.errors import SpecError
from annelid.registry import Kind, KindTable, load_place, tag_of
from annelid.spec import faults_named
from annelid.worlds.scenery import (
    Block,
    Heights,
    Looks,
    Pose,
    Scenery,
    Solid,
    Surface,
    Tether,
)
from annelid.worlds.world import World

if TYPE_CHECKING:
    from annelid.worlds.mesh import Mesh as Mesh
    from annelid.worlds.open_air import OpenAir as OpenAir
    from annelid.worlds.pipe_network import DrawnPipes as DrawnPipes
    from annelid.worlds.pipe_world import Pipe as Pipe
    from annelid.worlds.plane import Plane as Plane
    from annelid.worlds.terrain import Terrain as Terrain

_BUILT_IN = (
    "pipe_world:Pipe",
    "pipe_network:DrawnPipes",
    "open_air:OpenAir",
    "terrain:Terrain",
    "mesh:Mesh",
    "plane:Plane",
)

Worlds = KindTable[type[World]]
"""Worlds by kind."""


def _kind_of(world: type[World]) -> str:
    if not hasattr(world, "title"):
        raise SpecError(f"{world.__name__} does not set title")
    return tag_of(world, "kind")


WORLDS: Final[Kind[type[World]]] = Kind(
    name="world",
    plural="worlds",
    base=World,
    key=_kind_of,
    built_in=tuple(f"annelid.worlds.{place}" for place in _BUILT_IN),
)


def worlds(*more: type[World]) -> Worlds:
    """All worlds by kind; ``more`` are laid on top and may not take a used kind."""
    return WORLDS.table(*more)


def parse_world(
    data: Mapping[str, Any],
    registry: Worlds,
    *,
    where: str = "world",
    folder: Path | None = None,
) -> World:
    """The world a scenario's table describes; files it names are looked for in ``folder``."""
    kind = data.get("kind")
    if not isinstance(kind, str):
        raise SpecError(
            f"{where}: kind: expected one of {', '.join(sorted(registry))}, "
            + ("got none" if kind is None else f"got {kind!r}")
        )
    world = registry.find(kind, where=f"{where}: kind")
    with faults_named(where):
        return world.model_validate(data, context={"folder": folder})


def __getattr__(name: str) -> Any:
    """The built-in worlds, imported when they are asked for: ``annelid.worlds.Pipe``."""
    for path in _BUILT_IN:
        if path.endswith(f":{name}"):
            return load_place(f"annelid.worlds.{path}")
    raise AttributeError(f"module 'annelid.worlds' has no attribute {name!r}")
