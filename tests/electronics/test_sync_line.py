"""Sync lines: which pin drives which wire, pulses, cuts of one wire, docking, sparks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.electronics.sync_chains import SyncPins, sync_chain

from annelid.electronics.sync_line import SyncLine, SyncLineSpec, SyncPin
from annelid.errors import InputError
from annelid.kernel import MICROSECOND, SECOND, Direction, Edge, Kernel, RandomStreams, Sleep

MODULES = ["R1", "R2", "R3", "R4"]


def _chain(**spec: Any) -> tuple[Kernel, list[SyncPins], list[SyncLine]]:
    kernel = Kernel()
    pins, lines = sync_chain(MODULES, kernel, RandomStreams(1), SyncLineSpec(**spec))
    return kernel, pins, lines


def _high(pins: list[SyncPins]) -> set[str]:
    return {pin.name for both in pins for pin in (both.sin, both.sout) if pin.level}


@pytest.mark.parametrize(
    ("driven", "reads"),
    [
        ("R1.sout", {"R2.sin"}),  # F_1
        ("R2.sin", {"R1.sout"}),  # B_1
        ("R2.sout", {"R3.sin"}),  # F_2
        ("R3.sin", {"R2.sout"}),  # B_2
        ("R4.sin", {"R3.sout"}),  # B_3
        ("R1.sin", set()),  # nothing before the head
        ("R4.sout", set()),  # nothing behind the tail
    ],
)
def test_each_pin_drives_one_wire_and_reads_the_other(driven: str, reads: set[str]) -> None:
    kernel, pins, _ = _chain()
    assert _high(pins) == set()
    pin = next(p for both in pins for p in (both.sin, both.sout) if p.name == driven)
    pin.drive(True)
    kernel.run(1_000)
    assert _high(pins) == set()  # still on its way
    kernel.run(1_001)
    assert _high(pins) == reads
    pin.drive(False)
    kernel.run()
    assert _high(pins) == set()


def test_a_pulse_shorter_than_the_delay_arrives() -> None:
    kernel, pins, _ = _chain(delay_us=10.0)
    seen: list[tuple[int, bool]] = []

    def watch() -> Any:
        while True:
            level = yield Edge(pins[1].sin.line)
            seen.append((kernel.now, level))

    kernel.spawn(watch(), "R2")
    kernel.run(1)
    pins[0].sout.drive(True)
    kernel.run(501)
    pins[0].sout.drive(False)
    kernel.run()
    assert seen == [(10_001, True), (10_501, False)]


def test_a_baton_runs_down_the_chain() -> None:
    """As the configuration check uses the lines (000): each waits for the one before."""
    kernel, pins, _ = _chain()
    order: list[str] = []

    def module(name: str, mine: SyncPins, *, head: bool) -> Any:
        mine.sout.drive(True)
        if not head:
            if not mine.sin.level:
                yield Edge(mine.sin.line, Direction.RISING)
            yield Edge(mine.sin.line, Direction.FALLING)
        order.append(name)
        yield Sleep(20 * MICROSECOND)
        mine.sout.drive(False)

    for i, name in enumerate(MODULES):
        kernel.spawn(module(name, pins[i], head=i == 0), name)
    kernel.run()
    assert order == MODULES


def test_a_cut_can_be_of_one_wire() -> None:
    kernel, pins, lines = _chain()
    pins[0].sout.drive(True)
    pins[1].sin.drive(True)
    kernel.run()
    assert _high(pins) == {"R2.sin", "R1.sout"}
    lines[0].disturb(cut=(("R1.sout", "R2.sin"),))
    assert _high(pins) == {"R1.sout"}
    lines[0].mend()
    assert _high(pins) == {"R2.sin", "R1.sout"}


def test_a_stuck_joint_shows_its_level_and_then_the_true_one() -> None:
    kernel, pins, lines = _chain()
    lines[1].disturb(stuck=1)
    assert _high(pins) == {"R3.sin", "R2.sout"}
    pins[1].sout.drive(True)
    kernel.run()
    lines[1].mend()
    assert _high(pins) == {"R3.sin"}


def test_a_board_without_power_lets_its_wires_fall() -> None:
    kernel, pins, _ = _chain()
    pins[1].sin.drive(True)
    pins[1].sout.drive(True)
    kernel.run()
    assert _high(pins) == {"R1.sout", "R3.sin"}
    for pin in (pins[1].sin, pins[1].sout):
        pin.power(False)
    kernel.run()
    assert _high(pins) == set()


def test_modules_part_and_join_others() -> None:
    kernel, pins, lines = _chain()
    pins[1].sout.drive(True)
    kernel.run()
    lines[1].part()
    assert _high(pins) == set()
    streams = RandomStreams(2)
    with pytest.raises(InputError, match=r"pin R1\.sout is on sync/R1-R2 already"):
        SyncLine("new", kernel, streams, front=pins[0].sout, rear=SyncPin("x"))
    visitor = SyncPin("V.sin")
    SyncLine("new", kernel, streams, front=pins[1].sout, rear=visitor)
    kernel.run()
    assert visitor.level
    assert not pins[2].sin.level


def test_sparks_are_short_pulses() -> None:
    kernel, pins, lines = _chain(glitch_us=5.0)
    lines[0].disturb(noise_hz=10.0)
    edges: list[tuple[int, bool]] = []
    pins[1].sin.line.on_change(lambda level: edges.append((kernel.now, level)))
    kernel.run(20 * SECOND)
    ups = [t for t, level in edges if level]
    downs = [t for t, level in edges if not level]
    assert 150 < len(ups) < 250
    assert all(down - up == 5_000 for up, down in zip(ups, downs, strict=False))
