"""Each fault does what it says, is recorded with its reason, and is mended."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.electronics.circuits import Rig, idle, rig
from tests.rigs import STRAIGHT

from annelid.electronics.board import Board
from annelid.electronics.faults import Fault, StuckServo, parse_fault
from annelid.electronics.node import State
from annelid.electronics.power import PowerSpec
from annelid.electronics.supply import Battery
from annelid.electronics.uart import Uart
from annelid.errors import InputError, SpecError, UnknownName
from annelid.kernel import Program


def sweep(board: Board) -> Program:
    """Half a radian this way and that, half a second each."""
    while True:
        for angle in (0.5, -0.5):
            board.servos["yaw"].target = angle
            yield board.sleep(0.5)


def broken(who: str = "RR", world: Any = None, **fault: Any) -> tuple[Rig, Fault]:
    setup = rig(who, world) if world else rig(who)
    for module in setup.sim.robot.modules:
        setup.add(module.name, sweep if module.name == "R1" else idle)
    setup.circuit.links["line"] = line = Uart("line", setup.kernel, setup.sim.streams)
    for name, node in setup.circuit.nodes.items():
        node.board.ports["line"] = line.attach(name)
    setup.circuit.supply(PowerSpec(supply=Battery(capacity_mah=1000)))
    spec = parse_fault(fault)
    setup.injector.schedule([spec])
    setup.circuit.start()
    return setup, spec


def test_a_stuck_servo() -> None:
    setup, spec = broken(fault="stuck_servo", servo="R1.yaw", at_s=0.4, until_s=1.4)
    setup.run(0.401)
    where = setup.angle("R1.yaw")
    setup.run(0.9)
    assert setup.angle("R1.yaw") == pytest.approx(where, abs=np.radians(0.2))
    assert setup.injector.active == [spec]
    setup.run(1.9)
    assert setup.angle("R1.yaw") == pytest.approx(-0.5, abs=0.05)
    assert setup.injector.active == []
    assert setup.kinds("R1.yaw") == ["fault", "mended"]
    assert setup.details("fault")[0]["reason"] == "at 0.4 s"


def test_a_weak_servo() -> None:
    setup, _ = broken(fault="weak_servo", servo="R1.yaw", factor=0.2, until_s=1.0)
    setup.run(0.01)
    assert setup.sim.damage.weak == {"R1.yaw": 0.2}
    setup.run(1.01)
    assert setup.sim.damage.weak == {}


def test_a_dead_sensor_shows_one_number_and_a_dead_camera_black() -> None:
    setup, _ = broken(fault="dead_sensor", sensor="R1.accelerometer", reading=1.5, until_s=0.2)
    sensors = setup.circuit.nodes["R1"].board.sensors
    setup.run(0.1)
    assert [sensors[f"accelerometer.{axis}"].read() for axis in "xyz"] == [1.5] * 3
    setup.run(0.3)
    assert sensors["accelerometer.x"].read() != 1.5
    setup, _ = broken("TR", STRAIGHT, fault="dead_sensor", sensor="T1.camera", at_s=0.1)
    camera = setup.circuit.nodes["T1"].board.cameras["camera"]
    setup.run(0.05)
    assert camera.picture().any()
    setup.run(0.2)
    assert not camera.picture().any()


def test_a_dead_sensor_may_give_no_number() -> None:
    setup = rig()
    setup.started("R1")
    spec = parse_fault({"fault": "dead_sensor", "sensor": "R1.accelerometer.z", "reading": None})
    setup.injector.inject(spec)
    setup.run(0.01)
    assert math.isnan(setup.circuit.nodes["R1"].board.sensors["accelerometer.z"].read())


def test_a_noisy_sensor_is_noisy_once_per_step() -> None:
    setup, _ = broken(fault="noisy_sensor", sensor="R1.accelerometer.x", deviation=100.0)
    sensor = setup.circuit.nodes["R1"].board.sensors["accelerometer.x"]
    readings = []
    for k in range(1, 40):
        setup.run(k * 0.01)
        assert sensor.read() == sensor.read()
        readings.append(sensor.read())
    assert 60 < np.std(readings) < 150


def test_a_dead_board_and_its_replacement() -> None:
    setup, _ = broken(fault="dead_board", board="R2", at_s=0.1, until_s=0.3)
    states = []
    for t in (0.2, 0.4):
        setup.run(t)
        states.append(setup.circuit.nodes["R2"].state)
    assert states == [State.DEAD, State.RUNNING]


def test_a_hung_program() -> None:
    setup, _ = broken(fault="hung_program", board="R1", at_s=0.1, until_s=0.8)
    setup.run(0.7)
    assert setup.circuit.nodes["R1"].state is State.HUNG
    assert setup.circuit.nodes["R1"].board.servos["yaw"].target == 0.5
    setup.run(0.9)
    assert setup.circuit.nodes["R1"].board.servos["yaw"].target == -0.5


def test_a_cut_and_a_noisy_link() -> None:
    setup, _ = broken("RRR", fault="cut_link", link="line", between=["R1", "R2"], until_s=0.2)
    more = {"fault": "cut_link", "link": "line", "between": ["R2", "R3"]}
    setup.injector.inject(parse_fault(more))
    link = setup.circuit.links["line"]
    cuts = []
    for t in (0.1, 0.3):
        setup.run(t)
        cuts.append(link.faults.cut)
    assert cuts == [(("R1", "R2"), ("R2", "R3")), (("R2", "R3"),)]
    setup, _ = broken(fault="noisy_link", link="line", loss=0.25, until_s=0.2)
    setup.run(0.1)
    assert setup.circuit.links["line"].faults.loss == 0.25
    setup.run(0.3)
    assert setup.circuit.links["line"].faults.loss == 0


def test_a_clock_that_drifts_does_not_jump() -> None:
    setup, _ = broken(fault="clock_drift", board="R1", drift_ppm=10_000, at_s=1.0, until_s=2.0)
    board = setup.circuit.nodes["R1"].board
    shown = []
    for t in (1.0, 2.0, 3.0):
        setup.run(t)
        shown.append(board.now)
    assert shown == [1_000_000_000, 2_010_000_000, 3_010_000_000]


def test_a_low_battery() -> None:
    setup, _ = broken(fault="low_battery", charge=0.1, at_s=0.5)
    setup.run(0.6)
    assert setup.circuit.power is not None
    assert setup.circuit.power.source.charge == pytest.approx(0.1, abs=0.001)


@pytest.mark.parametrize("when", ["time >= 0.2", "R1.accelerometer.z < 1000", "progress < 1e3"])
def test_a_condition_is_noticed_once(when: str) -> None:
    setup, _ = broken(fault="weak_servo", servo="R1.yaw", when=when)
    setup.run(0.5)
    assert [d["reason"] for d in setup.details("fault")] == [f"when {when}"]
    assert not any(process.name == "faults" for process in setup.kernel.processes)


def test_what_is_injected_by_hand_can_be_repeated() -> None:
    def run(at_ns: int | None) -> tuple[int, list[float]]:
        setup = rig(seed=4)
        setup.started("R1", sweep)
        fault = StuckServo(servo="R1.yaw")
        if at_ns is not None:
            setup.injector.inject(fault, at_ns=at_ns)
        setup.run(0.3)
        t_ns = setup.injector.inject(fault) if at_ns is None else at_ns
        setup.run(0.9)
        return t_ns, setup.sim.data.qpos.tolist()

    t_ns, by_hand = run(None)
    assert run(t_ns) == (t_ns, by_hand)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"fault": "stuck_servo", "servo": "R9.yaw"}, r"R9\.yaw.*R1\.pitch, R1\.yaw"),
        ({"fault": "leaky_cup", "cup": "L1.cup"}, "cup"),
        ({"fault": "dead_sensor", "sensor": "R1.touch"}, r"R1\.touch.*R1\.accelerometer\.x"),
        ({"fault": "dead_board", "board": "R7"}, "R7.*R1, R2"),
        ({"fault": "cut_link", "link": "bus"}, "bus.*line"),
        ({"fault": "cut_link", "link": "line", "between": ["R1", "X"]}, "X.*R1, R2"),
        ({"fault": "dead_board", "board": "R1", "when": "speed > 1"}, "speed.*progress"),
    ],
)
def test_unknown_targets_are_refused_with_what_exists(table: dict[str, Any], says: str) -> None:
    with pytest.raises(UnknownName, match=says):
        broken(**table)


@pytest.mark.parametrize(
    "table",
    [
        {"fault": "stuck_servo", "servo": "R1.yaw", "at_s": 1, "when": "time > 2"},
        {"fault": "stuck_servo", "servo": "R1.yaw", "at_s": 2, "until_s": 1},
        {"fault": "stuck_servo", "servo": "R1.yaw", "when": "__import__('os')"},
        {"fault": "stuck_servo", "servo": "R1.yaw", "when": "progress > nan"},
        {"fault": "weak_servo", "servo": "R1.yaw", "factor": 0},
        {"fault": "leaky_cup", "cup": "L1.cup", "holds": 1.0},
        {"fault": "noisy_link", "link": "line"},
        {"fault": "low_battery", "until_s": 3},
        {"fault": "gremlins"},
    ],
)
def test_faults_that_make_no_sense_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        parse_fault(table)


def test_a_robot_on_a_tether_has_no_battery_to_fail() -> None:
    setup = rig()
    setup.add("R1")
    with pytest.raises(InputError, match="no battery"):
        setup.injector.schedule([parse_fault({"fault": "low_battery"})])
