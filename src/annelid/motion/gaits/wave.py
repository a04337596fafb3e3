"""``gait = "wave"``: one sine along the chain."""

from __future__ import annotations

from collections.abc import Mapping
from math import radians
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from annelid.motion.gait import Amplitude, Angle, GaitSpec
from annelid.motion.layers import WaveTerm
from annelid.motion.selector import Selector
from annelid.robot.service import HORIZONTAL, VERTICAL

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


AXES: Final[Mapping[str, str]] = MappingProxyType({"yaw": HORIZONTAL, "pitch": VERTICAL})
"""What a scenario calls an axis, to the capability that it is."""


class WaveGait(GaitSpec):
    """A sine wave that travels along the yaw or pitch joints of the chain (000 eqs 7 and 8)."""

    gait: Literal["wave"] = "wave"
    modules: Selector = "all"
    """Which modules it moves: names or letters, ``R``, ``R1, R3``, ``R*``; ``all``."""
    axis: Literal["yaw", "pitch"]
    """Sideways or up and down, whatever the servo is called that bends a module so."""
    amplitude_deg: Amplitude
    """Of the sine at each joint."""
    omega_rad_s: float
    """Angular frequency of the wave."""
    phase_rad: float
    """Phase from one module to the next.  Positive: the wave runs towards the head, and a vertical
    wave carries the body there."""
    offset_deg: Angle = 0.0
    """Middle of the wave."""

    @property
    def omega(self) -> float | None:
        return self.omega_rad_s if self.omega_rad_s > 0 else None

    def lay(self, binder: Binder, where: str) -> None:
        window, terms = self.window(), []
        for index, module in enumerate(binder.able(self.modules, (AXES[self.axis],), where)):
            found = binder.row.serving(module, AXES[self.axis])
            assert found is not None
            place, joint = found
            swing = joint.value(radians(self.amplitude_deg))
            middle = joint.value(radians(self.offset_deg))
            phase = index * self.phase_rad
            terms.append(WaveTerm(window, place, swing, self.omega_rad_s, phase, middle))
        binder.lay_waves(terms)
