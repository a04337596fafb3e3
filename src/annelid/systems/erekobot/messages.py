"""The meaning of the two message bytes of a Standard Packet (004, 2.2.3).

==========  ==================  ==========================================  ================
to          message             meaning                                     source
==========  ==================  ==========================================  ================
all         0, 1                stop, start                                 004; values FACTS
all         100H + n            from now on the n-th profile                ours
a module    59 to 311           First Profile: pulse width for the servo    004, Fig. 7
a module    0 to 31             Second Profile: the time state              004, Fig. 9
a module    2                   Third Profile: a configuration follows      004; value FACTS
a module    n·256 + 3           Fourth Profile: a program of n bytes follows  ours
anyone      01 + 14 bits        what time is it?  (who asks)                ours
anyone      10 + 14 bits        so much gait time has passed, in ms         ours
host        11 + 6 + 8 bits     verdict on a program, by this module        ours
==========  ==================  ==========================================  ================

The same number means different things in different profiles, as in the paper; all modules of a
line run the same profile, so each knows which announcements to expect of a packet that it only
passes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from annelid.systems.erekobot.packets import (
    BRIEF_CONFIGURATION,
    BROADCAST,
    CODE_MAX,
    CONFIGURATION,
    HOST,
    PacketLayout,
    Standard,
    program_layout,
)

STOP: Final = 0
START: Final = 1
CONFIGURATION_FOLLOWS: Final = 2
PROGRAM_FOLLOWS: Final = 3
PROFILE: Final = 0x100

ASK_TIME: Final = 0x4000
TIME: Final = 0x8000
VERDICT: Final = 0xC000
KIND: Final = 0xC000
VALUE: Final = 0x3FFF
TIME_WRAP_MS: Final = VALUE + 1
"""Gait time on the wire counts to 16.384 s and begins again."""

Announces = Callable[[int], PacketLayout[Any] | None]
"""From a message to the layout of the packet that it announces, if it announces one."""


def nothing(message: int) -> PacketLayout[Any] | None:
    """First and Second Profile: Standard Packets only."""
    return None


def configurations(message: int) -> PacketLayout[Any] | None:
    """Third Profile."""
    return CONFIGURATION if message == CONFIGURATION_FOLLOWS else None


def brief_configurations(message: int) -> PacketLayout[Any] | None:
    """Third Profile with the eight bytes of Fig. 4."""
    return BRIEF_CONFIGURATION if message == CONFIGURATION_FOLLOWS else None


def programs(message: int) -> PacketLayout[Any] | None:
    """Fourth Profile."""
    length, kind = message >> 8, message & 0xFF
    return program_layout(length) if kind == PROGRAM_FOLLOWS and 1 <= length <= CODE_MAX else None


def start() -> Standard:
    return Standard(BROADCAST, START)


def stop() -> Standard:
    return Standard(BROADCAST, STOP)


def profile(number: int) -> Standard:
    return Standard(BROADCAST, PROFILE + number)


def configuration_follows(address: int) -> Standard:
    return Standard(address, CONFIGURATION_FOLLOWS)


def program_follows(address: int, length: int) -> Standard:
    return Standard(address, length << 8 | PROGRAM_FOLLOWS)


def ask_time(server: int, asker: int) -> Standard:
    return Standard(server, ASK_TIME | asker)


def tell_time(address: int, gait_ns: int) -> Standard:
    """To one module, or to all."""
    return Standard(address, TIME | gait_ns // 1_000_000 % TIME_WRAP_MS)


def verdict(module: int, code: int) -> Standard:
    """0: accepted; else the number of the refusal (bytecode.Refusal)."""
    return Standard(HOST, VERDICT | code << 8 | module)


def is_time(message: int) -> bool:
    """Whether it belongs to the keeping of time."""
    return message & KIND in (ASK_TIME, TIME)
