"""The climber as the table of systems has it: options, build, and frames in words."""

from __future__ import annotations

from typing import Final

from annelid.systems import System
from annelid.systems.climber.network import BEHAVIOURS, build
from annelid.systems.climber.spec import ClimberSpec
from annelid.systems.climber.wire import COMMAND, REPORT


def describe_frames(data: bytes) -> list[tuple[bytes, str]]:
    """A burst is a frame: the bus is half duplex and everybody speaks in turn."""
    if not data:
        return []
    if data[0] == COMMAND and len(data) > 2:
        return [(data, f"to all legs, turn {data[1]}: joints and cups")]
    if data[0] == REPORT and len(data) > 2:
        return [(data, f"leg {data[1] + 1}, turn {data[2]}: joints, pressure, distance")]
    return [(data, "no frame")]


CLIMBER: Final = System(
    name="climber",
    title="climber (003): legs with suction cups, a planner of three levels",
    options=ClimberSpec,
    build=build,
    describe_frames=describe_frames,
    behaviours=BEHAVIOURS,
)
