"""CONRO's entry in the table of systems: options, builder, messages in words."""

from __future__ import annotations

from typing import Final

from annelid.motion.casts import CONNECTORS
from annelid.systems import System
from annelid.systems.conro.general import SLOTS
from annelid.systems.conro.hormone import DONE
from annelid.systems.conro.network import build
from annelid.systems.conro.phases import phases
from annelid.systems.conro.ring import NEVER
from annelid.systems.conro.ring import SIGNAL as LOOP_SIGNAL
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.step_frame import step_in
from annelid.systems.conro.tree import SIGNAL


def describe_frames(data: bytes) -> list[tuple[bytes, str]]:
    """One signal: of a tree; with number and hops or rounds, where one is elected; with the
    sender's role and connector, where roles are chosen by them; or the step of a gait table or
    hormone."""
    if data == SIGNAL.data:
        return [(data, "now")]
    if data == DONE.data:
        return [(data, "all behind me have acted")]
    if (step := step_in(data)) is not None:
        return [(data, f"step {step}")]
    told = []
    if len(data) == LOOP_SIGNAL.size:
        number, _, size, hops, wait = LOOP_SIGNAL.unpack(data)
        when = {0: "all move", NEVER: "nobody moves yet"}.get(wait, f"all move in {wait} steps")
        told.append(f"says {number} of {size or '?'}, hop {hops}, {when}")
    if len(data) == 5:
        told.append(f"says {int.from_bytes(data[:2], 'big')}, round {data[2] // SLOTS}")
    if len(data) in (2, 5) and data[-1] < len(CONNECTORS):
        told.append(f"role {data[-2]} by its {CONNECTORS[data[-1]]}")
    if told:
        return [(data, ", ".join(("now", *told)))]
    return [(data, "no signal")] if data else []


CONRO: Final = System(
    name="conro",
    title="CONRO (002): equal modules that keep a role and signal to their neighbours",
    options=ConroSpec,
    build=build,
    describe_frames=describe_frames,
    phases=phases,
    framed=True,
    example='system = "conro"\noptions = {role = "caterpillar", parent = "back"}',
    bench="annelid.systems.conro.front.bench:bench",
)
