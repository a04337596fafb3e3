"""Control with sensors: a controller of your own sees readings and commands motors, by name.

The robot drives into a pipe that ends in a cap.  When its nose touches the end, it comes back.
"""

from typing import Literal

import annelid
from annelid.control.controller import Act, Commands, ControllerSpec, Seen
from annelid.control.interface import Interface


class ThereAndBack(ControllerSpec):
    """Drives on until the nose touches something, then back."""

    controller: Literal["there-and-back"] = "there-and-back"
    force_n: float = 0.2
    """What counts as a touch."""

    def start(self, robot: Interface) -> Act:
        """Called once a run; what it returns is called at every control tick (20 ms)."""
        drives = [signal.name for signal in robot.actions if signal.unit == "level"]
        way = 1.0

        def act(time_s: float, seen: Seen) -> Commands:
            nonlocal way
            if seen["T1.nose"] > self.force_n:
                way = -1.0
            return dict.fromkeys(drives, way)

        return act


if __name__ == "__main__":
    parts = [{"part": "straight", "length_mm": 250}, {"part": "cap"}]
    scenario = {
        "robot": {"chain": "TRH"},
        "world": {"kind": "pipe", "parts": parts},
        "control": {"controller": {"controller": "there-and-back"}},
        "duration_s": 12,
    }
    run = annelid.run(scenario, plugins=[__file__])
    progress = 1000 * run["robot"]["progress"]
    print(f"came to {progress.max():.0f} mm and back to {progress[-1]:.0f} mm")
