"""What the README shows works as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from annelid.trial.load import load

README = (Path(__file__).parents[1] / "README.md").read_text()


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert found, f"the README has no {language} block"
    return found.group(1)


def test_the_python_example_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block("python")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    progress, energy = map(float, done.stdout.split())
    assert progress > 0.1
    assert energy > 0


def test_the_scenario_is_one(tmp_path: Path) -> None:
    file = tmp_path / "elbow.toml"
    file.write_text(block("toml"))
    assert load(str(file)).robot.chain == "TRRH"


def test_every_file_it_points_to_is_there() -> None:
    root = Path(__file__).parents[1]
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (root / target).exists(), target
