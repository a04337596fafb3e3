"""Worlds: what a robot moves in, one file each, found by ``kind``.

A world is a frozen spec (``World``) that lays out neutral ``Scenery`` for a robot of a given
length: fixed blocks, a grid of heights, convex solids, a network of tubes.  It also knows the way:
how far along it a point is, where it ends, how narrow it gets.  Nothing here knows the engine.

``worlds()`` gives the built-in ones and those of installed packages (entry points in the group
``annelid.worlds``); ``parse_world`` makes one from a scenario's table.  A plugin file given on the
command line is laid on top with ``annelid.trial.plugins.load``; nothing is registered by importing.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from annelid.errors import SpecError, UnknownName
from annelid.spec import describe
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
    from annelid.worlds.pipe_world import Pipe as Pipe
    from annelid.worlds.plane import Plane as Plane
    from annelid.worlds.terrain import Terrain as Terrain

_BUILT_IN = (
    "pipe_world:Pipe",
    "open_air:OpenAir",
    "terrain:Terrain",
    "mesh:Mesh",
    "plane:Plane",
)

ENTRY_POINTS = "annelid.worlds"

Registry = Mapping[str, type[World]]
"""Worlds by kind."""


def worlds(*more: type[World]) -> Registry:
    """All worlds by kind; ``more`` are laid on top and may not take a used kind."""
    kinds: dict[str, type[World]] = {}
    built_in = [_load(f"annelid.worlds.{path}") for path in _BUILT_IN]
    installed = [point.load() for point in entry_points(group=ENTRY_POINTS)]
    for world in (*built_in, *installed, *more):
        if not (isinstance(world, type) and issubclass(world, World)):
            raise SpecError(f"{world!r} is not a world (a subclass of annelid.worlds.World)")
        kind = kind_of(world)
        if kinds.setdefault(kind, world) is not world:
            raise SpecError(
                f"world kind {kind!r} of {world.__qualname__} is taken by "
                f"{kinds[kind].__qualname__}; taken kinds: {', '.join(sorted(kinds))}"
            )
    return MappingProxyType(kinds)


def kind_of(world: type[World]) -> str:
    """What a scenario writes to get this world."""
    kind = world.model_fields["kind"].default
    if not (isinstance(kind, str) and kind):
        raise SpecError(
            f"world {world.__qualname__} has no kind: "
            f'write kind: Literal["{world.__name__.lower()}"] = "{world.__name__.lower()}" in it'
        )
    return kind


def parse_world(
    data: Mapping[str, Any],
    registry: Registry,
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
    if kind not in registry:
        raise UnknownName("world", kind, registry, where=f"{where}: kind")
    try:
        return registry[kind].model_validate(data, context={"folder": folder})
    except ValidationError as error:
        raise SpecError(describe(error, where)) from None


def __getattr__(name: str) -> Any:
    """The built-in worlds, imported when they are asked for: ``annelid.worlds.Pipe``."""
    for path in _BUILT_IN:
        if path.endswith(f":{name}"):
            return _load(f"annelid.worlds.{path}")
    raise AttributeError(f"module 'annelid.worlds' has no attribute {name!r}")


def _load(path: str) -> type[World]:
    module, _, name = path.partition(":")
    world: type[World] = getattr(import_module(module), name)
    return world


__all__ = [
    "ENTRY_POINTS",
    "Block",
    "Heights",
    "Looks",
    "Pose",
    "Registry",
    "Scenery",
    "Solid",
    "Surface",
    "Tether",
    "World",
    "kind_of",
    "parse_world",
    "worlds",
]
