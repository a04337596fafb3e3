"""Who may come in, at the real port, and what they may send."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
import viser
from tests.console.conftest import wait_for
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from annelid.console.gate import AccessGate
from annelid.console.page import LARGEST, Page
from annelid.console.session import Session
from annelid.console.tabs.program import Program
from annelid.errors import InputError
from annelid.reliability import spoil

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


def test_nothing_of_it_is_shown_in_a_frame_or_runs_from_elsewhere(page: Page) -> None:
    address = f"http://localhost:{page.server.get_port()}/"
    with urllib.request.urlopen(address) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'self'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
    strange = urllib.request.Request(address, headers={"Origin": "http://elsewhere.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(strange)
    with refused.value as answer:
        assert answer.code == 403
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_what_cannot_be_drawn_is_said_and_the_page_goes_on(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(page, "say", lambda _, text, __=False: said.append(text))
    drawn: list[int] = []

    def broken() -> None:
        raise TypeError("of a visitor's making")

    page._slow[:] = [broken, lambda: drawn.append(1)]
    page.start()
    wait_for(lambda: len(drawn) > 2, "the rest of the page is drawn")
    assert said == ["TypeError: of a visitor's making"]


def test_the_text_of_a_program_is_not_changed_under_anothers_apply(page: Page) -> None:
    tab = next(each for each in page._tabs if isinstance(each, Program))
    told: list[str] = []
    client = SimpleNamespace(add_notification=lambda title, *_, **__: told.append(title))
    own, text = tab._own, tab._text
    text._impl.value = "import os; os.system('evil')"  # as viser does when a browser types
    tab._edited(SimpleNamespace(client_id=7, client=client, target=text))
    assert told == ["Not from here"]
    assert text.value == tab._own == own
    text._impl.value = "import os; os.system('evil')"  # and before anybody has looked
    with pytest.raises(InputError, match="changed just now"):
        tab._written()


def test_messages_that_make_no_sense_do_not_end_the_page(page: Page) -> None:
    address = f"ws://localhost:{page.server.get_port()}"
    draw = np.random.default_rng(3)
    page.start()
    handles = list(page.server.gui._gui_input_handle_from_uuid)
    sent = 0
    while sent < 60:
        with suppress(ConnectionClosed), connect(address, subprotocols=[PROTOCOL]) as socket:
            while sent < 60:
                sent += 1
                socket.send(_message(handles[sent % len(handles)], sent, draw))
    with connect(address, subprotocols=[PROTOCOL], max_size=None) as socket:
        assert socket.recv()
    assert page._runner is not None
    assert page._runner.is_alive()


def test_a_browser_sets_values_and_nothing_else(page: Page) -> None:
    address = f"ws://localhost:{page.server.get_port()}"
    speed = page._speed._impl
    told = speed.update_cb
    with connect(address, subprotocols=[PROTOCOL], max_size=None) as socket:
        for updates in ({"update_cb": "none"}, {"value": 2.0}):
            message = {"type": "GuiUpdateMessage", "uuid": speed.uuid, "updates": updates}
            socket.send(msgspec.msgpack.encode(message))
        wait_for(lambda: speed.value == 2.0, "the value has come")
    assert speed.update_cb is told


def _message(handle: str, number: int, draw: np.random.Generator) -> bytes:
    """Of a browser whose inputs have any value, or any field; every tenth is spoilt."""
    field = "value" if number % 3 else "update_cb"
    message = {"type": "GuiUpdateMessage", "uuid": handle, "updates": {field: spoil.table(1, draw)}}
    try:
        packed = msgspec.msgpack.encode(message)
    except (RecursionError, OverflowError, UnicodeEncodeError):
        return draw.bytes(64)
    return packed if number % 10 else spoil.data(packed, draw)


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
