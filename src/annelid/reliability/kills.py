"""Kills a sweep at random moments, again and again, until it has come to its end.

After each kill no process of it may be left after ``LEFT_S``, and no finished trial may be lost; at
the end its trials have to be those of a sweep that nobody killed, bit for bit.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Final

import numpy as np

from annelid.reliability.surroundings import SMALL

LEFT_S: Final = 2.0
TRIALS: Final = "trials.jsonl"
REPEATS: Final = 12
SIGNALS: Final = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Killed:
    """What one kill left."""

    by: str
    after_s: float
    left: int
    """Processes that were still there."""
    lost: int
    """Trials that were finished and are gone."""


def kills(folder: Path, number: int, seed: int) -> Iterator[Killed]:
    """So many kills; a sweep that ends before it is killed is begun anew elsewhere.

    Raises an ``AssertionError`` where a sweep that went on after kills has other results.
    """
    draw = np.random.default_rng([seed, 9])
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    began = perf_counter()
    _wait(_started(folder, "whole"))
    whole_s = perf_counter() - began
    expected = _rows(folder / "whole")
    done = place = 0
    while done < number:
        out = f"killed-{place}"
        process = _started(folder, out)
        before = _rows(folder / out)
        after_s = float(draw.uniform(0.0, 1.2 * whole_s))
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            by = SIGNALS[int(draw.integers(len(SIGNALS)))]
            os.kill(process.pid, by)
            left = _left(process)
            kept = _rows(folder / out)
            done += 1
            yield Killed(by.name, after_s, left, len(before - kept))
            continue
        if _rows(folder / out) != expected:
            raise AssertionError(f"{folder / out}: other results than a sweep that was not killed")
        place += 1


def _started(folder: Path, out: str) -> subprocess.Popen[bytes]:
    words = ["sweep", "small.toml", "--vary", "robot.chain=RR,RRR", "--repeats", str(REPEATS)]
    return subprocess.Popen(
        [sys.executable, "-m", "annelid", *words, "--workers", "2", "--out", out, "--no-report"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _wait(process: subprocess.Popen[bytes]) -> None:
    if process.wait() != 0:
        raise AssertionError(f"a sweep that nobody killed ended with {process.returncode}")


def _rows(folder: Path) -> set[str]:
    """Whole lines; the last may have been cut."""
    path = folder / TRIALS
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return set(text[: text.rfind("\n") + 1].splitlines())


def _left(process: subprocess.Popen[bytes]) -> int:
    """Processes of its session that are still there after ``LEFT_S``; these are then ended."""
    end = monotonic() + LEFT_S
    while (there := _session(process.pid)) and monotonic() < end:
        process.poll()
        sleep(0.05)
    for pid in there:
        os.kill(pid, signal.SIGKILL)
    process.wait()
    return len(there)


def _session(leader: int) -> list[int]:
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
