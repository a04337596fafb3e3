"""What can become of a board: reset, hung, crashed, dead; and what the others see of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.electronics.circuits import Rig, rig

from annelid.electronics.board import Board
from annelid.electronics.node import Node, NodeState
from annelid.electronics.uart import Uart
from annelid.errors import SpecError
from annelid.kernel import Mailbox, Program, ProgramError, Receive


def counter(started: list[int], ticks: list[int]) -> Callable[[Board], Program]:
    def program(board: Board) -> Program:
        started.append(board.now)
        board.servos["yaw"].target = 0.3
        while True:
            yield board.sleep(0.010)
            ticks.append(board.now)

    return program


def counting(setup: Rig, **spec: Any) -> tuple[Node, list[int], list[int]]:
    started: list[int] = []
    ticks: list[int] = []
    return setup.started("R1", counter(started, ticks), **spec), started, ticks


def test_a_reset_begins_anew_with_servos_released_until_then() -> None:
    setup = rig()
    node, started, _ = counting(setup, boot_ms=20)
    setup.run(0.105)
    node.reset("by hand")
    assert node.state is NodeState.BOOTING
    assert math.isnan(node.board.servos["yaw"].target)
    setup.run(0.2)
    assert started == [20_000_000, 125_000_000]
    assert node.board.servos["yaw"].target == 0.3
    assert node.resets == 1
    assert setup.details("reset") == [{"reason": "by hand"}]


def test_a_dead_board_does_nothing_until_it_is_started_anew() -> None:
    setup = rig()
    node, started, ticks = counting(setup)
    setup.run(0.1)
    seen = len(ticks)
    node.kill("smoke")
    node.reset()
    node.board.servos["yaw"].target = 1.0
    setup.run(0.3)
    assert (node.state, len(ticks), len(started)) == (NodeState.DEAD, seen, 1)
    assert math.isnan(node.board.servos["yaw"].target)
    assert setup.details("dead") == [{"reason": "smoke", "servos": "release"}]
    node.start()
    setup.run(0.4)
    assert len(started) == 2


def test_servos_of_a_dead_board_may_freeze_instead() -> None:
    setup = rig()
    node, _, _ = counting(setup)
    setup.run(0.3)
    node.kill(servos="freeze")
    node.board.servos["yaw"].target = -1.0
    setup.run(0.6)
    assert setup.angle("R1.yaw") == pytest.approx(0.3, abs=0.02)


def test_a_dying_program_can_do_nothing_more() -> None:
    setup = rig()
    done: list[str] = []

    def program(board: Board) -> Program:
        try:
            yield board.sleep(10.0)
        finally:
            board.servos["yaw"].target = 1.0
            done.append("finally")

    node = setup.started("R1", program)
    setup.run(0.1)
    node.kill()
    assert done == ["finally"]
    assert math.isnan(node.board.servos["yaw"].target)


def test_a_hung_program_holds_its_servos_and_goes_on_where_it_was() -> None:
    setup = rig()
    node, started, ticks = counting(setup)
    setup.run(0.105)
    node.hang("loose wire")
    setup.run(0.205)
    assert (node.state, ticks[-1]) == (NodeState.HUNG, 100_000_000)
    assert setup.angle("R1.yaw") == pytest.approx(0.3, abs=0.02)
    node.resume()
    setup.run(0.23)
    assert ticks[-3:] == [205_000_000, 215_000_000, 225_000_000]
    assert len(started) == 1
    assert setup.kinds("R1") == ["hang", "resume"]


def test_a_watchdog_resets_what_hangs() -> None:
    setup = rig()
    node, started, _ = counting(setup, watchdog_ms=50)
    setup.run(0.1)
    node.hang()
    setup.run(0.3)
    assert started == [0, 150_000_000]
    assert setup.details("reset") == [{"reason": "watchdog"}]


def crashing(board: Board) -> Program:
    board.servos["yaw"].target = 0.2
    yield board.sleep(0.1)
    raise ZeroDivisionError("a bug")


def test_a_crash_is_recorded_and_the_others_go_on() -> None:
    setup = rig()
    node = setup.started("R1", crashing)
    other = setup.started("R2")
    setup.run(0.3)
    assert (node.state, other.state) == (NodeState.CRASHED, NodeState.RUNNING)
    assert isinstance(node.error, ZeroDivisionError)
    detail = setup.details("crash")[0]
    assert detail["error"] == "ZeroDivisionError: a bug"
    assert detail["where"].startswith("test_nodes.py:")
    assert node.board.servos["yaw"].target == 0.2


def test_a_watchdog_resets_what_crashed() -> None:
    setup = rig()
    node = setup.started("R1", crashing, watchdog_ms=30)
    setup.run(0.3)
    assert node.resets == 2
    assert setup.kinds("R1") == ["crash", "reset", "crash", "reset"]


def test_a_crash_can_end_the_run_for_those_who_write_programs() -> None:
    setup = rig()
    setup.started("R1", crashing, crash="raise")
    with pytest.raises(ProgramError, match="R1: ZeroDivisionError: a bug"):
        setup.run(0.3)


def test_a_program_that_yields_nonsense_fails_at_its_own_line() -> None:
    setup = rig()

    def program(board: Board) -> Any:
        yield 15

    node = setup.started("R1", program)
    setup.run(0.1)
    assert node.state is NodeState.CRASHED
    assert "expected a wait" in setup.details("crash")[0]["error"]


def test_a_pass_costs_its_time_and_delays_the_reply_by_exactly_that() -> None:
    setup = rig()
    asked: Mailbox[str] = Mailbox()
    replies: list[int] = []

    def program(board: Board) -> Program:
        while True:
            yield Receive(asked)
            replies.append(setup.kernel.now)

    setup.started("R1", program, pass_ms=2.5)
    setup.kernel.call_at(10_000_000, lambda: asked.put("?"))
    setup.kernel.call_at(11_000_000, lambda: asked.put("?"))
    setup.run(0.1)
    assert replies == [12_500_000, 15_000_000]


def test_a_message_in_hand_survives_a_hang() -> None:
    setup = rig()
    asked: Mailbox[str] = Mailbox()
    replies: list[str] = []

    def program(board: Board) -> Program:
        while True:
            replies.append((yield Receive(asked)))

    node = setup.started("R1", program, pass_ms=20)
    setup.kernel.call_at(10_000_000, lambda: asked.put("first"))
    setup.run(0.015)
    node.hang()
    asked.put("second")
    setup.run(0.1)
    assert replies == []
    node.resume()
    setup.run(0.2)
    assert replies == ["first", "second"]


def test_costs_and_starts_of_chance_repeat_with_the_seed() -> None:
    def run(seed: int) -> list[int]:
        setup = rig("RRRR", seed=seed)
        started: list[int] = []
        ticks: list[int] = []
        for name in ("R1", "R2", "R3", "R4"):
            firmware = counter(started, ticks)
            setup.started(name, firmware, boot_ms=(0, 50), pass_ms=(0, 3), drift_ppm=(-100, 100))
        setup.run(0.3)
        return started + ticks

    assert run(1) == run(1)
    assert run(1) != run(2)
    assert len(set(run(1)[:4])) == 4


def test_a_dead_board_is_silent_on_its_links() -> None:
    setup = rig()
    heard: list[int] = []

    def talker(board: Board) -> Program:
        while True:
            board.ports["line"].send(b"x")
            yield board.sleep(0.050)

    def listener(board: Board) -> Program:
        while True:
            heard.append((yield Receive(board.ports["line"].received)))

    uart = Uart("line", setup.kernel, setup.sim.streams)
    nodes = [setup.add("R1", talker), setup.add("R2", listener)]
    for node in nodes:
        node.board.ports["line"] = uart.attach(node.name)
    setup.circuit.links["line"] = uart
    setup.circuit.start()
    setup.run(0.12)
    assert len(heard) == 3
    nodes[1].kill()
    setup.run(0.22)
    assert len(heard) == 3
    nodes[1].start()
    setup.run(0.27)
    assert len(heard) == 4
    nodes[0].kill()
    setup.run(0.5)
    assert len(heard) == 4


def test_a_range_the_wrong_way_round_is_refused() -> None:
    with pytest.raises(SpecError, match=r"pass_ms.*lowest"):
        rig().add("R1", pass_ms=(3, 1))


def test_each_board_has_its_own_chance() -> None:
    """How long R1 takes to boot does not depend on who else draws, and not all take as long."""

    def booted(*names: str) -> dict[str, list[int]]:
        setup = rig()
        times: dict[str, list[int]] = {name: [] for name in names}
        for name in names:
            setup.started(name, counter(times[name], []), boot_ms=[10, 90])
        setup.run(0.1)
        return times

    alone, both = booted("R1"), booted("R2", "R1")
    assert both["R1"] == alone["R1"]
    assert both["R1"] != both["R2"]
