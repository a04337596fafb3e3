"""A program sees its board: local time, servos, sensors, chance; and nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.electronics.circuits import rig
from tests.rigs import STRAIGHT

from annelid.electronics.board import Board
from annelid.errors import InputError, UnknownName
from annelid.kernel import LocalClock, Program


def test_a_board_sleeps_by_its_own_clock_without_adding_up_errors() -> None:
    setup = rig()
    shown: list[int] = []
    woke: list[int] = []

    def program(board: Board) -> Program:
        for _ in range(200):
            yield board.sleep(0.015)
            shown.append(board.now)
            woke.append(setup.kernel.now)

    setup.started("R1", program, drift_ppm=300.0, offset_ms=7.0)
    setup.run(4.0)
    clock = LocalClock(300.0, 7_000_000, setup.sim.step_ns)
    assert woke == [clock.tick(7_000_000 + k * 15_000_000) for k in range(1, 201)]
    assert shown == [clock.local(t) for t in woke]


def test_until_is_a_moment_of_the_local_clock() -> None:
    setup = rig()
    seen: list[int] = []

    def program(board: Board) -> Program:
        yield board.until(50_000_000)
        seen.append(board.now)

    setup.started("R1", program, drift_ppm=-20_000.0)
    setup.run(0.2)
    assert 50_000_000 <= seen[0] < 50_000_000 + setup.sim.step_ns
    assert setup.kernel.now > 51_000_000


def test_a_servo_written_by_a_program_moves_the_robot() -> None:
    setup = rig()

    def program(board: Board) -> Program:
        board.servos["yaw"].target = 0.5
        while board.servos["yaw"].angle < 0.4:
            yield board.sleep(0.005)
        board.log("there", {"angle": board.servos["yaw"].angle})

    setup.started("R1", program)
    setup.run(0.5)
    assert setup.angle("R1.yaw") == pytest.approx(0.5, abs=0.02)
    assert setup.kinds("R1") == ["there"]
    assert setup.details("there")[0]["angle"] >= 0.4


def test_a_servo_shows_what_the_board_measures_and_can_let_go() -> None:
    setup = rig(trip=True)
    setup.sim.model.jnt_range[setup.sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
    servo = setup.started("R1").board.servos["yaw"]
    servo.target = 1.2
    assert servo.target == 1.2
    setup.run(0.005)
    assert servo.current == pytest.approx(setup.sim.actuators.filtered()[0], abs=0.0003)
    assert servo.current > 0.05
    assert servo.temperature == pytest.approx(setup.sim.actuators.temperature()[0], abs=0.126)
    assert servo.temperature > 20.0
    setup.run(0.5)
    assert servo.tripped  # it was blocked
    servo.reset()
    assert not servo.tripped
    servo.release()
    assert math.isnan(servo.target)
    with pytest.raises(InputError, match=r"R1\.yaw: target.*release"):
        servo.target = math.nan


def test_readings_are_made_on_the_grid_and_once_per_step() -> None:
    setup = rig("TR", STRAIGHT)
    setup.add("T1")
    board = setup.started("R1").board
    sensor = board.sensors["accelerometer.y"]
    setup.run(0.0101)  # between two steps of 0.5 ms
    first = sensor.read()
    assert setup.sim.now_ns == 10_000_000
    assert [sensor.read() for _ in range(3)] == [first] * 3
    setup.run(0.0104)
    assert sensor.read() == first
    setup.run(0.0105)
    assert sensor.read() != first


def test_what_is_not_read_is_not_measured() -> None:
    """Readers of one sensor do not disturb the chance of another."""
    readings = []
    for also in (False, True):
        setup = rig("RR", seed=3)
        one, other = (setup.started(name).board for name in ("R1", "R2"))
        setup.run(0.01)
        if also:
            other.sensors["accelerometer.x"].read()
        setup.run(0.02)
        readings.append(one.sensors["accelerometer.x"].read())
    assert readings[0] == readings[1]


def test_a_camera_gives_its_picture() -> None:
    setup = rig("TR", STRAIGHT)
    picture = setup.started("T1").board.cameras["camera"].picture()
    assert picture.dtype == np.uint8
    assert picture.ndim == 2


def test_devices_survive_a_cut_and_a_join() -> None:
    setup = rig("RRR")
    servos = [setup.started(name).board.servos["pitch"] for name in ("R1", "R2", "R3")]
    for servo, value in zip(servos, (0.1, 0.2, 0.3), strict=True):
        servo.target = value
    setup.run(0.3)
    setup.sim.cut("R1.back", "R2.front")
    setup.run(0.4)
    assert [s.angle for s in servos] == pytest.approx([0.1, 0.2, 0.3], abs=0.02)
    servos[2].target = -0.3
    setup.sim.join("R1.back", "R2.front")
    setup.run(0.8)
    assert [s.angle for s in servos] == pytest.approx([0.1, 0.2, -0.3], abs=0.02)
    assert [s.target for s in servos] == [0.1, 0.2, -0.3]


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    board = rig().started("R1").board
    with pytest.raises(UnknownName, match=r"R1: unknown servo 'jaw'.*pitch, yaw"):
        board.servos["jaw"]
    with pytest.raises(UnknownName, match=r"accelerometer\.x"):
        board.sensors["touch"]
    with pytest.raises(UnknownName, match="latch = true"):
        board.latches["back"]


def test_chance_is_the_boards_own() -> None:
    draws = []
    for names in (("R1", "R2"), ("R2",)):
        setup = rig(seed=5)
        boards = {name: setup.started(name).board for name in names}
        draws.append(boards["R2"].random.random(4).tolist())
    assert draws[0] == draws[1]


def test_a_pc_is_a_board_without_a_body() -> None:
    board = rig().started("host").board
    assert not board.servos
    assert not board.sensors
    assert board.now == 0
