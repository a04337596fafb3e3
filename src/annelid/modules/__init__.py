"""The shelf: every module type, one file each, found by letter.

``shelf()`` gives the built-in types and those of installed packages (entry points in the group
``annelid.modules``).  A plugin file given on the command line is laid on top of it with
``annelid.trial.plugins.load``; nothing is registered by importing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from annelid.errors import SpecError
from annelid.robot import ModuleType, Shelf

if TYPE_CHECKING:
    from annelid.modules.battery import Battery as Battery
    from annelid.modules.conro import Conro as Conro
    from annelid.modules.erekobot import Erekobot as Erekobot
    from annelid.modules.extension import Extension as Extension
    from annelid.modules.helicoidal import Helicoidal as Helicoidal
    from annelid.modules.hub import Hub as Hub
    from annelid.modules.leg import Leg as Leg
    from annelid.modules.passive import Passive as Passive
    from annelid.modules.rotation import Rotation as Rotation
    from annelid.modules.sensor import SensorPack as SensorPack
    from annelid.modules.support import Support as Support
    from annelid.modules.tool import Tool as Tool
    from annelid.modules.touch import TouchCamera as TouchCamera
    from annelid.modules.traveller import Traveller as Traveller

_BUILT_IN = (
    "touch:TouchCamera",
    "rotation:Rotation",
    "helicoidal:Helicoidal",
    "support:Support",
    "extension:Extension",
    "traveller:Traveller",
    "passive:Passive",
    "sensor:SensorPack",
    "battery:Battery",
    "tool:Tool",
    "erekobot:Erekobot",
    "conro:Conro",
    "hub:Hub",
    "leg:Leg",
)

ENTRY_POINTS = "annelid.modules"


def shelf(*more: type[ModuleType]) -> Shelf:
    """All module types by letter; ``more`` are laid on top and may not take a used letter."""
    types: dict[str, type[ModuleType]] = {}
    built_in = [_load(f"annelid.modules.{path}") for path in _BUILT_IN]
    installed = [point.load() for point in entry_points(group=ENTRY_POINTS)]
    for kind in (*built_in, *installed, *more):
        if not (isinstance(kind, type) and issubclass(kind, ModuleType)):
            raise SpecError(
                f"{kind!r} is not a module type (a subclass of annelid.robot.ModuleType)"
            )
        if types.setdefault(kind.letter, kind) is not kind:
            raise SpecError(
                f"module letter {kind.letter!r} of {kind.__qualname__} is taken by "
                f"{types[kind.letter].__qualname__}; free letters: "
                + "".join(c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in types)
            )
    return MappingProxyType(types)


def __getattr__(name: str) -> Any:
    """The built-in types, imported when they are asked for: ``annelid.modules.Rotation``."""
    for path in _BUILT_IN:
        if path.endswith(f":{name}"):
            return _load(f"annelid.modules.{path}")
    raise AttributeError(f"module 'annelid.modules' has no attribute {name!r}")


def _load(path: str) -> type[ModuleType]:
    module, _, name = path.partition(":")
    kind: type[ModuleType] = getattr(import_module(module), name)
    return kind
