"""A shell that asks what may come next is answered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app

ANNELID = Path(sys.executable).with_name("annelid")


def next_words(line: str) -> list[str]:
    """What bash offers for the last word of a line."""
    asked = {
        "_ANNELID_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    return CliRunner().invoke(app, [], prog_name="annelid", env=asked).stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("annelid sw", ["sweep"]),
        ("annelid run --vary", ["--vary-robot"]),
        ("annelid run mine", ["mine.toml"]),
        ("annelid run inchworm-t", ["inchworm-three-units", "inchworm-two-drives"]),
        ("annelid gaits p", ["push"]),
        ("annelid schema s", ["scenario", "study"]),
        ("annelid rnu", []),
    ],
)
def test_words_are_completed(
    line: str, offered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "mine.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    assert sorted(next_words(line)) == offered


def test_bash_gets_a_script_that_calls_annelid(tmp_path: Path):
    """The script is what ``annelid --install-completion`` puts into ~/.bashrc."""
    asked = {"_ANNELID_COMPLETE": "source_bash"}
    ran = subprocess.run(
        [ANNELID], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    script = tmp_path / "annelid.sh"
    script.write_text(ran.stdout)
    ask = '''source "$1"; COMP_WORDS=(annelid sw); COMP_CWORD=1; _annelid_completion "$2"
    echo "${COMPREPLY[@]}"'''
    ran = subprocess.run(
        ["bash", "-c", ask, "bash", script, ANNELID], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["sweep"]
