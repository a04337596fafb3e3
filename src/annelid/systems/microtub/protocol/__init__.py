"""The protocol between MICROTUB's operator, central control and modules (000 §3.3).

``commands.py`` is the table; everything else is made from it: frames (``frames.py``), sentences
(``describe.py``), the documentation page (``page.py``), the header for firmware (``c_header.py``).
"""

from annelid.systems.microtub.protocol.commands import COMMANDS, HLC, LLC1, LLC2, find
from annelid.systems.microtub.protocol.describe import describe, describe_frames, plain, sentence
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
from annelid.systems.microtub.protocol.frames import (
    BadFrame,
    Message,
    Reason,
    decode,
    encode,
    wire_bytes,
)
from annelid.systems.microtub.protocol.grammar import (
    CC,
    MODULES,
    OPERATOR,
    Command,
    CommandDirection,
)
