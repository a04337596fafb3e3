"""The four profiles on real boards and a real line."""

from __future__ import annotations

import numpy as np
import pytest
from tests.systems.erekobot.chains import QUICK, network, pulses, refusals, saying

from annelid.systems.erekobot import messages
from annelid.systems.erekobot.bytecode import assemble, crc
from annelid.systems.erekobot.packets import Configuration, GaitProgram, Standard, encode
from annelid.systems.erekobot.spec import ErekobotGait


@pytest.mark.parametrize("topology", ["line", "bus", "ring"])
@pytest.mark.parametrize("profile", [1, 2, 3, 4])
def test_a_chain_crawls_to_its_head_and_stops(profile: int, topology: str) -> None:
    rig, _ = network(6, profile=profile, topology=topology, stop_s=6.0, **QUICK)
    start = rig.sim.centre()
    rig.run(6.5)
    there = rig.sim.centre()
    assert there[0] - start[0] > 0.15
    rig.run(8.0)
    assert np.linalg.norm(rig.sim.centre() - there) < 0.02
    assert not rig.details("crash")


@pytest.mark.parametrize("profile", [1, 2, 3, 4])
def test_storing_works_as_well_only_later(profile: int) -> None:
    rig, _ = network(6, profile=profile, forwarding="store", **QUICK)
    start = rig.sim.centre()
    rig.run(6.5)
    assert rig.sim.centre()[0] - start[0] > 0.15


def test_backwards() -> None:
    gait = {"segments": 6, "waves": 1, "alpha_deg": 30, "backwards": True}
    rig, _ = network(6, profile=2, period=16, interval_ms=100, gait=gait)
    start = rig.sim.centre()
    rig.run(6.5)
    assert rig.sim.centre()[0] - start[0] < -0.15


def test_profile_1_gives_each_module_its_own_angles() -> None:
    host = saying((0.1, Standard(2, 227)), (0.2, Standard(1, 129)), (0.3, Standard(9, 185)))
    rig, _ = network(3, profile=1, host=host)
    rig.run(0.5)
    assert [pulses(rig, f"K{k}") for k in (1, 2, 3)] == [[129], [227], []]


def test_profile_1_refuses_what_would_break_the_servo() -> None:
    rig, _ = network(1, profile=1, host=saying((0.1, Standard(1, 58)), (0.2, Standard(1, 312))))
    rig.run(0.5)
    assert pulses(rig, "K1") == []
    assert refusals(rig, "K1") == [("pulse width", 58), ("pulse width", 312)]


def test_profile_2_begins_where_it_is_told() -> None:
    host = saying((0.1, Standard(1, 4)), (0.2, Standard(1, 16)), (0.3, messages.start()))
    rig, _ = network(1, profile=2, host=host, **QUICK)
    rig.run(0.65)
    assert refusals(rig, "K1") == [("time state", 16)]
    table = ErekobotGait.parse(QUICK["gait"], where="gait").wave().shared(16)
    assert pulses(rig, "K1") == [table.at(state) for state in (4, 5, 6, 7)]


def test_profile_2_takes_a_time_state_on_the_way() -> None:
    told = (0.35, Standard(1, 0))
    rig, _ = network(1, profile=2, host=saying((0.1, messages.start()), told), **QUICK)
    rig.run(0.65)
    table = ErekobotGait.parse(QUICK["gait"], where="gait").wave().shared(16)
    assert pulses(rig, "K1") == [table.at(state) for state in (0, 1, 2, 1, 2, 3)]


def test_profile_3_changes_address_and_refuses_a_table_it_has_not() -> None:
    host = saying(
        (0.1, messages.configuration_follows(1)),
        (0.11, Configuration(1, 40, 0, 1, 8, 2)),
        (0.2, messages.configuration_follows(1)),
        (0.21, Configuration(1, 41, 0, 1, 8, 2)),
        (0.3, messages.configuration_follows(40)),
        (0.31, Configuration(40, 41, 7, 1, 8, 2)),
        (0.4, messages.start()),
    )
    rig, _ = network(1, profile=3, host=host, **QUICK)
    rig.run(1.5)
    assert refusals(rig, "K1") == [("table", 7)]
    shown = pulses(rig, "K1")
    assert shown[:3] == shown[8:11]
    assert shown[0] == max(shown)


def test_profile_3_with_the_eight_bytes_of_figure_4() -> None:
    rig, _ = network(3, profile=3, brief_configuration=True, **QUICK)
    rig.run(2.0)
    sent = b"".join(bytes.fromhex(d["bytes"]) for d in rig.details("wire") if d["from"] == "host")
    rig.circuit.close()
    assert len({tuple(pulses(rig, f"K{k}")) for k in (1, 2, 3)}) == 3
    assert len(sent) == 3 * (5 + 8) + 5


def _program(text: str, address: int = 1, spoil: int = 0) -> tuple[Standard, GaitProgram]:
    code = assemble(text)
    packet = GaitProgram(address, 0, 1, 1000, code, crc(code) ^ spoil)
    return messages.program_follows(address, len(code)), packet


def test_profile_4_runs_what_it_has_checked_and_refuses_the_rest() -> None:
    good, spoilt = _program("10"), _program("20", spoil=1)
    evil = GaitProgram(1, 0, 1, 1000, b"\x20", crc(b"\x20"))
    host = saying(
        (0.1, encode(good[0]) + encode(good[1])),
        (0.2, messages.start()),
        (0.4, encode(spoilt[0]) + encode(spoilt[1])),
        (0.6, encode(messages.program_follows(1, 1)) + encode(evil)),
    )
    rig, _ = network(1, profile=4, host=host)
    rig.run(1.0)
    assert refusals(rig, "K1") == [("program", "corrupted"), ("program", "stack empty")]
    assert set(pulses(rig, "K1")) == {199}


def test_profile_4_tells_the_host_in_a_ring() -> None:
    rig, _ = network(3, profile=4, topology="ring", program="psi sin 30 mul")
    rig.run(2.0)
    assert rig.details("verdict") == [{"module": k, "refusal": "none"} for k in (1, 2, 3)]


@pytest.mark.parametrize(
    ("cut_s", "tries", "runs"), [(0.25, 3, True), (0.25, 1, False), (9.0, 3, False)]
)
def test_a_program_that_got_lost_is_sent_again_in_a_ring(
    cut_s: float, tries: int, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line between two modules is cut for a while; without a second try nobody behind moves,
    and a module that never answers is told."""
    monkeypatch.setattr("annelid.systems.erekobot.host.PROGRAM_TRIES", tries)
    rig, _ = network(3, profile=4, topology="ring", program="psi sin 30 mul")
    (line,) = rig.circuit.links.values()
    line.disturb(cut=[["K1", "K2"]])
    rig.run(cut_s)
    line.mend()
    rig.run(cut_s + 5.0)
    answered = {each["module"] for each in rig.details("verdict")}
    assert (answered == {1, 2, 3}) is runs
    assert (len(set(pulses(rig, "K3"))) > 5) is runs
    assert any("no answer to" in str(each) for each in rig.details("answer")) is not runs


def test_the_same_seed_gives_the_same_run() -> None:
    def trace() -> list[object]:
        rig, _ = network(3, profile=2, pull_up=False, drift_ppm=30_000, sync="tell", **QUICK)
        rig.run(3.0)
        return [*rig.events, rig.sim.centre().tolist()]

    assert trace() == trace()
