"""Two pseudo-terminals joined like the ends of a cable.

For trying a host against a simulated chain without hardware, on Linux and macOS.  As with a real
cable, there is no handshake: bytes that nobody reads are lost once the buffer is full, except that
a reader who is only slow is waited for, as long as a buffer of 4 kB takes at 115 200 baud.
"""

from __future__ import annotations

import os
import select
import threading
from typing import Self

from annelid.errors import MissingDependency

CHUNK = 4096
SLOW_S = 0.35


class PtyPair:
    """``paths`` are the two ends.  Close it, or use it in a ``with``: that pulls the cable."""

    def __init__(self) -> None:
        try:
            import tty
        except ImportError:
            raise MissingDependency(
                "pseudo-terminals exist on Linux and macOS; here, use a pair of real ports"
            ) from None
        ends = [os.openpty(), os.openpty()]
        for master, slave in ends:
            tty.setraw(slave)
            os.set_blocking(master, False)
        self._masters = [master for master, _ in ends]
        # Held open, because a terminal that nobody has open hangs up.
        self._slaves = [slave for _, slave in ends]
        self.paths = tuple(os.ttyname(slave) for slave in self._slaves)
        self._wake_read, self._wake_write = os.pipe()
        self._carrier = threading.Thread(target=self._carry, name="pty pair", daemon=True)
        self._carrier.start()

    def _carry(self) -> None:
        """The thread."""
        a, b = self._masters
        across = {a: b, b: a}
        while True:
            ready, _, _ = select.select([a, b, self._wake_read], [], [])
            if self._wake_read in ready:
                return
            for end in ready:
                _pass_on(os.read(end, CHUNK), across[end])

    def close(self) -> None:
        """Remove the cable; programs at its ends see the line close."""
        if self._carrier.is_alive():
            os.write(self._wake_write, b".")
            self._carrier.join()
            for handle in (*self._masters, *self._slaves, self._wake_read, self._wake_write):
                os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _pass_on(data: bytes, end: int) -> None:
    while data and select.select([], [end], [], SLOW_S)[1]:
        try:
            data = data[os.write(end, data) :]
        except BlockingIOError:
            return  # nobody reads over there
