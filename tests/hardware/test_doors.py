"""Ports hang up on what is not theirs, and the run goes on."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Thread

import pytest
from tests.console.conftest import wait_for

from annelid.errors import PortError
from annelid.hardware.address import TcpAddress
from annelid.hardware.exchange import ProgramHello, hear
from annelid.hardware.lines import Doorstep, call
from annelid.hardware.operator_line import GREETING, LINE_MAX, RemoteSeat, prompt
from annelid.hardware.typed import AT_ONCE

HTTP = "POST / HTTP/1.1\r\nHost: localhost\r\n\r\nEXP\n"


class Seated:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.typed: SimpleQueue[str | None] = SimpleQueue()
        self.doorstep = Doorstep(TcpAddress("127.0.0.1", 0))
        self.seat = RemoteSeat(self.doorstep, say=self.said.append)
        self.seat.begin(self.typed)

    def visit(self, data: bytes) -> bytes:
        """Send it, and read until the other end hangs up."""
        assert isinstance(self.doorstep.address, TcpAddress)
        heard = b""
        with socket.create_connection(self.doorstep.address, timeout=30) as visitor:
            visitor.sendall(data)
            try:
                while more := visitor.recv(4096):
                    heard += more
            except ConnectionResetError:
                pass  # it hung up with bytes of ours unread
        return heard


@pytest.fixture
def seated() -> Iterator[Seated]:
    seated = Seated()
    yield seated
    seated.seat.end("over")


@pytest.mark.parametrize(
    "data",
    [
        HTTP.encode(),
        b"EXP\n",
        b"annelid operator 2\nEXP\n",
        b"\x16\x03\x01\x02\x00\x01\x00\n",
        b"x" * (LINE_MAX + 10),
        GREETING.encode() + b"\n" + b"x" * (LINE_MAX + 10) + b"\n",
    ],
    ids=["http", "no greeting", "version", "tls", "endless", "long line"],
)
def test_what_is_no_operator_is_hung_up_on_and_says_nothing(seated: Seated, data: bytes) -> None:
    heard = seated.visit(data)
    assert GREETING.encode() in heard or not heard
    wait_for(lambda: seated.said, "it is told")
    assert seated.typed.empty()
    with call(seated.doorstep.address) as lines:  # the control: the next one is let in
        lines.send(GREETING)
        assert lines.receive(30) == GREETING
        lines.send("EXP")
        assert seated.typed.get(timeout=30) == "EXP"


def test_quit_of_the_next_operator_does_not_wait_for_the_one_before(seated: Seated) -> None:
    for lines in (["wait 3600", "EXP", "quit"], ["EXP", "STP"]):
        with call(seated.doorstep.address) as prompt_there:
            prompt_there.send(GREETING)
            assert prompt_there.receive(30) == GREETING
            for line in lines:
                prompt_there.send(line)
    wait_for(lambda: seated.typed.qsize() == 5, "all are heard")
    heard = [seated.typed.get() for _ in range(5)]
    assert heard == ["wait 3600", "EXP", "quit", "EXP", AT_ONCE + "STP"]


def test_a_flood_of_lines_is_hung_up_on(seated: Seated) -> None:
    seated.visit(GREETING.encode() + b"\n" + b"SIR 3\n" * 5000)
    wait_for(lambda: any("lines wait" in each for each in seated.said), "it is told")
    assert seated.typed.qsize() < 5000


def test_a_prompt_leaves_when_something_else_answers() -> None:
    doorstep = Doorstep(TcpAddress("127.0.0.1", 0))
    caught: list[str] = []

    def answer() -> None:
        came = doorstep.accept(30.0)
        assert came is not None
        with came:
            came.receive(30.0)
            came.send("HTTP/1.1 400 Bad Request")

    thread = Thread(target=answer)
    thread.start()
    with pytest.raises(PortError, match="expected 'annelid operator 1' from a robot"):
        prompt(doorstep.address, iter(["EXP"]), show=caught.append)
    thread.join()
    doorstep.close()
    assert caught == []


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"hello": "\\ud800"}',
        '{"hello": ' + "9" * 9000 + "}",
        HTTP,
        '{"hello": "annelid central", "version": 2}',
        "\x00\ud800",
    ],
    ids=["nested", "surrogate", "digits", "http", "version", "binary"],
)
def test_a_central_control_that_makes_no_sense_is_told_in_one_line(line: str) -> None:
    doorstep = Doorstep(TcpAddress("127.0.0.1", 0))
    with call(doorstep.address) as caller:
        came = doorstep.accept(30.0)
        assert came is not None
        with came:
            caller._wire.write(line.encode(errors="surrogatepass") + b"\n")
            with pytest.raises(PortError) as told:
                hear(came, ProgramHello, seconds=30)
    assert "\n" not in str(told.value)
    doorstep.close()
