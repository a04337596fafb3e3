"""``annelid operate``: lines typed while the robot runs are answered, and the run replays."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from annelid.cli.main import app
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


def test_a_robot_without_an_operator_is_refused():
    told = CliRunner().invoke(app, ["operate", "snake"])
    assert told.exit_code != 0
    assert "expected a robot with an operator" in str(told.exception)


def test_a_prompt_for_a_robot_elsewhere_takes_nothing_that_is_the_robots():
    told = CliRunner().invoke(app, ["operate", "--connect", "tcp:1", "--seed", "3"])
    assert told.exit_code != 0
    assert "the robot runs elsewhere" in str(told.exception)
