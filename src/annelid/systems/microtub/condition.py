"""What a module can still do: its MDL string, lowered by damage (000 §3.4: "dynamic values").

A capability is as good as what is left of the actuator that serves it, as the module's type says:
a broken servo has grade 0 left, one that keeps half of its range or torque about half of its
grade.  What is mended counts again.
"""

from __future__ import annotations

from collections.abc import Mapping

from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType


class ModuleHealth:
    """Of one module, as self-diagnostic sees its servos."""

    def __init__(self, kind: ModuleType) -> None:
        self.capabilities = kind.capabilities
        self.broken: frozenset[str] = frozenset()
        """Servos of which nothing is left."""
        self._kind = kind

    def update(self, left: Mapping[str, float]) -> bool:
        """What is left of each servo, 0 to 1; whether that changes the string."""
        self.broken = frozenset(name for name, share in left.items() if share == 0.0)
        before, self.capabilities = self.capabilities, damaged(self._kind, left)
        return self.capabilities != before


def damaged(kind: ModuleType, left: Mapping[str, float]) -> Capabilities:
    """What a module can do with so much left of its servos; those not named are whole."""
    able = kind.capabilities
    for each in kind.serves:
        share = left.get(each.actuator, 1.0)
        able = able.with_grade(each.capability, int(able[each.capability] * share + 0.5))
    return able
