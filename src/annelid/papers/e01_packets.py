"""E1: 004's packets, there and back, and what its receiver makes of rubbish.

Random packets of every kind are encoded and decoded; every row of Fig 7 is computed; then 100 000
streams of rubbish (random bytes rich in 10H, packets cut short, packets with a wrong byte,
announcements of packets that never come whole) are each followed by four sound packets.  How many
of those are lost says how fast the receiver finds its step again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
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
    Standard,
    encode,
    program_layout,
)
from annelid.systems.erekobot.receiver import Receiver
from annelid.systems.erekobot.servo_table import degrees_of, pwm_of

FIGURE_7: Final = {30: 227, 20: 213, 10: 199, 0: 185, -10: 171, -20: 157, -30: 143, -40: 129}
"""Angle in degrees to PWM, as 004 prints it."""

STREAMS, ROUND_TRIPS = 100_000, 20_000
BATCH = 5_000
RUBBISH_MAX = 40
"""Bytes before the sound packets."""
SOUND = 4
"""Packets after the rubbish."""

RECEIVERS: Final[Mapping[str, messages.Announces]] = {
    "standard packets": messages.nothing,
    "with configurations": messages.configurations,
    "with programs": messages.programs,
}


@dataclass(frozen=True)
class Batch:
    receiver: str
    streams: int
    seed: int


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
    raw = encode(packet)
    match packet:
        case Standard():
            return STANDARD.decode(raw)
        case Configuration():
            return CONFIGURATION.decode(raw)
        case BriefConfiguration():
            return BRIEF_CONFIGURATION.decode(raw)
        case GaitProgram():
            return program_layout(len(packet.code)).decode(raw)


def fuzz(batch: Batch) -> Counter[int]:
    """How often so many sound packets were lost; an exception would end the experiment."""
    chance = np.random.default_rng(batch.seed)
    announces = RECEIVERS[batch.receiver]
    return Counter(lost(announces, rubbish(chance), chance) for _ in range(batch.streams))


def lost(announces: messages.Announces, before: bytes, chance: np.random.Generator) -> int:
    """Of four sound packets after ``before`` with no pause between; then the timeout comes."""
    receiver = Receiver(announces)
    sound = [Standard(int(chance.integers(1, 255)), 40_000 + number) for number in range(SOUND)]
    stream = before + b"".join(map(encode, sound))
    heard = [each.packet for byte in stream for each in receiver.feed(byte)]
    heard += [each.packet for each in receiver.expire()]
    return SOUND - sum(packet in heard for packet in sound)


def experiment(bench: Bench) -> Outcome:
    trips = ROUND_TRIPS // (20 if bench.quick else 1)
    chance = np.random.default_rng(bench.seed)
    packets = [some_packet(chance) for _ in range(trips)]
    returned = sum(decoded(packet) == packet for packet in packets)
    rows = sum(pwm_of(angle) == pwm for angle, pwm in FIGURE_7.items())
    rows_back = sum(round(degrees_of(pwm), 9) == angle for angle, pwm in FIGURE_7.items())

    total = STREAMS // (20 if bench.quick else 1)
    batches = _batches(total, bench.seed)
    counts: dict[str, Counter[int]] = {name: Counter() for name in RECEIVERS}
    for batch, found in zip(batches, bench.map(fuzz, batches, what="rubbish"), strict=True):
        counts[batch.receiver] += found
    every = sum(counts.values(), Counter[int]())
    none, at_most_one = every[0] / total, (every[0] + every[1]) / total
    return Outcome(
        ours=(
            f"{returned} of {trips} packets come back, {rows} of {len(FIGURE_7)} rows of Fig 7 "
            f"exact; {total} streams of rubbish: no exception, {100 * none:.2f} % lose no sound "
            f"packet, {100 * at_most_one:.3f} % at most one"
        ),
        passed=returned == trips and rows == rows_back == len(FIGURE_7) and at_most_one >= 0.999,
        note=(
            f"Asked for: all packets and rows, and step found again within one packet in 99.9 %. "
            f"Rubbish: up to {RUBBISH_MAX} random bytes (10 % of them 10H), packets cut short or "
            f"with a wrong byte, announcements of those; {SOUND} sound packets follow without a "
            f"pause. A loss is rubbish whose checksum is right by chance. Big-endian, checksum as "
            f"the sum modulo 256, reserved addresses and the 11 bytes of the Configuration Packet "
            f"are proposed: 004 lists fields of 8."
        ),
        values={
            "packets_returned": returned,
            "figure_7_rows": rows,
            "streams": total,
            "no_packet_lost_percent": 100 * none,
            "at_most_one_lost_percent": 100 * at_most_one,
            "most_lost": max(every),
        },
        plots=(_figure(counts),),
    )


def _batches(total: int, seed: int) -> list[Batch]:
    """The streams dealt out to the receivers, in pieces that two processes can share."""
    size = min(BATCH, -(-total // len(RECEIVERS)))
    sizes = [min(size, total - start) for start in range(0, total, size)]
    names = list(RECEIVERS)
    return [
        Batch(names[number % len(names)], size, 1000 * seed + number)
        for number, size in enumerate(sizes)
    ]


def _figure(counts: Mapping[str, Counter[int]]) -> Figure:
    most = range(SOUND + 1)
    return Figure(
        "Finding step again after rubbish",
        "sound packets lost, at most",
        "streams, %",
        tuple(
            Series.of(name, most, [100 * _within(found, k) for k in most])
            for name, found in counts.items()
        ),
    )


def _within(found: Counter[int], most: int) -> float:
    return sum(found[k] for k in range(most + 1)) / found.total()
