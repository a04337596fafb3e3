"""Which movement of a snake each command of the bus means (000 Table 5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from annelid.systems.microtub.protocol import LLC2, Command

SNAKES: Final[Mapping[Command, str]] = MappingProxyType(
    {LLC2.MO1: "forward", LLC2.MOS: "serpentine", LLC2.MRO: "roll", LLC2.MSW: "lateral"}
)
"""Rows of the table of movements (:data:`annelid.motion.snake.SNAKE`); a learnt gait may change
them."""
