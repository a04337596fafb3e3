"""Binds gaits to a robot: names are resolved once, each tick is an array operation.

Order counts actuator by actuator: a later gait wins over an earlier one, except that waves add to
waves.  Where nothing is said an actuator stays in its type's rest pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annelid.motion.binder import Binder
from annelid.motion.gait import GaitSpec
from annelid.motion.layers import Floats, Layer, Waves
from annelid.robot import Robot


@dataclass(frozen=True)
class BoundGaits:
    """What every actuator is told at any time."""

    actuators: tuple[str, ...]
    """``module.mount``, in the order of the robot."""
    rest: Floats
    layers: tuple[Layer, ...]

    def values(self, t: float) -> Floats:
        """One value per actuator: servo rad, linear m, drive level; NaN: released, no torque."""
        values = self.rest.copy()
        for layer in self.layers:
            layer.apply(t, values)
        return values

    def rows(self, times: Floats) -> Floats:
        """``values`` at many times, a row each: what a whole run is told."""
        rows = np.tile(self.rest, (len(times), 1))
        for layer in self.layers:
            if isinstance(layer, Waves):
                layer.apply_rows(times, rows)
            else:
                for t, row in zip(times.tolist(), rows, strict=True):
                    layer.apply(t, row)
        return rows


def bind(specs: Sequence[GaitSpec], robot: Robot) -> BoundGaits:
    """Resolve ``specs`` against ``robot``; a gait that can move nothing is an ``InputError``."""
    binder = Binder(robot)
    for k, spec in enumerate(specs):
        spec.lay(binder, where=f"gaits[{k}] ({spec.gait})")
    return BoundGaits(binder.row.names, binder.row.rest, binder.layers())
