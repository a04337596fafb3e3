"""The numbered examples, the answers to questions of a robot builder and the notebooks run as they
stand."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
FIRST, *NUMBERED = sorted(EXAMPLES.glob("[0-9]*.py"))
QUESTIONS = sorted((EXAMPLES / "questions").glob("[0-9]*.py"))
NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("[0-9]*.ipynb"))
TRAINS = EXAMPLES / "08_train_a_policy.py"
SAYS = {
    "03_a_function_of_time": r" 0 degrees: +[0-9] mm\n40 degrees: +[1-9][0-9]+ mm",
    "04_a_controller": r"came to 2[0-9]{2} mm and back to (1[0-9]{2}|20[0-9]) mm",
    "05_a_program_for_a_board": r"R1 turned [1-9][0-9]* times.*\nR2 turned",
    "06_a_system": r" 0 degrees: +[0-9] mm\n40 degrees: +[1-9][0-9]+ mm",
    "07_an_environment": r"R1.yaw from -0.79 rad\ngait alone: 1[0-9]{2} mm in 4 s\nand shaken",
}
"""What some of them print; of the others at least a line with a number is expected."""


@pytest.mark.parametrize(
    "example",
    [
        *(path for path in NUMBERED if path != TRAINS),
        *(pytest.param(path, marks=pytest.mark.slow) for path in QUESTIONS),
    ],
    ids=lambda path: path.stem,
)
def test_an_example_runs(
    example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    said = capsys.readouterr()
    assert said.err == ""
    assert re.search(SAYS.get(example.stem, r"\d"), said.out), said.out
    assert "nan" not in said.out


def test_the_first_one_is_a_script_of_ten_lines(tmp_path: Path):
    lines = [line for line in FIRST.read_text().splitlines() if line.strip()]
    assert len(lines) <= 10
    ran = subprocess.run(
        [sys.executable, FIRST], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("stable_baselines3") is None, reason="needs annelid[train]")
def test_a_policy_is_trained_until_it_is_twice_as_fast_as_the_gait(tmp_path: Path):
    ran = subprocess.run(
        [sys.executable, TRAINS, "--runs", "2", "--out", tmp_path / "forward"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said = re.findall(r"\| (\d+) to (\d+) mm/s \| (-?\d+) to -?\d+ mm/s \|", ran.stdout)
    (slow, fast, policy), *others = (tuple(map(int, each)) for each in said)
    assert slow > 20
    assert policy > 1.8 * fast, ran.stdout
    assert len(others) == 2
    assert all(policy > fast for _, fast, policy in others), ran.stdout
    (minutes,) = re.findall(r"in ([0-9.]+) minutes", ran.stdout)
    assert float(minutes) < 15
    assert (tmp_path / "forward" / "forward.safetensors").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert list(tmp_path.glob("runs/*"))


def test_they_are_numbered_listed_and_kept_without_output():
    numbers = [int(path.name[:2]) for path in (FIRST, *NUMBERED)]
    assert numbers == list(range(1, len(numbers) + 1))
    listed = re.findall(r"`(\d\d_\w+\.py)`", (EXAMPLES / "questions" / "README.md").read_text())
    assert listed == [path.name for path in QUESTIONS]
    assert len(NOTEBOOKS) == 3
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text())["cells"]
        assert all(not cell.get("outputs") for cell in cells)
