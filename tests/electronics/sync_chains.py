"""A chain of modules with sync lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from annelid.electronics.sync_line import SyncLine, SyncLineSpec, SyncPin
from annelid.kernel import Kernel, RandomStreams


@dataclass(frozen=True, slots=True)
class SyncPins:
    """The two pins of a module; ``sin`` looks to the head, ``sout`` to the tail."""

    sin: SyncPin
    sout: SyncPin


def sync_chain(
    modules: Sequence[str],
    kernel: Kernel,
    streams: RandomStreams,
    spec: SyncLineSpec | None = None,
) -> tuple[list[SyncPins], list[SyncLine]]:
    """The pins of each module, head first, and the lines of the joints between them.

    Pins are named ``R1.sin`` and ``R1.sout``, the line behind R1 ``sync/R1-R2``.
    """
    pins = [SyncPins(SyncPin(f"{name}.sin"), SyncPin(f"{name}.sout")) for name in modules]
    lines = []
    for i, (ahead, behind) in enumerate(pairwise(pins)):
        name = f"sync/{modules[i]}-{modules[i + 1]}"
        line = SyncLine(name, kernel, streams, spec, front=ahead.sout, rear=behind.sin)
        lines.append(line)
    return pins, lines
