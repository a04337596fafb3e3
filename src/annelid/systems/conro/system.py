"""CONRO as the table of systems has it: options, build, and signals in words."""

from __future__ import annotations

from typing import Final

from annelid.systems import System
from annelid.systems.conro.network import build
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.tree import SIGNAL


def describe_frames(data: bytes) -> list[tuple[bytes, str]]:
    """One signal: of a tree, or of a ring with its number and hops."""
    if data == SIGNAL.data:
        return [(data, "now")]
    if len(data) == 3:
        return [(data, f"now, says {int.from_bytes(data[:2], 'big')}, hop {data[2]}")]
    return [(data, "no signal")] if data else []


CONRO: Final = System(
    name="conro",
    title="CONRO (002): equal modules that keep a role and signal to their neighbours",
    options=ConroSpec,
    build=build,
    describe_frames=describe_frames,
    framed=True,
)
