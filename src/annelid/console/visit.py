"""A browser at a console, as far as its server sees: for measurements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import viser
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.typing import Subprotocol


@contextmanager
def visit(address: str) -> Iterator[Connection]:
    """``address`` is a host with its port; what the page is sent is read from the connection."""
    protocol = Subprotocol(f"viser-v{viser.__version__}")
    with connect(f"ws://{address}", subprotocols=[protocol], max_size=None) as socket:
        yield socket
