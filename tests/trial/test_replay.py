"""A replay says what it compared, and what of a run that was cut off it could not compare."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import AnnelidError, OutputError
from annelid.kernel.trace.disk import DiskSink
from annelid.trial.difference import first_difference
from annelid.trial.load import parse
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial
from annelid.trial.seal import SEAL, seal

SHORT: dict[str, Any] = {
    "name": "short",
    "duration_s": 0.4,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
    "tolerances": {"draw": True},
}

GIVES_UP = """
from typing import Literal
from annelid.control.controller import ControllerSpec
class GivesUp(ControllerSpec):
    controller: Literal["gives-up"] = "gives-up"
    def start(self, robot):
        def act(time_s, seen):
            if time_s > 0.2:
                raise ValueError("no more")
            return {"R1.yaw": time_s}
        return act
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Trial(parse(SHORT)).run(tmp_path_factory.mktemp("runs") / "one").folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def cut(path: Path, *, by: int) -> None:
    path.write_bytes(path.read_bytes()[:-by])


def metrics_say(folder: Path, **fields: object) -> None:
    path = folder / "metrics.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
    seal(folder)


def told(folder: Path, *more: str) -> str:
    return CliRunner().invoke(app, ["replay", str(folder), "--check", *more]).output


def killed(folder: Path) -> Path:
    for name in (SEAL, "metrics.json"):
        (folder / name).unlink()
    for table in (folder / "trace").iterdir():
        cut(table, by=40 if table.stem == "robot" else 8)  # its last batch; the mark of the end
    return folder


def test_of_a_killed_run_all_that_is_missing_is_named(folder: Path) -> None:
    (killed(folder) / "trace" / "sensors.arrow").unlink()
    outcome = replay(Run(folder))
    assert outcome.same
    assert not outcome.checked
    assert [each.split(";")[0] for each in outcome.unchecked] == [
        "trace: robot has no rows at all",
        "trace: the table sensors is not there",
        "metrics: metrics.json is not there",
    ]
    said = told(folder)
    assert "bit for bit" not in said
    assert "what is there, up to 0.400 s, is the same" in said
    assert "Not compared: metrics" in said


def test_rows_that_no_replay_has_are_a_difference_in_a_killed_run_too(
    made: Path, tmp_path: Path
) -> None:
    shorter = Run(Trial(parse({**SHORT, "duration_s": 0.2})).run(tmp_path / "run").folder)
    found = first_difference(Run(made).trace, shorter.trace, whole=False, ends=False)
    assert found is not None
    assert found.replayed == "no row"
    assert first_difference(shorter.trace, Run(made).trace, whole=False, ends=False) is None


def test_who_was_killed_after_the_end_lacks_the_metrics_alone(folder: Path) -> None:
    for name in (SEAL, "metrics.json"):
        (folder / name).unlink()
    outcome = replay(Run(folder))
    assert outcome.same
    (left_out,) = outcome.unchecked
    assert left_out.startswith("metrics: metrics.json is not there")


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A disk that is full when the run has gone on for a second."""
    write = DiskSink.write

    def no_room(self: DiskSink, schema: Any, columns: Any) -> None:
        if schema.name == "robot":
            raise OutputError("the disk is full")
        write(self, schema, columns)

    with monkeypatch.context() as patched:
        patched.setattr(DiskSink, "write", no_room)
        with pytest.raises(OutputError):
            Trial(parse({**SHORT, "duration_s": 1.5})).run(tmp_path / "full")
    return tmp_path / "full"


def test_of_a_run_on_a_full_disk_the_numbers_of_its_last_step_are_compared(full: Path) -> None:
    before = Run(full).metrics
    assert before.stopped == "failed"
    outcome = replay(Run(full))
    assert outcome.same, outcome.difference
    assert "trace: robot has no rows at all" in outcome.unchecked
    (numbers,) = (each for each in outcome.unchecked if each.startswith("metrics"))
    assert "statements," in numbers
    assert " energy_j," not in numbers
    for field, value in {
        "energy_j": 1e-3,
        "progress_m": 9.0,
        "time_s": 0.5,
        "steps": 7,
        "mass_kg": 1.0,
        "digest": "0",
    }.items():
        kept = (full / "metrics.json").read_text()
        metrics_say(full, **{field: value})
        assert f"{field}: recorded" in told(full)
        (full / "metrics.json").write_text(kept)


def test_a_disk_that_is_full_at_the_very_end_leaves_metrics_that_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OutputError("the disk is full")

    with monkeypatch.context() as patched:
        write = DiskSink.write
        patched.setattr(
            DiskSink,
            "write",
            lambda self, schema, columns: (
                write(self, schema, columns) if schema.name == "events" else no_room()
            ),
        )
        with pytest.raises(OutputError):
            Trial(parse(SHORT)).run(tmp_path / "run")
    outcome = replay(Run(tmp_path / "run"))
    assert outcome.same, outcome.difference
    assert all(each.startswith("trace: ") for each in outcome.unchecked)
    metrics_say(tmp_path / "run", progress_max_m=9.0)
    assert "progress_max_m" in str(replay(Run(tmp_path / "run")).difference)


def test_a_program_that_raises_does_so_again_and_everything_is_compared(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(GIVES_UP)
    plugins = load_plugins([tmp_path / "mine.py"])
    given = {**SHORT, "control": {"controller": {"controller": "gives-up"}}}
    with pytest.raises(AnnelidError, match="no more"):
        Trial(parse(given, plugins=plugins), plugins=plugins).run(tmp_path / "run")
    run = Run(tmp_path / "run", plugins=plugins)
    assert run.metrics.stopped == "failed"
    outcome = replay(run)
    assert outcome.same, outcome.difference
    assert outcome.checked
    metrics_say(tmp_path / "run", tilt_max_deg=45.0)
    said = told(tmp_path / "run", "--plugin", str(tmp_path / "mine.py"))
    assert "metrics.json.tilt_max_deg: recorded 45.0" in said


def test_a_run_that_was_given_up_is_compared_as_a_whole(tmp_path: Path) -> None:
    trial = Trial(parse(SHORT))
    trial.give_up(0.2, lambda: True)
    run = Run(trial.run(tmp_path / "run").folder)
    assert run.metrics.stopped == "hopeless"
    outcome = replay(run)
    assert outcome.same, outcome.difference
    assert outcome.checked
