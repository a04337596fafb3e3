"""``gait = "relax"``: servos are released and give way."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Literal

from annelid.motion.gait import GaitSpec
from annelid.motion.layers import Window
from annelid.motion.selector import Selector, select

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


class RelaxGait(GaitSpec):
    """Servos are released: their value is NaN, which means no torque.  It has no ramp."""

    gait: Literal["relax"] = "relax"
    modules: Selector = "all"
    """Which modules give way: names or letters, ``R``, ``R1, R3``; ``all``."""

    def lay(self, binder: Binder, where: str) -> None:
        modules = select(binder.robot, self.modules, where=f"{where}.modules")
        target = {place: nan for module in modules for place in binder.row.servos(module)}
        if not target:
            raise binder.nothing(where, self.modules, "servo to release")
        window = self.window()
        binder.hold(Window(window.start, window.end), target)
