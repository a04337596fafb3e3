"""What a fresh clone promises: pins anyone can install, no trace of a machine, a quick command."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ANNELID = Path(sys.executable).with_name("annelid")
HEAVY = ("mujoco", "numba", "pyarrow", "matplotlib", "scipy", "trimesh")


def _name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match is not None
    return match.group().lower().replace("_", "-")


def test_constraints_are_plain_pins_without_addresses():
    text = (ROOT / "constraints.txt").read_text()
    assert "://" not in text
    assert "file:" not in text
    odd = [line for line in text.splitlines() if not re.fullmatch(r"[\w.-]+==[\w.!]+", line)]
    assert odd == []


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {*project["dependencies"], *project["optional-dependencies"]["dev"]}
    pinned = {_name(line) for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {_name(requirement) for requirement in wanted} - pinned == set()


def test_no_file_names_a_place_on_somebodys_machine():
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    place = re.compile(rb"(?<![\w.])/(?:work|root)" + rb"/")
    files = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    assert files
    assert [str(file) for file in files if file.is_file() and place.search(file.read_bytes())] == []


def test_every_folder_is_a_package():
    """Without ``__init__.py`` a folder escapes the check of the import order unnoticed."""
    folders = {file.parent for file in (ROOT / "src" / "annelid").rglob("*.py")}
    assert sorted(str(f) for f in folders if not (f / "__init__.py").is_file()) == []


def test_help_answers_in_half_a_second():
    """Of the processor's time, for the machine may be busy."""

    def spent() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def once() -> float:
        start = spent()
        subprocess.run([ANNELID, "--help"], capture_output=True, check=True)
        return spent() - start

    assert min(once() for _ in range(3)) < 0.5


def test_help_imports_nothing_heavy():
    script = (
        "import sys\n"
        "from annelid.cli.main import app\n"
        "app(['--help'], standalone_mode=False)\n"
        f"print('HEAVY', *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1].split() == ["HEAVY"]


def live(*command: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, str(ROOT / "scripts" / "live"), "Installing", *command]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_setting_up_tells_how_long_it_took_and_what_went_wrong():
    ran = live(sys.executable, "-c", "print('Collecting mujoco')")
    assert ran.returncode == 0
    assert "Collecting mujoco" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("Installing: done in ")
    ran = live(sys.executable, "-c", "print('no such package'); raise SystemExit(3)")
    assert ran.returncode == 3
    assert "no such package" in ran.stderr
    assert "done" not in ran.stdout


def test_what_make_installs_is_shown_live():
    recipe = [line for line in (ROOT / "Makefile").read_text().splitlines() if " install " in line]
    assert len(recipe) >= 3
    assert all("$(LIVE)" in line for line in recipe)


def test_every_place_that_is_broken_on_purpose_is_there():
    """Code that moves takes its place in scripts/broken-places.toml with it."""
    places = tomllib.loads((ROOT / "scripts" / "broken-places.toml").read_text())["place"]
    assert len(places) >= 30
    for place in places:
        text = (ROOT / "src" / "annelid" / place["file"]).read_text(encoding="utf-8")
        assert text.count(place["old"]) == 1, place["mistake"]
        assert all((ROOT / "tests" / near).exists() for near in place["near"]), place["mistake"]
