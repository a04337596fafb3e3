"""The same commands for every module, and what each makes of them (000 §5)."""

from __future__ import annotations

from math import degrees, radians
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.electronics.circuits import Rig
from tests.rigs import STRAIGHT, WEIGHTLESS, robot, simulation
from tests.robot.odd_joint import OddJoint
from tests.systems.microtub.robots import Chain, boards, speaker

from annelid.behaviour import why
from annelid.electronics.faults import parse_fault
from annelid.electronics.port import Frame
from annelid.kernel.trace import Event
from annelid.modules import shelf
from annelid.modules.support import Support
from annelid.robot import Capabilities, Serves, assemble, chain
from annelid.robot.module import Action, Pose
from annelid.systems.microtub.network import build
from annelid.systems.microtub.protocol import (
    LLC1,
    LLC2,
    Alarm,
    EnvironmentInfo,
    InchwormPart,
    Message,
    ModuleInfo,
    Wave,
    WorkingMode,
    encode,
)
from annelid.systems.microtub.spec import MicrotubSpec

Says = list[tuple[float, Frame]]


def robot_that_hears(
    who: Any, says: Says, *, world: Any = WEIGHTLESS, trip: bool = False, **options: Any
) -> Chain:
    """With physics; module k of the robot has address k."""
    sim = simulation(who, world, trip=trip)
    count = len(sim.robot.modules)
    options = {"addresses": tuple(range(1, count + 1)), "boot_ms": 0.0, **options}
    rig = Rig(sim)
    heard: list[Any] = []

    def pc(board: Any) -> Any:
        return speaker(board, says, heard)

    network = build(MicrotubSpec.parse(options, where="options"), rig.circuit, pc=pc)
    rig.circuit.start()
    return Chain(rig, network, heard=heard)


def answers(chain: Chain) -> list[tuple[str, tuple[Any, ...], int]]:
    """All but the greeting."""
    return [
        (m.command.name, m.values, m.sender)
        for m in chain.heard
        if isinstance(m, Message) and m.values != ("started",)
    ]


def test_ex_means_grip_to_a_support_extend_to_an_extension_straighten_to_a_rotation() -> None:
    says = [
        (0.02, encode(LLC1.MS1, 40, to=3)),
        (0.02, encode(LLC1.MS2, -30, to=3)),
        (0.6, encode(LLC1.GS1, to=3)),
        (0.6, encode(LLC1.GS2, to=3)),
        (0.7, encode(LLC1.EX, to=0)),
    ]
    it = robot_that_hears("SERP", says)
    it.run(0.65)
    it.rig.circuit.grid.sync()
    (first, (yaw,), _), (second, (pitch,), _) = answers(it)
    assert (first, second) == ("SS1", "SS2")
    assert (yaw, pitch) == (pytest.approx(40, abs=2), pytest.approx(-30, abs=2))
    assert it.rig.angle("S1.grip") == pytest.approx(0.0, abs=0.05)
    it.rig.run(1.5)
    assert degrees(it.rig.angle("S1.grip")) == pytest.approx(90, abs=5)
    assert it.rig.angle("E1.extend") == pytest.approx(0.021, abs=0.002)
    assert degrees(it.rig.angle("R1.yaw")) == pytest.approx(0, abs=5)
    assert degrees(it.rig.angle("R1.pitch")) == pytest.approx(0, abs=5)
    assert not it.details("alarm"), "said to all, EX concerns those who can"


def test_a_support_holds_in_a_pipe_and_lets_go_again() -> None:
    says = [
        (0.02, encode(LLC1.EX, to=1)),
        (0.5, encode(LLC2.SIM, ModuleInfo.CONTRACTION, to=1)),
        (0.6, encode(LLC1.CT, to=1)),
        (1.2, encode(LLC2.SIM, ModuleInfo.CONTRACTION, to=1)),
    ]
    it = robot_that_hears("SE", says, world=STRAIGHT)
    it.run(1.3)
    spread, folded = (int(values[0].split()[1]) for _, values, _ in answers(it))
    assert spread > 60
    assert folded < 10


def test_who_begins_a_check_is_told_the_surroundings_again() -> None:
    """It may have started anew."""
    check = [(0.0, LLC1.GPS), (0.2, LLC1.GPF), (0.25, LLC2.PO)]
    says = [(begun_s + at_s, encode(said, to=0)) for begun_s in (1.7, 2.1) for at_s, said in check]
    it = robot_that_hears("T", says, world=STRAIGHT)
    it.run(2.5)
    told = [values for name, values, _ in answers(it) if name == "APO"]
    assert told == [("narrow pipe",)] * 2


class Claw(Support):
    """A module type of somebody else's, with its own meaning of EX."""

    letter: ClassVar[str] = "Q"
    wire_id: ClassVar[str] = "q"
    title: ClassVar[str] = "claw"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Grab=2)
    serves: ClassVar[tuple[Serves, ...]] = (Serves(actuator="grip", capability="Grab"),)

    def actions(self) -> dict[Action, Pose]:
        return {Action.EXTEND: {"grip": radians(30)}}


def test_a_new_module_type_brings_its_own_meaning() -> None:
    it = robot_that_hears(
        assemble(chain("QR"), shelf(Claw)),
        [
            (0.02, encode(LLC1.EX, to=1)),
            (0.5, encode(LLC2.SYC, to=1)),
            (0.5, encode(LLC1.CT, to=1)),
            (0.6, encode(LLC2.PO, to=1)),
        ],
    )
    it.rig.run(0.8)
    assert degrees(it.rig.angle("Q1.grip")) == pytest.approx(30, abs=3)
    assert answers(it) == [
        ("AMC", (Capabilities.of(Grab=2).digits,), 1),
        ("APO", (Alarm.UNABLE, LLC1.CT.opcode), 1),
    ]


def test_a_forbidden_angle_is_refused_and_told() -> None:
    says = [
        (0.02, encode(LLC1.MS1, -20, to=1)),
        (0.3, encode(LLC2.PO, to=1)),
        (0.4, encode(LLC1.MS1, 20, to=2)),
    ]
    it = robot_that_hears("SH", says)
    it.rig.run(0.6)
    assert answers(it) == [("APO", (Alarm.FORBIDDEN, 1), 1)]
    assert it.rig.angle("S1.grip") == pytest.approx(0, abs=0.05)
    assert it.rig.sim.actuators.targets[it.rig.sim.actuators.place("H1.drive")] == (
        pytest.approx(20 / 90)
    )


def test_pushing_forward_and_stopping() -> None:
    says = [(0.1, encode(LLC2.MHE, to=0)), (0.6, encode(LLC2.STP, to=0))]
    it = robot_that_hears("HR", says, world=STRAIGHT)
    drive = it.rig.sim.actuators.place("H1.drive")
    it.rig.run(0.5)
    assert it.rig.sim.actuators.targets[drive] == 1.0
    it.rig.run(0.8)
    assert it.rig.sim.actuators.targets[drive] == 0.0


@pytest.mark.parametrize(
    ("data", "alarm", "detail"),
    [
        (bytes((63, 0x3F)), Alarm.INSTRUCTION, 0x3F),
        (bytes((63, 0x01)), Alarm.PARAMETERS, 0x01),
        (bytes((63, 0x01, 2, 10)), Alarm.PARAMETERS, 0x01),
        (bytes((63, 0x01, 1, 120)), Alarm.PARAMETERS, 0x01),
        (bytes((63, 0x01, 99, 1)), Alarm.PARAMETERS, 0x01),
        (bytes((63,)), Alarm.BUS, 0),
        (bytes((12, 0x05)), Alarm.BUS, 0x05),
    ],
)
def test_nonsense_becomes_an_alarm_and_the_module_lives_on(
    data: bytes, alarm: Alarm, detail: int
) -> None:
    says = [
        (0.3, encode(LLC2.PO, to=0)),
        (0.4, Frame(data, 5)),
        (0.45, Frame(data, 5)),
        (0.5, encode(LLC2.PO, to=5)),
        (0.6, encode(LLC2.PO, to=5)),
    ]
    it = boards("R", says=says, addresses=(5,))
    it.run(0.8)
    assert answers(it) == [("APO", (alarm, detail), 5), ("APO", (), 5)]
    assert it.details("refused", "M1")


def test_a_frame_for_nobody_harms_nobody() -> None:
    it = boards("R", says=[(0.3, encode(LLC1.EX, to=9))], addresses=(5,))
    it.run(0.5)
    assert not it.details("alarm")
    assert {d["outcome"] for d in it.details("wire", "bus")} == {"nack"}


def test_what_a_module_knows() -> None:
    ask = [*ModuleInfo]
    says = [(0.1 + 0.02 * i, encode(LLC2.SIM, what, to=1)) for i, what in enumerate(ask)]
    says += [(0.4, encode(LLC2.SIE, what, to=2)) for what in EnvironmentInfo]
    says += [(0.5, encode(LLC2.SIM, ModuleInfo.BATTERIES, to=3))]
    says += [(0.5, encode(LLC2.SIM, ModuleInfo.DISTANCE, to=4))]
    says += [(0.5, encode(LLC2.SIE, EnvironmentInfo.PICTURE, to=5))]
    says += [(0.6, encode(LLC2.PO, to=0))]
    it = robot_that_hears("RNBVT", says, world={"kind": "open-air"})
    it.run(0.8)
    told = answers(it)
    of_rotation = {v[0][0]: v[0] for name, v, sender in told if sender == 1 and name == "AIM"}
    assert sorted(of_rotation) == ["1", "2", "3", "4", "7"]
    assert of_rotation["3"] == "3 2"
    assert ("AIE", (1, 25), 2) in told
    assert [name for name, _, sender in told if sender == 2] == ["AIE", "AIE", "APO"]
    assert ("AIM", ("6 1",), 3) in told
    assert [name for name, _, sender in told if sender == 4] == ["AIM"]
    assert ("AIE", (3, 1), 5) in told
    unable = {(v, sender) for name, v, sender in told if name == "APO"}
    assert ((Alarm.UNABLE, LLC2.SIM.opcode), 1) in unable
    assert ((Alarm.UNABLE, LLC2.SIE.opcode), 2) in unable


def test_a_stuck_servo_lowers_what_the_module_says_it_can_do() -> None:
    as_built = robot("R")["R1"].type.capabilities
    damaged = as_built.with_grade("RotX", 0)
    says = [
        (0.05, encode(LLC2.SYC, to=1)),
        (0.3, encode(LLC1.MS2, 60, to=1)),
        (2.0, encode(LLC2.PO, to=0)),
        (2.1, encode(LLC2.SYC, to=1)),
        (2.2, encode(LLC2.SIM, ModuleInfo.WORKING_MOTORS, to=1)),
        (2.3, encode(LLC1.MDS, to=0)),
        (2.6, encode(LLC1.MDF, to=0)),
    ]
    it = robot_that_hears("R", says)
    it.rig.injector.schedule([parse_fault({"fault": "stuck_servo", "servo": "R1.pitch"})])
    it.run(2.8)
    assert answers(it) == [
        ("AMC", (as_built.digits,), 1),
        ("APO", (Alarm.STUCK, 2), 1),
        ("AMC", (damaged.digits,), 1),
        ("APO", (Alarm.OVERLOADED, 2), 1),
        ("AMC", (damaged.digits,), 1),
        ("AIM", ("3 1",), 1),
        ("PCL", (damaged.digits,), 1),
    ]


def places(count: int) -> Says:
    return [(0.05, encode(LLC2.PLA, i, to=i + 1)) for i in range(count)]


def travelled(it: Chain, from_s: float, to_s: float) -> float:
    """Along the chain's axis, its head's way positive; m."""
    it.rig.run(from_s)
    start = it.rig.sim.progress()
    it.rig.run(to_s)
    return it.rig.sim.progress() - start


def test_a_wave_carries_the_chain_forwards_and_backwards() -> None:
    says = [
        *places(6),
        (0.2, encode(LLC2.MO1, to=0)),
        (6.0, encode(LLC2.SPD, -100, to=0)),
    ]
    it = robot_that_hears("RRRRRR", says, world={"kind": "open-air"})
    out, back = travelled(it, 1.0, 5.0), travelled(it, 7.0, 11.0)
    assert out > 0.1
    assert back < -0.1
    assert not it.details("alarm")


def test_a_module_without_a_place_does_not_spoil_the_wave() -> None:
    says = [(0.2, encode(LLC2.MO1, to=0)), (0.5, encode(LLC2.PO, to=2))]
    it = robot_that_hears("TR", says)
    it.rig.run(0.6)
    assert it.rig.angle("R1.pitch") == pytest.approx(0, abs=0.02)
    assert ("APO", (Alarm.UNABLE, LLC2.MO1.opcode), 2) in answers(it)


def test_a_wave_of_ones_own_replaces_the_commands() -> None:
    wave = encode(LLC2.WAV, Wave.VERTICAL, 20, 6000, 1000, 0, to=0)
    says = [*places(2), (0.2, encode(LLC2.MO1, to=0)), (0.3, wave), (4.0, encode(LLC2.STP, to=0))]
    it = robot_that_hears("RR", says)
    highest = 0.0
    for tenth in range(10, 35):
        it.rig.run(tenth / 10)
        highest = max(highest, it.rig.angle("R1.pitch"))
    assert degrees(highest) == pytest.approx(20, abs=2), "and not the 50° of MO1"
    it.rig.run(4.2)
    held = it.rig.angle("R1.pitch")
    it.rig.run(4.6)
    assert it.rig.angle("R1.pitch") == pytest.approx(held, abs=0.01)


def test_an_inchworm_crawls_either_way() -> None:
    parts = (InchwormPart.FIRST_SUPPORT, InchwormPart.EXTENSION, InchwormPart.SECOND_SUPPORT)
    says = [(0.05, encode(LLC1.INH, part, to=i)) for i, part in enumerate(parts, 1)]
    says += [(0.2, encode(LLC2.MWO, to=0)), (4.0, encode(LLC2.SPD, -100, to=0))]
    it = robot_that_hears("SES", says, world=STRAIGHT)
    assert travelled(it, 1.0, 4.0) > 0.04
    assert travelled(it, 5.0, 8.0) < -0.04


def test_three_rotation_modules_contract_and_extend_as_one() -> None:
    says = [*places(3), (0.2, encode(LLC1.CT, to=0)), (1.5, encode(LLC1.EX, to=0))]
    it = robot_that_hears("RRR", says)

    def length() -> float:
        sim = it.rig.sim
        return float(np.linalg.norm(sim.face("R1.front").at - sim.face("R3.back").at))

    it.rig.run(0.15)
    straight = length()
    it.rig.run(1.4)
    pitches = [degrees(it.rig.angle(f"R{i}.pitch")) for i in (1, 2, 3)]
    assert pitches == [pytest.approx(p, abs=3) for p in (45, -90, 45)]
    assert straight - length() > 0.015, "an arch with level ends is shorter"
    it.rig.run(2.5)
    assert length() == pytest.approx(straight, abs=0.001)


def test_orders_override_a_walk_until_the_next_one() -> None:
    says = [
        *places(1),
        (0.2, encode(LLC2.MO1, to=0)),
        (0.5, encode(LLC1.MS2, 30, to=1)),
        (1.5, encode(LLC2.MO1, to=0)),
    ]
    it = robot_that_hears("R", says)
    it.rig.run(1.4)
    assert degrees(it.rig.angle("R1.pitch")) == pytest.approx(30, abs=2)
    it.rig.run(1.9)
    assert degrees(it.rig.angle("R1.pitch")) > 40


def test_the_head_tells_where_it_is_and_the_mode_reaches_the_behaviours() -> None:
    says = [(1.8, encode(LLC2.PO, to=1)), (2.0, encode(LLC2.CM, WorkingMode.PIPE, to=0))]
    it = robot_that_hears("TR", says, world=STRAIGHT)
    it.rig.run(2.2)
    assert ("APO", ("narrow pipe",), 1) in answers(it)
    assert {d["mode"] for d in it.details("mode")} == {WorkingMode.PIPE.meaning}


def test_why_a_servo_was_released_is_in_the_trace() -> None:
    says = [(0.1, encode(LLC1.MS2, 60, to=1))]
    it = robot_that_hears("R", says, trip=True)
    it.rig.injector.schedule([parse_fault({"fault": "stuck_servo", "servo": "R1.pitch"})])
    it.rig.run(3.0)
    events = [
        Event(time_ns, source, kind, dict(detail), n)
        for n, (time_ns, source, kind, detail) in enumerate(it.rig.events)
    ]
    answer = why(events, "pitch", 400_000_000, source="R1")
    assert "obey command" in str(answer)
    assert Alarm.STUCK.meaning in {d["alarm"] for d in it.details("alarm")}


def test_a_restart_forgets_everything() -> None:
    says = [
        (0.3, encode(LLC2.PO, to=5)),
        (0.4, encode(LLC2.RST, to=5)),
        (0.5, encode(LLC2.PO, to=5)),
    ]
    it = boards("R", says=says, addresses=(5,))
    it.run(0.7)
    assert [m.values for m in it.heard if isinstance(m, Message)] == [("started",)] * 2
    assert it.details("restart", "M1")


def test_modes_parts_and_latches() -> None:
    says = [
        (0.3, encode(LLC2.PO, to=0)),
        (0.4, encode(LLC2.CM, WorkingMode.PIPE, to=0)),
        (0.4, encode(LLC1.INH, InchwormPart.EXTENSION, to=5)),
        (0.4, encode(LLC1.INH, InchwormPart.EXTENSION, to=6)),
        (0.4, encode(LLC1.SPT, to=5)),
        (0.4, encode(LLC1.GS2, to=6)),
        (0.5, encode(LLC2.PO, to=5)),
        (0.6, encode(LLC2.PO, to=6)),
    ]
    it = boards("EP", says=says, addresses=(5, 6))
    it.run(0.8)
    assert answers(it) == [
        ("APO", (Alarm.UNABLE, LLC1.SPT.opcode), 5),
        ("APO", (Alarm.UNABLE, LLC1.INH.opcode), 6),
        ("APO", (Alarm.UNABLE, LLC1.GS2.opcode), 6),
    ]


def test_a_joint_is_told_to_bend_to_the_left_and_upwards_however_it_is_built() -> None:
    it = robot_that_hears(
        assemble(chain("RO"), shelf(OddJoint)),
        [
            (0.02 * k, encode(command, 30, to=address))
            for k, (command, address) in enumerate(
                [(LLC1.MS1, 1), (LLC1.MS1, 2), (LLC1.MS2, 1), (LLC1.MS2, 2)], 1
            )
        ]
        + [(0.9, encode(LLC1.GS2, to=2))],
    )
    it.rig.run(1.2)
    angles = {name: degrees(it.rig.angle(name)) for name in ("R1.yaw", "R1.pitch")}
    odd = {"R1.yaw": degrees(it.rig.angle("O1.a4")), "R1.pitch": -degrees(it.rig.angle("O1.b7"))}
    assert angles["R1.yaw"] == pytest.approx(30, abs=4)
    for name, angle in odd.items():
        assert angle == pytest.approx(angles[name], abs=4)
    (told,) = [values[0] for name, values, _ in answers(it) if name == "SS2"]
    assert told == pytest.approx(30, abs=5)


@pytest.mark.parametrize(
    ("options", "told"),
    [({}, True), ({"trip_ma": 100, "trip_s": 0}, False), ({"trip_ma": 0}, False)],
)
def test_a_servo_that_presses_is_released_by_default(options: dict[str, Any], told: bool) -> None:
    """With the paper's limit it is led so gently that it never draws as much."""
    says = [(0.3, encode(LLC1.MS2, 60, to=1)), (2.2, encode(LLC2.PO, to=0))]
    it = robot_that_hears("R", says, **options)
    it.rig.injector.schedule([parse_fault({"fault": "stuck_servo", "servo": "R1.pitch"})])
    it.run(2.4)
    alarms = [values[0] for name, values, _ in answers(it) if name == "APO"]
    assert (Alarm.OVERLOADED in alarms) == told
    assert Alarm.STUCK in alarms, "whatever the limit, the module finds out that it is broken"
