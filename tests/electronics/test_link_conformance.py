"""What every link promises, asked of each in the same words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.electronics.link_rigs import RIGS, Rig

from annelid.electronics.aux_line import AuxLine
from annelid.electronics.i2c import I2cBus
from annelid.electronics.infrared import Infrared, docked
from annelid.electronics.port import BytePort, FramePort, Pin, Powered
from annelid.electronics.sync_line import SyncPin
from annelid.electronics.uart import Uart
from annelid.electronics.uart_port import UartPort
from annelid.errors import InputError, SpecError, UnknownName
from annelid.kernel import Kernel, Priority, RandomStreams, Sleep
from annelid.kernel.trace import events

Make = Callable[..., Rig]


@pytest.fixture(params=RIGS)
def make(request: pytest.FixtureRequest) -> Make:
    return RIGS[request.param]


def _bytes(event: Any) -> bytes:
    return bytes.fromhex(event.detail["bytes"])


def test_ports_are_what_programs_and_boards_expect() -> None:
    """Checked by mypy: each end fits its protocol."""
    kernel, streams = Kernel(), RandomStreams(1)
    serial: BytePort = Uart("uart", kernel, streams).attach("a")
    bus: FramePort = I2cBus("i2c", kernel, streams).attach("a", 1)
    face: FramePort = Infrared("air", kernel, streams, sight=docked([])).attach("a")
    video: FramePort = AuxLine("video", kernel, streams).attach("a")
    pin: Pin = SyncPin("a")
    ends: list[Powered] = [UartPort(Uart("x", kernel, streams), "y", capacity=1), SyncPin("b")]
    assert [port.name for port in (serial, bus, face, video, pin)] == ["a"] * 5
    assert len(ends) == 2


def test_what_is_sent_arrives_unchanged_and_on_time(make: Make) -> None:
    rig = make()
    sent = rig.send_spaced(range(20))
    assert rig.got == [(t + rig.ends_ns(1), rig.item(i)) for i, t in enumerate(sent)]


def test_a_burst_arrives_in_order_and_the_error_of_time_does_not_grow(make: Make) -> None:
    rig = make()
    if not rig.queues:
        pytest.skip("a level cannot queue")
    start = rig.kernel.now
    for i in range(50):
        rig.send(i)
    rig.kernel.run()
    assert rig.got == [(start + rig.ends_ns(i + 1), rig.item(i)) for i in range(50)]


def test_an_idle_link_costs_no_event(make: Make) -> None:
    rig = make()
    assert not rig.kernel.queue
    rig.send_spaced(range(3))
    assert not rig.kernel.queue


def test_everything_on_the_wire_is_in_the_trace(make: Make) -> None:
    rig = make()
    start = rig.kernel.now
    sent = rig.send_spaced(range(20))
    wire = rig.wire()
    assert b"".join(map(_bytes, wire)) == b"".join(rig.on_wire(i) for i in range(20))
    assert {event.detail["outcome"] for event in wire} == {"delivered"}
    assert all(event.detail["to"] == [rig.b_name] for event in wire)
    assert wire[0].detail["start_ns"] == start
    assert wire[-1].detail["end_ns"] == sent[-1] + rig.ends_ns(1)


def test_total_loss_delivers_nothing_and_says_so(make: Make) -> None:
    rig = make()
    rig.link.disturb(loss=1.0)
    rig.send_spaced(range(10))
    assert rig.got == []
    assert len(rig.wire("lost")) == len(rig.wire()) == 10


def test_some_loss_takes_its_share_and_the_same_items_for_a_seed(make: Make) -> None:
    def run(seed: int) -> tuple[list[int], Rig]:
        rig = make(seed, loss=0.3)
        rig.send_spaced(range(300))
        outcomes = [event.detail["outcome"] for event in rig.wire()]
        assert set(outcomes) == {"delivered", "lost"}
        return [i for i, outcome in enumerate(outcomes) if outcome == "delivered"], rig

    arrived, rig = run(3)
    assert 0.6 < len(arrived) / 300 < 0.8
    assert rig.values() == rig.expected(arrived)
    assert run(3)[0] == arrived
    assert run(4)[0] != arrived


def test_bit_noise_corrupts_or_is_seen_and_never_doubles(make: Make) -> None:
    rig = make(bit_error=0.02)
    rig.send_spaced(range(200))
    wire = rig.wire()
    assert len(wire) == 200
    assert any(event.detail["outcome"] != "delivered" for event in wire)
    told = [value for value in map(rig.told, wire) if value is not None]
    assert rig.values() == rig.seen(told)


def test_sparks_spoil_what_they_meet(make: Make) -> None:
    rig = make()
    rig.link.disturb(noise_hz=2000.0)
    rig.send_spaced(range(30))
    rig.trace.flush()
    told = {event.detail["outcome"] for event in events(rig.sink, kind="wire", by="link")}
    assert told & {"corrupted", "collision", "noise"}
    rig.link.mend()
    rig.kernel.run(rig.kernel.now + rig.spacing_ns)
    before = len(rig.got)
    rig.send_spaced(range(6))
    assert rig.values()[before:] == rig.expected(range(6))
    assert not rig.kernel.queue


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_cut_stops_all_and_mending_restores(make: Make, everywhere: bool) -> None:
    rig = make()
    rig.link.disturb(cut=everywhere or ((rig.a_name, rig.b_name),))
    rig.send_spaced(range(4))
    assert rig.got == []
    assert len(rig.wire("cut")) == len(rig.wire()) == 4
    rig.link.mend()
    rig.send_spaced(range(4, 8))
    assert rig.values() == rig.expected(range(4, 8))


@pytest.mark.parametrize("level", [0, 1])
def test_a_stuck_wire_blocks_and_recovers(make: Make, level: int) -> None:
    rig = make()
    rig.link.disturb(stuck=level)
    rig.send_spaced(range(4))
    assert not rig.wire("delivered")
    assert {event.detail["outcome"] for event in rig.wire()} <= {"stuck", "bus error"}
    assert len(rig.wire()) == 4
    rig.link.mend()
    rig.kernel.run(rig.kernel.now + rig.spacing_ns)
    rig.got.clear()
    rig.send_spaced(range(4, 8))
    assert rig.values() == rig.expected(range(4, 8))


def test_faults_are_in_the_trace(make: Make) -> None:
    rig = make()
    rig.link.disturb(loss=0.5)
    rig.link.disturb(loss=0.5)  # no change, no event
    rig.link.mend()
    rig.trace.flush()
    told = events(rig.sink, kind="link faults", by="link")
    assert [event.detail for event in told] == [{"loss": 0.5}, {}]


def test_two_runs_from_one_seed_are_the_same(make: Make) -> None:
    def run(seed: int) -> tuple[str, list[tuple[int, bytes]]]:
        rig = make(seed)
        rig.link.disturb(loss=0.2, bit_error=0.02, noise_hz=100.0)
        rig.send_spaced(range(60))
        return rig.digest(), rig.got

    assert run(5) == run(5)
    assert run(5)[0] != run(6)[0]


def test_a_board_that_dies_in_mid_transmission_leaves_the_link_usable(make: Make) -> None:
    rig = make()
    rig.send(0)
    rig.send(2)
    rig.kernel.run(rig.kernel.now + rig.ends_ns(1) // 2)
    rig.a.power(False)
    rig.send(4)
    rig.kernel.run(rig.kernel.now + 2 * rig.spacing_ns)
    assert not rig.kernel.queue
    rig.got.clear()
    rig.a.power(True)
    rig.send_spaced([6, 7, 8])
    assert rig.values() == rig.expected([6, 7, 8])


def test_a_program_that_dies_leaves_its_hardware_to_finish(make: Make) -> None:
    rig = make()

    def sender() -> Any:
        rig.send(0)
        yield Sleep(10**12)

    process = rig.kernel.spawn(sender(), "sender")
    start = rig.kernel.now
    rig.kernel.call_at(start + rig.ends_ns(1) // 2, process.kill, priority=Priority.OUTSIDE)
    rig.kernel.run(start + rig.spacing_ns)
    assert rig.got == [(start + rig.ends_ns(1), rig.item(0))]


def test_a_dead_receiver_hears_nothing_until_it_is_back(make: Make) -> None:
    rig = make()
    if not rig.queues:
        pytest.skip("a wire has its level whether or not anybody reads it")
    rig.b.power(False)
    rig.send_spaced(range(3))
    assert rig.got == []
    assert not rig.wire("delivered")
    rig.b.power(True)
    rig.send_spaced(range(3, 6))
    assert rig.values() == rig.expected(range(3, 6))


def test_impossible_faults_are_refused(make: Make) -> None:
    rig = make()
    with pytest.raises(SpecError, match=r"link link: loss: .* \(got 1\.5\)"):
        rig.link.disturb(loss=1.5)
    with pytest.raises(SpecError, match="los"):
        rig.link.disturb(los=0.5)
    with pytest.raises(UnknownName, match="'nobody'"):
        rig.link.disturb(cut=((rig.a_name, "nobody"),))
    with pytest.raises(InputError):
        rig.link.disturb(stuck=2)
    assert rig.link.faults.loss == 0.0
