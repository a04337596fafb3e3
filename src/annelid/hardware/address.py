"""Addresses of other processes: ``tcp:HOST:PORT``, ``tcp:PORT`` on this machine, ``serial:PATH``.

Anybody who can reach a listening port can drive the robot; there is no password.  So one
only listens on this machine's own addresses; from elsewhere, ``ssh -L`` brings a port here.
"""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple

from annelid.boundary.plain import shortened
from annelid.errors import InputError

HERE = "127.0.0.1"
HOST_MAX = 253
"""Characters of a name (RFC 1035)."""
WAYS = "tcp:HOST:PORT, tcp:PORT for this machine, or serial:PATH such as serial:/dev/ttyUSB0"


class TcpAddress(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"tcp:{self.host}:{self.port}"


class SerialAddress(NamedTuple):
    path: str

    def __str__(self) -> str:
        return f"serial:{self.path}"


Address = TcpAddress | SerialAddress


def parse_address(text: str) -> Address:
    """An :class:`InputError` says what was expected."""
    kind, _, rest = text.partition(":")
    if kind == "serial" and rest:
        return SerialAddress(rest)
    host, _, port = rest.rpartition(":")
    if kind != "tcp" or not re.fullmatch("[0-9]{1,5}", port) or int(port) > 0xFFFF:
        raise InputError(f"address: expected {WAYS}, got {shortened(text)!r}")
    if not _is_host(host or HERE):
        raise InputError(
            f"address: expected the name or the number of a machine, such as {HERE}, got "
            f"{shortened(host)!r}"
        )
    return TcpAddress(host or HERE, int(port))


def _is_host(name: str) -> bool:
    """Whether it can be asked for at all; Python's lookup raises errors of its own otherwise."""
    try:
        coded = name.encode("idna")
    except UnicodeError:
        return False
    return len(coded) <= HOST_MAX and name.isprintable() and " " not in name


def require_loopback(address: TcpAddress) -> None:
    """Refuse to listen where others than this machine's users could come in."""
    try:
        own = address.host == "localhost" or ipaddress.ip_address(address.host).is_loopback
    except ValueError:
        own = False
    if not own:
        raise InputError(
            f"{address}: expected an address of this machine's own, such as tcp:{address.port}: "
            "anybody who connects drives the robot. From another machine, "
            f"ssh -L {address.port}:{HERE}:{address.port} brings the port there"
        )
