"""Decides who may open the page (origin and token), and serves the files of a run.

On loopback everybody on this machine is welcome, but nobody's web page is: a browser says which
page opens a socket (``Origin``) and whom it believes to talk to (``Host``), and both must be this
one.  Otherwise any page that the user has open elsewhere could write programs here.  Any other
address needs a token, given once in the address (``?token=…``) and kept as a cookie.

viser has no such hook, so its call of ``websockets``' ``serve`` is given ours as its first look at
every request (:func:`guarding`).
"""

from __future__ import annotations

import http
import ipaddress
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from websockets.asyncio import server as sockets
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from annelid.errors import InputError

COOKIE = "annelid"
RUN = "/run/"
"""Below it lie the files of the run that is open."""
SERVED = {
    ".html": "text/html; charset=utf-8",
    ".png": "image/png",
    ".mp4": "video/mp4",
    ".json": "application/json",
    ".toml": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
}


def is_loopback(host: str) -> bool:
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def looked_at(server: Any) -> bool:
    """Whether any browser is connected, whether or not it has drawn anything yet."""
    return bool(server._websock_server._live_connections)


def sits_here(server: Any, client_id: int | None) -> bool:
    """Whether a browser runs on this machine, by the other end of its socket."""
    connection = server._websock_server._live_connections.get(client_id)
    if connection is None or not connection.remote_address:
        return False
    return is_loopback(str(connection.remote_address[0]))


class AccessGate:
    """``token`` is made up where the address is not loopback's and none was given."""

    def __init__(self, host: str, *, token: str | None = None) -> None:
        if token is not None and len(token) < 8:
            raise InputError("token: expected 8 characters or more")
        self.host = host
        self.open = is_loopback(host) and token is None
        self.token = None if self.open else token or secrets.token_urlsafe(24)
        self.folder: Path | None = None
        """Of the run whose files may be read."""

    def address(self, port: int) -> str:
        shown = "localhost" if is_loopback(self.host) else self.host
        asked = "" if self.token is None else f"/?token={self.token}"
        return f"http://{shown}:{port}{asked}"

    def judge(self, request: Request) -> Response | None:
        """None: let it pass."""
        host = request.headers.get("Host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if self.open and not is_loopback(name):
            return _refuse(f"this console is {name!r} to you, and only known as localhost")
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return _refuse(f"a page of {origin} may not use this console")
        if self.token is None:
            return self._file(request)
        path = urlsplit(request.path)
        given = parse_qs(path.query).get("token", [""])[0]
        if given and secrets.compare_digest(given, self.token):
            headers = Headers()
            headers["Location"] = path.path or "/"
            headers["Set-Cookie"] = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            headers["Content-Length"] = "0"
            return Response(http.HTTPStatus.SEE_OTHER, "See Other", headers, b"")
        if not secrets.compare_digest(_cookie(request), self.token):
            return _refuse("this console needs its token: open the address that it printed")
        return self._file(request)

    def _file(self, request: Request) -> Response | None:
        path = unquote(urlsplit(request.path).path)
        if not path.startswith(RUN) or self.folder is None:
            return None
        root = self.folder.resolve()
        asked = (root / path.removeprefix(RUN)).resolve()
        kind = SERVED.get(asked.suffix)
        if not asked.is_relative_to(root) or kind is None or not asked.is_file():
            return _answer(http.HTTPStatus.NOT_FOUND, "no such file in this run")
        return _answer(http.HTTPStatus.OK, asked.read_bytes(), kind)


def _cookie(request: Request) -> str:
    try:
        found = SimpleCookie(request.headers.get("Cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _refuse(why: str) -> Response:
    return _answer(http.HTTPStatus.FORBIDDEN, f"{why}\n")


def _answer(
    status: http.HTTPStatus, body: str | bytes, kind: str = "text/plain; charset=utf-8"
) -> Response:
    payload = body.encode() if isinstance(body, str) else body
    headers = Headers()
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(payload))
    headers["X-Content-Type-Options"] = "nosniff"
    return Response(status, status.phrase, headers, payload)


@contextmanager
def guarding(gate: AccessGate, *, largest: int) -> Iterator[None]:
    """Servers that begin in here ask the gate first, and take no message larger than this."""
    before: Callable[..., Any] = sockets.serve

    def serve(*args: Any, process_request: Any = None, **options: Any) -> Any:
        options["max_size"] = largest
        return before(*args, process_request=partial(_process, gate, process_request), **options)

    sockets.serve = serve  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        sockets.serve = before  # type: ignore[assignment, misc]


def _process(gate: AccessGate, then: Any, connection: Any, request: Request) -> Any:
    verdict = gate.judge(request)
    if verdict is not None or then is None:
        return verdict
    return then(connection, request)
