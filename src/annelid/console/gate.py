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
import logging
import re
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from websockets.asyncio import server as sockets
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from annelid.boundary.files import whole_path
from annelid.boundary.plain import shortened
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


TOKEN = re.compile(r"[A-Za-z0-9._-]{8,200}")
"""What stands in an address and in a cookie as it is."""
PORT_MAX = 65535
VISITORS_MAX = 64
"""Open connections."""
HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' data: blob:",
            "connect-src 'self' ws: wss: data: blob:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""Of every answer: nothing from elsewhere runs in the page, and no page shows this one in a frame.
viser's client makes its code and its workers itself, hence the inline scripts and the blobs."""


def is_loopback(host: str) -> bool:
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def free_port(host: str, port: int) -> int:
    """The first port from there that can be had; 0 stays 0.

    viser tries one port after the other for whatever reason it cannot have them, for ever and
    without a word.
    """
    expected = "expected a name or an address of this machine"
    try:
        found = socket.getaddrinfo(
            host or " ", None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        places = {(family, kind, where[0], *where[2:]) for family, kind, _, _, where in found}
        for place in places:
            _bind(place, 0)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"--host: {expected}, got {shortened(host)!r}: {why}") from None
    for each in range(port, PORT_MAX + 1):
        try:
            for place in places:
                _bind(place, each)
        except OSError:
            continue
        return each
    raise InputError(f"--port: no port from {port} to {PORT_MAX} is free")


def _bind(place: tuple[Any, ...], port: int) -> None:
    family, kind, host, *more = place
    with socket.socket(family, kind) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        tried.bind((host, port, *more))


def looked_at(server: Any) -> bool:
    """Whether any browser is connected, whether or not it has drawn anything yet."""
    return bool(server._websock_server._live_connections)


def sits_here(server: Any, client_id: int | None) -> bool:
    """Whether a browser runs on this machine, by the other end of its socket."""
    connection = server._websock_server._live_connections.get(client_id)
    if connection is None or not connection.remote_address:
        return False
    return is_loopback(str(connection.remote_address[0]))


def values_only(server: Any) -> None:
    """Let browsers set the values of inputs and nothing else of them: viser would set any field
    that a message names, such as the list of those who are told."""
    from viser._messages import GuiUpdateMessage

    wires, before = server.gui._websock_interface, server.gui._handle_gui_updates

    async def handle(client: int, message: GuiUpdateMessage) -> None:
        if set(message.updates) <= {"value"}:
            await before(client, message)

    wires.unregister_handler(GuiUpdateMessage, before)
    wires.register_handler(GuiUpdateMessage, handle)


class AccessGate:
    """``token`` is made up where the address is not loopback's and none was given."""

    def __init__(self, host: str, *, token: str | None = None) -> None:
        if token is not None and not TOKEN.fullmatch(token):
            raise InputError("token: expected 8 to 200 letters, digits, -, . and _")
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
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return _refuse("this is no name of a host")
        if self.open and not is_loopback(name):
            return _refuse(f"this console is {name!r} to you, and only known as localhost")
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != host:
            return _refuse(f"a page of {origin} may not use this console")
        if self.token is None:
            return self._file(request)
        path = urlsplit(request.path)
        given = parse_qs(path.query).get("token", [""])[0]
        if given and _same(given, self.token):
            headers = Headers()
            headers["Location"] = quote(path.path, safe="/%") or "/"
            headers["Set-Cookie"] = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            headers["Content-Length"] = "0"
            return Response(http.HTTPStatus.SEE_OTHER, "See Other", headers, b"")
        if not _same(_cookie(request), self.token):
            return _refuse("this console needs its token: open the address that it printed")
        return self._file(request)

    def _file(self, request: Request) -> Response | None:
        path = unquote(urlsplit(request.path).path)
        if not path.startswith(RUN) or self.folder is None:
            return None
        root = whole_path(self.folder)
        try:
            asked = whole_path(root / path.removeprefix(RUN))
            kind = SERVED.get(asked.suffix)
            if asked.is_relative_to(root) and kind is not None and asked.is_file():
                return _answer(http.HTTPStatus.OK, asked.read_bytes(), kind)
        except (OSError, InputError):  # a name that no file can have
            pass
        return _answer(http.HTTPStatus.NOT_FOUND, "no such file in this run")


def _same(given: str, token: str) -> bool:
    """In a time that does not tell how much of it is right; a visitor may send any character."""
    return secrets.compare_digest(given.encode(errors="replace"), token.encode())


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
    return Response(status, status.phrase, headers, payload)


@contextmanager
def guarding(gate: AccessGate, *, largest: int) -> Iterator[None]:
    """Servers that begin in here ask the gate first, and take no message larger than this."""
    # A message that makes no sense ends its connection; the terminal need not see a traceback.
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)
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
    if verdict is None and len(connection.server.connections) > VISITORS_MAX:
        verdict = _answer(http.HTTPStatus.SERVICE_UNAVAILABLE, "too many visitors\n")
    if verdict is None and then is not None:
        verdict = then(connection, request)
    if isinstance(verdict, Response):
        for name, value in HEADERS.items():
            verdict.headers[name] = value
    return verdict
