"""All commands of MICROTUB (000, Tables 4 to 8), in one table.

Encoder, decoder, documentation page and C header are made from it, and from nothing else.  The
three levels are three classes, because STP, RST, SIE and AIE mean different things on two of them:
``LLC2.STP`` stops a module, ``HLC.STP`` the robot.

LLC1 is translated by the heterogeneous layer, LLC2 is not, HLC goes between operator and CC (Fig.
6).  TSF's direction is unstated in Table 4, so both ends may say it.  Table 5 has a row without a
name, the answer to polling; here it is APO.

**Extensions** stand in no table of the paper.  Eqs 7 and 8 need a module's place i, gaits that are
searched for need their parameters on the modules, and a robot that goes somewhere must come back.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from annelid.errors import UnknownName
from annelid.systems.microtub.protocol.enums import (
    Alarm,
    Destination,
    EnvironmentInfo,
    InchwormPart,
    Job,
    ModuleInfo,
    RobotInfo,
    TouchSide,
    Wave,
    WorkingMode,
)
from annelid.systems.microtub.protocol.grammar import Command, CommandDirection
from annelid.systems.microtub.protocol.parameters import (
    MDL,
    MDL_TEXT,
    MODULE_ID,
    FlagParameter,
    angle,
    choice,
    count,
    percent,
    signed,
    text,
)

_DOWN = (CommandDirection.TO_MODULES,)
_UP = (CommandDirection.FROM_MODULE,)
_ASK = (CommandDirection.FROM_OPERATOR,)
_ANSWER = (CommandDirection.TO_OPERATOR,)

_ANGLE = ((angle("angle"),),)
_WHO_AM_I = ((MODULE_ID,), (MDL,))
_TOUCH = (choice("side", *TouchSide),)
_TOWARDS = count("direction", "degrees from the left towards up", high=359)
_ASK_ENVIRONMENT = ((choice("information", *EnvironmentInfo),),)
_ENVIRONMENT = (
    (choice("information", EnvironmentInfo.TEMPERATURE), signed("temperature", "°C")),
    (choice("information", EnvironmentInfo.HUMIDITY), count("humidity", "%", high=100)),
    (choice("information", EnvironmentInfo.PICTURE), count("number")),
    (choice("information", EnvironmentInfo.BORE), count("bore", "1/10 mm")),
)
"""Table 8 leaves the picture "TBD": it travels on the video line, here goes its number."""
_ROBOT = (
    (choice("information", RobotInfo.AVERAGE_CONSUMPTION), count("current", "mA")),
    (choice("information", RobotInfo.CONSUMPTION_PEAKS), count("current", "mA")),
    (choice("information", RobotInfo.WORKING_MODULES), text("ids")),
    (
        choice("information", RobotInfo.ORIENTATION),
        count("roll", "degrees", high=359),
        count("pitch", "degrees", high=359),
        count("yaw", "degrees", high=359),
    ),
    (choice("information", RobotInfo.DISTANCE), count("distance", "mm")),
    (choice("information", RobotInfo.BATTERIES), FlagParameter("ok")),
)
_PLACE = (
    (
        choice("place", Destination.COORDINATES),
        signed("x", "mm"),
        signed("y", "mm"),
        signed("z", "mm"),
    ),
    (
        choice(
            "place",
            Destination.END,
            Destination.BIFURCATION,
            Destination.TOUCH,
            Destination.HOME,
            Destination.CORNER,
            Destination.PIPE,
            Destination.LANDMARK,
        ),
    ),
    (
        choice("place", Destination.FORWARD, Destination.BACK, Destination.UP, Destination.DOWN),
        count("distance", "mm"),
    ),
)
_WAVE = (
    choice("wave", *Wave),
    angle("amplitude"),
    count("angular velocity", "mrad/s"),
    signed("phase", "mrad"),
    signed("lead", "mrad"),
)
_SAY = ((), (choice("alarm", *Alarm), count("detail")), (text("text"),))

_llc1 = partial(Command, "LLC1", 4)
_llc2 = partial(Command, "LLC2", 5)
_hlc = partial(Command, "HLC", 6)
_extension = partial(Command, "LLC2", None)


# fmt: off
class LLC1:
    """Table 4: commands that each module translates into what they mean to it."""

    MS1 = _llc1(0x01, "MS1", _DOWN, "Move servo 1", "its position", _ANGLE, "servo 1 to {}")
    MS2 = _llc1(0x02, "MS2", _DOWN, "Move servo 2", "its position", _ANGLE, "servo 2 to {}")
    GS1 = _llc1(0x03, "GS1", _DOWN, "Get value servo 1", "asks for the position of servo 1")
    GS2 = _llc1(0x04, "GS2", _DOWN, "Get value servo 2", "asks for the position of servo 2")
    EX = _llc1(0x05, "EX", _DOWN, "Expansion", "for extension and support modules")
    CT = _llc1(0x06, "CT", _DOWN, "Contraction", "for extension and support modules")
    INH = _llc1(0x07, "INH", _DOWN, "Inchworm position", "the module's part in the inchworm gait",
                ((choice("part", *InchwormPart),),), "you are the {} of an inchworm")
    GP = _llc1(0x08, "GP", _DOWN, "Get position", "asks for the position in the chain")
    GPS = _llc1(0x09, "GPS", _DOWN, "Get position start", "the configuration check starts")
    GPF = _llc1(0x0A, "GPF", _DOWN, "Get position finish", "the configuration check ends")
    MDS = _llc1(0x0B, "MDS", _DOWN, "MDL phase start", "the MDL phase starts")
    MDF = _llc1(0x0C, "MDF", _DOWN, "MDL phase finish", "the MDL phase ends")
    SPT = _llc1(0x0D, "SPT", _DOWN, "Split", "detach from the previous module")
    ATT = _llc1(0x0E, "ATT", _DOWN, "Attach", "attach to the previous module")
    SS1 = _llc1(0x0F, "SS1", _UP, "Send value servo 1", "answer to GS1", _ANGLE, "servo 1 is at {}")
    SS2 = _llc1(0x10, "SS2", _UP, "Send value servo 2", "answer to GS2", _ANGLE, "servo 2 is at {}")
    TS = _llc1(0x11, "TS", _UP, "Touch sensor",
               "the touch sensor has been activated; extension: where it is free to go on",
               (_TOUCH, (*_TOUCH, _TOWARDS)))
    TSF = _llc1(0x12, "TSF", _DOWN + _UP, "Touch sensor final", "the elbow mode is over")
    PC1 = _llc1(0x13, "PC1", _UP, "My position in chain is first",
                "from all modules in the chain but the last", _WHO_AM_I, "my turn, I am {}")
    PCL = _llc1(0x14, "PCL", _UP, "My position in chain is last",
                "from the last module", _WHO_AM_I, "I am the last, {}")


class LLC2:
    """Table 5: commands that mean the same to every module."""

    MO1 = _llc2(0x20, "MO1", _DOWN, "1D sinusoidal gait", "vertical sinusoidal movement")
    MOS = _llc2(0x21, "MOS", _DOWN, "Serpentine movement", "horizontal sinusoidal movement")
    MRO = _llc2(0x22, "MRO", _DOWN, "Rolling", "lateral movement")
    MSW = _llc2(0x23, "MSW", _DOWN, "Sidewinding", "lateral movement")
    TUR = _llc2(0x24, "TUR", _DOWN, "Turning",
                "arc movement; extension: the bend of each joint, positive to the left",
                ((), *_ANGLE))
    TUP = _llc2(0x25, "TUP", _DOWN, "Turning in pipe",
                "pushing against the wall; extension: towards where", ((), (_TOWARDS,)))
    MWO = _llc2(0x26, "MWO", _DOWN, "Move inchworm", "inchworm gait")
    MHE = _llc2(0x27, "MHE", _DOWN, "Move helicoidal", "move pushing forwards")
    RTC = _llc2(0x28, "RTC", _DOWN, "Reset time counter", "for synchronisation")
    STP = _llc2(0x29, "STP", _DOWN, "Stop", "stop the module")
    RST = _llc2(0x2A, "RST", _DOWN, "Restart", "restart the module")
    CM = _llc2(0x2B, "CM", _DOWN, "Change mode", "changes the working mode",
               ((choice("mode", *WorkingMode),),), "working mode is {}")
    PO = _llc2(0x2C, "PO", _DOWN, "Polling", "has anybody something to say?")
    SIE = _llc2(0x2D, "SIE", _DOWN, "Send information of the environment",
                "asks for what the parameter says", _ASK_ENVIRONMENT, "tell me the {}")
    SIM = _llc2(0x2E, "SIM", _DOWN, "Send info of the module", "consumption, orientation and so on",
                ((choice("information", *ModuleInfo),),), "tell me the {}")
    SYC = _llc2(0x2F, "SYC", _DOWN, "Send your capabilities", "say what you can do: MDL")
    AMC = _llc2(0x30, "AMC", _UP, "Answer: my capabilities", "answer to SYC", ((MDL_TEXT,),),
                "I can do {}")
    AIE = _llc2(0x31, "AIE", _UP, "Answer information of the environment", "answer to SIE",
                _ENVIRONMENT, "the {} is {}")
    AIM = _llc2(0x32, "AIM", _UP, "Answer: info of the module",
                "answer to SIM: its number, then whole values, between spaces",
                ((text("answer"),),))
    APO = _llc2(0x33, "APO", _UP, "Answer to the polling message",
                "depends on the module: nothing, an alarm, a text", _SAY)
    PLA = _extension(0x34, "PLA", _DOWN, "Place in the wave",
                     "extension: i of eqs 7 and 8, from 0 at the head",
                     ((count("place", high=61),),), "your place in the wave is {}")
    SPD = _extension(0x35, "SPD", _DOWN, "Speed of walking",
                     "extension: of all that a movement command moves; negative is backwards",
                     ((percent("speed"),),), "walk at {}")
    WAV = _extension(0x36, "WAV", _DOWN, "Wave",
                     "extension: one wave, from now on, until the next movement command",
                     (_WAVE,), "{} wave of {} at {}, {} from module to module, {} ahead")


class HLC:
    """Table 6: between the operator and the central control."""

    STP = _hlc(0x40, "STP", _ASK, "Stop", "refers to the whole robot")
    RST = _hlc(0x41, "RST", _ASK, "Restart", "refers to the whole robot")
    RPL = _hlc(0x42, "RPL", _ASK, "Reach a place",
               "go where the parameters say; extension: places from 5 on", _PLACE)
    DO = _hlc(0x43, "DO", _ASK, "Do a task", "repair, make a hole", ((choice("task", *Job),),))
    EXP = _hlc(0x44, "EXP", _ASK, "Explore", "go and see")
    SIR = _hlc(0x45, "SIR", _ASK, "Send information of the robot",
               "asks for what the parameter says", ((choice("information", *RobotInfo),),),
               "tell me the {}")
    SIE = _hlc(0x46, "SIE", _ASK, "Send information of the environment",
               "asks for what the parameter says", _ASK_ENVIRONMENT, "tell me the {}")
    AIR = _hlc(0x47, "AIR", _ANSWER, "Answer information of the robot", "answer to SIR", _ROBOT)
    AIE = _hlc(0x48, "AIE", _ANSWER, "Answer information of the environment", "answer to SIE",
               _ENVIRONMENT, "the {} is {}")
    ANS = Command("HLC", None, 0x49, "ANS", _ANSWER, "Answer in words",
                  "extension: what became of a command, or why it is refused",
                  ((text("text"),),), "{}")
# fmt: on


COMMANDS: Final[tuple[Command, ...]] = tuple(
    command
    for level in (LLC1, LLC2, HLC)
    for command in vars(level).values()
    if isinstance(command, Command)
)
"""In the order of the opcodes."""


def find(name: str) -> tuple[Command, ...]:
    """``LLC2.STP`` is one command, ``STP`` may be two; upper or lower case."""
    wanted = name.upper()
    found = tuple(c for c in COMMANDS if wanted in (c.name, c.full_name))
    if not found:
        raise UnknownName("command", name, {c.name for c in COMMANDS})
    return found
