"""The messages on the climber's servo bus: one frame to all legs, an answer from each.

The A1-16's bus is a half duplex serial line at 115 200 baud.  The planner tells all legs their
targets in one frame, as such servos' "synchronous" command does; the legs answer one after the
other, each in its turn, so that nobody has to be asked.

=========  ===========================================================================
command    ``A5 seq`` then for each leg its joints (i16, 0.1 mrad) and flags; checksum
report     ``5A leg seq`` joints, pressure (u16, 100 Pa), distance (u16, 0.1 mm),
           currents (u8, 10 mA), hottest winding (u8, °C); checksum
=========  ===========================================================================

A checksum is the sum of what stands before it, modulo 256.  A number beyond what its field holds is
sent as the nearest that it holds.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COMMAND, REPORT = 0xA5, 0x5A
ANGLE: Final = 1e-4
"""rad"""
PRESSURE, DISTANCE, CURRENT = 100.0, 1e-4, 0.01
U8, U16, I16 = (0, 0xFF), (0, 0xFFFF), (-0x8000, 0x7FFF)
"""What a field holds."""
GRIP, KEEP = 1, 2
"""Flags: the impeller runs; everything stays as it is, and the leg only answers."""


@dataclass(frozen=True)
class Target:
    """For one leg."""

    angles: tuple[float, ...]
    grip: bool
    keep: bool = False


@dataclass(frozen=True)
class Report:
    """From one leg."""

    leg: int
    sequence: int
    angles: tuple[float, ...]
    pressure: float
    distance: float
    currents: tuple[float, ...]
    temperature: float


@dataclass(frozen=True)
class Format:
    """Sizes for a robot of so many legs with so many joints."""

    legs: int
    joints: int

    @property
    def command_size(self) -> int:
        return 3 + self.legs * (2 * self.joints + 1)

    @property
    def report_size(self) -> int:
        return 3 + 2 * self.joints + 4 + self.joints + 2

    def command(self, sequence: int, angles: Floats, flags: Sequence[int]) -> bytes:
        """One frame to all; angles (legs, joints) rad."""
        steps = np.clip(np.round(angles / ANGLE), *I16).astype(int).tolist()
        form = f">{self.joints}hB"
        body = b"".join(
            struct.pack(form, *row, flag) for row, flag in zip(steps, flags, strict=True)
        )
        return closed(bytes((COMMAND, sequence & 0xFF)) + body)

    def target(self, frame: bytes, leg: int) -> tuple[int, Target] | None:
        """(sequence, what one leg is told), or None for what is no command."""
        if len(frame) != self.command_size or frame[0] != COMMAND or not is_closed(frame):
            return None
        size = 2 * self.joints + 1
        *steps, flags = struct.unpack_from(f">{self.joints}hB", frame, 2 + leg * size)
        angles = tuple(step * ANGLE for step in steps)
        return frame[1], Target(angles, bool(flags & GRIP), bool(flags & KEEP))

    def report(self, report: Report) -> bytes:
        n = self.joints
        return closed(
            struct.pack(
                f">BBB{n}hHH{n}BB",
                REPORT,
                report.leg,
                report.sequence & 0xFF,
                *(_within(I16, angle / ANGLE) for angle in report.angles),
                _within(U16, report.pressure / PRESSURE),
                _within(U16, report.distance / DISTANCE),
                *(_within(U8, current / CURRENT) for current in report.currents),
                _within(U8, report.temperature),
            )
        )

    def reports(self, data: bytes) -> list[Report]:
        """All whole reports in what was heard; what is broken is passed over."""
        found, at, n, size = [], 0, self.joints, self.report_size
        while (at := data.find(REPORT, at)) >= 0 and at + size <= len(data):
            frame = data[at : at + size]
            if not is_closed(frame) or frame[1] >= self.legs:
                at += 1
                continue
            values = struct.unpack(f">BBB{n}hHH{n}BB", frame[:-1])
            found.append(
                Report(
                    leg=values[1],
                    sequence=values[2],
                    angles=tuple(step * ANGLE for step in values[3 : 3 + n]),
                    pressure=values[3 + n] * PRESSURE,
                    distance=values[4 + n] * DISTANCE,
                    currents=tuple(step * CURRENT for step in values[5 + n : 5 + 2 * n]),
                    temperature=float(values[5 + 2 * n]),
                )
            )
            at += size
        return found


def closed(body: bytes) -> bytes:
    return body + bytes((sum(body) & 0xFF,))


def is_closed(frame: bytes) -> bool:
    return sum(frame[:-1]) & 0xFF == frame[-1]


def _within(field: tuple[int, int], value: float) -> int:
    least, most = field
    return min(max(round(value), least), most)
