"""Robots that nobody tuned for run to their end, whatever they are told and whatever breaks."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.systems.microtub import strangers
from annelid.systems.microtub.front.strangers import Met, meet, page
from annelid.systems.microtub.strangers import stranger
from annelid.trial.load import load, parse
from annelid.trial.run import Trial


@pytest.mark.parametrize("seed", range(7000, 7012))
def test_every_stranger_can_be_built(seed: int) -> None:
    fields = stranger(seed)
    assert stranger(seed) == fields
    Trial(parse(fields))


def test_draws_cover_what_they_promise() -> None:
    drawn = [stranger(seed) for seed in range(300)]
    worlds = {each["world"]["kind"] for each in drawn}
    faults = {fault["fault"] for each in drawn for fault in each["faults"]}
    says = {each["control"]["options"]["operator"][0]["say"] for each in drawn}
    fittings = {part["part"] for each in drawn for part in each["world"].get("parts", ())}
    assert worlds == {"pipe", "open-air"}
    assert fittings == {"straight", "elbow", "tee", "cross", "cap"}
    assert faults == {
        *("weak_servo", "limp_servo", "stuck_servo", "dead_board", "dead_sensor", "cut_link"),
        *("hung_program", "low_battery"),
    }
    typed = [each["control"]["options"]["operator"] for each in drawn]
    assert any(said["say"] == "RST" for lines in typed for said in lines)
    assert says == set(strangers.FIRST)


@pytest.mark.parametrize("seed", range(7100, 7104))
def test_a_handful_ends_without_a_crash(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "DURATION_S", 12.0)
    met = meet(seed)
    assert not met.refused
    assert not met.crashed
    assert not met.fell


@pytest.mark.slow
def test_forty_end_without_a_crash_and_tell_the_truth() -> None:
    met = [meet(seed) for seed in range(7200, 7240)]
    assert not [one.seed for one in met if one.crashed or one.refused]
    assert not [(one.seed, one.false) for one in met if one.false]


def test_what_was_kept_is_read_again() -> None:
    met = Met(2, "worm", "pipe", "EXP", "none", statements=3, false=("home again",))
    assert Met.read(json.loads(json.dumps(asdict(met)))) == met


def test_the_table_names_the_false_ones_by_seed() -> None:
    good = Met(1, "survey", "pipe", "EXP", "none", statements=4)
    bad = Met(2, "worm", "pipe", "EXP", "none", statements=3, false=("home again",))
    told = "\n".join(page([good, bad]))
    assert "7 statements,\n1 false, in 1 runs" in told
    assert "| robot | worm | 1 | 3 | 1 | 0 | 0 |" in told
    assert "| 2 | worm | pipe | EXP | none | home again |" in told


def test_a_stranger_can_be_shown_and_run_as_any_scenario(tmp_path) -> None:
    told = CliRunner().invoke(app, ["strangers", "--show", "12"])
    assert told.exit_code == 0
    path = tmp_path / "stranger.toml"
    path.write_text(told.output)
    assert load(path).name == "stranger-12"
