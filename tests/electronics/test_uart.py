"""Serial lines: times of any framing, who hears whom, collisions, noise, buffers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.electronics.uart import Uart
from annelid.electronics.uart_byte import UartSpec
from annelid.errors import InputError
from annelid.kernel import MILLISECOND, SECOND, AnyOf, Kernel, RandomStreams, Receive, Sleep
from annelid.kernel.trace import Trace, events

BYTE_NS = 1_041_667


def _uart(*names: str, seed: int = 1, **spec: Any) -> tuple[Uart, list[Any], Any]:
    trace, sink = Trace.in_memory()
    kernel = Kernel(record=trace.events.append)
    uart = Uart("line", kernel, RandomStreams(seed), UartSpec(**spec))
    ports = [uart.attach(name) for name in names]

    def wire() -> list[dict[str, Any]]:
        uart.flush()
        trace.flush()
        return [event.detail for event in events(sink, kind="wire")]

    return uart, ports, wire


@given(
    baud=st.sampled_from([300, 1200, 9600, 19_200, 57_600, 115_200, 31_250]),
    data_bits=st.integers(5, 8),
    parity=st.sampled_from(["none", "even", "odd"]),
    stop_bits=st.sampled_from([1, 2]),
    chunks=st.lists(st.integers(1, 40), min_size=1, max_size=5),
)
def test_every_byte_ends_at_the_exact_time(
    baud: int, data_bits: int, parity: str, stop_bits: int, chunks: list[int]
) -> None:
    """However the bytes were handed over, and however long the burst."""
    uart, (a, b), _ = _uart(
        "a", "b", baud=baud, data_bits=data_bits, parity=parity, stop_bits=stop_bits
    )
    times: list[int] = []

    def listen() -> Any:
        while True:
            yield Receive(b.received)
            times.append(uart.kernel.now)

    uart.kernel.spawn(listen(), "b")
    uart.kernel.run(7)
    for chunk in chunks:
        a.send(bytes(chunk))
    uart.kernel.run()
    bits = 1 + data_bits + (parity != "none") + stop_bits
    exact = [Fraction(k * bits * SECOND, baud) for k in range(1, sum(chunks) + 1)]
    assert times == [7 + int(time + Fraction(1, 2)) for time in exact]


def test_a_program_can_wait_until_all_has_left() -> None:
    uart, (a, _), _ = _uart("a", "b")
    seen: list[int] = []

    def sender() -> Any:
        yield a.drained()  # idle: at once
        seen.append(uart.kernel.now)
        a.send(bytes(96))
        assert a.sending
        yield a.drained()
        seen.append(uart.kernel.now)
        assert not a.sending
        a.send(b"x")
        fired = yield AnyOf(a.drained(), Sleep(1000))
        assert fired.timed_out

    uart.kernel.spawn(sender(), "a")
    uart.kernel.run()
    assert seen == [0, 100 * MILLISECOND]


def test_a_line_hands_on_to_the_next_alone() -> None:
    uart, (a, b, c), wire = _uart("a", "b", "c")
    a.send(b"\x01")
    b.send(b"\x02")
    c.send(b"\x03")
    uart.kernel.run()
    assert [port.received.drain() for port in (a, b, c)] == [[], [1], [2]]
    assert [event["outcome"] for event in wire()] == ["delivered", "delivered", "no receiver"]


def test_a_ring_comes_back_to_the_first() -> None:
    uart, (a, b, c), _ = _uart("a", "b", "c", topology="ring")
    for port, value in ((a, 1), (b, 2), (c, 3)):
        port.send(bytes([value]))
    uart.kernel.run()
    assert [port.received.drain() for port in (a, b, c)] == [[3], [1], [2]]


def test_all_on_a_bus_hear_one() -> None:
    uart, (a, b, c), wire = _uart("a", "b", "c", topology="bus")
    b.send(b"hi")
    uart.kernel.run()
    assert [bytes(port.received.drain()) for port in (a, b, c)] == [b"hi", b"", b"hi"]
    (event,) = wire()
    assert event["to"] == ["a", "c"]


def test_two_at_once_on_a_bus_spoil_each_other() -> None:
    uart, (a, b, c), wire = _uart("a", "b", "c", topology="bus", duplex="half")
    a.send(bytes(range(20)))
    uart.kernel.run(BYTE_NS * 5 + 1000)
    b.send(bytes(range(100, 105)))
    uart.kernel.run()
    told = wire()
    hit = [event for event in told if event["outcome"] == "collision"]
    assert sum(event["from"] == "b" for event in hit) == 5
    assert sum(event["from"] == "a" for event in hit) == 6
    clear = bytes([*range(5), *range(11, 20)])
    heard = bytes(c.received.drain())
    assert heard.startswith(clear[:5])
    assert heard.endswith(clear[5:])
    assert len(heard) + c.framing_errors == 25
    assert bytes(b.received.drain())[:5] == clear[:5]  # b heard a until it spoke itself


def test_bytes_that_touch_on_a_bus_do_not_collide() -> None:
    uart, (a, b, c), wire = _uart("a", "b", "c", topology="bus", baud=10_000)
    a.send(b"\x01")
    uart.kernel.run(MILLISECOND)
    b.send(b"\x02")  # in the very instant in which the first ends
    uart.kernel.run()
    assert c.received.drain() == [1, 2]
    assert {event["outcome"] for event in wire()} == {"delivered"}


@pytest.mark.parametrize(("duplex", "heard"), [("full", [1]), ("half", [])])
def test_half_duplex_is_deaf_while_it_sends(duplex: str, heard: list[int]) -> None:
    uart, (a, b, _), wire = _uart("a", "b", "c", duplex=duplex)
    a.send(b"\x01")
    uart.kernel.run(BYTE_NS // 2)
    b.send(b"\x02")
    uart.kernel.run()
    assert b.received.drain() == heard
    assert ("deaf" in {event["outcome"] for event in wire()}) == (duplex == "half")


def test_a_floating_line_catches_noise_and_a_pull_up_cures_it() -> None:
    uart, (_, b), wire = _uart("a", "b", pull_up=False, floating_hz=20.0, software_buffer=9999)
    uart.kernel.run(50 * SECOND)
    noise = b.received.drain()
    assert 850 < len(noise) < 1150
    assert len(set(noise)) > 200
    assert [event["outcome"] for event in wire()] == ["noise"] * len(noise)
    uart, (_, b), _ = _uart("a", "b", pull_up=True)
    assert not uart.kernel.queue


def test_noise_just_before_a_byte_spoils_it() -> None:
    uart, (a, _), wire = _uart("a", "b", pull_up=False, floating_hz=300.0, software_buffer=9999)
    for i in range(100):
        uart.kernel.run(i * 10 * MILLISECOND)
        a.send(b"\x55")
    uart.kernel.run(SECOND)
    outcomes = [event["outcome"] for event in wire() if event["from"] == "a"]
    assert 10 < outcomes.count("collision") < 50
    assert outcomes.count("delivered") + outcomes.count("collision") == 100


def test_a_full_buffer_overruns() -> None:
    uart, (a, b), wire = _uart("a", "b", software_buffer=3)
    a.send(bytes(range(9)))
    uart.kernel.run()
    assert b.received.drain() == [0, 1, 2, 3, 4]
    assert b.overruns == 4
    assert [event["outcome"] for event in wire()] == ["delivered"] + ["overrun"] * 4


def test_parity_sees_single_flips() -> None:
    plain, (a, b), _ = _uart("a", "b", bit_error=0.01, software_buffer=9999)
    a.send(bytes(2000))
    plain.kernel.run()
    wrong = sum(value != 0 for value in b.received.drain())
    checked, (a, c), _ = _uart("a", "b", bit_error=0.01, software_buffer=9999, parity="even")
    a.send(bytes(2000))
    checked.kernel.run()
    missed = sum(value != 0 for value in c.received.drain())
    assert wrong > 100
    assert c.parity_errors > 100
    assert missed < wrong / 10


def test_a_cut_bus_is_two_buses() -> None:
    uart, (a, b, c, d), _ = _uart("a", "b", "c", "d", topology="bus")
    uart.disturb(cut=(("c", "b"),))
    a.send(b"\x01")
    d.send(b"\x02")
    uart.kernel.run()
    assert [port.received.drain() for port in (a, b, c, d)] == [[], [1], [2], []]


def test_a_long_burst_is_told_in_pieces() -> None:
    uart, (a, b), wire = _uart("a", "b", software_buffer=9999)
    a.send(bytes(range(100)))
    uart.kernel.run(70 * BYTE_NS)
    told = wire()
    assert bytes.fromhex("".join(event["bytes"] for event in told)) == bytes(b.received.drain())
    assert all(x["end_ns"] == y["start_ns"] for x, y in pairwise(told))


def test_a_narrow_byte_keeps_its_low_bits() -> None:
    uart, (a, b), _ = _uart("a", "b", data_bits=7)
    a.send(b"\xff\x81")
    uart.kernel.run()
    assert b.received.drain() == [0x7F, 0x01]


def test_ports_have_names_of_their_own_and_cuts_lie_between_neighbours() -> None:
    uart, _, _ = _uart("a", "b", "c", "d")
    with pytest.raises(InputError, match="expected a new port, got 'a' again"):
        uart.attach("a")
    with pytest.raises(InputError, match="neighbours on the wire"):
        uart.disturb(cut=(("a", "c"),))


def test_without_power_nothing_is_sent_then_or_later() -> None:
    uart, (a, b), wire = _uart("a", "b")
    a.power(False)
    a.send(b"dark")
    uart.kernel.run(SECOND)
    a.power(True)
    a.send(b"lit")
    uart.kernel.run(2 * SECOND)
    assert bytes(b.received.drain()) == b"lit"
    assert [detail["bytes"] for detail in wire()] == [b"lit".hex()]
