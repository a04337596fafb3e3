"""Faults drawn at random are survived; what is not is found, told and made smaller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.electronics.faults import FAULTS
from annelid.reliability import campaign as room
from annelid.reliability.campaign import Strike, Struck, judged, shrunk, strike
from annelid.reliability.draws import FaultDraw
from annelid.reliability.record import campaign_lines, keep
from annelid.trial.load import load, parse
from annelid.trial.plugins import Plugins
from annelid.trial.run import Trial

NAMES = ("explore-straight", "climber", "caterpillar", "snake")


@pytest.mark.slow
def test_every_kind_of_fault_is_drawn_somewhere() -> None:
    seen: set[str] = set()
    for name in ("default", "climber-wall", "a13-all"):
        trial = Trial(load(name))
        draws = FaultDraw(trial.circuit, trial.injector, Plugins())
        seen |= set(draws.kinds)
        one = [draws.faults(np.random.default_rng(k), 10.0) for k in range(20)]
        two = [draws.faults(np.random.default_rng(k), 10.0) for k in range(20)]
        assert one == two
        assert {len(each) for each in one} == {1, 2}
    assert seen >= set(FAULTS.table()) - {"low_battery"}


def test_a_fault_is_survived() -> None:
    one = strike(Strike("caterpillar", 301, 0.4))
    assert (one.outcome, one.why) == ("ok", "")
    assert one.faults


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_faults_are_survived() -> None:
    struck = [strike(Strike(NAMES[k % len(NAMES)], 7000 + k, 3.0)) for k in range(8)]
    assert [one for one in struck if one.outcome != "ok"] == []


CRASHING = {
    "name": "crashing",
    "duration_s": 2.0,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "faults": [
        {"fault": "weak_servo", "servo": "R1.yaw", "factor": 0.5, "at_s": 0.1},
        {"fault": "stuck_servo", "servo": "R2.yaw", "at_s": 0.2},
        {"fault": "limp_servo", "servo": "R2.pitch", "at_s": 0.3, "until_s": 0.4},
    ],
}


def test_a_run_that_crashes_is_told_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the campaign."""
    from annelid.electronics.faults.servos import StuckServo

    def careless(*_: Any) -> Any:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(StuckServo, "strike", careless)
    outcome, why, _, table = judged(parse(CRASHING))
    assert outcome == "crash"
    assert "ZeroDivisionError: on purpose" in why
    assert table is not None

    def again(small: dict[str, Any]) -> str:
        return judged(parse(small))[0]

    small = shrunk(table, "crash", again)
    assert [fault["fault"] for fault in small["faults"]] == ["stuck_servo"]
    assert small["duration_s"] < 2.0


def test_ctrl_c_keeps_the_table_of_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def struck(job: Strike) -> Struck:
        if job.seed > 2:
            raise KeyboardInterrupt
        return Struck(job.source, job.seed, ("weak_servo",), "ok")

    monkeypatch.setattr(room, "strike", struck)
    ran = CliRunner().invoke(app, ["campaign", "snake", "--faults", "9", "--workers", "1"])
    assert "3 runs of 1 scenarios" in ran.output
    assert ran.exit_code != 0


def test_the_command_prints_a_table_and_keeps_it(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    words = [
        "campaign",
        "snake",
        "--faults",
        "2",
        "--seconds",
        "0.3",
        "--workers",
        "1",
        "--out",
        out,
    ]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    assert "2 runs of 1 scenarios" in ran.output
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"], "no failure"
    lines = list(campaign_lines([Struck("snake", 1, ("weak_servo",), "ok")]))
    file = tmp_path / "reliability.md"
    keep("Campaign", "annelid campaign", lines, path=file)
    keep("Fuzz", "annelid fuzz", ["none"], path=file)
    keep("Campaign", "annelid campaign", ["again"], path=file)
    text = file.read_text()
    assert text.count("## Campaign") == text.count("## Fuzz") == 1
    assert "again" in text
    assert lines[0] not in text
