"""MICROTUB as the table of systems has it."""

from __future__ import annotations

from typing import Final

from annelid.systems import System
from annelid.systems.microtub.inference import RuleTable
from annelid.systems.microtub.network import BEHAVIOURS, build
from annelid.systems.microtub.protocol import describe_frames
from annelid.systems.microtub.spec import MicrotubSpec

MICROTUB: Final = System(
    name="microtub",
    title="MICROTUB (000): modules of many kinds on one bus, which find their order by themselves",
    options=MicrotubSpec,
    build=build,
    describe_frames=describe_frames,
    framed=True,
    behaviours=BEHAVIOURS,
    extras=(RuleTable,),
)
