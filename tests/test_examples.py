"""The numbered examples run as they stand."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[0-9]*.py"))
TRAINS = next(path for path in EXAMPLES if path.stem == "08_train_a_policy")
SAYS = {
    "03_a_function_of_time": r" 0 degrees: +[0-9] mm\n40 degrees: +[1-9][0-9]+ mm",
    "04_a_controller": r"came to 2[0-9]{2} mm and back to (1[0-9]{2}|20[0-9]) mm",
    "05_a_program_for_a_board": r"R1 turned [1-9][0-9]* times.*\nR2 turned",
    "06_a_system": r" 0 degrees: +[0-9] mm\n40 degrees: +[1-9][0-9]+ mm",
}
"""What some of them print."""


@pytest.mark.parametrize(
    "example", [path for path in EXAMPLES[1:] if path != TRAINS], ids=lambda path: path.stem
)
def test_example(
    example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
    said = capsys.readouterr()
    assert said.err == ""
    assert re.search(SAYS.get(example.stem, "."), said.out), said.out


def test_the_first_one_is_a_script_of_ten_lines(tmp_path: Path):
    lines = [line for line in EXAMPLES[0].read_text().splitlines() if line.strip()]
    assert len(lines) <= 10
    ran = subprocess.run(
        [sys.executable, EXAMPLES[0]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("stable_baselines3") is None, reason="needs annelid[train]")
def test_a_policy_is_trained_and_run(tmp_path: Path):
    ran = subprocess.run(
        [sys.executable, TRAINS, "--steps", "2000", "--runs", "2", "--out", tmp_path / "crawl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    gait, policy = (float(low) for low in re.findall(r"(?:gait|policy) +([-0-9.]+) to", ran.stdout))
    assert gait > 20
    assert policy > 20
    assert (tmp_path / "crawl" / "crawl.safetensors").is_file()
