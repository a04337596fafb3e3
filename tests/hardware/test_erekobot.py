"""Host and modules of 004 as two processes, and what a user notices when the cable is pulled."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.hardware.processes import annelid
from tests.systems.erekobot.chains import QUICK, network

from annelid.hardware.pty_pair import PtyPair
from annelid.kernel.trace import TraceReader
from annelid.systems.erekobot.front import chain as at_port
from annelid.systems.erekobot.front.host import run_host
from annelid.systems.erekobot.host import host
from annelid.systems.erekobot.network import module_firmware
from annelid.systems.erekobot.packets import PacketError
from annelid.systems.erekobot.servo_table import pwm_of
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.trial.metrics import Metrics
from annelid.trial.replay import Run

pytestmark = pytest.mark.realtime


def crawled_mm(said: str) -> float:
    found = re.search(r"crawled +(-?\d+) mm", said)
    assert found, said
    return float(found[1])


# -- two processes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "topology", "answers"), [("3", "line", 0), ("4", "ring", 5)])
def test_host_and_modules_as_two_processes(
    tmp_path: Path, profile: str, topology: str, answers: int
) -> None:
    """The chain crawls, both end by themselves; a ring brings the modules' verdicts back.  On a
    busy machine one may be asked twice."""
    out = tmp_path / "run"
    both = ("--profile", profile, "--set", f"topology={topology}")
    with (
        PtyPair() as cable,
        annelid(
            "erekobot", "modules", "--port", cable.paths[1], *both, "--out", str(out)
        ) as modules,
    ):
        modules.await_line("listening")
        with annelid("erekobot", "host", "--port", cable.paths[0], *both, "--seconds", "2.5") as pc:
            assert pc.finish() == 0, pc.errors
            assert modules.finish() == 0, modules.errors
    assert crawled_mm(modules.said) > 30
    assert len(set(re.findall(r"module (\d+), refusal none", pc.said))) == answers, pc.said
    assert "lost" not in pc.said
    metrics = Metrics.read(out / "metrics.json")
    assert metrics.progress_m * 1000 == pytest.approx(crawled_mm(modules.said), abs=0.6)
    assert {"modules", "actuators", "robot"} <= set(TraceReader(out / "trace").tables)


@pytest.mark.slow
def test_what_the_host_is_told_to_say_reaches_modules_in_another_process(tmp_path: Path) -> None:
    out = tmp_path / "run"
    third = ("--profile", "3")
    said = ["1 table 0 2", "1.3 period 8", "1.6 address 2 23", "1.9 program 20", "2.2 profile 4"]
    with (
        PtyPair() as cable,
        annelid(
            "erekobot", "modules", "--port", cable.paths[1], *third, "--out", str(out)
        ) as modules,
    ):
        modules.await_line("listening")
        lines = [word for line in [*said, "3.2 program 20", "4.2 stop"] for word in ("--say", line)]
        with annelid("erekobot", "host", "--port", cable.paths[0], *third, *lines) as pc:
            assert pc.finish() == 0, pc.errors
            assert modules.finish() == 0, modules.errors
    assert "program needs profile 4, and the modules run profile 3" in pc.said
    run = Run(out)
    configured = [event.detail for event in run.events("configured")]
    assert {8, 16} <= {each["period"] for each in configured}
    assert 23 in {each["new_address"] for each in configured}
    assert len(run.events("profile")) == 5
    assert {event.detail["pwm"] for event in run.events("servo")[-5:]} == {pwm_of(20)}


def test_a_pulled_cable_ends_both_with_a_message() -> None:
    cable = PtyPair()
    with annelid("erekobot", "modules", "--port", cable.paths[1]) as modules:
        modules.await_line("listening")
        with annelid("erekobot", "host", "--port", cable.paths[0]) as pc:
            pc.await_line("start")
            pulled = monotonic()
            cable.close()
            for process, path in ((pc, cable.paths[0]), (modules, cable.paths[1])):
                assert process.finish() == 2
                assert f"annelid: port '{path}': unplugged" in process.errors
                assert "Traceback" not in process.errors
            assert monotonic() - pulled < 5


@pytest.mark.parametrize("command", ["host", "modules"])
def test_a_port_that_is_not_there(command: str) -> None:
    with annelid("erekobot", command, "--port", "/dev/ttyUSB77") as process:
        assert process.finish() == 2
        assert "annelid: port '/dev/ttyUSB77': no such port. Available: " in process.errors


def test_ctrl_c_at_the_host_stops_the_modules() -> None:
    with PtyPair() as cable, annelid("erekobot", "modules", "--port", cable.paths[1]) as modules:
        modules.await_line("listening")
        with annelid("erekobot", "host", "--port", cable.paths[0]) as pc:
            pc.await_line("start").interrupt()
            assert pc.finish() == 130
            assert "the modules were told to stop" in pc.errors
            assert modules.finish() == 0


def test_ctrl_c_at_the_modules_leaves_a_readable_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("modules", "--show", "--out", str(out))
    with PtyPair() as cable, annelid("erekobot", *words, "--port", cable.paths[1]) as modules:
        modules.await_line("1.0 s").interrupt()
        assert modules.finish() == 130
    assert Metrics.read(out / "metrics.json").interrupted


def test_the_pair_command_is_a_cable() -> None:
    with annelid("erekobot", "pair") as pair:
        pair.await_line("/dev/").await_line("/dev/")
        a, b = (os.open(path, os.O_RDWR | os.O_NOCTTY) for path in pair.said.split())
        os.write(a, b"\x00\xff\r\n\x04")
        assert os.read(b, 10) == b"\x00\xff\r\n\x04"
        pair.interrupt()
        assert pair.finish() == 130
        os.close(a)
        os.close(b)


# -- the same programs -----------------------------------------------------------------------------

SPEC: dict[str, Any] = {**QUICK, "interval_ms": 300, "stop_s": 0.6}


@pytest.mark.parametrize("profile", [1, 2, 3, 4])
def test_the_host_says_the_same_at_a_real_port_as_on_a_simulated_line(profile: int) -> None:
    """One program, two lines: no byte differs."""
    spec = ErekobotSpec.parse({**SPEC, "profile": profile}, where="control")
    with PtyPair() as cable:
        far = os.open(cable.paths[1], os.O_RDWR | os.O_NOCTTY)
        result = run_host(cable.paths[0], spec, 3)
        said = b""
        while len(said) < result.sent:
            said += os.read(far, 4096)
        os.close(far)

    rig, made = network(3, host=partial(host, spec=spec, modules=3), **SPEC, profile=profile)
    rig.run(1.0)
    rig.circuit.close()
    wire = (d for d in rig.details("wire") if d["from"] == made.host.name)
    assert said == b"".join(bytes.fromhex(d["bytes"]) for d in wire)
    assert said


@pytest.mark.parametrize("profile", [1, 2, 3, 4])
def test_modules_at_a_real_port_run_the_programs_of_the_simulation(profile: int) -> None:
    spec = ErekobotSpec.parse({"profile": profile}, where="control")
    with PtyPair() as cable:
        chain = at_port.ServedChain(cable.paths[0], spec, 3)
        try:
            for index in (1, 2, 3):
                there = chain.circuit.nodes[f"K{index}"].firmware
                here = module_firmware(spec, index, 3)
                assert isinstance(there, partial)
                assert isinstance(here, partial)
                assert (there.func, there.keywords) == (here.func, here.keywords)
        finally:
            chain.close()


def test_too_many_modules_for_the_paper() -> None:
    with pytest.raises(PacketError, match="11"):
        run_host("/dev/nowhere", ErekobotSpec(), 11)
