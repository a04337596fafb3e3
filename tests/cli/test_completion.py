"""A shell that asks what may come next is answered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ANNELID = Path(sys.executable).with_name("annelid")


def next_words(line: str, folder: Path) -> list[str]:
    """What bash offers for the last word of a line."""
    asked = {
        "_ANNELID_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    env = {**os.environ, **asked}
    ran = subprocess.run([ANNELID], cwd=folder, env=env, capture_output=True, text=True, check=True)
    return ran.stdout.split()


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
def test_words_are_completed(line: str, offered: list[str], tmp_path: Path):
    (tmp_path / "mine.toml").write_text("")
    assert sorted(next_words(line, tmp_path)) == offered


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
