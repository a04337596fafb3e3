"""Boards must be cheap beside the physics they live in (ratios, measured in one run).

In CPU time: on a busy machine the wall clock measures the others.
"""

from __future__ import annotations

from time import process_time
from timeit import repeat

import numpy as np
import pytest
from tests.electronics.circuits import Rig, idle
from tests.rigs import simulation

from annelid.electronics.board import Board, Firmware
from annelid.kernel import Program, seconds

SPAN_S = 0.5
WORLD = {"kind": "open-air"}


def touching(board: Board) -> Program:
    """Looks at its servo at every tick and lets it go, so that the physics stops at each."""
    servo = board.servos["yaw"]
    while True:
        if servo.angle < 10 and servo.current < 10:
            servo.release()
        yield board.sleep(0.015)


def boards_beside_physics(firmware: Firmware) -> tuple[float, list[float]]:
    """CPU time of ten ticking boards and their physics (s), and where that ended."""
    setup = Rig(simulation("R" * 10, WORLD))
    for module in setup.sim.robot.modules:
        setup.add(module.name, firmware, drift_ppm=(-200, 200), offset_ms=(0, 15))
    setup.circuit.start()
    started = process_time()
    setup.run(SPAN_S)
    return process_time() - started, setup.sim.data.qpos.tolist()


def physics_alone() -> tuple[float, list[float]]:
    """The same limp chain: programs that command nothing leave their servos released."""
    sim = simulation("R" * 10, WORLD)
    sim.actuators.write(np.full(len(sim.actuators), np.nan))
    started = process_time()
    sim.advance(seconds(SPAN_S) // sim.step_ns)
    return process_time() - started, sim.data.qpos.tolist()


@pytest.mark.realtime
@pytest.mark.parametrize("firmware", [idle, touching])
def test_ten_boards_cost_little_beside_their_physics(firmware: Firmware) -> None:
    """The aim is 0.15; the margin is for noisy machines."""
    pairs = [(physics_alone(), boards_beside_physics(firmware)) for _ in range(8)]
    assert all(alone[1] == both[1] for alone, both in pairs)  # the same work was measured
    ratio = min(both[0] for _, both in pairs) / min(alone[0] for alone, _ in pairs) - 1
    print(f"ten boards at 15 ms, {firmware.__name__}: {ratio:.1%} of the physics")
    assert ratio < 0.25


@pytest.mark.realtime
def test_a_servo_access_costs_about_a_microsecond() -> None:
    setup = Rig(simulation("RR"))
    servo = setup.started("R1").board.servos["yaw"]

    def read() -> float:
        return servo.angle

    def write() -> None:
        servo.target = 0.1

    read_us, write_us = (
        min(repeat(access, number=20_000, repeat=3, timer=process_time)) / 20_000 * 1e6
        for access in (read, write)
    )
    print(f"servo: read {read_us:.2f} us, write {write_us:.2f} us")
    assert max(read_us, write_us) < 6  # the aim is 2
