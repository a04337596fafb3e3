"""The language of the Fourth Profile: a gait in a few bytes, which a module checks and runs.

004 wanted modules to which "the host can send real-time algorithms, formulas and / or Tables of
Gaits" and could not build it.  Here a program is a formula for a stack machine.  It has no jumps
and no memory, so it ends after as many operations as it has; a module refuses it unless every
byte is an operation, the stack neither runs dry nor over, one value is left, and the whole costs
no more than the budget of a tick.  The value is the servo's angle in degrees.

In words, as people write it and :func:`assemble` reads it (reverse Polish notation)::

    psi i 2.513 mul add sin 38 mul          # 38°·sin(ψ + 2.513·i)
    psi 0.159 mul 8 mul table 30 20 10 0 -10 -20 -10 0 end
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from math import isfinite, pi, sin
from typing import Final

from annelid.errors import InputError, UnknownName
from annelid.systems.erekobot.packets import CODE_MAX
from annelid.systems.erekobot.servo_table import REACH_DEG

STACK_MAX: Final = 8
BUDGET: Final = 100
"""Cost of one evaluation, in additions; an ATmega8 has some 100 floating-point ones in 1 ms."""
SCALE: Final = 256
"""Constants travel as 16 bits with 8 after the point."""


class ProgramRefusal(IntEnum):
    """Why a module does not run a program; the number travels in its verdict."""

    NONE = 0
    CORRUPTED = 1
    LENGTH = 2
    OPERATION = 3
    TRUNCATED = 4
    STACK_EMPTY = 5
    STACK_FULL = 6
    NOT_ONE_VALUE = 7
    TOO_DEAR = 8


@dataclass(frozen=True, slots=True)
class ProgramInputs:
    """What a program can ask for."""

    seconds: float
    """Since the start."""
    period_s: float
    index: int
    """The module's place in the line, from 0 (004's i - 1)."""
    modules: int

    @property
    def psi(self) -> float:
        """The phase of the cycle, rad."""
        return 2 * pi * (self.seconds / self.period_s % 1.0)


@dataclass(frozen=True, slots=True)
class Operation:
    """A byte of the language: what it takes from the stack, leaves on it and costs."""

    word: str
    takes: int
    does: Callable[..., float]
    cost: int = 1


def _quotient(a: float, b: float) -> float:
    """A module must not stop for a division by nothing."""
    return a / b if b else 0.0


CONSTANT: Final = 0x01
TABLE: Final = 0x02

ASKS: Final = {
    0x10: Operation("t", 0, lambda now: now.seconds),
    0x11: Operation("psi", 0, lambda now: now.psi),
    0x12: Operation("i", 0, lambda now: float(now.index)),
    0x13: Operation("n", 0, lambda now: float(now.modules)),
    0x14: Operation("period", 0, lambda now: now.period_s),
}
"""Answered by the :class:`ProgramInputs`."""

WORKS: Final = {
    0x20: Operation("add", 2, lambda a, b: a + b),
    0x21: Operation("sub", 2, lambda a, b: a - b),
    0x22: Operation("mul", 2, lambda a, b: a * b, 2),
    0x23: Operation("div", 2, _quotient, 4),
    0x24: Operation("neg", 1, lambda a: -a),
    0x25: Operation("abs", 1, abs),
    0x26: Operation("min", 2, min),
    0x27: Operation("max", 2, max),
    0x28: Operation("sin", 1, lambda a: sin(a) if isfinite(a) else 0.0, 16),
}
"""Made from what is on the stack."""

WORDS: Final = {operation.word: code for code, operation in {**ASKS, **WORKS}.items()}


def crc(code: bytes) -> int:
    """CRC-16 (CCITT), as modems have it."""
    return crc_hqx(code, 0)


def verify(code: bytes) -> ProgramRefusal:
    """Whether a module may run this; looks at every byte once and never raises."""
    if not 1 <= len(code) <= CODE_MAX:
        return ProgramRefusal.LENGTH
    place = depth = cost = 0
    while place < len(code):
        byte = code[place]
        takes, length, price = 0, 1, 1
        if byte == CONSTANT:
            length = 3
        elif byte == TABLE:
            takes, price = 1, 4
            entries = code[place + 1] if place + 1 < len(code) else 0
            if not entries:
                return ProgramRefusal.TRUNCATED
            length = 2 + entries
        elif (operation := ASKS.get(byte) or WORKS.get(byte)) is not None:
            takes, price = operation.takes, operation.cost
        else:
            return ProgramRefusal.OPERATION
        place += length
        cost += price
        if place > len(code):
            return ProgramRefusal.TRUNCATED
        if depth < takes:
            return ProgramRefusal.STACK_EMPTY
        depth += 1 - takes
        if depth > STACK_MAX:
            return ProgramRefusal.STACK_FULL
    if depth != 1:
        return ProgramRefusal.NOT_ONE_VALUE
    return ProgramRefusal.TOO_DEAR if cost > BUDGET else ProgramRefusal.NONE


def evaluate(code: bytes, now: ProgramInputs) -> float:
    """The angle (degrees) that verified code gives, within the servo's reach."""
    stack: list[float] = []
    place = 0
    while place < len(code):
        byte = code[place]
        place += 1
        if byte == CONSTANT:
            stack.append(int.from_bytes(code[place : place + 2], "big", signed=True) / SCALE)
            place += 2
        elif byte == TABLE:
            entries = code[place]
            wanted = stack.pop()
            which = int(wanted // 1) % entries if isfinite(wanted) else 0
            entry = code[place + 1 + which]
            stack.append(float(entry - 256 if entry > 127 else entry))
            place += 1 + entries
        elif byte in ASKS:
            stack.append(ASKS[byte].does(now))
        else:
            operation = WORKS[byte]
            values = stack[-operation.takes :]
            del stack[-operation.takes :]
            stack.append(float(operation.does(*values)))
    angle = stack.pop()
    return max(-REACH_DEG, min(REACH_DEG, angle)) if isfinite(angle) else 0.0


def assemble(text: str) -> bytes:
    """Words to bytes; numbers are constants, ``table … end`` holds whole degrees."""
    code = bytearray()
    words = iter(text.split())
    for word in words:
        if word == "table":
            entries = [_entry(each) for each in iter(lambda: next(words, "end"), "end")]
            if not 1 <= len(entries) <= CODE_MAX:
                raise InputError(f"program: table: expected 1 to {CODE_MAX} angles, got none")
            code += bytes((TABLE, len(entries), *entries))
        elif word in WORDS:
            code.append(WORDS[word])
        else:
            code += bytes((CONSTANT, *_constant(word)))
    refusal = verify(bytes(code))
    if refusal is not ProgramRefusal.NONE:
        reason = refusal.name.lower().replace("_", " ")
        raise InputError(
            f"program: {text!r}: a module would refuse it: {reason}. Expected one value, a stack"
            f" of {STACK_MAX}, {CODE_MAX} bytes, a cost of {BUDGET}; it has {len(code)} bytes"
        )
    return bytes(code)


def _constant(word: str) -> bytes:
    try:
        value = float(word)
    except ValueError:
        raise UnknownName("word", word, [*WORDS, "table", "end"], where="program") from None
    scaled = round(value * SCALE) if isfinite(value) else 1 << 20
    if not -0x8000 <= scaled <= 0x7FFF:
        raise InputError(f"program: constant: expected -128 to 127.996, got {word}")
    return scaled.to_bytes(2, "big", signed=True)


def _entry(word: str) -> int:
    try:
        angle = int(word)
    except ValueError:
        raise InputError(f"program: table: expected whole degrees, got {word!r}") from None
    if not -REACH_DEG <= angle <= REACH_DEG:
        raise InputError(f"program: table: expected -90 to 90 degrees, got {word}")
    return angle % 256
