"""``gait = "hold"``: actuators hold given positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from annelid.motion.gait import GaitSpec
from annelid.motion.selector import Selector

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


class HoldGait(GaitSpec):
    """Actuators stay where ``pose`` says: degrees for servos, mm for linear ones, drive level."""

    gait: Literal["hold"] = "hold"
    modules: Selector = "all"
    """Which modules it holds: names or letters, ``R``, ``R1, R3``; ``all``."""
    pose: Mapping[str, float] = Field(min_length=1)
    """``{yaw = 20}``"""

    def lay(self, binder: Binder, where: str) -> None:
        target: dict[int, float] = {}
        for mount, value in self.pose.items():
            for module in binder.having(self.modules, mount, f"{where}.pose.{mount}"):
                place = binder.row.place(module, mount)
                at = f"{where}.pose"
                target[place] = binder.row.from_human(module, place, value, where=at)
        binder.hold(self.window(), target)
