"""Modules with an active latch split and join by themselves."""

from __future__ import annotations

from tests.electronics.circuits import rig
from tests.rigs import robot

from annelid.electronics.board import Board
from annelid.kernel import Program


def test_a_program_lets_go_and_grasps_again() -> None:
    setup = rig(robot("RR", R={"latch": True}))
    seen: list[tuple[int, bool]] = []

    def program(board: Board) -> Program:
        latch = board.latches["back"]
        latch.detach()
        docked = yield latch.moved()
        seen.append((board.now, docked))
        latch.attach()
        docked = yield latch.moved()
        seen.append((board.now, docked))

    setup.started("R1", program)
    setup.run(1.2)
    assert seen == [(500_000_000, False), (1_000_000_000, True)]
    assert setup.sim.epoch == 2
    assert setup.kinds("R1.back") == ["detach", "attach"]


def test_a_latch_that_finds_nothing_near_stays_open() -> None:
    setup = rig(robot("RR", R={"latch": True}))
    setup.sim.cut("R1.back", "R2.front")
    joint = setup.sim.model.joint("R2/free").qposadr[0]
    setup.sim.data.qpos[joint] -= 0.05
    setup.sim.advance(1)
    setup.run(0.001)
    latch = setup.started("R1").board.latches["back"]
    latch.attach()
    setup.run(1.0)
    assert not latch.closed
    assert setup.kinds("R1.back") == ["latch missed"]


def test_power_lost_in_mid_movement_leaves_the_latch_as_it_was() -> None:
    setup = rig(robot("RR", R={"latch": True}))
    node = setup.started("R1")
    node.board.latches["back"].detach()
    setup.run(0.2)
    node.kill()
    setup.run(1.0)
    assert setup.sim.epoch == 0
    node.board.latches["back"].detach()
    setup.run(2.0)
    assert setup.sim.epoch == 0
