"""The video line: pictures from a camera to the central control, on its own pair of wires.

MICROTUB's bus has auxiliary wires besides I2C (000), and needs them: a picture of 320 x 240 grey
values takes 76 800 bytes, that is 6.9 s on I2C at 100 kbit/s, and 40 ms as one frame of composite
video at 25 frames/s.  Point to point, no address, no acknowledge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from annelid.electronics.link import Link, LinkSpec, OnWire, wire_ns
from annelid.electronics.port import Frame, Outcome, QueuedFramePort
from annelid.errors import InputError
from annelid.kernel import Kernel, Priority, RandomStreams

_NORMAL = int(Priority.NORMAL)


class AuxLineSpec(LinkSpec):
    """Composite video: a picture takes a frame time, however little there is on it."""

    kind: Literal["aux"] = "aux"
    frames_per_second: Annotated[int, Field(ge=1, le=1_000_000)] = 25
    frame_bytes: Annotated[int, Field(ge=1)] = 320 * 240
    """What fits into one frame; a larger picture takes several."""
    inbox: Annotated[int, Field(ge=1)] = 4
    """Pictures that wait for the program: memory is dear on a board."""

    def frame_ns(self, data_bytes: int) -> int:
        """Whole video frames."""
        frames = max(1, -(-data_bytes // self.frame_bytes))
        return wire_ns(frames, self.frames_per_second)


class AuxPort(QueuedFramePort):
    """An end of the line."""

    __slots__ = ("picture",)

    def __init__(self, link: AuxLine, name: str, *, inbox: int) -> None:
        super().__init__(link, name, capacity=inbox)
        self.picture: Picture | None = None
        """The one on its way from here."""


@dataclass(slots=True, eq=False)
class Picture:
    """A frame on the wire."""

    sender: AuxPort
    data: bytes
    start_ns: int
    end_ns: int


class AuxLine(Link):
    """Two ends, each with a pair of wires to send on."""

    kind = "aux-line"
    title = "video line from a camera to the central control"

    def __init__(
        self, name: str, kernel: Kernel, streams: RandomStreams, spec: AuxLineSpec | None = None
    ) -> None:
        self.spec = spec or AuxLineSpec()
        self.ports: dict[str, AuxPort] = {}
        super().__init__(name, kernel, streams, everyday=self.spec)

    def attach(self, name: str) -> AuxPort:
        """An end; there are two."""
        self._check_new(name)
        if len(self.ports) == 2:
            raise InputError(f"link {self.name}: expected two ends, got {name!r} as a third")
        port = self.ports[name] = AuxPort(self, name, inbox=self.spec.inbox)
        return port

    # -- for the ports -------------------------------------------------------------------------

    def begin(self, port: QueuedFramePort) -> None:
        end = self.ports[port.name]
        data = end.queue[0][0].data
        now = self.kernel.now
        end.picture = Picture(end, data, now, now + self.spec.frame_ns(len(data)))
        self.kernel.push(end.picture.end_ns, _NORMAL, self._end, end.picture)

    def abort(self, port: QueuedFramePort) -> None:
        end = self.ports[port.name]
        picture, end.picture = end.picture, None
        if picture is not None:
            start, now = picture.start_ns, self.kernel.now
            self.record_wire(end.name, [], picture.data, start, now, OnWire.ABORTED)

    def _end(self, picture: Picture) -> None:
        sender = picture.sender
        if sender.picture is not picture:
            return  # the power went
        sender.picture = None
        others = [port for port in self.ports.values() if port is not sender]
        start, end = picture.start_ns, picture.end_ns
        outcome, got = OnWire.NOBODY, picture.data
        for other in others:
            outcome, got = self._arrive(picture, other)
        to = [other.name for other in others]
        self.record_wire(sender.name, to, picture.data, start, end, outcome, got)
        sender.finish(Outcome.SENT)
        if sender.queue:
            self.begin(sender)

    def _arrive(self, picture: Picture, port: AuxPort) -> tuple[OnWire, bytes]:
        """What the other end makes of a picture, and what it read."""
        sent = picture.data
        if self._stuck is not None:
            return OnWire.STUCK, sent
        if self._is_cut(picture.sender.name, port.name):
            return OnWire.CUT, sent
        if not port.powered:
            return OnWire.OFF, sent
        if self._misses():
            return OnWire.LOST, sent
        got = sent if self._sound else self._spoil(sent, picture.end_ns - picture.start_ns)
        if not port.received.put(Frame(got)):
            return OnWire.OVERRUN, sent
        return OnWire.DELIVERED if got == sent else OnWire.CORRUPTED, got
