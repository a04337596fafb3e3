"""``annelid operate``: lines typed while the robot runs are answered, and the run replays."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.hardware.typed import TypedLines, at_once
from annelid.systems.erekobot.servo_table import pwm_of
from annelid.trial.replay import Run, replay

TYPED = "help\nFLY\nwait two\nwait 1.5\nSIR modules\nEXP\nwait 1\nSTP\nwait 0.3\nquit\n"


def test_what_is_typed_is_answered_and_replays(tmp_path: Path):
    folder = tmp_path / "run"
    told = CliRunner().invoke(
        app, ["operate", "--speed", "1000", "--out", str(folder)], input=TYPED
    )
    assert told.exit_code == 0, told.output
    for words in (
        "Reach a place",
        "unknown operator's command 'FLY'",
        "wait: expected seconds",
        "working modules, 'crrhrrvp'",
        "explore: begun",
        "stopped: explore is broken off",
    ):
        assert words in told.output
    run = Run(folder)
    assert [each.what.do for each in run.outside] == ["say"] * 3
    assert replay(run).same


@pytest.mark.parametrize("seconds", ["inf", "1e9", "nan", "-1", "1e400"])
def test_a_wait_that_would_never_end_is_refused(tmp_path: Path, seconds: str):
    typed = f"wait {seconds}\nwait 0.1\nquit\n"
    told = CliRunner().invoke(
        app, ["operate", "--speed", "1000", "--out", str(tmp_path / "run")], input=typed
    )
    assert told.exit_code == 0, told.output
    assert "wait: expected 0 to 3600 s, got" in told.output


def test_while_waiting_only_marked_lines_are_heard():
    typed = TypedLines()
    for line in ("EXP", at_once("EXP"), at_once("STP 1"), "quit", at_once(" quit")):
        typed.put(line)
    assert typed.take(waiting=True) == ("STP 1",)
    assert typed.take(waiting=True) == (" quit",)
    assert typed.take(waiting=True, seconds=0.001) is None
    assert [typed.take(waiting=False) for _ in range(4)] == [("EXP",), ("EXP",), ("quit",), None]


CHAIN = (
    "wait 1\ntable 0\nwait 0.5\nperiod 8\nwait 0.5\naddress 2 23\nwait 0.5\nprogram 20\nwait 0.5\n"
    "profile 4\nwait 1\nprogram 20\nwait 1\nstop\nwait 0.3\nquit\n"
)


def test_an_erekobot_is_told_table_period_address_profile_and_program(tmp_path: Path):
    folder = tmp_path / "run"
    told = CliRunner().invoke(
        app, ["operate", "erekobot", "--speed", "1000", "--out", str(folder)], input=CHAIN
    )
    assert told.exit_code == 0, told.output
    assert "erekobot: program needs profile 4, and the modules run profile 3" in told.output
    run = Run(folder)
    assert len(run.outside) == 7
    configured = [e.detail for e in run.events("configured")]
    assert configured[-1]["period"] == 8
    assert 23 in {each["new_address"] for each in configured}
    assert {e.source for e in run.events("profile")} == {f"K{k}" for k in range(1, 7)}
    assert run.events("servo")[-1].detail["pwm"] == pwm_of(20)
    assert replay(run).same


def test_a_robot_without_an_operator_is_refused():
    told = CliRunner().invoke(app, ["operate", "snake"])
    assert told.exit_code != 0
    assert "expected a robot with an operator" in str(told.exception)


def test_a_prompt_for_a_robot_elsewhere_takes_nothing_that_is_the_robots():
    told = CliRunner().invoke(app, ["operate", "--connect", "tcp:1", "--seed", "3"])
    assert told.exit_code != 0
    assert "the robot runs elsewhere" in str(told.exception)
