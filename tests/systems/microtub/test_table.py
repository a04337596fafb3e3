"""The table of commands against the paper, typed here from its pages."""

from __future__ import annotations

import re

import pytest

from annelid.errors import UnknownName
from annelid.modules import shelf
from annelid.robot import Capabilities
from annelid.systems.microtub.protocol import (
    COMMANDS,
    HLC,
    LLC1,
    LLC2,
    CommandDirection,
    Destination,
    EnvironmentInfo,
    InchwormPart,
    Job,
    ModuleInfo,
    RobotInfo,
    decode,
    encode,
    find,
    wire_bytes,
)
from annelid.systems.microtub.protocol.enums import TABLES
from annelid.systems.microtub.protocol.parameters import ParameterType

TABLE_1 = {"Angle": 1, "Enum": 2, "String": 3, "Value": 4, "Bool": 5, "ModuleID": 6, "MDL": 7}

PAPER = {
    "LLC1": {
        "MS1": "Angle", "MS2": "Angle", "GS1": "", "GS2": "", "EX": "", "CT": "", "INH": "Enum",
        "GP": "", "GPS": "", "GPF": "", "MDS": "", "MDF": "", "SPT": "", "ATT": "",
        "SS1": "Angle", "SS2": "Angle", "TS": "Enum", "TSF": "", "PC1": "ModuleID|MDL",
        "PCL": "ModuleID|MDL",
    },
    "LLC2": {
        "MO1": "", "MOS": "", "MRO": "", "MSW": "", "TUR": "", "TUP": "", "MWO": "", "MHE": "",
        "RTC": "", "STP": "", "RST": "", "CM": "Enum", "PO": "", "SIE": "Enum", "SIM": "Enum",
        "SYC": "", "AMC": "String", "AIE": "Enum+Value", "AIM": "String",
        "APO": "|Enum+Value|String",  # a dash in Table 5
    },
    "HLC": {
        "STP": "", "RST": "", "RPL": "Enum+Value+Value+Value|Enum", "DO": "Enum", "EXP": "",
        "SIR": "Enum", "SIE": "Enum",
        "AIR": "Enum+Value|Enum+String|Enum+Value+Value+Value|Enum+Bool",  # Table 8
        "AIE": "Enum+Value",
    },
}  # fmt: skip
"""Tables 4 to 6: name and parameters."""

ANSWERS = {"SS1", "SS2", "TS", "PC1", "PCL", "AMC", "AIE", "AIM", "APO", "AIR", "ANS"}


EXTENDED = {
    "LLC1": {"TS": "|Enum+Value"},
    "LLC2": {"TUR": "|Angle", "TUP": "|Value"},
    "HLC": {"RPL": "|Enum+Value"},
}
"""Forms beyond the paper's."""


@pytest.mark.parametrize("level", PAPER)
def test_every_command_of_the_paper_is_there_with_its_parameters(level: str):
    ours = {
        command.name: "|".join(
            dict.fromkeys("+".join(p.kind.title for p in form) for form in command.forms)
        )
        for command in COMMANDS
        if command.level == level and command.table is not None
    }
    for name, forms in EXTENDED.get(level, {}).items():
        assert ours[name].endswith(forms), name
        ours[name] = ours[name].removesuffix(forms)
    assert ours == PAPER[level]


def test_what_is_not_in_the_paper_says_so():
    for command in COMMANDS:
        extended = command.table is None or command.name in EXTENDED.get(command.level, {})
        assert ("extension:" in command.meaning) == extended, command


def test_parameter_types_have_the_papers_codes():
    assert {kind.title: int(kind) for kind in ParameterType} == TABLE_1


def test_opcodes_are_unique_and_levels_keep_to_their_range():
    opcodes = [command.opcode for command in COMMANDS]
    assert len(set(opcodes)) == len(opcodes)
    assert sum(command.table is not None for command in COMMANDS) == 49
    assert opcodes == sorted(opcodes)
    starts = {"LLC1": 0x01, "LLC2": 0x20, "HLC": 0x40}
    for level, start in starts.items():
        ours = [c.opcode for c in COMMANDS if c.level == level]
        assert ours == list(range(start, start + len(ours)))


def test_who_says_what():
    for command in COMMANDS:
        if command is LLC1.TSF:
            continue  # the paper does not say
        answer = command.name in ANSWERS
        wanted = {
            (False, False): CommandDirection.TO_MODULES,
            (False, True): CommandDirection.FROM_MODULE,
            (True, False): CommandDirection.FROM_OPERATOR,
            (True, True): CommandDirection.TO_OPERATOR,
        }[command.level == "HLC", answer]
        assert command.directions == (wanted,), command


def test_enums_have_the_papers_numbers():
    """Tables 4, 7 and 8."""
    sizes = {
        name: [int(member) for member in table if not member.extension]
        for name, table in TABLES.items()
    }
    assert sizes["INH"] == [1, 2, 3]
    assert sizes["SIM"] == [1, 2, 3, 4, 5, 6, 7]
    assert sizes["SIE"] == [1, 2, 3]
    assert sizes["SIR"] == [1, 2, 3, 4, 5, 6]
    assert sizes["RPL"] == [0, 1, 2, 3, 4]
    assert sizes["DO"] == [1, 2]
    named = {
        InchwormPart.EXTENSION: 2,
        ModuleInfo.CONTRACTION: 7,
        EnvironmentInfo.PICTURE: 3,
        RobotInfo.WORKING_MODULES: 3,
        Destination.HOME: 4,
        Job.HOLE: 2,
    }
    assert all(int(member) == number for member, number in named.items())


def test_names_that_repeat_are_told_apart_by_level():
    assert find("stp") == (LLC2.STP, HLC.STP)
    assert find("HLC.STP") == (HLC.STP,)
    repeated = {c.name for c in COMMANDS if len(find(c.name)) > 1}
    assert repeated == {"STP", "RST", "SIE", "AIE"}
    with pytest.raises(UnknownName, match=r"unknown command 'MS3'\. Did you mean 'MSW'\?"):
        find("MS3")


def test_mdl_travels_as_the_paper_packs_it():
    """000 §3.4.3: rotation and helicoidal module."""
    rotation = Capabilities.of(RotX=3, RotY=3, Sense_grav=3)
    helicoidal = Capabilities.of(Push_pipe=3, Push_flat=1)
    assert rotation.digits == "00003300000003000"
    assert helicoidal.digits == "00310000000000000"
    frame = encode(LLC1.PC1, rotation.digits, to=63, sender=4)
    assert wire_bytes(frame) == b"\x7e\x04\x13\x07\x1100003300000003000"
    frame = encode(LLC2.AMC, helicoidal.digits, to=63, sender=5)
    assert wire_bytes(frame) == b"\x7e\x05\x30\x03\x1100310000000000000"


def test_every_module_on_the_shelf_can_say_what_it_is():
    for kind in shelf().values():
        frame = encode(LLC1.PCL, kind.wire_id, to=63, sender=1)
        assert decode(frame).values == (kind.wire_id,)  # type: ignore[union-attr]
        assert re.fullmatch("[a-z]", kind.wire_id)
