"""The numbers behind *Enum* parameters: 000, Tables 4, 7 and 8, and four tables of ours.

Members are ints, so they compare with what came from the wire and go into frames as they are.
``TABLES`` names each by the command that first uses it, as documentation and C header do.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, Self


class WireEnum(IntEnum):
    """A member has a number, a name, and a meaning in words."""

    meaning: str
    extension: bool
    """Ours, in a table that is otherwise the paper's."""

    def __new__(cls, value: int, meaning: str, extension: bool = False) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        member.extension = extension
        return member

    @property
    def remark(self) -> str:
        """For tables that people read."""
        return f"{self.meaning} (extension)" if self.extension else self.meaning


class InchwormPart(WireEnum):
    """INH (Table 4): what a module is in the inchworm gait."""

    FIRST_SUPPORT = 1, "first support"
    EXTENSION = 2, "extension"
    SECOND_SUPPORT = 3, "second support"


class TouchSide(WireEnum):
    """TS (Table 4) has an Enum that the paper does not list; these numbers are proposed."""

    NOSE = 1, "nose"
    LEFT = 2, "left"
    RIGHT = 3, "right"
    ABOVE = 4, "above"
    BELOW = 5, "below"
    OPENING = 6, "a side is open"
    CLOSED = 7, "the way ahead is closed"
    CROSS = 8, "two sides across from each other are open"
    SLIGHT = 9, "a side is slightly open"
    HELD = 10, "something may hold the module"


class WorkingMode(WireEnum):
    """CM: the environments of 000 §4; numbers proposed."""

    GENERAL = 0, "general terrain"
    PIPE = 1, "inside a pipe"
    OPEN_AIR = 2, "open air"


class ModuleInfo(WireEnum):
    """SIM and AIM (Table 7)."""

    AVERAGE_CONSUMPTION = 1, "average consumption"
    CONSUMPTION_PEAKS = 2, "consumption peaks"
    WORKING_MOTORS = 3, "number of working motors"
    ORIENTATION = 4, "orientation"
    DISTANCE = 5, "distance covered"
    BATTERIES = 6, "state of the batteries"
    CONTRACTION = 7, "state of contraction/extension"


class EnvironmentInfo(WireEnum):
    """SIE and AIE, to modules (Table 7) and to the central control (Table 8) alike."""

    TEMPERATURE = 1, "temperature"
    HUMIDITY = 2, "humidity"
    PICTURE = 3, "picture"
    BORE = 4, "bore of the pipe", True


class RobotInfo(WireEnum):
    """SIR and AIR (Table 8)."""

    AVERAGE_CONSUMPTION = 1, "average consumption"
    CONSUMPTION_PEAKS = 2, "consumption peaks"
    WORKING_MODULES = 3, "working modules"
    ORIENTATION = 4, "orientation"
    DISTANCE = 5, "distance covered"
    BATTERIES = 6, "state of the batteries"


class Destination(WireEnum):
    """RPL (Table 8): where to go.  From 5 on ours: the other objectives of 000 §6.1.6."""

    COORDINATES = 0, "coordinates"
    END = 1, "the end of this part of the pipe"
    BIFURCATION = 2, "the next bifurcation"
    TOUCH = 3, "until you touch something"
    HOME = 4, "home"
    FORWARD = 5, "a distance ahead", True
    BACK = 6, "a distance back", True
    UP = 7, "so much higher", True
    DOWN = 8, "so much lower", True
    CORNER = 9, "the next corner", True
    PIPE = 10, "into the pipe ahead", True
    LANDMARK = 11, "a landmark", True


class Job(WireEnum):
    """DO (Table 8)."""

    REPAIR = 1, "repair"
    HOLE = 2, "make a hole"


class Wave(WireEnum):
    """WAV, ours: which joints a wave runs through, those of eq 7 or of eq 8."""

    VERTICAL = 1, "vertical"
    HORIZONTAL = 2, "horizontal"


class Alarm(WireEnum):
    """APO, ours: what a module may have to say when it is polled.  The Value that goes with it is
    the servo's number, the instruction, what of the surroundings (as in SIE), or 0."""

    HOT = 1, "a servo is too hot"
    OVERLOADED = 2, "a servo drew too much current"
    STUCK = 3, "a servo does not follow"
    FORBIDDEN = 4, "an angle was refused"
    SYNC_LINE = 5, "a sync line does not answer"
    BUS = 6, "the bus is disturbed"
    SENSOR = 7, "a sensor fails"
    INSTRUCTION = 8, "unknown instruction"
    PARAMETERS = 9, "wrong parameters"
    CHECK = 10, "the configuration check failed"
    ADDRESS = 11, "another module has this address"
    POWER = 12, "low voltage"
    UNABLE = 13, "this module cannot do that"
    SURROUNDINGS = 14, "the surroundings are not fit"
    WEAK = 15, "a servo has lost torque or range"


TABLES: Final[Mapping[str, type[WireEnum]]] = MappingProxyType(
    {
        "INH": InchwormPart,
        "TS": TouchSide,
        "CM": WorkingMode,
        "SIM": ModuleInfo,
        "SIE": EnvironmentInfo,
        "SIR": RobotInfo,
        "RPL": Destination,
        "DO": Job,
        "WAV": Wave,
        "ALARM": Alarm,
    }
)
