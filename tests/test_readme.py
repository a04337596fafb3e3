"""What the README shows works as it stands there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.shown import environment, typed

from annelid.trial.load import load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()

WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
"""
IMPORTED_AS = {"pyserial": "serial"}


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
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def commands() -> list[str]:
    """Every ``annelid …`` of its blocks and sentences; ``make run`` is one as well."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]
    told = [line for line in lines if line.startswith("annelid ")]
    said = re.findall(r"`(annelid [^`]+)`", README)
    return list(dict.fromkeys(["annelid run", *told, *said]))


@pytest.fixture
def as_set_up(tmp_path: Path) -> dict[str, str]:
    """The environment that ``make run`` makes: what only the other extras bring is not there."""
    makefile = (ROOT / "Makefile").read_text()
    ready = makefile.partition("\n$(READY): ")[2].partition("\n\n")[0]
    extra = re.search(r"install [^']*-c constraints.txt -e '\.\[(\w+)\]'", ready)
    assert extra, "make run sets up no extra"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    known = {*project["dependencies"], *extras[extra.group(1)]}
    other = {name for names in extras.values() for name in names} - known
    absent = {IMPORTED_AS.get(name, name).replace("-", "_") for name in other}
    (tmp_path / "sitecustomize.py").write_text(WITHOUT.format(absent=absent))
    (tmp_path / "elbow.toml").write_text(block("toml"))
    return environment(tmp_path)


def test_it_shows_commands() -> None:
    names = {shlex.split(command)[1] for command in commands()}
    assert {"run", "console", "sweep", "new", "modules", "worlds"} <= names


@pytest.mark.parametrize("command", commands())
def test_every_command_works_after_make_run(
    command: str, as_set_up: dict[str, str], tmp_path: Path
) -> None:
    said, code = typed(shlex.split(command), tmp_path, as_set_up)
    assert code == 0, said
