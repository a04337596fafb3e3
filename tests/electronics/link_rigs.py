"""One rig for each link: two ends, items to send, and the times that the data sheet gives them.

The times are worked out here from bits and rates, not asked of the specs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal

from annelid.electronics.aux_line import AuxLine, AuxLineSpec
from annelid.electronics.i2c import I2cBus
from annelid.electronics.i2c_port import I2cSpec
from annelid.electronics.infrared import Infrared, InfraredSpec, docked
from annelid.electronics.link import Link
from annelid.electronics.port import Frame
from annelid.electronics.sync_line import SyncLine, SyncLineSpec, SyncPin
from annelid.electronics.uart import Uart
from annelid.electronics.uart_byte import UartSpec
from annelid.kernel import Edge, Kernel, RandomStreams, Receive
from annelid.kernel.trace import Event, Trace, digest, events


def nearest(seconds: Fraction) -> int:
    return int(seconds * 10**9 + Fraction(1, 2))


class Rig:
    """``a`` sends to ``b``; ``got`` has what arrived, with its time."""

    link: Link
    a: Any
    b: Any
    a_name, b_name = "a", "b"
    queues = True
    """Whether items sent at once leave one after the other."""
    spacing_ns = 10_000_000
    """Longer than an item takes."""

    def __init__(self, seed: int = 1, **spec: Any) -> None:
        self.trace, self.sink = Trace.in_memory()
        self.kernel = Kernel(record=self.trace.events.append)
        self.got: list[tuple[int, bytes]] = []
        self.build(self.kernel, RandomStreams(seed), spec)
        self.kernel.spawn(self.listen(), "listener")
        self.kernel.run(1)

    def build(self, kernel: Kernel, streams: RandomStreams, spec: dict[str, Any]) -> None:
        raise NotImplementedError

    def listen(self) -> Any:
        while True:
            frame = yield Receive(self.b.received)
            self.got.append((self.kernel.now, frame.data))

    def item(self, i: int) -> bytes:
        """What is sent as the i-th."""
        return bytes([i % 256, 255 - i % 256, 0x10, 7])

    def on_wire(self, i: int) -> bytes:
        """What the trace shows of it."""
        return self.item(i)

    def send(self, i: int) -> None:
        self.a.send(Frame(self.item(i)))

    def ends_ns(self, count: int) -> int:
        """When the last of ``count`` items sent at once has arrived."""
        raise NotImplementedError

    def seen(self, arrived: Sequence[bytes]) -> list[bytes]:
        """What a receiver makes of these."""
        return list(arrived)

    def expected(self, numbers: Iterable[int]) -> list[bytes]:
        """What a receiver sees if just these items arrive."""
        return self.seen([self.item(i) for i in numbers])

    def told(self, event: Event) -> bytes | None:
        """What the trace says the receiver got."""
        detail = event.detail
        if not detail["to"] or detail["outcome"] not in ("delivered", "corrupted"):
            return None
        header = len(self.on_wire(0)) - len(self.item(0))
        return bytes.fromhex(detail.get("got", detail["bytes"]))[header:]

    def send_spaced(self, numbers: Iterable[int]) -> list[int]:
        """One after the other, with pauses; when each was sent."""
        times = []
        for i in numbers:
            times.append(self.kernel.now)
            self.send(i)
            self.kernel.run(self.kernel.now + self.spacing_ns)
        return times

    def values(self) -> list[bytes]:
        return [value for _, value in self.got]

    def wire(self, outcome: str | None = None) -> list[Event]:
        """What ``a`` put on the wire, as the trace has it."""
        self.link.flush()
        self.trace.flush()
        return [
            event
            for event in events(self.sink, kind="wire", by=self.link.name)
            if event.detail["from"] == self.a_name and outcome in (None, event.detail["outcome"])
        ]

    def digest(self) -> str:
        self.link.flush()
        self.trace.flush()
        return digest(self.sink)


class UartRig(Rig):
    topology: Literal["line", "bus", "ring"] = "line"

    def build(self, kernel: Kernel, streams: RandomStreams, spec: dict[str, Any]) -> None:
        self.link = uart = Uart("link", kernel, streams, UartSpec(topology=self.topology, **spec))
        self.a, self.b = uart.attach("a"), uart.attach("b")

    def listen(self) -> Any:
        while True:
            byte = yield Receive(self.b.received)
            self.got.append((self.kernel.now, bytes([byte])))

    def item(self, i: int) -> bytes:
        return bytes([i % 256])

    def send(self, i: int) -> None:
        self.a.send(self.item(i))

    def ends_ns(self, count: int) -> int:
        return nearest(Fraction(10 * count, 9600))


class UartBusRig(UartRig):
    topology = "bus"


class UartRingRig(UartRig):
    topology = "ring"


class I2cRig(Rig):
    spacing_ns = 40_000_000  # beyond the timeout of a stuck bus

    def build(self, kernel: Kernel, streams: RandomStreams, spec: dict[str, Any]) -> None:
        self.link = bus = I2cBus("link", kernel, streams, I2cSpec(**spec))
        self.a, self.b = bus.attach("a", 1), bus.attach("b", 2)

    def send(self, i: int) -> None:
        self.a.send(Frame(self.item(i), address=2))

    def on_wire(self, i: int) -> bytes:
        return b"\x04" + self.item(i)

    def ends_ns(self, count: int) -> int:
        return count * nearest(Fraction(1 + 9 + 4 * 9 + 1, 100_000))


class SyncRig(Rig):
    queues = False
    a_name, b_name = "a.sout", "b.sin"

    def build(self, kernel: Kernel, streams: RandomStreams, spec: dict[str, Any]) -> None:
        self.a, self.b = SyncPin("a.sout"), SyncPin("b.sin")
        self.link = SyncLine(
            "link", kernel, streams, SyncLineSpec(**spec), front=self.a, rear=self.b
        )

    def listen(self) -> Any:
        while True:
            level = yield Edge(self.b.line)
            self.got.append((self.kernel.now, bytes([level])))

    def item(self, i: int) -> bytes:
        return bytes([i % 2 == 0])

    def send(self, i: int) -> None:
        self.a.drive(i % 2 == 0)

    def ends_ns(self, count: int) -> int:
        return 1_000

    def seen(self, arrived: Sequence[bytes]) -> list[bytes]:
        """A level that comes again is no edge."""
        edges, level = [], b"\x00"
        for value in arrived:
            if value != level:
                level = value
                edges.append(level)
        return edges

    def told(self, event: Event) -> bytes | None:
        """A corrupted edge is one that is not seen."""
        return super().told(event) if event.detail["outcome"] == "delivered" else None


class InfraredRig(Rig):
    def build(self, kernel: Kernel, streams: RandomStreams, spec: dict[str, Any]) -> None:
        sight = docked([("a", "b")])
        self.link = air = Infrared("link", kernel, streams, InfraredSpec(**spec), sight=sight)
        self.a, self.b = air.attach("a"), air.attach("b")

    def ends_ns(self, count: int) -> int:
        return count * nearest(Fraction(4 * 10, 9600))


class AuxRig(Rig):
    spacing_ns = 50_000_000

    def build(self, kernel: Kernel, streams: RandomStreams, spec: dict[str, Any]) -> None:
        self.link = line = AuxLine("link", kernel, streams, AuxLineSpec(**spec))
        self.a, self.b = line.attach("a"), line.attach("b")

    def ends_ns(self, count: int) -> int:
        return count * nearest(Fraction(1, 25))


RIGS: dict[str, Callable[..., Rig]] = {
    "uart line": UartRig,
    "uart bus": UartBusRig,
    "uart ring": UartRingRig,
    "i2c": I2cRig,
    "sync line": SyncRig,
    "infrared": InfraredRig,
    "aux line": AuxRig,
}
