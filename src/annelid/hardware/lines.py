"""Sends and receives lines of text between two processes, over TCP or a serial line.

One end listens (:class:`Doorstep`), the other calls (:func:`call`); over a serial line both just
open their end.  A line that does not come within the time one is willing to wait is ``None``; an
end that is gone raises a :class:`~annelid.errors.PortError`.
"""

from __future__ import annotations

import select
import socket
from time import monotonic
from typing import Protocol, Self

from annelid.electronics.uart_byte import UartSpec
from annelid.errors import InputError, PortError
from annelid.hardware.address import Address, TcpAddress, require_loopback
from annelid.hardware.device import Device, has_room, open_device

BAUD = 115_200
CALL_S = 5.0
TAKE_S = 10.0
"""How long the other end may take to accept what is sent."""
LONGEST = 1 << 22
"""Bytes of a line; a picture in hexadecimal has 138 kB."""
CHUNK = 1 << 16


class ByteWire(Protocol):
    def read(self, seconds: float) -> bytes:
        """What has come, or comes within the time; nothing: it did not."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Lines:
    """One end.  Close it, or use it in a ``with``."""

    def __init__(self, wire: ByteWire, address: Address) -> None:
        self.address = address
        self._wire = wire
        self._rest = b""

    def send(self, line: str) -> None:
        try:
            self._wire.write(line.encode() + b"\n")
        except OSError as error:
            raise self._gone(error) from None

    def receive(self, seconds: float, *, most: int = LONGEST) -> str | None:
        """The next line, of at most so many bytes; None: none came in time."""
        until = monotonic() + seconds
        while b"\n" not in self._rest:
            if len(self._rest) > most:
                raise PortError(f"{self.address}: expected lines of at most {most} bytes")
            left = until - monotonic()
            if left < 0:
                return None
            try:
                self._rest += self._wire.read(left)
            except OSError as error:
                raise self._gone(error) from None
        line, _, self._rest = self._rest.partition(b"\n")
        if len(line) > most:
            raise PortError(f"{self.address}: expected lines of at most {most} bytes")
        return line.decode(errors="replace").rstrip("\r")

    def waiting(self, seconds: float) -> bool:
        """Whether something has come, or comes in this time."""
        try:
            self._rest = self._rest or self._wire.read(seconds)
        except OSError as error:
            raise self._gone(error) from None
        return bool(self._rest)

    def _gone(self, error: OSError) -> PortError:
        return PortError(f"{self.address}: the other end has hung up ({error})")

    def close(self) -> None:
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TcpWire:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(TAKE_S)

    def read(self, seconds: float) -> bytes:
        if not select.select([self._connection], [], [], seconds)[0]:
            return b""
        data = self._connection.recv(CHUNK)
        if not data:
            raise ConnectionResetError("end of the connection")
        return data

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)

    def close(self) -> None:
        self._connection.close()


class SerialWire:
    def __init__(self, device: Device) -> None:
        self._device = device

    def read(self, seconds: float) -> bytes:
        """The device itself waits for a tenth of a second at most."""
        if seconds <= 0 and not self._device.in_waiting:
            return b""
        first = self._device.read(1)
        return first + self._device.read(self._device.in_waiting) if first else b""

    def write(self, data: bytes) -> None:
        """A serial line takes its time."""
        while data:
            if not has_room(self._device, wait_s=TAKE_S):
                raise TimeoutError("it does not take what is sent")
            data = data[self._device.write(data[:CHUNK]) or 0 :]

    def close(self) -> None:
        self._device.close()


def call(address: Address) -> Lines:
    """The other end; an :class:`InputError` if nobody listens there."""
    if not isinstance(address, TcpAddress):
        return Lines(_serial(address.path), address)
    try:
        connection = socket.create_connection(address, timeout=CALL_S)
    except OSError as error:
        raise InputError(f"{address}: nobody listens there ({error}); start that end first") from (
            None
        )
    return Lines(TcpWire(connection), address)


class Doorstep:
    """Accepts connections, one at a time; on a serial line, the first line of text."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._socket: socket.socket | None = None
        if isinstance(address, TcpAddress):
            require_loopback(address)
            try:
                self._socket = socket.create_server(address, backlog=1)
            except OSError as error:
                raise InputError(f"{address}: cannot listen there ({error})") from None
            self.address = TcpAddress(address.host, self._socket.getsockname()[1])
        else:
            self._line = Lines(_serial(address.path), address)

    def accept(self, seconds: float) -> Lines | None:
        """Who comes next; None: nobody in this time."""
        if self._socket is None:
            return self._line if self._line.waiting(seconds) else None
        if not select.select([self._socket], [], [], seconds)[0]:
            return None
        connection, _ = self._socket.accept()
        return Lines(TcpWire(connection), self.address)

    @property
    def stays(self) -> bool:
        """Whether the next may come when one has gone: not over a serial line that is unplugged."""
        return self._socket is not None

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        else:
            self._line.close()

    def leave(self, line: Lines) -> None:
        """End one connection; the serial line stays, for the next."""
        if self._socket is not None:
            line.close()


def _serial(path: str) -> SerialWire:
    return SerialWire(open_device(path, UartSpec(baud=BAUD)))
