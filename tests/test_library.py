"""``import annelid``: what a script or a notebook uses."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.offline.small import SCENARIO, table

import annelid
from annelid import errors
from annelid.trial.folder import METRICS

DOCS = (Path(__file__).parents[1] / "docs" / "library.md").read_text()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> annelid.Run:
    return annelid.run(SCENARIO, out=tmp_path_factory.mktemp("run") / "r", duration_s=0.2)


def test_every_name_is_there_and_tells_what_it_is_for():
    for name in annelid.__all__:
        assert getattr(annelid, name) is not None
        if name != "__version__":
            assert len(getattr(annelid, name).__doc__) > 40, name
    with pytest.raises(AttributeError, match="no attribute 'rnu'"):
        annelid.rnu  # noqa: B018


def test_importing_it_is_quick():
    script = "import annelid, sys; print('numpy' in sys.modules, 'annelid.trial' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "False False\n"


def test_modules_and_worlds_are_importable():
    from annelid.modules import Rotation
    from annelid.worlds import OpenAir, Pipe

    assert (Rotation.letter, OpenAir().kind, Pipe().kind) == ("R", "open-air", "pipe")
    with pytest.raises(ImportError, match="Piep"):
        exec("from annelid.worlds import Piep")


def test_a_name_a_file_a_table_and_an_object_are_the_same_scenario(tmp_path: Path):
    named = annelid.load("push", seed=3)
    file = tmp_path / "mine.toml"
    from annelid.trial.load import save

    save(named, file)
    assert annelid.load(file) == annelid.load(named.model_dump(mode="json")) == named
    assert annelid.load(named, world__bore_mm=42).world != named.world


def test_what_does_not_fit_is_an_error_of_ours():
    with pytest.raises(errors.SpecError, match=r"scenario: robot: expected a value, got none"):
        annelid.run({"world": {"kind": "open-air"}})
    limp = annelid.Scenario.model_validate({**SCENARIO, "control": {"gaits": [{"gait": "push"}]}})
    with pytest.raises(errors.InputError, match=r"small: control\.gaits\[0\]"):
        annelid.run(limp)


def test_the_examples_of_the_page_run(tmp_path: Path):
    """The one without a file, and what is done with its run."""
    blocks = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)
    script = blocks[1].replace("duration_s=3", "duration_s=0.2") + blocks[2]
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "runs" / "scenario-001" / METRICS).is_file()


def test_a_sweep_a_comparison_and_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    told: list[tuple[int, int]] = []
    swept = annelid.sweep(
        SCENARIO,
        {"jitter_deg": [0.5, 1]},
        repeats=2,
        workers=1,
        progress=lambda *now: told.append(now),
    )
    assert [setting.fields for setting in swept.summary.settings] == [
        {"jitter_deg": 0.5},
        {"jitter_deg": 1},
    ]
    assert len(swept.trials) == 4
    assert told[-1] == (4, 4)

    compared = annelid.compare("RR", "RRR", on=SCENARIO, repeats=1, workers=1)
    assert compared.names == ("RR", "RRR")
    assert [row.values for row in compared.settings if row.name == "robot.chain"] == [("RR", "RRR")]

    evolved = annelid.evolve(table(), generations=2, workers=1)
    assert evolved.best is not None
    assert evolved.best.score == max(
        one.score for one in evolved.result.evaluations.values() if one.score is not None
    )
    again = annelid.run(evolved.scenario)
    assert again.metrics.distance_m == pytest.approx(evolved.best.score)
    assert annelid.compare(again, again.folder).same
    with pytest.raises(errors.InputError, match="with `on`, expected chains of modules, got Run"):
        annelid.compare("RR", again, on=SCENARIO)
    with pytest.raises(errors.InputError, match="has been begun; --resume"):
        annelid.evolve(table(), workers=1)


def test_a_run_is_a_mapping_of_its_tables(run: annelid.Run):
    assert list(run) == run.tables
    assert len(run) == len(run.tables) > 3
    assert "robot" in run
    assert "robto" not in run
    with pytest.raises(errors.UnknownName, match=r"unknown table 'robto'. Did you mean 'robot'\?"):
        run["robto"]
    with pytest.raises(KeyError, match=r"unknown column 'progess'. Did you mean 'progress'\?"):
        run["robot"]["progess"]
    with pytest.raises(errors.UnknownName, match="unknown table"):
        run.to_arrow("robto")


def test_a_run_as_arrow_and_pandas(run: annelid.Run):
    arrow = run.to_arrow("robot")
    assert arrow["progress"].to_pylist() == run["robot"]["progress"].tolist()
    assert arrow.schema.field("progress").metadata == {b"unit": b"m"}
    pytest.importorskip("pandas")
    frame = run.to_pandas("robot")
    assert frame["progress"].tolist() == run["robot"]["progress"].tolist()


def test_without_pandas_it_says_what_to_install(run: annelid.Run, monkeypatch: pytest.MonkeyPatch):
    class Arrow:
        def to_pandas(self) -> Any:
            raise ModuleNotFoundError("No module named 'pandas'", name="pandas")

    monkeypatch.setattr(annelid.Run, "to_arrow", lambda *_: Arrow())
    with pytest.raises(errors.MissingDependency, match=r"needs pandas: .*annelid\[notebook\]"):
        run.to_pandas("robot")


def test_a_notebook_shows_numbers_picture_and_video(tmp_path: Path):
    run = annelid.run(SCENARIO, out=tmp_path / "<r>", duration_s=0.1)
    (run.folder / "picture.png").write_bytes(b"a picture")
    (run.folder / "video.mp4").write_bytes(b"a video")
    html = run._repr_html_()
    assert f"<td>{run.metrics.energy_j:.3g} J</td>" in html
    assert "data:image/png;base64,YSBwaWN0dXJl" in html
    assert "data:video/mp4;base64,YSB2aWRlbw==" in html
    assert "&lt;r&gt;" in html
    (run.folder / METRICS).unlink()
    (run.folder / "seal.json").unlink()
    assert "before its numbers were written" in annelid.Run(run.folder)._repr_html_()


def test_a_run_draws_its_own_picture(run: annelid.Run):
    from annelid.physics.render import available

    if (why := available()) is not None:
        pytest.skip(why)
    assert run.picture is not None
    assert run.picture.startswith(b"\x89PNG")


def test_python_dash_m():
    command = [sys.executable, "-m", "annelid", "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == f"annelid {annelid.__version__}\n"
