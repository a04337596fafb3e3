"""Operator and central control as processes of their own, over TCP and over serial lines."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from threading import Thread

import pytest
from tests.hardware.processes import annelid

from annelid.errors import InputError, PortError
from annelid.hardware.address import SerialAddress, TcpAddress, parse_address
from annelid.hardware.lines import Doorstep, call
from annelid.hardware.pty_pair import PtyPair
from annelid.systems.microtub.behaviours import EmbeddedBehaviour
from annelid.systems.microtub.front.central import run_central
from annelid.systems.microtub.inference import RuleTable
from annelid.trial.replay import Run, replay

FAST = ("--speed", "1000", "--set", "record.state_hz=0", "--set", "physics.timestep_ms=1")


def port_of(line: str) -> str:
    """The address that a process has said it listens at."""
    return next(word.rstrip(":") for word in line.split() if word.startswith("tcp:"))


def test_three_processes_over_tcp_and_one_of_them_dies(tmp_path: Path):
    out = tmp_path / "run"
    ports = ("--listen", "tcp:0", "--central", "tcp:0", "--out", str(out))
    with annelid("operate", "explore-straight", *FAST, *ports) as robot:
        there = port_of(robot.await_line("operators come in").said.splitlines()[-1])
        waiting = robot.await_line("waiting for the central").said.splitlines()[-1]
        with (
            annelid("central", port_of(waiting)) as central,
            annelid("operate", "--connect", there) as operator,
        ):
            operator.type("FLY", "wait 1.5", "SIR modules", "EXP", "wait 0.5", "SIR distance")
            operator.await_line("unknown operator's command 'FLY'")
            operator.await_line("working modules, 'crrhrrvp'")
            operator.await_line("explore: begun")
            operator.await_line("distance covered")
            central.kill()
            robot.await_line("The robot is told to stop; the run goes on")
            operator.type("STP").await_line("does not answer (nack)")
            operator.type("quit").await_line("what was recorded is in")
            assert operator.finish() == 0
        assert robot.finish() == 0, robot.errors
    run = Run(out)
    told = [each.what.do for each in run.outside]
    assert told.count("say") == 4
    kinds = [event.kind for event in run.events() if event.source == "PC"]
    assert {"present", "configuration", "task", "movement", "gone"} <= set(kinds)
    assert replay(run).same


@pytest.mark.slow
def test_two_processes_over_serial_lines(tmp_path: Path):
    with PtyPair() as typing, PtyPair() as bus:
        line, cable = f"serial:{typing.paths[0]}", f"serial:{bus.paths[0]}"
        ends = ("--listen", line, "--central", cable, "--out", str(tmp_path / "run"))
        with annelid("operate", "explore-straight", *FAST, *ends) as robot:
            robot.await_line("waiting for the central")
            with (
                annelid("central", f"serial:{bus.paths[1]}") as central,
                annelid("operate", "--connect", f"serial:{typing.paths[1]}") as operator,
            ):
                operator.type("wait 1.5", "EXP").await_line("explore: begun")
                operator.type("wait 1.5", "SIE picture").await_line("the picture is")
                operator.type("quit")
                assert operator.finish() == 0
                assert central.finish() == 0, central.errors
                assert "frames sent" in central.said
            assert robot.finish() == 0, robot.errors


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for words in (("central", f"tcp:{port}"), ("operate", "--connect", f"tcp:{port}")):
        with annelid(*words) as process:
            assert process.finish() == 2
            assert "nobody listens there" in process.errors


@pytest.mark.parametrize(
    "text",
    [
        *("tcp:", "tcp:host:no", "udp:5", "serial:", "tcp:1:99999"),
        *("tcp:\u00b2", "tcp:" + "9" * 5000, "tcp:0x5", "tcp:+5"),
    ],
)
def test_an_address_that_is_none(text: str):
    with pytest.raises(InputError, match="expected tcp:HOST:PORT"):
        parse_address(text)


@pytest.mark.parametrize("host", ["a" * 64, "..", "a..b", "a." * 200, "a b", "a\0b", "a\nb"])
def test_a_host_that_none_can_have(host: str):
    with pytest.raises(InputError, match="expected the name or the number of a machine"):
        parse_address(f"tcp:{host}:4100")


@pytest.mark.parametrize("url", ["loop://?logging=x", "hwgrep://[", "alt://x?class=os", "a\0b"])
def test_a_serial_port_that_pyserial_cannot_read(url: str):
    """It raises whatever its readers of addresses happen to raise."""
    with pytest.raises(InputError, match=r"port .*Expected a device such as") as refused:
        call(SerialAddress(url))
    assert "\n" not in str(refused.value)


def test_addresses():
    assert parse_address("tcp:4100") == TcpAddress("127.0.0.1", 4100)
    assert parse_address("tcp:[::1]:4100".replace("[", "").replace("]", "")) == TcpAddress(
        "::1", 4100
    )
    assert parse_address("serial:/dev/ttyUSB0") == SerialAddress("/dev/ttyUSB0")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.2", "example.org"])
def test_only_this_machine_is_let_in(host: str):
    with pytest.raises(InputError, match="anybody who connects drives the robot"):
        Doorstep(TcpAddress(host, 4100))


@pytest.mark.parametrize("line", ["hello", "{}", json.dumps({"hello": "annelid", "board": 3})])
def test_something_else_at_the_other_end(line: str):
    doorstep = Doorstep(TcpAddress("127.0.0.1", 0))

    def answer() -> None:
        came = doorstep.accept(5.0)
        assert came is not None
        with came:
            came.receive(5.0)
            came.send(line)

    thread = Thread(target=answer)
    thread.start()
    with pytest.raises(PortError, match=r"expected|board"):
        run_central(doorstep.address)
    thread.join()
    doorstep.close()


class Nod(EmbeddedBehaviour):
    name = "nod"
    level = 1


def test_what_the_central_control_cannot_use_is_refused_before_anybody_is_called():
    with pytest.raises(InputError, match=r"Nod: expected a class that derives from .*CentralBeh"):
        run_central(TcpAddress("127.0.0.1", 1), behaviours=(Nod,))
    with pytest.raises(InputError, match="rule table 'mine': unknown rule 'fly'"):
        run_central(TcpAddress("127.0.0.1", 1), extras=(RuleTable("mine", remove=("fly",)),))


def test_a_peer_that_hangs_up_is_noticed_on_both_sides():
    doorstep = Doorstep(TcpAddress("127.0.0.1", 0))
    with call(doorstep.address) as caller:
        came = doorstep.accept(5.0)
        assert came is not None
        assert came.receive(0.01) is None
        came.send("one")
        assert caller.receive(5.0) == "one"
        came.close()
        with pytest.raises(PortError, match="hung up"):
            caller.receive(5.0)
    doorstep.close()
