"""Decides which master wins when several start on an I2C bus at once, and when the others notice.

All send their bits together; the bus is low wherever one of them pulls it low, and a master that
meant high and reads low has lost and withdraws.  So the lowest bit string wins, unharmed, and
each loser drops out at the first bit in which it differs from the winner.

A frame that is the beginning of a longer one ends with a stop where the other goes on.  The I2C
specification calls this undefined; the wires decide it: the stop needs SDA to rise, so a 0 that
follows in the longer frame hides the stop and wins, a 1 loses to the low level that prepares it.
"""

from __future__ import annotations

from collections.abc import Sequence

BITS_PER_BYTE = 9
"""Eight and the acknowledge."""


def first_difference(a: bytes, b: bytes) -> int | None:
    """The bit of the wire, from 0 and acknowledges counted, in which two differ."""
    if a == b:
        return None
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return BITS_PER_BYTE * i + 8 - (x ^ y).bit_length()
    return BITS_PER_BYTE * min(len(a), len(b))


def beats(a: bytes, b: bytes) -> bool:
    """Whether ``a`` would win against ``b``, which is not the same."""
    for x, y in zip(a, b, strict=False):
        if x != y:
            return x < y
    if len(a) > len(b):
        return a[len(b)] < 0x80
    return b[len(a)] >= 0x80


def winner(contenders: Sequence[bytes]) -> bytes:
    """The bit string that stays on the bus."""
    best = contenders[0]
    for other in contenders[1:]:
        if other != best and beats(other, best):
            best = other
    return best
