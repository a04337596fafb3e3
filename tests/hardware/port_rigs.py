"""Two ends of a line, simulated or real, that the same questions are asked of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass

from annelid.electronics.port import BytePort
from annelid.electronics.uart import Uart
from annelid.electronics.uart_byte import UartSpec
from annelid.hardware.pty_pair import PtyPair
from annelid.hardware.real_time import RealTime
from annelid.hardware.serial_port import SerialPort
from annelid.kernel import Kernel, RandomStreams, seconds

FAST = UartSpec(baud=115_200)
"""Some 87 µs a byte, so that a thousand bytes do not keep a test waiting."""


@dataclass
class Ends:
    """``a`` sends, ``b`` hears; in a loop they are the same."""

    kernel: Kernel
    a: BytePort
    b: BytePort
    clock: RealTime | None = None

    def run(self, time_s: float) -> None:
        until_ns = self.kernel.now + seconds(time_s)
        if self.clock is not None:
            self.clock.restart(self.kernel.now)
        self.kernel.run(until_ns, pacer=self.clock)

    def heard(self) -> bytes:
        return bytes(self.b.received.drain())


@contextmanager
def simulated() -> Iterator[Ends]:
    kernel = Kernel()
    spec = FAST.model_copy(update={"software_buffer": 4096})
    line = Uart("line", kernel, RandomStreams(0), spec)
    yield Ends(kernel, line.attach("a"), line.attach("b"))


@contextmanager
def pseudo_terminals() -> Iterator[Ends]:
    kernel = Kernel()
    clock = RealTime(kernel)
    with ExitStack() as stack:
        pair = stack.enter_context(PtyPair())
        a, b = (stack.enter_context(SerialPort(p, clock, name=p, spec=FAST)) for p in pair.paths)
        yield Ends(kernel, a, b, clock)


@contextmanager
def looped() -> Iterator[Ends]:
    kernel = Kernel()
    clock = RealTime(kernel)
    with SerialPort("loop://", clock, spec=FAST) as port:
        yield Ends(kernel, port, port, clock)


ENDS: dict[str, Callable[[], AbstractContextManager[Ends]]] = {
    "simulated": simulated,
    "pseudo-terminals": pseudo_terminals,
    "loop": looped,
}
