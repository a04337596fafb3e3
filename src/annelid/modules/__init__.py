"""The shelf: every module type, one file each, found by letter.

``shelf()`` gives the built-in types and those of installed packages; ``MODULES`` says how one is
brought (``annelid.registry``).
"""

from __future__ import annotations

from typing import Final

from annelid.errors import SpecError
from annelid.registry import Kind
from annelid.robot import ModuleType, Shelf

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
