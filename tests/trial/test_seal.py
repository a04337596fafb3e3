"""A run folder that is opened is what was recorded, or says what is not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import OutputError, SpecError
from annelid.kernel.trace import TraceReader
from annelid.trial import run as running
from annelid.trial.compare import compare_runs
from annelid.trial.load import parse
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial
from annelid.trial.seal import SEAL, seal

SHORT = {
    "name": "sealed",
    "duration_s": 0.4,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
    "tolerances": {"draw": True},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Trial(parse(SHORT)).run(tmp_path_factory.mktemp("runs") / "one").folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def edited(path: Path) -> None:
    path.write_text(path.read_text().replace("0", "1", 1))


def metrics_say(folder: Path, **fields: float) -> None:
    path = folder / "metrics.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda at: metrics_say(at, progress_m=3.0), "metrics.json was changed"),
        (lambda at: edited(at / "scenario.toml"), "scenario.toml was changed"),
        (lambda at: edited(at / "as_built.json"), "as_built.json was changed"),
        (lambda at: cut(at / "trace" / "robot.arrow"), "robot.arrow was changed"),
        (lambda at: (at / "trace" / "events.arrow").unlink(), "events.arrow is missing"),
        (lambda at: shutil.copy(at / "trace/robot.arrow", at / "trace/x.arrow"), "was added"),
        (lambda at: edited(at / SEAL), "seal"),
        (lambda at: (at / SEAL).write_text("[]"), "JSON object"),
    ],
    ids=["metrics", "scenario", "as built", "cut trace", "no events", "added", "seal", "no seal"],
)
def test_what_was_changed_afterwards_is_refused_and_named(
    folder: Path, harm: Callable[[Path], object], said: str
):
    assert Run(folder).whole
    harm(folder)
    with pytest.raises(SpecError, match=said):
        Run(folder)


def test_what_is_drawn_later_breaks_no_seal(folder: Path):
    (folder / "report.html").write_text("<html>")
    (folder / "picture-001.png").write_bytes(b"")
    assert Run(folder).note is None


def test_numbers_under_a_new_seal_are_computed_anew(folder: Path):
    """The control: the same replay finds an honest run the same."""
    honest = replay(Run(folder))
    assert honest.same
    assert honest.checked
    metrics_say(folder, energy_j=1e-3)
    seal(folder)
    outcome = replay(Run(folder))
    assert not outcome.same
    assert str(outcome.difference).startswith("metrics.json.energy_j: recorded 0.001, replayed")


def test_a_run_that_was_cut_off_opens_as_far_as_it_goes_and_says_so(folder: Path):
    for name in (SEAL, "metrics.json"):
        (folder / name).unlink()
    cut(folder / "trace" / "robot.arrow")
    run = Run(folder)
    assert not run.whole
    assert "cut off" in str(run.note)
    assert not TraceReader(folder / "trace").complete("robot")
    shown = CliRunner().invoke(app, ["bus", str(folder)])
    assert "it was cut off" in shown.output
    outcome = replay(run)
    assert outcome.same
    assert not outcome.checked


def test_a_comparison_of_a_changed_run_is_refused(made: Path, folder: Path):
    assert compare_runs([Run(made), Run(folder)]).same
    metrics_say(folder, energy_j=7.0)
    with pytest.raises(SpecError, match="was changed"):
        compare_runs([Run(made), Run(folder)])


def test_a_table_of_somebody_elses_is_no_trace(folder: Path):
    import pyarrow as pa

    (folder / SEAL).unlink()
    table = pa.table({"time_ns": [1, 2]})
    path = folder / "trace" / "robot.arrow"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    with pytest.raises(SpecError, match="not a table of a trace: expected format"):
        Run(folder)["robot"]


def test_of_two_runs_in_one_folder_the_second_is_refused_and_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """As if both had found it empty at the same time."""
    monkeypatch.setattr(running, "make_folder", lambda *_, **__: folder)
    with pytest.raises(OutputError, match="a trace is here already"):
        Trial(parse({**SHORT, "name": "another"})).run(folder)
    assert Run(folder).whole
    assert Run(folder).scenario.name == "sealed"
