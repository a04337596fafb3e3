"""What a module can still do: its MDL string, lowered by damage (000 §3.4: "dynamic values").

Which indicator a servo serves follows from what the servo is called on the shelf; a servo of
another name lowers all that the module can move with by one.  What is mended counts again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from annelid.robot.capabilities import Capabilities

SERVES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "yaw": ("RotY",),
        "pitch": ("RotX",),
        "extend": ("Ext",),
        "grip": ("Sup",),
        "drive": ("Push_pipe", "Push_flat"),
        "turret": ("Grab", "Drill"),
        "bar": ("Grab", "Drill"),
    }
)
MOVING: Final = (
    *("Ext", "Sup", "Push_pipe", "Push_flat", "RotX", "RotY", "RotZ", "Grab", "Drill"),
)


class ModuleHealth:
    """Of one module, as self-diagnostic sees its servos."""

    def __init__(self, as_built: Capabilities) -> None:
        self.capabilities = as_built
        self.broken: frozenset[str] = frozenset()
        self._as_built = as_built

    def update(self, broken: Iterable[str]) -> bool:
        """These servos are broken, all others work; whether that changes the string."""
        found = frozenset(broken)
        if found == self.broken:
            return False
        self.broken = found
        before, left = self.capabilities, self._as_built
        for servo in sorted(found):
            if servo in SERVES:
                for indicator in SERVES[servo]:
                    left = left.with_grade(indicator, 0)
            else:
                for indicator in MOVING:
                    left = left.with_grade(indicator, max(0, left[indicator] - 1))
        self.capabilities = left
        return left != before
