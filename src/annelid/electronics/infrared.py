"""Infrared messages between module faces that look at each other.

CONRO's modules (002) talk to their neighbours through the docking faces, and find each other with
the same light before they dock.  A message goes to every face in range whose line of sight lies in
the cones of both; there is no address and no acknowledge, so a sender learns only that it has
sent.  Messages that overlap at a face spoil each other.

Where the faces are is not known here: ``sight`` tells what a face sees, from docked pairs
(:func:`docked`) or from the physics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from annelid.electronics.link import Link, LinkSpec, OnWire, wire_ns
from annelid.electronics.port import Frame, Outcome, QueuedFramePort
from annelid.kernel import Kernel, Priority, RandomStreams

_NORMAL = int(Priority.NORMAL)


@dataclass(frozen=True, slots=True)
class LineOfSight:
    """How one face sees another: metres, and radians off the axis of each."""

    distance_m: float
    sender_rad: float = 0.0
    receiver_rad: float = 0.0


SightOf = Callable[[str], Mapping[str, LineOfSight]]
"""The faces that one looks at, by name, without those that something hides."""

NOTHING: Final[Mapping[str, LineOfSight]] = MappingProxyType({})


def docked(pairs: Iterable[tuple[str, str]]) -> SightOf:
    """Faces that touch see each other and nothing else."""
    touching = LineOfSight(0.0)
    mates: dict[str, Mapping[str, LineOfSight]] = {}
    for a, b in pairs:
        mates[a], mates[b] = {b: touching}, {a: touching}
    return lambda face: mates.get(face, NOTHING)


class InfraredSpec(LinkSpec):
    """Assumed throughout: 002 gives no numbers.  ``loss`` is the everyday miss probability."""

    kind: Literal["infrared"] = "infrared"
    bit_rate: Annotated[int, Field(ge=50, le=10_000_000)] = 9600
    bits_per_byte: Annotated[int, Field(ge=8, le=16)] = 10
    range_m: Annotated[float, Field(gt=0.0)] = 0.10
    cone_deg: Annotated[float, Field(gt=0.0, le=180.0)] = 30.0
    """Half of the opening, for sending as for receiving."""
    duplex: Literal["half", "full"] = "half"
    """Half: a face is dazzled by its own light."""
    inbox: Annotated[int, Field(ge=1)] = 64

    def frame_ns(self, data_bytes: int) -> int:
        """How long a message shines."""
        return wire_ns(data_bytes * self.bits_per_byte, self.bit_rate)


class InfraredPort(QueuedFramePort):
    """A face."""

    __slots__ = ("flash", "hearing", "sent_until_ns")

    def __init__(self, link: Infrared, name: str, *, inbox: int) -> None:
        super().__init__(link, name, capacity=inbox)
        self.flash: Flash | None = None
        """The message that this face sends."""
        self.sent_until_ns = 0
        self.hearing: dict[Flash, None] = {}


@dataclass(slots=True, eq=False)
class Flash:
    """A message in the air."""

    sender: InfraredPort
    frame: Frame
    start_ns: int
    end_ns: int
    receivers: list[InfraredPort]
    spoilt: set[str] = field(default_factory=set)
    """Faces at which it met another."""


class Infrared(Link):
    """All the faces of a robot, or of several."""

    kind = "infrared"
    title = "messages between faces that see each other"

    in_a_row = False

    def __init__(
        self,
        name: str,
        kernel: Kernel,
        streams: RandomStreams,
        spec: InfraredSpec | None = None,
        *,
        sight: SightOf,
    ) -> None:
        self.spec = spec or InfraredSpec()
        self.ports: dict[str, InfraredPort] = {}
        self.sight = sight
        """May be replaced when modules dock or part."""
        self._half = self.spec.duplex == "half"
        self._cone_rad = math.radians(self.spec.cone_deg)
        super().__init__(name, kernel, streams, everyday=self.spec)

    def attach(self, name: str) -> InfraredPort:
        """A face; its name is what ``sight`` knows it by."""
        self._check_new(name)
        port = self.ports[name] = InfraredPort(self, name, inbox=self.spec.inbox)
        return port

    def sees(self, sender: str, receiver: str) -> bool:
        """Whether light of the one reaches the other."""
        sight = self.sight(sender).get(receiver)
        return sight is not None and self._reaches(sight)

    def _reaches(self, sight: LineOfSight) -> bool:
        return (
            sight.distance_m <= self.spec.range_m
            and abs(sight.sender_rad) <= self._cone_rad
            and abs(sight.receiver_rad) <= self._cone_rad
        )

    # -- for the ports -------------------------------------------------------------------------

    def begin(self, port: QueuedFramePort) -> None:
        face = self.ports[port.name]
        frame = face.queue[0][0]
        start = self.kernel.now
        end = start + self.spec.frame_ns(len(frame.data))
        seen = [
            self.ports[name]
            for name, sight in self.sight(face.name).items()
            if name in self.ports and self._reaches(sight)
        ]
        face.flash = flash = Flash(face, frame, start, end, seen)
        face.sent_until_ns = end
        for other in seen:
            for earlier in other.hearing:
                if earlier.end_ns > start:
                    earlier.spoilt.add(other.name)
                    flash.spoilt.add(other.name)
            other.hearing[flash] = None
        self.kernel.push(end, _NORMAL, self._end, flash)

    def abort(self, port: QueuedFramePort) -> None:
        face = self.ports[port.name]
        flash, face.flash = face.flash, None
        if flash is not None:
            now = face.sent_until_ns = flash.end_ns = self.kernel.now
            for other in flash.receivers:
                other.hearing.pop(flash, None)
            data = flash.frame.data
            self.record_wire(face.name, [], data, flash.start_ns, now, OnWire.ABORTED)

    def _end(self, flash: Flash) -> None:
        face = flash.sender
        if face.flash is not flash:
            return  # the power went
        face.flash = None
        sent = flash.frame.data
        heard: dict[tuple[OnWire, bytes], list[str]] = {}
        for other in flash.receivers:
            other.hearing.pop(flash, None)
            heard.setdefault(self._arrive(flash, other), []).append(other.name)
        for (outcome, got), names in heard.items():
            self.record_wire(face.name, names, sent, flash.start_ns, flash.end_ns, outcome, got)
        if not heard:
            start, end = flash.start_ns, flash.end_ns
            self.record_wire(face.name, [], sent, start, end, OnWire.NOBODY)
        face.finish(Outcome.SENT)
        if face.queue:
            self.begin(face)

    def _arrive(self, flash: Flash, face: InfraredPort) -> tuple[OnWire, bytes]:
        """What a face makes of a message, and what it read."""
        sent = got = flash.frame.data
        if self._stuck is not None:
            return OnWire.STUCK, sent
        if self._is_cut(flash.sender.name, face.name):
            return OnWire.CUT, sent
        if not face.powered:
            return OnWire.OFF, sent
        if face.name in flash.spoilt:
            return OnWire.COLLISION, sent
        if self._half and face.sent_until_ns > flash.start_ns:
            return OnWire.DEAF, sent
        if self._misses() or not self.sees(flash.sender.name, face.name):
            return OnWire.LOST, sent
        if not self._sound:
            got = self._spoil(sent, flash.end_ns - flash.start_ns)
        if not face.received.put(Frame(got)):
            return OnWire.OVERRUN, sent
        return OnWire.DELIVERED if got == sent else OnWire.CORRUPTED, got
