"""Who may come in."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from annelid.console.gate import VISITORS_MAX, AccessGate, _process, free_port, sits_here
from annelid.errors import InputError


def _ask(gate: AccessGate, path: str = "/", **headers: str) -> tuple[int, str]:
    """Status and body; 0 where the request is let through."""
    answer = gate.judge(Request(path, Headers({"Host": "localhost:8080", **headers})))
    return (0, "") if answer is None else (answer.status_code, (answer.body or b"").decode())


def test_loopback_is_open_to_its_own_page_and_to_no_other() -> None:
    gate = AccessGate("127.0.0.1")
    assert gate.address(8080) == "http://localhost:8080"
    assert _ask(gate)[0] == 0
    assert _ask(gate, Origin="http://localhost:8080")[0] == 0
    assert _ask(gate, Origin="http://elsewhere.example")[0] == 403
    # A name that somebody else's server resolves to this machine (DNS rebinding).
    assert _ask(gate, Host="elsewhere.example:8080")[0] == 403


def test_another_address_needs_its_token() -> None:
    gate = AccessGate("0.0.0.0")
    said = re.search(r"token=(.+)", gate.address(8080))
    assert said is not None
    assert _ask(gate)[0] == 403
    assert "token" in _ask(gate)[1]
    assert _ask(gate, f"/?token={said[1][:-1]}x")[0] == 403
    answer = gate.judge(Request(f"/?token={said[1]}", Headers({"Host": "robot:8080"})))
    assert answer is not None
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert _ask(gate, Host="robot:8080", Cookie=cookie)[0] == 0
    assert _ask(gate, Host="robot:8080", Cookie="annelid=no")[0] == 403


@pytest.mark.parametrize(
    "token", ["short", "\u00e9" * 9, "two words here", "a;Path=/;b", "x" * 300]
)
def test_a_token_that_no_cookie_can_hold_is_refused(token: str) -> None:
    with pytest.raises(InputError, match="8 to 200 letters"):
        AccessGate("127.0.0.1", token=token)


@pytest.mark.parametrize("sent", ["\u00e9" * 9, "%C3%A9", "%ff%fe", "a" * 100_000])
def test_whatever_a_visitor_sends_as_a_token_is_no_more_than_wrong(sent: str) -> None:
    gate = AccessGate("0.0.0.0", token="the-right-one")
    assert _ask(gate, f"/?token={sent}")[0] == 403
    assert _ask(gate, Cookie=f"annelid={sent}")[0] == 403
    assert _ask(gate, "/?token=the-right-one")[0] == 303
    assert _ask(gate, "/run/\x7f\x01report.html?token=the-right-one")[0] == 303


@pytest.mark.parametrize("host", ["[", "[::1", "", "a" * 10_000])
def test_a_host_that_is_none_is_refused(host: str) -> None:
    assert _ask(AccessGate("127.0.0.1"), Host=host)[0] == 403


def test_names_that_no_file_can_have_are_not_found(tmp_path: Path) -> None:
    gate = AccessGate("127.0.0.1")
    gate.folder = tmp_path
    (tmp_path / "loop.html").symlink_to("loop.html")
    for path in ("/run/%00.html", f"/run/{'a' * 5000}.html", "/run/\ud800.html", "/run/loop.html"):
        assert _ask(gate, path)[0] == 404


def test_only_files_of_the_open_run_are_served(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "report.html").write_text("<p>hello")
    (tmp_path / "secret.html").write_text("no")
    gate = AccessGate("127.0.0.1")
    assert _ask(gate, "/run/report.html")[0] == 0  # nothing is open: viser answers, with 404
    gate.folder = run
    assert _ask(gate, "/run/report.html") == (200, "<p>hello")
    for path in ("/run/../secret.html", "/run/%2e%2e/secret.html", "/run/trace", "/run/none.html"):
        assert _ask(gate, path)[0] == 404


@pytest.mark.parametrize(("address", "here"), [("127.0.0.1", True), ("10.0.0.7", False)])
def test_who_sits_at_this_machine_is_told_by_their_socket(address: str, here: bool) -> None:
    connection = SimpleNamespace(remote_address=(address, 5))
    server = SimpleNamespace(_websock_server=SimpleNamespace(_live_connections={3: connection}))
    assert sits_here(server, 3) is here
    assert not sits_here(server, 4)


def test_the_65th_visitor_is_sent_away() -> None:
    gate = AccessGate("127.0.0.1")
    request = Request("/", Headers({"Host": "localhost:8080"}))

    def come(visitors: int) -> object:
        """``visitors`` counts the one who comes."""
        connection = SimpleNamespace(server=SimpleNamespace(connections=range(visitors)))
        return _process(gate, None, connection, request)

    assert come(VISITORS_MAX) is None
    answer = come(VISITORS_MAX + 1)
    assert isinstance(answer, Response)
    assert (answer.status_code, answer.body) == (503, b"too many visitors\n")


@pytest.mark.parametrize(
    "host", ["nosuchhost.invalid", "192.0.2.1", "", "a" * 300, "\x00", "::ffff"]
)
def test_an_address_that_is_not_ours_is_refused_in_one_line(host: str) -> None:
    with pytest.raises(
        InputError, match="--host: expected a name or an address of this machine"
    ) as told:
        free_port(host, 0)
    assert "\n" not in str(told.value)


def test_a_port_that_is_taken_leads_to_the_next_and_no_further_than_the_last() -> None:
    assert free_port("127.0.0.1", 0) == 0
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert free_port("127.0.0.1", taken) > taken
    with socket.create_server(("127.0.0.1", 65535)), pytest.raises(InputError, match="is free"):
        free_port("127.0.0.1", 65535)
