"""Runs virtual time at the pace of the wall clock, and lets events from outside in.

The kernel is one thread's affair.  A thread that listens to a port therefore never touches it: it
leaves a call at the door (:meth:`RealTime.enter`), and the kernel's own thread takes it in when it
waits for the clock, or between two instants when it is late and has no time to wait.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from time import monotonic_ns

from annelid.kernel import Kernel, Pacer


class RealTime(Pacer):
    """The pacer of a kernel that speaks with real ports; ``wall`` is there for tests."""

    def __init__(self, kernel: Kernel, *, wall: Callable[[], int] = monotonic_ns) -> None:
        self.kernel = kernel
        self._door: SimpleQueue[Callable[[], None]] = SimpleQueue()
        super().__init__(wall, self._listen, start_ns=kernel.now)

    def enter(self, happening: Callable[[], None]) -> None:
        """From any thread: let this happen in the kernel as soon as may be."""
        self._door.put(happening)

    def arrived(self, t_ns: int) -> bool:
        """As the pacer has it; but who is at the door comes first, also when we are late."""
        if not self._door.empty():
            self._listen(0.0)
            return False
        return super().arrived(t_ns)

    def _listen(self, seconds: float) -> None:
        """Wait for somebody at the door, and let in all who stand there."""
        try:
            happening = self._door.get(timeout=seconds)
            while True:
                self.kernel.inject(happening, at_ns=self.virtual_ns())
                happening = self._door.get_nowait()
        except Empty:
            return
