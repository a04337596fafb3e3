"""A run folder that is opened is what was recorded, or says what is not."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import OutputError, SpecError
from annelid.kernel import Pacer, Priority
from annelid.kernel.trace import TraceReader, digest
from annelid.trial import run as running
from annelid.trial.compare import compare_runs
from annelid.trial.load import load, parse
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


def metrics_say(folder: Path, **fields: object) -> None:
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


def test_another_robot_under_a_new_seal_is_found(folder: Path):
    path = folder / "as_built.json"
    text = path.read_text()
    path.write_text(re.sub(r"\d\.\d{6,}", "1.25", text, count=1))
    assert path.read_text() != text
    seal(folder)
    outcome = replay(Run(folder))
    assert not outcome.same
    assert str(outcome.difference).startswith("as_built.json.")


@pytest.fixture(
    params=[("push", False), ("default", False), ("erekobot", False), ("erekobot", True)],
    ids=["gaits", "boards", "power", "watched"],
)
def interrupted(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Ended by Ctrl-C in the middle of an instant; or by somebody who was shown more of it."""
    source, watched = request.param
    trial = Trial(load(source, overrides={"tolerances.draw": True, "duration_s": 5.0}))

    class Watched(Pacer):
        """Shows what is between two events, and stops there."""

        def arrived(self, t_ns: int) -> bool:
            if t_ns >= 300_000_000:
                trial.sim.advance_to(t_ns - 1)
                trial.stop()
                return False
            return True

    pacer = Watched(time.monotonic_ns, time.sleep) if watched else None
    if not watched:
        trial.circuit.kernel.call_at(220_000_000, trial.stop, priority=Priority.OUTSIDE)
    with pytest.raises(KeyboardInterrupt):
        trial.run(tmp_path / "run", pacer=pacer)
    return tmp_path / "run"


def test_the_metrics_of_an_interrupted_run_are_computed_anew(interrupted: Path):
    honest = replay(Run(interrupted), progress=lambda *_: None)
    assert honest.same, honest.difference
    assert honest.checked
    for field, value in {"progress_m": 99.0, "time_s": 0.9, "energy_j": 0.1}.items():
        kept = (interrupted / "metrics.json").read_text()
        metrics_say(interrupted, **{field: value})
        seal(interrupted)
        outcome = replay(Run(interrupted))
        assert not outcome.same
        if field != "time_s":  # a later end is seen in the trace first, where there is a supply
            assert f"metrics.json.{field}" in str(outcome.difference)
        (interrupted / "metrics.json").write_text(kept)
    (interrupted / "trace" / "robot.arrow").unlink()
    metrics_say(interrupted, digest=digest(interrupted / "trace"))
    seal(interrupted)
    said = "robot.(table): recorded missing, replayed present"
    assert str(replay(Run(interrupted)).difference) == said


def test_a_whole_run_that_calls_itself_interrupted_unstable_or_failed_is_found(folder: Path):
    for stopped in ("interrupted", "unstable"):
        metrics_say(folder, stopped=stopped, interrupted=True, progress_m=99.0)
        seal(folder)
        assert "metrics.json" in str(replay(Run(folder)).difference)
    metrics_say(folder, stopped="failed")
    seal(folder)
    assert "metrics.json" in str(replay(Run(folder)).difference)


def test_a_column_that_was_taken_out_of_the_trace_is_found(folder: Path):
    """Its digest in the metrics is that of the whole trace."""
    import pyarrow as pa

    path = folder / "trace" / "robot.arrow"
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
        table = stream.read_all()
    name = table.schema.names[-1]
    table = table.drop_columns([name])
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    seal(folder)
    outcome = replay(Run(folder))
    assert not outcome.same
    assert f"robot.{name}" in str(outcome.difference)
