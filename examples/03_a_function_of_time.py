"""Control by a function of time: a gait of your own, in this file.

``annelid run SCENARIO --plugin 03_a_function_of_time.py`` uses it too, and so do sweep, evolve and
the console.
"""

from math import pi, radians
from typing import Literal

import numpy as np

import annelid
from annelid.motion.binder import Binder
from annelid.motion.gait import Amplitude, GaitSpec


class Hump(GaitSpec):
    """One hump travels from the tail to the head."""

    gait: Literal["hump"] = "hump"
    amplitude_deg: Amplitude = 40.0
    period_s: float = 2.0

    def lay(self, binder: Binder, where: str) -> None:
        """Find the joints, then say where they are at any time (s)."""
        modules = binder.having("R", "pitch", where)
        places = [binder.row.place(module, "pitch") for module in modules]
        lag = np.linspace(0.0, 0.5, len(places))

        def angles(time: float) -> np.ndarray:
            phase = (time / self.period_s + lag) % 1.0
            return radians(self.amplitude_deg) * np.where(phase < 0.5, np.sin(2 * pi * phase), 0.0)

        binder.move(self.window(), places, angles)


if __name__ == "__main__":
    for amplitude in (0, 40):
        gait = {"gait": "hump", "amplitude_deg": amplitude}
        run = annelid.run("snake", plugins=[__file__], control__gaits=[gait], duration_s=4)
        print(f"{amplitude:2} degrees: {run.metrics.distance_m * 1000:.0f} mm")
