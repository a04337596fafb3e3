"""Kills commands at random moments, and goes on with them until they have come to their end.

After each kill no process may be left after ``LEFT_S``, and nothing that was finished may be lost;
at the end there has to be what a command has that nobody killed, bit for bit.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Final

import numpy as np

from annelid.reliability.victims import FILES, LONGEST_S, VICTIMS, Victim

LEFT_S: Final = 2.0
SIGNALS: Final = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Killed:
    """What one kill left."""

    command: str
    by: str
    left: int
    """Processes that were still there."""
    lost: int
    """Things that were finished and are gone."""
    other: bool = False
    """The command came to its end after earlier kills, with other results than without."""

    @property
    def well(self) -> bool:
        return not (self.left or self.lost or self.other)


def kills(
    folder: Path, number: int, seed: int, commands: Sequence[str] = tuple(VICTIMS)
) -> Iterator[Killed]:
    """So many kills, of the commands in turn; one that ends first is begun anew elsewhere."""
    draw = np.random.default_rng([seed, 9])
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    hunts = [_hunt(folder, name, draw) for name in commands]
    for k in range(number):
        yield next(hunts[k % len(hunts)])


def _hunt(folder: Path, name: str, draw: np.random.Generator) -> Iterator[Killed]:
    """Kill this command again and again."""
    victim = VICTIMS[name]
    expected, whole_s = _whole(folder, name)
    place, other = 0, False
    while True:
        out = folder / f"{name}-{place}"
        before, began, anew = victim.finished(out), perf_counter(), not out.exists()
        process = _started(victim, out)
        after_s = float(draw.uniform(0.0, 1.2 * whole_s if victim.ends else whole_s))
        try:
            code = process.wait(after_s)
        except subprocess.TimeoutExpired:
            by = SIGNALS[int(draw.integers(len(SIGNALS)))]
            os.kill(process.pid, by)
            left = _left(process)
            lost = len(before - victim.finished(out))
            yield Killed(name, by.name, left, lost, other)
            place, other = place + (not victim.goes_on), False
        else:
            other = code != 0 or victim.finished(out) != expected
            if anew:  # the machine was busier when it was first measured
                whole_s = min(whole_s, perf_counter() - began)
            place += 1


def _whole(folder: Path, name: str) -> tuple[frozenset[str], float]:
    """What the command finishes when it is left alone, and how long that takes."""
    victim = VICTIMS[name]
    if not victim.ends:
        return frozenset(), LONGEST_S
    out = folder / f"{name}-whole"
    began = perf_counter()
    process = _started(victim, out)
    if (code := process.wait()) != 0:
        raise AssertionError(f"annelid {name}: nobody killed it, and it ended with {code}")
    return victim.finished(out), perf_counter() - began


def _started(victim: Victim, out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "annelid", *victim.words(out)],
        cwd=out.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _left(process: subprocess.Popen[bytes]) -> int:
    """Processes of its session that are still there after ``LEFT_S``; these are then ended."""
    end = monotonic() + LEFT_S
    while (there := session_of(process.pid)) and monotonic() < end:
        process.poll()
        sleep(0.05)
    for pid in there:
        os.kill(pid, signal.SIGKILL)
    process.wait()
    return len(there)


def session_of(leader: int) -> list[int]:
    """Living processes of a session, by ``/proc``."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text().rsplit(")", 1)[1].split()[:4]
        except (OSError, IndexError, ValueError):
            continue  # it has just ended
        if int(session) == leader and state not in "ZX":
            found.append(int(path.parent.name))
    return found
