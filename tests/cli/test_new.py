"""What ``annelid new`` writes works as it is: its own test, ruff and mypy pass."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.create import PluginKindName
from annelid.cli.main import app
from annelid.cli.new import BEGINNINGS, RUN, new, next_steps
from annelid.errors import InputError, OutputError
from annelid.modules import MODULES, shelf
from annelid.trial.plugins import load

REPOSITORY = Path(__file__).parents[2]
CONFIG = REPOSITORY / "pyproject.toml"
CHOSEN = ("world", "gait", "controller", "servo", "system", "link")
"""Kinds that a scenario names by their tag."""


def python(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *map(str, args)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One of each, and one of each with a name that makes the lines long."""
    folder = tmp_path_factory.mktemp("plugins")
    longest = "the_wheel_with_the_longest_nam"
    return [
        path
        for number, kind in enumerate(BEGINNINGS)
        for name in (f"my_{kind}", f"{longest[:-1]}{chr(ord('a') + number)}")
        for path in new(kind, name, folder)
    ]


def test_every_kind_can_be_begun():
    assert [kind.value for kind in PluginKindName] == list(BEGINNINGS)


def test_the_generated_tests_pass(written):
    ran = python("pytest", "-q", "-p", "no:cacheprovider", *written[1::2], cwd=written[0].parent)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " failed" not in ran.stdout


def test_the_generated_files_pass_ruff(written):
    for command in (("check",), ("format", "--check")):
        ran = python("ruff", *command, "--no-cache", "--config", CONFIG, *written, cwd=REPOSITORY)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_generated_files_pass_mypy_strict(written):
    ran = python("mypy", "--strict", "--config-file", CONFIG, *written, cwd=REPOSITORY)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_name_that_the_file_imports_is_not_taken(tmp_path):
    plugin, _ = new("module", "joint", tmp_path)
    (found,) = load([plugin]).of(MODULES)
    assert found.__name__ == "JointModule"
    assert found.parse({}, where="J").body().mounts  # made with the Joint that it imports


def test_a_module_gets_a_letter_that_is_free(tmp_path):
    plugins = [new("module", name, tmp_path)[0] for name in ("wheel", "wing", "hook")]
    everything = load(plugins).table(MODULES)
    assert len(everything) == len(shelf()) + 3
    assert everything["W"].title == "wheel"


def test_what_exists_is_not_overwritten(tmp_path):
    (tmp_path / "test_wheel.py").write_text("mine")
    with pytest.raises(InputError, match=r"test_wheel\.py exists"):
        new("module", "wheel", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["test_wheel.py"]


@pytest.mark.parametrize("name", ["", "3d", "my-wheel", "Wheel", "class", "a/b", "w" * 31])
def test_a_name_must_be_a_python_name(tmp_path, name):
    with pytest.raises(InputError, match="name: expected a Python name"):
        new("world", name, tmp_path)


def test_a_kind_that_is_taken_is_refused(tmp_path):
    with pytest.raises(InputError, match="'open-air' is taken"):
        new("world", "open_air", tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        new("world", "marsh", tmp_path / "file" / "sub")


@pytest.mark.parametrize("kind", [each for each in BEGINNINGS if BEGINNINGS[each].use == RUN])
def test_the_next_step_uses_it_in_a_shipped_scenario(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    *_, step = next_steps(kind, new(kind, f"my_{kind}", Path())).splitlines()
    words = [*shlex.split(step)[1:], "--duration", "0.1", "--no-report"]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    scenario = (tmp_path / "runs").glob("*/scenario.toml")
    assert any(f"my-{kind}" in each.read_text() for each in scenario) is (kind in CHOSEN)


def test_the_next_steps_name_the_files(tmp_path):
    steps = next_steps("world", new("world", "marsh", tmp_path / "new"))
    assert "--plugin" in steps
    assert "test_marsh.py" in steps
