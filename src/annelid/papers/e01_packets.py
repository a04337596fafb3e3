"""E1: 004's packets, there and back, and what its receiver makes of rubbish.

Random packets of every kind are encoded and decoded; every row of Fig 7 is computed; then 100 000
streams of rubbish (random bytes rich in 10H, packets cut short, packets with a wrong byte,
announcements of packets that never come whole) are each followed by four sound packets.  How many
of those are lost says how fast the receiver finds its step again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Figure, Outcome, Series
from annelid.systems.erekobot import messages
from annelid.systems.erekobot.packets import (
    BRIEF_CONFIGURATION,
    CODE_MAX,
    CONFIGURATION,
    STANDARD,
    SYNC,
    BriefConfiguration,
    Configuration,
    GaitProgram,
    Packet,
    PacketLayout,
    Standard,
    encode,
    program_layout,
)
from annelid.systems.erekobot.receiver import Receiver
from annelid.systems.erekobot.servo_table import degrees_of, pwm_of

LAYOUTS: Final[Mapping[type, PacketLayout[Any]]] = {
    Standard: STANDARD,
    Configuration: CONFIGURATION,
    BriefConfiguration: BRIEF_CONFIGURATION,
}

FIGURE_7: Final = {30: 227, 20: 213, 10: 199, 0: 185, -10: 171, -20: 157, -30: 143, -40: 129}
"""Angle in degrees to PWM, as 004 prints it."""

STREAMS, ROUND_TRIPS = 33_334, 20_000
"""Streams for each receiver, and packets there and back."""
BATCHES = 6
"""Of each receiver's streams, for processes to share."""
RUBBISH_MAX = 40
"""Bytes before the sound packets."""
SOUND = 4
"""Packets after the rubbish."""

RECEIVERS: Final[Mapping[str, messages.Announces]] = {
    "standard packets": messages.nothing,
    "with configurations": messages.configurations,
    "with programs": messages.programs,
}


def rubbish(chance: np.random.Generator) -> bytes:
    """One of four kinds."""
    kind = int(chance.integers(4))
    if kind == 0:
        length = int(chance.integers(1, RUBBISH_MAX + 1))
        noise = chance.integers(0, 256, length, dtype=np.uint8)
        noise[chance.random(length) < 0.1] = SYNC  # what is hardest
        return noise.tobytes()
    packet = encode(some_packet(chance))
    place = int(chance.integers(len(packet)))
    if kind == 1:
        return packet[:place]
    if kind == 2:
        return encode(announcement(packet)) + packet[:place]
    wrong = packet[place] ^ int(chance.integers(1, 256))
    return packet[:place] + bytes([wrong]) + packet[place + 1 :]


def announcement(packet: bytes) -> Standard:
    """What is said before a configuration of 11 bytes, or before a program."""
    address, extra = packet[1], len(packet) - program_layout(0).size
    if len(packet) == CONFIGURATION.size or not 1 <= extra <= CODE_MAX:
        return messages.configuration_follows(address)
    return messages.program_follows(address, extra)


def some_packet(chance: np.random.Generator) -> Packet:
    """Any of the four kinds, with any values that it may have."""

    def pick(low: int, high: int) -> int:
        return int(chance.integers(low, high + 1))

    match int(chance.integers(4)):
        case 0:
            return Standard(pick(0, 255), pick(0, 0xFFFF))
        case 1:
            return Configuration(
                pick(1, 254), pick(1, 254), pick(0, 0xFFFF), pick(1, 254), pick(1, 32), pick(0, 31)
            )
        case 2:
            return BriefConfiguration(
                pick(1, 254), pick(1, 254), pick(1, 254), pick(1, 32), pick(0, 31)
            )
        case _:
            code = chance.bytes(pick(1, 63))
            return GaitProgram(
                pick(0, 255), pick(0, 254), pick(1, 254), pick(1, 0xFFFF), code, pick(0, 0xFFFF)
            )


def decoded(packet: Packet) -> Packet:
    """There and back."""
    if isinstance(packet, GaitProgram):
        return program_layout(len(packet.code)).decode(encode(packet))
    back: Packet = LAYOUTS[type(packet)].decode(encode(packet))
    return back


def fuzz(batch: tuple[str, int, int]) -> Counter[int]:
    """How often so many sound packets were lost, of (receiver, streams, seed); an exception would
    end the experiment."""
    receiver, streams, seed = batch
    chance = np.random.default_rng(seed)
    announces = RECEIVERS[receiver]
    return Counter(lost(announces, rubbish(chance), chance) for _ in range(streams))


def lost(announces: messages.Announces, before: bytes, chance: np.random.Generator) -> int:
    """Of four sound packets after ``before`` with no pause between; then the timeout comes."""
    receiver = Receiver(announces)
    sound = [Standard(int(chance.integers(1, 255)), 40_000 + number) for number in range(SOUND)]
    stream = before + b"".join(map(encode, sound))
    heard = [each.packet for byte in stream for each in receiver.feed(byte)]
    heard += [each.packet for each in receiver.expire()]
    return SOUND - sum(packet in heard for packet in sound)


def experiment(bench: Bench) -> Outcome:
    less = 20 if bench.quick else 1
    trips, each = ROUND_TRIPS // less, STREAMS // less // BATCHES
    chance = np.random.default_rng(bench.seed)
    returned = sum(decoded(packet) == packet for packet in map(some_packet, [chance] * trips))
    rows = sum(
        pwm_of(angle) == pwm and round(degrees_of(pwm), 9) == angle
        for angle, pwm in FIGURE_7.items()
    )
    batches = [
        (name, each, 1000 * bench.seed + number)
        for number, name in enumerate([*RECEIVERS] * BATCHES)
    ]
    counts: dict[str, Counter[int]] = {name: Counter() for name in RECEIVERS}
    for (name, *_), found in zip(batches, bench.map(fuzz, batches, what="rubbish"), strict=True):
        counts[name] += found
    every = sum(counts.values(), Counter[int]())
    none, at_most_one = within(every, 0), within(every, 1)
    return Outcome(
        ours=(
            f"{returned} of {trips} packets come back, {rows} of {len(FIGURE_7)} rows of Fig 7 "
            f"exact; {every.total()} streams of rubbish: no exception, {none:.2f} % lose no sound "
            f"packet, {at_most_one:.3f} % at most one"
        ),
        passed=returned == trips and rows == len(FIGURE_7) and at_most_one >= 99.9,
        note=(
            f"Asked for: all packets and rows, and step found again within one packet in 99.9 %.  "
            f"Rubbish: up to {RUBBISH_MAX} random bytes (10 % of them 10H), packets cut short or "
            f"with a wrong byte, announcements of those; {SOUND} sound packets follow without a "
            f"pause.  A loss is rubbish whose checksum is right by chance.  Byte order, checksum, "
            f"reserved addresses and the 11 bytes of the Configuration Packet are proposed"
        ),
        values={
            "packets_returned": returned,
            "figure_7_rows": rows,
            "no_packet_lost_percent": none,
            "at_most_one_lost_percent": at_most_one,
        },
        plots=(
            Figure(
                "Finding step again after rubbish",
                "sound packets lost, at most",
                "streams, %",
                tuple(
                    Series.of(name, range(SOUND + 1), [within(f, k) for k in range(SOUND + 1)])
                    for name, f in counts.items()
                ),
            ),
        ),
    )


def within(found: Counter[int], most: int) -> float:
    """Streams after which at most so many packets were lost, %."""
    return 100 * sum(found[k] for k in range(most + 1)) / found.total()
