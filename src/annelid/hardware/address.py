"""Addresses of other processes: ``tcp:HOST:PORT``, ``tcp:PORT`` on this machine, ``serial:PATH``.

Anybody who can reach a listening port can drive the robot; there is no password.  So one
only listens on this machine's own addresses; from elsewhere, ``ssh -L`` brings a port here.
"""

from __future__ import annotations

import ipaddress
from typing import NamedTuple

from annelid.errors import InputError

HERE = "127.0.0.1"
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
    if kind != "tcp" or not port.isdigit() or not int(port) <= 0xFFFF:
        raise InputError(f"address: expected {WAYS}, got {text!r}")
    return TcpAddress(host or HERE, int(port))


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
