"""The questions of a robot builder are answered, and the notebooks run from top to bottom."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTIONS = sorted((EXAMPLES / "questions").glob("[0-9]*.py"))
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("[0-9]*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda path: path.stem)
def test_a_question_is_answered(
    question: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(question), run_name="__main__")
    said = capsys.readouterr()
    assert said.err == ""
    assert len(said.out.splitlines()) >= 2
    assert re.search(r"\d", said.out)
    assert "nan" not in said.out


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert list(tmp_path.glob("runs/*"))


def test_every_question_is_in_the_list_and_notebooks_are_kept_without_output():
    listed = re.findall(r"`(\d\d_\w+\.py)`", (EXAMPLES / "questions" / "README.md").read_text())
    assert listed == [path.name for path in QUESTIONS]
    assert len(NOTEBOOKS) == 3
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text())["cells"]
        assert all(not cell.get("outputs") for cell in cells)
