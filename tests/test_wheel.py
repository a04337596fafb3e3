"""The wheel: built, installed where the sources are not, and used."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import annelid

ROOT = Path(__file__).parents[1]

HELPED = """
import typer
from typer.testing import CliRunner
from annelid.cli.main import app
whole = typer.main.get_command(app)
with whole.make_context("annelid", ["studies"]) as context:
    names = whole.list_commands(context)
for name in names:
    assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0, name
print(*names)
"""
"""Asks every command for its help, and prints their names."""


def ask(*command: str | Path, cwd: Path) -> str:
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env={})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.slow
def test_the_wheel_works_where_the_sources_are_not(tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
    ask(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("annelid-*.whl")
    names = ZipFile(wheel).namelist()
    for wanted in ("scenarios/default.toml", "studies/elbow.toml", "templates/gait.txt"):
        assert f"annelid/{wanted}" in names
    assert not [name for name in names if "tests/" in name or name.endswith(".nbi")]

    home = tmp_path / "home"
    venv.create(home, with_pip=False)
    place = next((home / "lib").glob("python*/site-packages"))
    target = ("install", "--no-deps", "--no-index", "--target", place)
    ask(*pip, *target, wheel, cwd=tmp_path)
    # What it depends on is taken from here; a path file of a path file does not count, so the
    # sources stay out.
    (place / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    python = home / "bin" / "python"
    told = ask(python, "-c", "import annelid; print(annelid.__file__)", cwd=tmp_path)
    assert told.startswith(str(place))

    def command(*words: str) -> str:
        return ask(python, "-m", "annelid", *words, cwd=tmp_path)

    assert command("--version") == f"annelid {annelid.__version__}\n"
    command("run", "push", "--set", "duration_s=0.2", "--no-report", "--out", "run")
    command("export", "run", "csv", "--out", "csv")
    command("new", "gait", "ripple")
    assert (tmp_path / "csv" / "robot.csv").is_file()
    assert (tmp_path / "ripple.py").is_file()

    # Every command answers there: nothing that it imports or reads was left out of the wheel.
    short = ("--set", "duration_s=0.05", "--workers", "1")
    command("sweep", "push", "--vary", "world.bore_mm=40", *short, "--out", "sweep")
    for words in ("doctor", "studies", "schema scenario", "replay run --check", "infer TRRH"):
        command(*words.split())
    known = set(ask(python, "-c", HELPED, cwd=tmp_path).split())
    assert {"run", "evolve", "console", "reproduce", "erekobot", "range"} <= known


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text()
    assert f"version: {annelid.__version__}\n" in text
