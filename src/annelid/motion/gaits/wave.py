"""``gait = "wave"``: one sine along the chain."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING, Literal

from annelid.motion.gait import Amplitude, Angle, GaitSpec
from annelid.motion.layers import WaveTerm
from annelid.motion.selector import Selector

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


class WaveGait(GaitSpec):
    """A sine wave that travels along the yaw or pitch joints of the chain (000 eqs 7 and 8)."""

    gait: Literal["wave"] = "wave"
    modules: Selector = "all"
    """Which modules it moves: names or letters, ``R``, ``R1, R3``, ``R*``; ``all``."""
    axis: Literal["yaw", "pitch"]
    """Which joints: sideways or up and down."""
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
        window = self.window()
        binder.lay_waves(
            WaveTerm(
                window,
                binder.row.place(module, self.axis),
                radians(self.amplitude_deg),
                self.omega_rad_s,
                index * self.phase_rad,
                radians(self.offset_deg),
            )
            for index, module in enumerate(binder.having(self.modules, (self.axis,), where))
        )
