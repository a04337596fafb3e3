"""I2C: arbitration bit by bit, addresses, times, a bus that is held or cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.electronics.aux_line import AuxLineSpec
from annelid.electronics.i2c import I2cBus
from annelid.electronics.i2c_port import I2cSpec
from annelid.electronics.port import EVERYONE, Frame, Outcome
from annelid.errors import InputError
from annelid.kernel import MILLISECOND, SECOND, Kernel, RandomStreams
from annelid.kernel.trace import Trace, events

BIT_NS = 10_000


class Rig:
    def __init__(self, *addresses: int | None, seed: int = 1, **spec: Any) -> None:
        self.trace, self.sink = Trace.in_memory()
        self.kernel = Kernel(record=self.trace.events.append)
        self.bus = I2cBus("bus", self.kernel, RandomStreams(seed), I2cSpec(**spec))
        self.ports = [self.bus.attach(f"m{i}", address) for i, address in enumerate(addresses)]
        self.outcomes: dict[str, list[tuple[int, Outcome]]] = {p.name: [] for p in self.ports}

    def send(self, number: int, frame: Frame) -> None:
        """And note how and when it ended."""
        port = self.ports[number]
        sending = port.send(frame)

        def follow() -> Any:
            outcome = yield sending
            self.outcomes[port.name].append((self.kernel.now, outcome))

        self.kernel.spawn(follow(), "follower")

    def wire(self) -> list[dict[str, Any]]:
        self.trace.flush()
        return [event.detail for event in events(self.sink, kind="wire")]


def _by_wires(frames: list[bytes]) -> tuple[set[int], dict[int, int]]:
    """The bus bit by bit: who is left at the end, and the bit in which each of the others lost.

    A stop is a low bit that must be seen to rise; every byte is acknowledged.
    """
    strings = []
    for frame in frames:
        bits: list[int | str] = []
        for byte in frame:
            bits += [int(bit) for bit in f"{byte:08b}"] + ["ack"]
        strings.append([*bits, "stop"])
    alive, lost = set(range(len(frames))), {}
    for place in range(max(map(len, strings))):
        meant = {i: strings[i][place] for i in alive}
        zeros = [i for i in alive if meant[i] == 0]
        stops = [i for i in alive if meant[i] == "stop"]
        losers = set()
        if zeros:
            losers = alive - set(zeros) if "ack" not in meant.values() else set()
        elif stops:
            losers = alive - set(stops)
        for i in losers:
            lost[i] = place
        alive -= losers
        if any(meant[i] == "stop" for i in alive):
            break
    return alive, lost


FRAME = st.builds(
    lambda address, data: Frame(data, address=address),
    st.sampled_from([0, 20, 21, 22]),
    st.binary(max_size=3) | st.lists(st.sampled_from([0, 1, 128]), max_size=3).map(bytes),
)


@given(st.lists(FRAME, min_size=2, max_size=6))
def test_arbitration_is_what_the_wires_do(frames: list[Frame]) -> None:
    rig = Rig(*range(1, len(frames) + 1), 20, 21, 22)
    for i, frame in enumerate(frames):
        rig.send(i, frame)
    rig.kernel.run()
    strings = [bytes([frame.address << 1]) + frame.data for frame in frames]
    alive, lost = _by_wires(strings)
    won = strings[min(alive)]
    end = BIT_NS * (2 + 9 * len(won))
    for i in alive:
        assert rig.outcomes[f"m{i}"] == [(end, Outcome.ACKNOWLEDGED)]
    for i, bit in lost.items():
        told = BIT_NS * (1 + bit + 1)
        assert rig.outcomes[f"m{i}"] == [(told, Outcome.ARBITRATION_LOST)]
    if won[0]:
        (to,) = (port for port in rig.ports if port.address == won[0] >> 1)
        assert to.received.drain() == [Frame(won[1:], address=won[0] >> 1)]


def test_the_winner_notices_nothing_and_the_loser_may_try_again() -> None:
    rig = Rig(1, 2, 3)
    rig.send(0, Frame(b"\x80", address=3))
    rig.send(1, Frame(b"\x7f", address=3))
    rig.kernel.run(BIT_NS * 12)
    assert rig.outcomes["m0"] == [(BIT_NS * 11, Outcome.ARBITRATION_LOST)]
    rig.send(0, Frame(b"\x80", address=3))
    rig.kernel.run()
    assert [frame.data for frame in rig.ports[2].received.drain()] == [b"\x7f", b"\x80"]
    assert rig.outcomes["m0"][1] == (2 * BIT_NS * 20, Outcome.ACKNOWLEDGED)


def test_whoever_comes_within_the_hold_time_still_takes_part() -> None:
    for late in (3_999, 4_001):
        rig = Rig(1, 2, 3)
        rig.send(0, Frame(b"\x02", address=3))
        rig.kernel.run(late)
        rig.send(1, Frame(b"\x01", address=3))
        rig.kernel.run()
        lost = [outcome for _, outcome in rig.outcomes["m0"]] == [Outcome.ARBITRATION_LOST]
        assert lost == (late < 4_000)
        assert rig.outcomes["m1"][0][1] is Outcome.ACKNOWLEDGED


def test_those_who_find_the_bus_busy_wait_and_start_together() -> None:
    rig = Rig(1, 2, 3, 4)
    rig.send(0, Frame(bytes(10), address=4))
    rig.kernel.run(BIT_NS * 50)
    rig.send(1, Frame(b"\x09", address=4))
    rig.send(2, Frame(b"\x08", address=4))
    rig.kernel.run()
    first_end = BIT_NS * (2 + 9 * 11)
    assert rig.outcomes["m2"] == [(first_end + BIT_NS * 20, Outcome.ACKNOWLEDGED)]
    assert rig.outcomes["m1"][0][1] is Outcome.ARBITRATION_LOST


def test_the_same_bits_from_two_masters_arrive_once() -> None:
    rig = Rig(1, 2, 3)
    for i in (0, 1):
        rig.send(i, Frame(b"same", address=3))
    rig.kernel.run()
    assert len(rig.ports[2].received) == 1
    assert rig.outcomes["m0"] == rig.outcomes["m1"]
    assert [event["from"] for event in rig.wire()] == ["m0+m1"]


def test_nobody_at_the_address_costs_one_byte() -> None:
    rig = Rig(1, 2)
    rig.send(0, Frame(bytes(100), address=9))
    rig.kernel.run()
    assert rig.outcomes["m0"] == [(BIT_NS * 11, Outcome.NACK)]
    (event,) = rig.wire()
    assert (event["outcome"], event["bytes"]) == ("nack", "12")


def test_masters_that_call_nobody_together_are_all_told() -> None:
    rig = Rig(1, 2)
    rig.send(0, Frame(b"\x01", address=9))
    rig.send(1, Frame(b"\x02", address=9))
    rig.kernel.run()
    assert rig.outcomes["m0"] == rig.outcomes["m1"] == [(BIT_NS * 11, Outcome.NACK)]


def test_a_general_call_reaches_all_but_the_sender_and_the_deaf() -> None:
    rig = Rig(1, 2, 3)
    rig.ports.append(rig.bus.attach("deaf", 4, general_call=False))
    rig.send(0, Frame(b"all", address=EVERYONE))
    rig.kernel.run()
    assert [len(port.received) for port in rig.ports] == [0, 1, 1, 0]
    assert rig.wire()[0]["to"] == ["m1", "m2"]


def test_a_general_call_may_be_missed_by_some() -> None:
    rig = Rig(1, 2, 3, loss=0.5)
    for _ in range(100):
        rig.send(0, Frame(b"x"))
    rig.kernel.run()
    assert len(rig.ports[1].received) > 25
    assert len(rig.ports[2].received) > 25
    nacks = [outcome for _, outcome in rig.outcomes["m0"]].count(Outcome.NACK)
    assert 10 < nacks < 45  # both missed it


def test_a_full_inbox_is_not_acknowledged() -> None:
    rig = Rig(1, 2, inbox=2)
    for _ in range(3):
        rig.send(0, Frame(b"x", address=2))
    rig.kernel.run()
    ends = [outcome for _, outcome in rig.outcomes["m0"]]
    assert ends == [Outcome.ACKNOWLEDGED, Outcome.ACKNOWLEDGED, Outcome.NACK]
    assert rig.wire()[-1]["outcome"] == "overrun"


def test_a_slow_receiver_stretches_the_clock() -> None:
    rig = Rig(1, 2, stretch_us=50.0)
    rig.send(0, Frame(b"abc", address=2))
    rig.kernel.run()
    assert rig.outcomes["m0"] == [(BIT_NS * (2 + 36) + 4 * 50_000, Outcome.ACKNOWLEDGED)]


def test_a_held_bus_ends_in_bus_errors_and_recovers() -> None:
    rig = Rig(1, 2, timeout_ms=25.0)
    rig.send(0, Frame(bytes(100), address=2))
    rig.kernel.run(MILLISECOND)
    rig.bus.disturb(stuck=0)
    rig.kernel.run(2 * MILLISECOND)
    rig.send(0, Frame(b"x", address=2))
    rig.kernel.run(30 * MILLISECOND)
    assert rig.outcomes["m0"] == [
        (MILLISECOND, Outcome.BUS_ERROR),
        (27 * MILLISECOND, Outcome.BUS_ERROR),
    ]
    rig.send(0, Frame(b"y", address=2))
    rig.kernel.run(40 * MILLISECOND)
    rig.bus.mend()
    rig.kernel.run()
    assert rig.outcomes["m0"][-1] == (40 * MILLISECOND + 20 * BIT_NS, Outcome.ACKNOWLEDGED)
    assert [event["outcome"] for event in rig.wire()] == ["bus error", "bus error", "delivered"]


def test_a_cut_leaves_two_buses_that_work_at_once() -> None:
    rig = Rig(1, 2, 3, 4)
    rig.bus.disturb(cut=(("m1", "m2"),))
    rig.send(0, Frame(b"left", address=2))
    rig.send(3, Frame(b"right", address=3))
    rig.send(0, Frame(b"over", address=4))
    rig.kernel.run()
    assert [outcome for _, outcome in rig.outcomes["m0"]] == [Outcome.ACKNOWLEDGED, Outcome.NACK]
    assert rig.outcomes["m3"] == [(BIT_NS * (2 + 9 * 6), Outcome.ACKNOWLEDGED)]


def test_a_frame_cut_off_in_its_middle_is_not_acknowledged() -> None:
    rig = Rig(1, 2)
    rig.send(0, Frame(bytes(10), address=2))
    rig.kernel.run(BIT_NS * 40)
    rig.bus.disturb(cut=True)
    rig.kernel.run()
    assert rig.outcomes["m0"][0][1] is Outcome.NACK
    assert len(rig.ports[1].received) == 0


def test_a_picture_takes_seven_seconds_here_and_a_frame_time_on_the_aux_line() -> None:
    picture = 320 * 240
    assert I2cSpec().frame_ns(picture) / SECOND == pytest.approx(6.9, abs=0.05)
    assert AuxLineSpec().frame_ns(picture) == 40 * MILLISECOND


def test_addresses_are_checked() -> None:
    rig = Rig(1, None)
    with pytest.raises(InputError, match="expected 1 to 127, got 128"):
        rig.bus.attach("x", 128)
    with pytest.raises(InputError, match="address 1 belongs to m0"):
        rig.bus.attach("x", 1)
    with pytest.raises(InputError, match="expected 0 to 127, got 200"):
        rig.ports[0].send(Frame(b"", address=200))
