"""The message that says which step of the cycle is next, for gait tables and hormones."""

from __future__ import annotations

from typing import Final

from annelid.electronics.port import Frame

MARK: Final = 0x8000
"""Tells it from a walker's signal of two bytes; a cycle has at most 10 000 steps."""


def step_frame(step: int) -> Frame:
    return Frame((MARK | step).to_bytes(2, "big"))


def step_in(data: bytes) -> int | None:
    """The step; None: this is no such message."""
    number = int.from_bytes(data, "big")
    return number ^ MARK if len(data) == 2 and number & MARK else None
