"""A serial port of this machine, with the same interface as the end of a simulated line.

**Sending** hands the bytes to the operating system at once, which sends them at the baud rate by
itself; :attr:`SerialPort.sending` lasts as long as the wire needs for them.  A pseudo-terminal or
a socket has no baud rate and passes them on sooner than that.  A serial line has no handshake:
bytes that the system does not take, because nobody reads the other end, are lost and counted.

**Receiving** is a thread that waits for bytes and leaves them at the door of the kernel.

**Unplugged**: the run ends with a :class:`~annelid.errors.PortError`, whichever side notices.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import Any, Self

from annelid.electronics.port import Completion
from annelid.electronics.uart_byte import UartSpec
from annelid.errors import PortError
from annelid.hardware.device import POLL_S, Device, has_room, open_device
from annelid.hardware.real_time import RealTime
from annelid.kernel import Mailbox, Wait


class SerialPort:
    """A :class:`~annelid.electronics.port.BytePort`.  Close it, or use it in a ``with``."""

    def __init__(
        self, url: str, clock: RealTime, *, name: str = "serial", spec: UartSpec | None = None
    ) -> None:
        """Opens the port and listens from now on; what comes before the kernel runs waits."""
        self.name = name
        self.url = url
        self.spec = spec or UartSpec()
        self.received: Mailbox[int] = Mailbox(name=f"{name} ({url})")
        self.sent = 0
        self.heard = 0
        self.lost = 0
        """Bytes that left, came, and found no room in the system's buffer."""
        self.heard_ns: int | None = None
        """When the last byte came."""
        self._clock = clock
        self._kernel = clock.kernel
        self._left: Completion[None] = Completion()
        self._left.finish(None)
        self._free_ns = 0
        """When the wire will have carried all that was sent."""
        self._device: Device = open_device(url, self.spec)
        self._closing = threading.Event()
        self._reader = threading.Thread(target=self._read, name=f"reader of {url}", daemon=True)
        self._reader.start()

    # -- what a program sees -------------------------------------------------------------------

    @property
    def sending(self) -> bool:
        return not self._left.done

    def send(self, data: bytes) -> None:
        if not data or self._closing.is_set():
            return
        taken = self._write(data)
        self._free_ns = max(self._kernel.now, self._free_ns) + self.spec.bytes_ns(taken)
        self.sent += taken
        self.lost += len(data) - taken
        self._record("sent", data[:taken])
        self._record("lost", data[taken:])
        if taken and self._left.done:
            self._left = Completion()
            self._kernel.call_at(self._free_ns, self._look_if_left)

    def drained(self) -> Wait:
        return self._left

    # -- sending -------------------------------------------------------------------------------

    def _write(self, data: bytes) -> int:
        """How much of it the system took."""
        try:
            return self._device.write(data) or 0 if has_room(self._device) else 0
        except OSError as error:
            raise self._gone(error) from None

    def _look_if_left(self) -> None:
        now = self._kernel.now
        waiting = self._waiting()
        if now < self._free_ns or waiting:
            again_ns = max(self._free_ns, now + self.spec.bytes_ns(waiting))
            self._kernel.call_at(again_ns, self._look_if_left)
        else:
            self._left.finish(None)

    def _waiting(self) -> int:
        """Bytes in the system's buffer; 0 where it does not tell."""
        try:
            return int(getattr(self._device, "out_waiting", 0))
        except OSError as error:
            raise self._gone(error) from None

    # -- receiving -----------------------------------------------------------------------------

    def _read(self) -> None:
        """The thread."""
        try:
            while not self._closing.is_set():
                data = self._device.read(1)
                if data:
                    data += self._device.read(self._device.in_waiting)
                    self._clock.enter(partial(self._take, data))
        except OSError as error:
            if not self._closing.is_set():
                self._clock.enter(partial(self._fail, self._gone(error)))

    def _take(self, data: bytes) -> None:
        """In the kernel."""
        self.heard += len(data)
        self.heard_ns = self._kernel.now
        self._record("received", data)
        for value in data:
            self.received.put(value)

    @staticmethod
    def _fail(error: PortError) -> None:
        raise error

    def _gone(self, error: OSError) -> PortError:
        return PortError(
            f"port {self.url!r}: unplugged, or closed at its other end ({error}). Plug it in and"
            " start again"
        )

    # -- the end -------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop listening and give the port back; harmless a second time."""
        if self._closing.is_set():
            return
        self._closing.set()
        device: Any = self._device
        try:
            if hasattr(device, "cancel_read"):
                device.cancel_read()
            self._reader.join(10 * POLL_S)
            if getattr(device, "out_waiting", 0):
                device.reset_output_buffer()  # or the system may wait for it, half a minute
        except OSError:
            pass  # it is gone: there is nothing to wait for
        device.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _record(self, kind: str, data: bytes) -> None:
        """Bytes and moment are all that a real wire tells us."""
        if data:
            self._kernel.record(f"port {self.name}", kind, {"bytes": data.hex()})
