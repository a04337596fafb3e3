"""Finding packets in streams that noise, cuts and 10H bytes have spoilt."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import crc
from annelid.systems.erekobot.packets import (
    BROADCAST,
    BriefConfiguration,
    Configuration,
    GaitProgram,
    Packet,
    Standard,
    encode,
)
from annelid.systems.erekobot.receiver import Receiver

FUZZ = 100_000


def hear(receiver: Receiver, data: bytes) -> list[Packet]:
    return [heard.packet for byte in data for heard in receiver.feed(byte)]


@given(st.lists(st.builds(Standard, st.integers(0, 255), st.integers(0, 0xFFFF)), max_size=8))
def test_every_packet_of_a_clean_stream(packets: list[Standard]) -> None:
    assert hear(Receiver(), b"".join(map(encode, packets))) == packets


def test_sync_bytes_inside_a_packet_do_no_harm() -> None:
    packet = Standard(0x10, 0x1010)
    receiver = Receiver()
    assert hear(receiver, encode(packet) * 3) == [packet] * 3
    assert receiver.rejected == receiver.skipped == 0


def test_joining_in_the_middle_of_a_packet_costs_that_packet_only() -> None:
    """The tail that is heard first may itself begin with 10H."""
    packet = Standard(0x10, 0x1010)
    assert hear(Receiver(), encode(packet)[1:] + encode(packet) * 2)[-1:] == [packet]
    assert hear(Receiver(), encode(Standard(0x10, 5))[1:] + encode(messages.stop())) == [
        messages.stop()
    ]


def test_a_false_sync_byte_hides_nothing() -> None:
    for noise in (b"\x10", b"\x10\x10", b"\x10\x00\x10\xff", b"\x00\x10\xff\xff\x10"):
        assert hear(Receiver(), noise + encode(messages.start())) == [messages.start()]


def test_a_truncated_packet_is_given_up_after_a_silence() -> None:
    receiver = Receiver()
    assert hear(receiver, b"\x10\x05\x10") == []
    assert receiver.expire() == []
    assert hear(receiver, encode(messages.stop())) == [messages.stop()]


def test_announced_packets_have_their_own_length() -> None:
    configuration = Configuration(3, 4, 1, 5, 16, 2)
    told: list[Packet] = [messages.configuration_follows(3), configuration, messages.start()]
    assert hear(Receiver(messages.configurations), b"".join(map(encode, told))) == told
    brief = BriefConfiguration(3, 4, 5, 16, 2)
    told = [messages.configuration_follows(3), brief, messages.start()]
    assert hear(Receiver(messages.brief_configurations), b"".join(map(encode, told))) == told
    code = bytes(range(1, 41))
    program = GaitProgram(3, 1, 5, 3200, code, crc(code))
    told = [messages.program_follows(3, 40), program, messages.start()]
    assert hear(Receiver(messages.programs), b"".join(map(encode, told))) == told


def test_an_announcement_whose_packet_was_lost_swallows_nothing() -> None:
    receiver = Receiver(messages.configurations)
    announcement = messages.configuration_follows(3)
    assert hear(receiver, encode(announcement) + encode(messages.stop())) == [
        announcement,
        messages.stop(),
    ]
    later = Standard(3, 7)
    assert hear(receiver, encode(announcement)) == [announcement]
    assert hear(receiver, encode(later)) == []  # it may be the configuration
    assert [heard.packet for heard in receiver.expire()] == [later]


@given(st.binary(max_size=200))
def test_anything_is_taken_and_given_up(data: bytes) -> None:
    for announces in (messages.nothing, messages.configurations, messages.programs):
        receiver = Receiver(announces)
        hear(receiver, data)
        receiver.expire()
        assert receiver.candidate == b""
        assert receiver.position == len(data)


def test_a_hundred_thousand_random_streams() -> None:
    """Each is followed at once by two sound packets: the second is heard, whatever came before;
    and after a silence, the first."""
    chance = np.random.default_rng(4)
    lengths = chance.integers(0, 24, FUZZ)
    noise = chance.integers(0, 256, int(lengths.sum()), dtype=np.uint8)
    noise[chance.random(len(noise)) < 0.1] = 0x10  # more of what is hardest
    stream = noise.tobytes()
    heard_first = place = 0
    for number, length in enumerate(lengths.tolist()):
        receiver = Receiver(messages.programs if number % 2 else messages.nothing)
        hear(receiver, stream[place : place + length])
        place += length
        first, second = Standard(1 + number % 254, number % 311), Standard(BROADCAST, 1)
        if number % 3:
            heard = hear(receiver, encode(first) + encode(second))
            assert heard[-1] == second
            heard_first += first in heard
        else:
            receiver.expire()
            assert hear(receiver, encode(first)) == [first]
    assert heard_first > 0.99 * FUZZ * 2 / 3
