"""The sync lines of MICROTUB (000, 001): levels between neighbours, two wires to a joint.

Both wires are unidirectional and pulled down.  Counted from the head, the joint behind module k
has F_k (k drives, k+1 reads) and B_k (k+1 drives, k reads).  A module sees two pins, each driven
on one wire and read on the other:

========  ==========================  ==================  =================
pin       towards                     ``drive`` holds     ``level`` reads
========  ==========================  ==================  =================
``sin``   the module before (k - 1)   B_{k-1}             F_{k-1}
``sout``  the module behind (k + 1)   F_k                 B_k
========  ==========================  ==================  =================

At the ends of a chain, and after a cut, a pin reads low.  A level travels for ``delay_us``; a pulse
shorter than that arrives all the same.  Loss swallows an edge, a bit error too: the wire has no
other content to spoil.  Sparks (``noise_hz``) are short pulses to the opposite level.  A cut named
``("R1.sout", "R2.sin")`` is of the wire on which the first drives and the second reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from annelid.electronics.link import Link, LinkSpec, OnWire
from annelid.errors import InputError
from annelid.kernel import (
    SECOND,
    Kernel,
    Line,
    Priority,
    RandomStreams,
    Timer,
    microseconds,
)

_NORMAL = int(Priority.NORMAL)


class SyncLineSpec(LinkSpec):
    """One joint."""

    kind: Literal["sync"] = "sync"
    delay_us: Annotated[float, Field(ge=0.0, le=1e6)] = 1.0
    glitch_us: Annotated[float, Field(gt=0.0, le=1e6)] = 5.0
    """How long a spark holds the opposite level."""


class SyncPin:
    """A :class:`Pin`; reads low until a :class:`SyncLine` joins it to another."""

    __slots__ = ("driven", "line", "name", "powered", "wire")

    def __init__(self, name: str) -> None:
        self.name = name
        self.line = Line(name=name)
        self.driven = False
        """What this pin holds its own wire at."""
        self.powered = True
        self.wire: SyncWire | None = None

    @property
    def level(self) -> bool:
        return self.line.level

    def drive(self, level: bool) -> None:
        if not self.powered or level == self.driven:
            return
        self.driven = bool(level)
        if self.wire is not None:
            self.wire.link.edge(self.wire)

    def power(self, on: bool) -> None:
        """Off: it lets go, and the pull-down takes its wire."""
        if not on:
            self.drive(False)
        self.powered = on


@dataclass(slots=True, eq=False)
class SyncWire:
    """From the pin that drives to the pin that reads."""

    link: SyncLine
    driver: SyncPin
    reader: SyncPin
    carried: bool = False
    """The last level that got through."""
    spark: Timer | None = None
    glitch: bool = False


class SyncLine(Link):
    """The two wires of one joint, between ``sout`` of a module and ``sin`` of the next."""

    kind = "sync-line"
    title = "sync line: one digital level each way between two neighbours"

    def __init__(
        self,
        name: str,
        kernel: Kernel,
        streams: RandomStreams,
        spec: SyncLineSpec | None = None,
        *,
        front: SyncPin,
        rear: SyncPin,
    ) -> None:
        for pin in (front, rear):
            if pin.wire is not None:
                raise InputError(f"link {name}: pin {pin.name} is on {pin.wire.link.name} already")
        self.spec = spec or SyncLineSpec()
        self.forward = SyncWire(self, front, rear)
        """F."""
        self.backward = SyncWire(self, rear, front)
        """B."""
        self._delay_ns = microseconds(self.spec.delay_us)
        self._glitch_ns = microseconds(self.spec.glitch_us)
        super().__init__(name, kernel, streams, everyday=self.spec)
        for wire in (self.forward, self.backward):
            wire.driver.wire = wire
            if wire.driver.driven:
                self.edge(wire)

    @property
    def port_names(self) -> Sequence[str]:
        return (self.forward.driver.name, self.backward.driver.name)

    def part(self) -> None:
        """Undock: both pins read low, and can be joined to others."""
        for wire in (self.forward, self.backward):
            wire.driver.wire = None
            wire.reader.line.set(False)
            if wire.spark is not None:
                wire.spark.cancel()

    # -- levels on their way -------------------------------------------------------------------

    def edge(self, wire: SyncWire) -> None:
        """The driver has changed its level."""
        now = self.kernel.now
        sent = (wire, wire.driver.driven, now)
        self.kernel.push(now + self._delay_ns, _NORMAL, self._arrive, sent)

    def _arrive(self, sent: tuple[SyncWire, bool, int]) -> None:
        wire, level, start = sent
        if wire.driver.wire is not wire:
            return  # undocked since
        outcome = OnWire.DELIVERED
        if not self._sound:
            outcome = self._fate(wire)
        if outcome not in (OnWire.LOST, OnWire.CORRUPTED):
            wire.carried = level
            self._show(wire)
        self._write(wire, level, start, outcome)

    def _fate(self, wire: SyncWire) -> OnWire:
        if self._stuck is not None:
            return OnWire.STUCK
        if self._cuts(wire):
            return OnWire.CUT
        if self._misses():
            return OnWire.LOST
        if self._bit_error and self._rng.random() < self._bit_error:
            return OnWire.CORRUPTED
        return OnWire.DELIVERED

    def _cuts(self, wire: SyncWire) -> bool:
        cut = self._faults.cut
        return cut if isinstance(cut, bool) else (wire.driver.name, wire.reader.name) in cut

    def _show(self, wire: SyncWire) -> None:
        """What the reader sees: the level, what a fault makes of it, or a spark."""
        level = wire.carried != wire.glitch
        if self._stuck is not None:
            level = self._stuck == 1
        elif self._cuts(wire):
            level = False
        wire.reader.line.set(level)

    # -- faults and sparks ---------------------------------------------------------------------

    def _faults_changed(self) -> None:
        for wire in (self.forward, self.backward):
            if wire.spark is not None:
                wire.spark.cancel()
                wire.spark = None
            wire.glitch = False
            self._show(wire)
            self._await_spark(wire)

    def _await_spark(self, wire: SyncWire) -> None:
        if self._noise_hz > 0.0:
            at = self.kernel.now + 1 + int(self._rng.exponential(SECOND / self._noise_hz))
            wire.spark = self.kernel.call_at(at, lambda: self._begin_glitch(wire))

    def _begin_glitch(self, wire: SyncWire) -> None:
        wire.glitch = True
        self._show(wire)
        at = self.kernel.now + self._glitch_ns
        wire.spark = self.kernel.call_at(at, lambda: self._end_glitch(wire))

    def _end_glitch(self, wire: SyncWire) -> None:
        wire.glitch = False
        self._show(wire)
        start = self.kernel.now - self._glitch_ns
        self._write(wire, not wire.carried, start, OnWire.NOISE)
        self._await_spark(wire)

    def _write(self, wire: SyncWire, level: bool, start_ns: int, outcome: OnWire) -> None:
        sender = "noise" if outcome is OnWire.NOISE else wire.driver.name
        data = b"\x01" if level else b"\x00"
        now = self.kernel.now
        self.record_wire(sender, [wire.reader.name], data, start_ns, now, outcome)
