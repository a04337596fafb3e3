"""Opens a serial port, and turns each of pyserial's failures into one clear message."""

from __future__ import annotations

import errno
import select
from collections.abc import Callable
from typing import Any, Protocol

from annelid.boundary.plain import shortened
from annelid.electronics.uart_byte import UartSpec
from annelid.errors import InputError, needing

POLL_S = 0.1
"""How long a read waits at most, where the operating system offers no way to call it off."""

WAYS = "a device such as /dev/ttyUSB0 or COM3, a pseudo-terminal, loop:// or socket://HOST:PORT"


class Device(Protocol):
    """What we use of pyserial, which has no types."""

    @property
    def in_waiting(self) -> int: ...

    def read(self, size: int = 1) -> bytes: ...

    def write(self, data: bytes) -> int | None: ...

    def close(self) -> None: ...


def open_device(url: str, spec: UartSpec) -> Device:
    """The port behind ``url``, ready to read and write; writing never waits."""
    serial = _pyserial()
    try:
        device: Any = serial.serial_for_url(
            url,
            do_not_open=True,
            baudrate=spec.baud,
            bytesize=spec.data_bits,
            parity={"none": "N", "even": "E", "odd": "O"}[spec.parity],
            stopbits=spec.stop_bits,
            timeout=POLL_S,
            # loop:// takes the time that bytes need for a timeout, and fails.
            write_timeout=None if url.startswith("loop://") else 0,
        )
        if "://" not in url:
            device.exclusive = True  # two hosts on one line would only garble each other
        device.open()
    except OSError as error:
        raise InputError(f"port {shortened(url)!r}: {_why(url, error)}") from None
    except Exception as error:  # noqa: BLE001  pyserial's readers of addresses fail in every way
        why = shortened(f"{error}") or type(error).__name__
        raise InputError(f"port {shortened(url)!r}: {why}. Expected {WAYS}") from None
    opened: Device = device
    return opened


def has_room(device: Device, *, wait_s: float = 0.0) -> bool:
    """Whether the system takes more bytes now; pyserial would try for ever on a full buffer."""
    fileno: Callable[[], int] | None = getattr(device, "fileno", None)
    try:
        handle = None if fileno is None else fileno()
    except OSError:
        return True  # loop:// and Windows: no such thing
    return handle is None or bool(select.select([], [handle], [], wait_s)[1])


def available() -> list[str]:
    """The serial ports of this machine."""
    _pyserial()
    from serial.tools import list_ports

    return sorted(port.device for port in list_ports.comports())


def _pyserial() -> Any:
    with needing("serial", "a serial port"):
        import serial
    return serial


def _why(url: str, error: OSError) -> str:
    """pyserial keeps the system's error number and wraps its words twice."""
    number = error.errno
    if number == errno.EACCES:
        return "no permission; on Linux, serial ports belong to the group dialout"
    if number in (errno.EAGAIN, errno.EBUSY):
        return "in use by another program"
    if number in (errno.ENOTTY, errno.EINVAL, errno.EISDIR) or "configure port" in str(error):
        return f"not a serial port. Expected {WAYS}"
    if "://" in url:
        return f"cannot be opened ({shortened(str(error))})"
    ports = ", ".join(available()) or "none"
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return f"no such port. Available: {ports}"
    return f"cannot be opened ({shortened(str(error))}). Available: {ports}"
