"""``annelid compare`` of what has not been run yet: scenarios and chains."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.offline.small import SCENARIO
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import InputError
from annelid.trial.toml import dumps


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    hard = {**SCENARIO, "name": "hard", "success": {"progress_m": 9.0}}
    (tmp_path / "easy.toml").write_text(dumps({**SCENARIO, "name": "easy"}))
    (tmp_path / "hard.toml").write_text(dumps(hard))
    return tmp_path


def cells(*words: str) -> dict[str, list[str]]:
    """What the tables say, by the name of the row."""
    ran = CliRunner().invoke(app, [*words, "--workers", "1"], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    rows = [line.strip("│").split("│") for line in ran.output.splitlines() if line[:1] == "│"]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}


def test_scenarios_are_run_and_set_side_by_side(folder: Path):
    told = cells("compare", "easy.toml", "hard.toml", "--repeats", "3")
    assert told["success.progress_m"] == ["–", "9"]
    assert told["succeeded"][:2] == ["–", "0"], "nothing was asked of the first"
    assert told["95 % of it"][:2] == ["–", "0%–56%"]
    assert told["speed, m/s"][0] == told["speed, m/s"][1], "the same chances"


def test_chains_are_run_in_one_scenario(folder: Path):
    told = cells("compare", "RR", "RRR", "--on", "easy.toml", "--repeats", "2")
    assert told["robot.chain"] == ["RR", "RRR"]
    assert told["speed, m/s"][0] != told["speed, m/s"][1]


def test_one_alone_is_not_compared(folder: Path):
    with pytest.raises(InputError, match="two scenarios or chains or more, got 1"):
        cells("compare", "easy.toml")
    with pytest.raises(InputError, match="draws runs and studies"):
        cells("compare", "easy.toml", "hard.toml", "--html", "x.html")
