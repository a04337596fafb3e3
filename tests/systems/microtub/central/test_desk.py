"""The operator's line: every command answered, in boards and wires alone."""

from __future__ import annotations

from typing import Any

import pytest
from tests.systems.microtub.robots import Chain, boards

from annelid.electronics.port import Frame
from annelid.errors import InputError
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.dead_reckoning import OpenPose
from annelid.systems.microtub.central.desk import OperatorDesk
from annelid.systems.microtub.central.operator import OPERATOR_LINE, OPERATOR_NAME
from annelid.systems.microtub.protocol import CC, HLC, OPERATOR, EnvironmentInfo, RobotInfo
from annelid.systems.microtub.protocol.frames import encode
from annelid.systems.microtub.protocol.parameters import TEXT_MAX


def asked(letters: str, *lines: str, **options: Any) -> Chain:
    """A chain whose operator says ``lines`` from the second second on, 0.2 s apart."""
    typed = [{"at_s": 2.0 + 0.2 * k, "say": line} for k, line in enumerate(lines)]
    chain = boards(letters, operator=typed, **options)
    chain.run(2.4 + 0.2 * len(lines))
    return chain


def answers(chain: Chain) -> list[str]:
    return [detail["words"] for detail in chain.details("answer", OPERATOR_NAME)]


def test_information_comes_as_numbers_or_as_a_refusal():
    chain = asked("THVB", "SIR 3", "SIR 5", "SIR 6", "SIR 4", "SIR 1", environment="pipe")
    told = answers(chain)
    assert told[0] == "AIR answer information of the robot: working modules, 'chvb'"
    assert told[1].endswith("distance covered, 0 mm")
    assert told[2].endswith("state of the batteries, yes")
    assert told[3] == "ANS 'orientation: no module of this robot can tell'"
    assert "average consumption" in told[4]
    assert len(told) == 5


@pytest.mark.parametrize("known", [True, False])
def test_who_does_not_know_its_place_in_the_open_tells_no_distance(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A traveller's wheels turn there as they like."""
    monkeypatch.setattr(OpenPose, "known", known)
    (told,) = answers(asked("TRRHV", "SIR 5", environment="open-air"))
    assert ("no module of this robot can tell" in told) is not known


def test_what_nobody_can_measure_is_said_so():
    told = answers(asked("TH", "SIE temperature", "SIE humidity", "SIR batteries"))
    assert told == [
        "ANS 'temperature: no module of this robot can tell'",
        "ANS 'humidity: no module of this robot can tell'",
        "ANS 'state of the batteries: no module of this robot can tell'",
    ]


def test_deeds_are_answered_at_once():
    chain = asked("THVP", "EXP", "RPL home", "STP", "STP", environment="pipe")
    told = answers(chain)
    assert told[0] == "ANS 'explore: begun, without: turn'"
    assert any("reach home: begun, instead of: explore" in each for each in told)
    assert told[-1] == "ANS 'stopped'"


@pytest.mark.parametrize(
    ("dead", "words"),
    [
        ((), "stopped: explore is broken off"),
        ((2,), "not known whether it has stopped: explore is broken off; no answer from module 3"),
        ((0, 1, 2, 3), "not known whether it has stopped"),
    ],
)
def test_it_has_stopped_when_every_module_has_heard_it(dead: tuple[int, ...], words: str) -> None:
    chain = boards("THHV", environment="pipe", operator=[{"at_s": 2.0, "say": "EXP"}])
    chain.run(3.0)
    for place in dead:
        chain.network.modules[place].kill()
    chain.rig.circuit.nodes[OPERATOR_NAME].board.ports["terminal"].type("STP")
    chain.run(3.5)
    assert any(each.startswith(f"ANS '{words}") for each in answers(chain))


@pytest.mark.parametrize(
    ("letters", "options", "line", "why"),
    [
        ("TVP", {"environment": "pipe"}, "EXP", "cannot move inside a pipe"),
        ("TH", {"environment": "pipe"}, "DO repair", "no module of this robot can grab"),
        ("TH", {"environment": "pipe"}, "DO hole", "no module of this robot can drill"),
        ("TRRRR", {"environment": "open-air"}, "RPL end", "the robot is not in a pipe"),
        ("HV", {"environment": "pipe"}, "RPL touch", "no module can feel what is ahead"),
        ("THV", {"environment": "pipe"}, "RPL 0 300 200 0", "the pipe does not lead there"),
        ("THV", {"environment": "pipe"}, "RPL back 50", "home is 0 mm back, and nothing is known"),
        ("TH", {"environment": "pipe"}, "RPL forward 50", "no module measures the way"),
        ("HV", {"environment": "pipe"}, "RPL end", "no module can feel what is ahead"),
        ("HV", {"environment": "pipe"}, "RPL bifurcation", "no module can feel what is ahead"),
        ("TH", {"environment": "pipe"}, "RPL up 50", "no module can feel which way is up"),
        ("TRRRR", {"environment": "open-air"}, "RPL up 50", "in the open there is no way up"),
        ("TRRRR", {"environment": "open-air"}, "RPL down 9", "in the open there is no way down"),
        ("HV", {"environment": "pipe"}, "RPL corner", "no module can feel what is ahead"),
        ("TH", {"environment": "pipe"}, "RPL pipe", "the robot is in a pipe already"),
        ("RRRR", {"environment": "open-air"}, "RPL pipe", "no module can see whether"),
        ("TH", {"environment": "pipe"}, "RPL landmark", "looked for in the open"),
        ("RRRR", {"environment": "open-air"}, "RPL landmark", "no module has a camera"),
        ("TVP", {"environment": "open-air"}, "RPL 0 99 0 0", "cannot move open air"),
        ("THB", {"environment": "pipe", "tether": False}, "DO hole", "can drill"),
        ("RRRRG", {"environment": "open-air"}, "DO hole", "no wall in reach of the tool"),
        ("RRHRR", {}, "EXP", "nobody on board can tell whether this is a pipe"),
        ("RHR", {}, "RPL home", "nobody on board can tell whether this is a pipe"),
        ("HG", {}, "EXP", "nobody on board can tell whether this is a pipe"),
        ("VP", {}, "EXP", "cannot move general terrain"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    letters: str, options: dict[str, Any], line: str, why: str
):
    (told,) = answers(asked(letters, line, **options))
    assert "refused" in told
    assert why in told


@pytest.mark.parametrize("letters", ["G", "HG"])
def test_a_hole_needs_a_tool_and_no_way_to_move(letters: str) -> None:
    assert answers(asked(letters, "DO hole")) == ["ANS 'make a hole: begun'"]


def test_what_moves_everywhere_needs_no_eyes():
    (told,) = answers(asked("RRRRR", "EXP"))
    assert told.startswith("ANS 'explore: begun")


def test_a_long_refusal_ends_with_a_whole_reason():
    desk = OperatorDesk.__new__(OperatorDesk)
    letters: list[str] = []
    desk._send = lambda command, *values: letters.append(values[0])  # type: ignore[method-assign]
    desk.say("refused: " + "; ".join(f"reason {k} that takes some words" for k in range(20)))
    assert len(letters[0]) <= TEXT_MAX
    assert letters[0].endswith("that takes some words")


def test_a_robot_that_nobody_knows_is_told_nothing():
    chain = boards("TH", operator=[{"at_s": 6.0, "say": "EXP"}, {"at_s": 6.5, "say": "RPL home"}])
    for node in chain.network.modules:
        node.kill()
    chain.run(7.0)
    explore, home = answers(chain)
    assert explore == "ANS 'explore: refused, the robot is not known yet'"
    assert home == "ANS 'reach home: refused, the robot is not known yet'"


def test_commands_that_come_too_early_wait_until_the_robot_is_known():
    chain = boards("TH", operator=[{"at_s": 0.1, "say": "EXP"}], start_s=1.0, environment="pipe")
    chain.run(2.5)
    assert "explore: begun" in answers(chain)[0]


def test_commands_that_do_not_suit_the_state_are_answered():
    chain = asked("THVP", "STP", "RPL forward 50", "RPL forward 60", "RST", environment="pipe")
    told = answers(chain)
    assert told[0] == "ANS 'stopped'"
    assert "reach a distance ahead: begun" in told[1]
    assert "begun, instead of: reach a distance ahead" in told[2]
    assert told[-1] == "ANS 'restarting'"


def test_without_a_cable_the_battery_counts_and_nothing_else():
    options: dict[str, Any] = {"environment": "pipe", "tether": False}
    assert "explore: begun" in answers(asked("THB", "EXP", **options))[0]
    with pytest.raises(InputError, match="needs a module that supplies power, such as B, got TH"):
        boards("TH", **options)
    chain = boards("THB", operator=[{"at_s": 6.0, "say": "EXP"}], **options)
    chain.run(2.0)
    chain.network.modules[-1].kill()
    chain.run(7.0)
    assert "cannot move inside a pipe" in answers(chain)[-1]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes((OPERATOR, HLC.RPL.opcode, 2, 99)), "RPL: a parameter out of range. Expected place"),
        (bytes((OPERATOR, 0x7E)), "unknown instruction 7EH"),
        (bytes((OPERATOR, HLC.SIR.opcode)), "SIR: parameters that this command does not have"),
        (b"", "no sender and instruction"),
    ],
)
def test_a_frame_that_makes_no_sense_gets_an_answer_frame(data: bytes, words: str):
    chain = boards("TH")
    chain.run(1.5)
    port = chain.rig.circuit.nodes[OPERATOR_NAME].board.ports[OPERATOR_LINE]
    port.send(Frame(data, CC))
    chain.run(2.0)
    (told,) = answers(chain)
    assert "not understood" in told
    assert words in told


def test_an_answer_is_no_command():
    chain = boards("TH")
    chain.run(1.5)
    port = chain.rig.circuit.nodes[OPERATOR_NAME].board.ports[OPERATOR_LINE]
    frame = encode(HLC.ANS, "hello", to=OPERATOR)
    port.send(Frame(bytes((OPERATOR, *frame.data[1:])), CC))
    chain.run(2.0)
    assert "not understood" in answers(chain)[0]


def test_restart_begins_anew():
    chain = asked("TH", "RST")
    chain.run(5.0)
    assert "ANS 'restarting'" in answers(chain)
    assert len(chain.found) >= 2
    assert [member.id for member in chain.found[-1].members] == ["c", "h"]


def test_answers_have_the_doubt_of_what_was_asked() -> None:
    """Consumption and temperature have the same number in their tables."""
    drawn = telling.answer(RobotInfo.AVERAGE_CONSUMPTION, (400,))
    warm = telling.answer(EnvironmentInfo.TEMPERATURE, (25,))
    assert (drawn.within, warm.within) == (160.0, 2.0)
