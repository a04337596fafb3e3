"""Commands that are killed lose nothing and leave nothing; and what would is seen to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from annelid.reliability import kills as kills_room
from annelid.reliability.kills import kills
from annelid.reliability.victims import VICTIMS, Victim

STAYS = """
import signal, subprocess, sys
child = "import signal, time; signal.pause()"
subprocess.Popen([sys.executable, "-c", child])
print("ready", flush=True)
signal.pause()
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", VICTIMS)
def test_a_command_that_is_killed_loses_nothing(command: str, tmp_path: Path) -> None:
    for kill in kills(tmp_path, 2, 77, [command]):
        assert kill.lost == 0
        assert not kill.other
        # How long a process takes to end is a matter of the machine; `annelid fuzz` measures it.


@pytest.mark.realtime
def test_a_process_that_stays_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""

    def started(victim: Victim, out: Path) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", STAYS], stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdout is not None
        with process.stdout as said:
            said.readline()
        return process

    monkeypatch.setattr(kills_room, "_started", started)
    monkeypatch.setattr(kills_room, "LEFT_S", 0.2)
    monkeypatch.setattr(kills_room, "LONGEST_S", 0.1)
    (kill,) = kills(tmp_path, 1, 0, ["console"])
    assert kill.left == 1
    assert not kill.well


@pytest.mark.slow
def test_results_that_are_lost_or_other_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a command that forgets what it has when it is started again."""
    looks = iter(range(1000))

    def forgets(out: Path) -> frozenset[str]:
        return frozenset({f"at look {next(looks)}"})

    forgetful = {**VICTIMS, "run": replace(VICTIMS["run"], finished=forgets)}
    monkeypatch.setattr(kills_room, "VICTIMS", forgetful)
    found = list(kills(tmp_path, 2, 5, ["run"]))
    assert all(kill.lost == 1 for kill in found)
