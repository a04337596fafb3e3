"""What a program may expect of a serial port, asked of a simulated line and of real ones alike."""

from __future__ import annotations

import os
import socket
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from tests.hardware.port_rigs import ENDS, FAST, Ends, pseudo_terminals

from annelid.errors import AnnelidError, InputError, PortError
from annelid.hardware.pty_pair import PtyPair
from annelid.hardware.real_time import RealTime
from annelid.hardware.serial_port import SerialPort
from annelid.kernel import AnyOf, Kernel, Program, Receive, Sleep, seconds

pytestmark = pytest.mark.realtime

ALL = bytes(range(256))


@pytest.fixture(params=ENDS)
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    before = threading.active_count()
    with ENDS[request.param]() as made:
        yield made
    assert threading.active_count() == before, "a thread was left behind"


# -- the same for all ------------------------------------------------------------------------------


def test_every_value_arrives_unchanged_and_in_order(ends: Ends) -> None:
    ends.a.send(ALL)
    ends.a.send(ALL[::-1])
    ends.run(0.2)
    assert ends.heard() == ALL + ALL[::-1]


def test_sending_returns_at_once_and_lasts_as_long_as_the_wire_needs(ends: Ends) -> None:
    assert not ends.a.sending
    start_ns = ends.kernel.now
    ends.a.send(bytes(500))
    assert ends.kernel.now == start_ns
    assert ends.a.sending
    left: list[int] = []

    def waits() -> Program:
        yield ends.a.drained()
        left.append(ends.kernel.now - start_ns)

    ends.kernel.spawn(waits(), "waits")
    ends.run(0.15)
    assert not ends.a.sending
    assert left[0] == pytest.approx(FAST.bytes_ns(500), abs=seconds(0.02))
    assert left[0] >= FAST.bytes_ns(500)


def test_what_is_queued_later_is_waited_for_as_well(ends: Ends) -> None:
    left: list[int] = []

    def waits() -> Program:
        ends.a.send(bytes(100))
        yield Sleep(FAST.bytes_ns(50))
        ends.a.send(bytes(100))
        yield ends.a.drained()
        left.append(ends.kernel.now)

    ends.kernel.spawn(waits(), "waits")
    ends.run(0.1)
    assert left[0] >= FAST.bytes_ns(200)


def test_an_idle_port_is_drained_and_silent(ends: Ends) -> None:
    ends.a.send(b"")
    assert not ends.a.sending
    came: list[object] = []

    def waits() -> Program:
        yield ends.a.drained()
        fired = yield AnyOf(Receive(ends.b.received), Sleep(seconds(0.05)))
        came.append(fired.timed_out)

    ends.kernel.spawn(waits(), "waits")
    ends.run(0.1)
    assert came == [True]


def test_a_program_is_woken_by_a_byte(ends: Ends) -> None:
    came: list[tuple[int, int]] = []

    def hears() -> Program:
        while True:
            value = yield Receive(ends.b.received)
            came.append((ends.kernel.now, value))

    ends.kernel.spawn(hears(), "hears")
    ends.kernel.call_at(seconds(0.03), lambda: ends.a.send(b"\x10\xff"))
    ends.run(0.1)
    assert [value for _, value in came] == [0x10, 0xFF]
    assert all(seconds(0.03) <= t_ns < seconds(0.08) for t_ns, _ in came)


# -- real ports ------------------------------------------------------------------------------------


def test_both_directions_at_once() -> None:
    with pseudo_terminals() as ends:
        ends.a.send(ALL)
        ends.b.send(ALL[::-1])
        ends.run(0.1)
        assert bytes(ends.b.received.drain()) == ALL
        assert bytes(ends.a.received.drain()) == ALL[::-1]


def test_a_socket_is_a_port_and_its_end_is_noticed() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    kernel = Kernel()
    clock = RealTime(kernel)
    with server, SerialPort(f"socket://127.0.0.1:{server.getsockname()[1]}", clock) as port:
        far, _ = server.accept()
        port.send(ALL)
        far.sendall(far.recv(256, socket.MSG_WAITALL)[::-1])
        kernel.run(seconds(0.1), pacer=clock)
        assert bytes(port.received.drain()) == ALL[::-1]
        far.close()
        with pytest.raises(PortError, match="closed at its other end"):
            kernel.run(seconds(5), pacer=clock)


def test_bytes_enter_although_the_run_is_late() -> None:
    """A kernel that is never early never idles; what comes in must be let in all the same."""
    with pseudo_terminals() as ends:

        def busy() -> Program:
            while True:
                end = monotonic() + 0.004
                while monotonic() < end:
                    pass
                yield Sleep(seconds(0.002))

        ends.kernel.spawn(busy(), "busy")
        ends.a.send(ALL)
        ends.run(0.1)
        assert ends.heard() == ALL


def test_what_nobody_reads_is_lost_and_counted_and_does_not_hang() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    kernel = Kernel()
    started = monotonic()
    with SerialPort(os.ttyname(slave), RealTime(kernel)) as port:
        for _ in range(100):
            port.send(bytes(4096))
        assert port.lost > 0
        assert port.sent + port.lost == 100 * 4096
    assert monotonic() - started < 2.0
    os.close(slave)
    os.close(master)


@pytest.mark.parametrize("speaking", [True, False])
def test_an_unplugged_port_ends_the_run_with_a_message(speaking: bool) -> None:
    kernel = Kernel()
    clock = RealTime(kernel)
    pair = PtyPair()
    with SerialPort(pair.paths[0], clock) as port:

        def speaks() -> Program:
            while True:
                yield Sleep(seconds(0.01))
                if speaking:
                    port.send(b"x")

        kernel.spawn(speaks(), "speaks")
        threading.Timer(0.1, pair.close).start()
        started = monotonic()
        with pytest.raises(PortError, match=f"{pair.paths[0]}.*unplugged"):
            kernel.run(seconds(5), pacer=clock)
        assert monotonic() - started < 1.0
    port.close()
    port.send(b"nobody hears this, and nobody minds")


def refusal(url: str | Path) -> str:
    with pytest.raises(InputError) as caught:
        SerialPort(str(url), RealTime(Kernel()))
    assert isinstance(caught.value, AnnelidError)
    return str(caught.value)


def test_ports_that_cannot_be_opened_say_why(tmp_path: Path) -> None:
    missing = refusal("/dev/ttyUSB77")
    assert "'/dev/ttyUSB77': no such port. Available: " in missing
    paper = tmp_path / "notes.txt"
    paper.write_text("no port")
    assert "not a serial port. Expected a device" in refusal(paper)
    assert "not a serial port" in refusal(tmp_path)
    assert "Expected a device" in refusal("carrier-pigeon://x")
    assert "cannot be opened" in refusal("socket://127.0.0.1:1")


def test_one_port_is_for_one_program() -> None:
    with PtyPair() as pair, SerialPort(pair.paths[0], RealTime(Kernel())):
        assert "in use by another program" in refusal(pair.paths[0])
