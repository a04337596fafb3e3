"""Each fault does what it says, is recorded with its reason, and is mended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.electronics.circuits import Rig, idle, rig
from tests.rigs import STRAIGHT

from annelid.electronics.board import Board
from annelid.electronics.faults import FaultSpec, parse_fault
from annelid.electronics.faults.servos import StuckServo
from annelid.electronics.node import NodeState
from annelid.electronics.power import PowerSpec
from annelid.electronics.supply import BatterySupply
from annelid.electronics.uart import Uart
from annelid.errors import InputError, SpecError, UnknownName
from annelid.kernel import Program
from annelid.robot.body import Accelerometer


def sweep(board: Board) -> Program:
    """Half a radian this way and that, half a second each."""
    while True:
        for angle in (0.5, -0.5):
            board.servos["yaw"].target = angle
            yield board.sleep(0.5)


def broken(who: str = "RR", world: Any = None, **fault: Any) -> tuple[Rig, FaultSpec]:
    setup = rig(who, world) if world else rig(who)
    for module in setup.sim.robot.modules:
        setup.add(module.name, sweep if module.name == "R1" else idle)
    setup.circuit.links["line"] = line = Uart("line", setup.kernel, setup.sim.streams)
    for name, node in setup.circuit.nodes.items():
        node.board.ports["line"] = line.attach(name)
    setup.circuit.supply(PowerSpec(supply=BatterySupply(capacity_mah=1000)))
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


def test_a_limp_servo_gives_way_whatever_it_is_told_and_is_mended() -> None:
    setup, _ = broken(fault="limp_servo", servo="R1.yaw", at_s=0.4, until_s=1.4)
    place = setup.sim.actuators.place("R1.yaw")
    setup.run(0.9)  # told to swing to the other side at 0.5 s
    assert setup.angle("R1.yaw") == pytest.approx(0.5, abs=0.05)
    assert setup.sim.actuators.filtered_at(place) == pytest.approx(0.0, abs=1e-4)
    setup.run(1.9)
    assert setup.angle("R1.yaw") == pytest.approx(-0.5, abs=0.05)


def axes(setup: Rig) -> list[float]:
    sensors = setup.circuit.nodes["R1"].board.sensors
    return [sensors[f"accelerometer.{axis}"].read() for axis in "xyz"]


TOP = Accelerometer(name="", part="").converter.highest


@pytest.mark.parametrize(
    ("reading", "shown"), [(0.0, 0.0), (1.5, 1.5), (1e300, TOP), (-1e300, -TOP)]
)
def test_a_stuck_sensor_shows_one_number_of_its_range(reading: float, shown: float) -> None:
    setup, _ = broken(fault="dead_sensor", sensor="R1.accelerometer", reading=reading, until_s=0.2)
    for until_s in (0.1, 0.15):
        setup.run(until_s)
        assert axes(setup) == pytest.approx([shown] * 3, abs=0.005)
    assert setup.circuit.nodes["R1"].board.sensors["accelerometer.x"].valid
    setup.run(0.3)
    assert axes(setup) != pytest.approx([shown] * 3, abs=0.005)


@pytest.mark.parametrize("fault", [{}, {"reading": None}, {"mode": "stuck"}])
def test_a_sensor_sticks_at_its_last_reading(fault: dict[str, Any]) -> None:
    setup, _ = broken(fault="dead_sensor", sensor="R1.accelerometer", at_s=0.1, **fault)
    setup.run(0.0999)
    setup.run(0.1)
    last = axes(setup)
    for until_s in (0.2, 0.3, 0.4):
        setup.run(until_s)
        assert axes(setup) == last


def test_a_floating_sensor_wanders_through_its_range() -> None:
    def run(seed: int) -> list[float]:
        setup = rig("RR", seed=seed)
        setup.started("R1")
        fault = {"fault": "dead_sensor", "sensor": "R1.accelerometer.x", "mode": "floating"}
        setup.injector.inject(parse_fault(fault))
        readings = []
        for k in range(1, 400):
            setup.run(0.05 * k)
            readings.append(axes(setup)[0])
        return readings

    first = run(1)
    assert min(first) < -0.6 * TOP
    assert max(first) > 0.6 * TOP
    assert max(map(abs, first)) <= TOP
    assert first == run(1)
    assert first != run(2)


def test_a_flagged_sensor_says_so() -> None:
    fault = {"fault": "dead_sensor", "sensor": "R1.accelerometer.x", "mode": "flagged"}
    setup, _ = broken(**fault, at_s=0.1, until_s=0.2)
    sensor = setup.circuit.nodes["R1"].board.sensors["accelerometer.x"]
    seen = []
    for until_s in (0.05, 0.15, 0.25):
        setup.run(until_s)
        seen.append((sensor.valid, sensor.read() == TOP))
    assert seen == [(True, False), (False, True), (True, False)]
    assert setup.circuit.nodes["R1"].board.sensors["accelerometer.y"].valid


@pytest.mark.parametrize("mode", ["stuck", "flagged", "floating"])
def test_a_dead_camera_is_black_or_noise(mode: str) -> None:
    fault = {"fault": "dead_sensor", "sensor": "T1.camera", "mode": mode}
    setup, _ = broken("TR", STRAIGHT, **fault, at_s=0.1, until_s=0.3)
    camera = setup.circuit.nodes["T1"].board.cameras["camera"]
    pictures = []
    for until_s in (0.05, 0.2, 0.25, 0.35):
        setup.run(until_s)
        pictures.append(camera.picture())
    before, broken_, later, after = pictures
    assert before.any()
    assert after.any()
    if mode == "floating":
        assert 60 < broken_.std() < 90
        assert (broken_ != later).mean() > 0.9
    else:
        assert not broken_.any()


def test_what_is_recorded_is_what_the_board_reads() -> None:
    setup, _ = broken(fault="dead_sensor", sensor="R1.accelerometer", mode="floating")
    for k in range(1, 10):
        setup.run(k * 0.05)
        recorded = dict(zip(setup.sim.sensors.names, setup.sim.sensors.read(), strict=True))
        assert [recorded[f"R1.accelerometer.{axis}"] for axis in "xyz"] == axes(setup)


def test_a_sensor_stays_broken_when_the_robot_comes_apart() -> None:
    setup, _ = broken(fault="dead_sensor", sensor="R1.accelerometer", reading=3.0)
    setup.run(0.1)
    setup.sim.cut("R1.back", "R2.front")
    setup.run(0.2)
    assert axes(setup) == pytest.approx([3.0] * 3, abs=0.005)


def test_a_newer_fault_outlives_the_mending_of_an_older_one() -> None:
    setup, _ = broken(fault="dead_sensor", sensor="R1.accelerometer", reading=3.0, until_s=0.2)
    setup.run(0.1)
    fault = {"fault": "dead_sensor", "sensor": "R1.accelerometer.x", "reading": -3.0}
    setup.injector.inject(parse_fault(fault))
    setup.run(0.3)
    x, y, _ = axes(setup)
    assert x == pytest.approx(-3.0, abs=0.005)
    assert y != pytest.approx(3.0, abs=0.005)


def test_a_noisy_sensor_is_noisy_once_per_step() -> None:
    setup, _ = broken(fault="noisy_sensor", sensor="R1.accelerometer.x", deviation=5.0)
    sensor = setup.circuit.nodes["R1"].board.sensors["accelerometer.x"]
    readings = []
    for k in range(1, 40):
        setup.run(k * 0.01)
        assert sensor.read() == sensor.read()
        readings.append(sensor.read())
    assert 3 < np.std(readings) < 7.5


def test_a_dead_board_and_its_replacement() -> None:
    setup, _ = broken(fault="dead_board", board="R2", at_s=0.1, until_s=0.3)
    states = []
    for t in (0.2, 0.4):
        setup.run(t)
        states.append(setup.circuit.nodes["R2"].state)
    assert states == [NodeState.DEAD, NodeState.RUNNING]


def test_a_hung_program() -> None:
    setup, _ = broken(fault="hung_program", board="R1", at_s=0.1, until_s=0.8)
    setup.run(0.7)
    assert setup.circuit.nodes["R1"].state is NodeState.HUNG
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
        {"fault": "dead_sensor", "sensor": "R1.accelerometer", "mode": "asleep"},
        {"fault": "dead_sensor", "sensor": "R1.accelerometer", "mode": "floating", "reading": 1.0},
        {"fault": "dead_sensor", "sensor": "R1.accelerometer", "reading": float("nan")},
        {"fault": "noisy_sensor", "sensor": "R1.accelerometer", "deviation": float("inf")},
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
