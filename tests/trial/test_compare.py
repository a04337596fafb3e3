"""Two runs side by side."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import InputError
from annelid.trial.compare import compare_runs
from annelid.trial.load import load
from annelid.trial.replay import Run
from annelid.trial.run import Trial
from annelid.trial.seal import seal


def made(folder: Path, **fields: object) -> Run:
    overrides = {"duration_s": 0.1, **{k.replace("__", "."): v for k, v in fields.items()}}
    return Run(Trial(load("snake", overrides=overrides)).run(folder).folder)


def test_only_what_was_set_differently_is_shown(tmp_path: Path):
    comparison = compare_runs([made(tmp_path / "a"), made(tmp_path / "b", robot__chain="RRR")])
    assert [row.name for row in comparison.settings] == ["robot.chain"]
    assert not comparison.same
    mass = next(row for row in comparison.outcomes if row.name == "mass_kg")
    assert mass.change == "-0.066 (-50.0%)"


def test_the_same_twice(tmp_path: Path):
    comparison = compare_runs([made(tmp_path / "a"), made(tmp_path / "b")])
    assert comparison.same
    assert comparison.settings == ()


def test_one_run_is_not_a_comparison(tmp_path: Path):
    with pytest.raises(InputError, match="two runs"):
        compare_runs([made(tmp_path / "a")])


def test_the_same_is_said_of_the_traces_not_of_what_the_metrics_claim(tmp_path: Path):
    """A trace without one of its tables, one without its seal, and none at all."""
    whole, short, bare = (made(tmp_path / name) for name in "abc")
    assert compare_runs([whole, short]).notes == ()
    for run in (short, bare):
        (run.folder / "seal.json").unlink()
    uncut = compare_runs([whole, Run(short.folder)])
    assert uncut.same, "without its seal the trace is still there to be looked at"
    assert "has no seal" in uncut.notes[0]
    (short.folder / "trace" / "robot.arrow").unlink()
    shutil.rmtree(bare.folder / "trace")
    for harmed in (short, bare):
        comparison = compare_runs([whole, Run(harmed.folder)])
        assert not comparison.same
        assert str(harmed.folder) in comparison.notes[0]
    assert not compare_runs([Run(bare.folder), Run(bare.folder)]).same


def test_digests_of_a_new_seal_are_not_believed(tmp_path: Path):
    one, other = made(tmp_path / "a"), made(tmp_path / "b", robot__chain="RRR")
    path = other.folder / "metrics.json"
    table = json.loads(path.read_text())
    path.write_text(json.dumps({**table, "digest": one.metrics.digest}))
    seal(other.folder)
    assert not compare_runs([one, Run(other.folder)]).same


def test_the_commands_say_what_is_wrong_with_a_run(tmp_path: Path):
    one, other = made(tmp_path / "a"), made(tmp_path / "b")
    (other.folder / "seal.json").unlink()
    compared = CliRunner().invoke(app, ["compare", str(one.folder), str(other.folder)])
    words = ["export", str(other.folder), "csv", "--out", str(tmp_path / "tables")]
    for told in (compared, CliRunner().invoke(app, words)):
        assert told.exit_code == 0
        assert "it has no seal" in told.stderr
