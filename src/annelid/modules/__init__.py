"""The module types, one file each, found by letter.

``shelf()`` gives the built-in types and those of installed packages; ``MODULES`` says how one is
brought (``annelid.registry``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from annelid.errors import SpecError
from annelid.registry import Kind, load_place
from annelid.robot import ModuleType, Shelf
from annelid.robot.service import require_served

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

_NEEDS = ("letter", "wire_id", "title", "capabilities_as_built")


def _letter(module: type[ModuleType]) -> str:
    if lacking := [name for name in _NEEDS if not hasattr(module, name)]:
        raise SpecError(f"{module.__name__} does not set {', '.join(lacking)}")
    letter = module.letter
    if not (len(letter) == 1 and letter.isascii() and letter.isupper()):
        raise SpecError(f"{module.__name__}.letter: expected one capital letter, got {letter!r}")
    require_served(module)
    return letter


MODULES: Final[Kind[type[ModuleType]]] = Kind(
    name="module",
    plural="modules",
    base=ModuleType,
    key=_letter,
    built_in=tuple(f"annelid.modules.{place}" for place in _BUILT_IN),
)


def shelf(*more: type[ModuleType]) -> Shelf:
    """All module types by letter; ``more`` are laid on top and may not take a used letter."""
    return MODULES.table(*more)


def __getattr__(name: str) -> Any:
    """The built-in types, imported when they are asked for: ``annelid.modules.Rotation``."""
    for path in _BUILT_IN:
        if path.endswith(f":{name}"):
            return load_place(f"annelid.modules.{path}")
    raise AttributeError(f"module 'annelid.modules' has no attribute {name!r}")
