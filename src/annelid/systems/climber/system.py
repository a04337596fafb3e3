"""The climber's entry in the table of systems: options, builder, messages in words."""

from __future__ import annotations

from typing import Final

from annelid.systems import System
from annelid.systems.climber.executive.links import BODY
from annelid.systems.climber.network import BEHAVIOURS, build
from annelid.systems.climber.sayings import RELEASE, completions, help_lines, parse_saying
from annelid.systems.climber.spec import ClimberSpec
from annelid.systems.climber.wire import COMMAND, REPORT
from annelid.systems.front import Form, Number, Panel, Plot, Section, Words

FRONT: Final = "annelid.systems.climber.front"


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
    decides=(BODY,),
    words=Words(parse_saying, completions, help_lines, silent={"operator": []}),
    panel=Panel(
        forms=(
            Form(
                "Body, from where it began",
                {"Go": "go {x} {y} {yaw}", "Release": RELEASE},
                (
                    Number("x", 100, "x (mm)"),
                    Number("y", 0, "y (mm)"),
                    Number("yaw", 0, "yaw (°)", -180, 180),
                ),
            ),
        ),
        operate=f"{FRONT}.console:ClimberGoal",
    ),
    sections=(
        Section(
            "Cups",
            (
                Plot("watch", ("normal_n",), "normal force (N), pull below 0", each="leg"),
                Plot("watch", ("shear_n",), "shear (N)", each="leg"),
                Plot(
                    "watch",
                    ("use",),
                    "use of the nearest limit",
                    each="leg",
                    levels={"may be planned with": "allowed", "lets go": 1.0},
                ),
            ),
            "What the planner reckons each cup has to hold, and how much of its limit that is: 1 "
            "would tear it off or let it slide, and it plans with less.",
        ),
    ),
    report=f"{FRONT}.report:sections",
    measures={"leg-positions": f"{FRONT}.leg_positions:LEG_POSITIONS"},
    bench=f"{FRONT}.bench:bench",
)
