"""Who may come in, at the real port, and what they may send."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import viser
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from annelid.console.gate import AccessGate
from annelid.console.page import LARGEST, Page
from annelid.console.session import Session

PROTOCOL = Subprotocol(f"viser-v{viser.__version__}")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    page = Page(Session(runs=tmp_path), gate=AccessGate("127.0.0.1"), port=0)
    yield page
    page.close()


def test_a_page_of_another_site_may_not_use_it(page: Page) -> None:
    address = f"ws://localhost:{page.server.get_port()}"
    with pytest.raises(InvalidStatus) as refused:
        connect(address, subprotocols=[PROTOCOL], origin=Origin("http://elsewhere.example"))
    assert refused.value.response.status_code == 403
    with connect(address, subprotocols=[PROTOCOL]) as socket:
        assert socket.recv()


def test_what_is_too_large_is_not_read(page: Page) -> None:
    address = f"ws://localhost:{page.server.get_port()}"
    with connect(address, subprotocols=[PROTOCOL], max_size=None) as socket:
        socket.send(bytes(LARGEST + 1))
        with pytest.raises(ConnectionClosed) as closed:
            deque(socket, maxlen=0)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_programs_are_written_at_this_machine_unless_allowed(page: Page) -> None:
    told: list[str] = []
    client = SimpleNamespace(add_notification=lambda title, *_, **__: told.append(title))
    stranger = SimpleNamespace(client_id=7, client=client)
    assert not page.may_edit(stranger)
    assert told == ["Not from here"]
    page.edit_from_afar = True
    assert page.may_edit(stranger)
