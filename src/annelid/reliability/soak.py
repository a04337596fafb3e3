"""Keeps a console and runs going for long, and looks at what they take: memory, files, threads.

One console is visited again and again, as browsers come and go; meanwhile this process simulates
one scenario over and over, which has to come out the same each time.  What is taken later is held
against what was taken once everything had been used: a little more of everything for every visit or
run would show.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from shutil import rmtree
from statistics import median
from threading import Thread
from time import monotonic, sleep
from typing import IO, Final

from annelid.errors import MissingDependency, SimulationError
from annelid.reliability.kills import session_of

SCENARIO: Final = "explore-straight"
RUN_S: Final = 3.0
VISIT_S: Final = 3.0
"""So long a browser stays."""
STARTS_S: Final = 60.0
GROWS_SHARE, GROWS_MB = 0.05, 8.0
"""Memory that is larger by less at the end has not grown."""
PAUSE_S: Final = 1.0
"""Between two runs, and between two visits: others use this machine, too."""
FEWEST: Final = 8
"""Looks, of which the first quarter is not counted."""


@dataclass(frozen=True)
class Footprint:
    """By some processes, at one moment."""

    memory_mb: float
    files: int
    threads: int

    @classmethod
    def by(cls, processes: Sequence[int]) -> Footprint:
        """By ``/proc``; those that have ended take nothing."""
        memory, files, threads = 0.0, 0, 0
        for process in processes:
            folder = Path("/proc") / str(process)
            try:
                told = dict(re.findall(r"(\w+):\s+(\d+)", (folder / "status").read_text()))
                files += len(list((folder / "fd").iterdir()))
            except OSError:
                continue
            memory += int(told.get("VmRSS", 0)) / 1024
            threads += int(told.get("Threads", 0))
        return cls(memory, files, threads)


@dataclass
class Soaked:
    """What one part took, look by look."""

    part: str
    looks: list[Footprint] = field(default_factory=list)
    lasted_s: float = 0.0
    times: int = 0
    """Runs, or visits."""
    differed: int = 0
    """Runs that did not come out as the first one."""
    bytes_: list[int] = field(default_factory=list)
    """In its folder."""

    def grown(self, what: Callable[[Footprint], float]) -> tuple[float, float]:
        """After everything was used once, and at the end."""
        return _quarters([what(look) for look in self.looks])

    @property
    def why_not(self) -> str:
        """What has grown or differs; empty: nothing."""
        if len(self.looks) < FEWEST:
            return f"{len(self.looks)} looks are too few to tell"
        wrong = []
        before, after = self.grown(attrgetter("memory_mb"))
        if after - before > max(GROWS_SHARE * before, GROWS_MB):
            wrong.append(f"memory {before:.0f} to {after:.0f} MB")
        for name in ("files", "threads"):
            before, after = self.grown(attrgetter(name))
            if after > before + 1:
                wrong.append(f"{name} {before:g} to {after:g}")
        before, after = _quarters(self.bytes_ or [0])
        if after > (1 + GROWS_SHARE) * before:
            wrong.append(f"folder {before:.0f} to {after:.0f} bytes")
        if self.differed:
            wrong.append(f"{self.differed} of {self.times} runs differ from the first")
        return "; ".join(wrong)


def _quarters(values: Sequence[float]) -> tuple[float, float]:
    """Medians of the second quarter and of the last."""
    quarter = max(len(values) // 4, 1)
    return median(values[quarter : 2 * quarter] or values), median(values[-quarter:])


def soak(folder: Path, minutes: float) -> Iterator[tuple[Soaked, Soaked]]:
    """The console's part and the runs' part so far, after each run."""
    from annelid.kernel.trace import digest
    from annelid.trial.api import run

    if not Path("/proc/self/status").exists():
        raise MissingDependency("annelid soak reads /proc, which this system does not have")
    page, runs = Soaked("console"), Soaked("runs in one process")
    began, first = monotonic(), ""
    end = began + 60 * minutes
    with _console(folder) as (process, address):
        visitor = Thread(target=_visits, args=(address, page, end, process), daemon=True)
        visitor.start()
        while monotonic() < end and process.poll() is None:
            out = folder / "run"
            rmtree(out, ignore_errors=True)
            found = digest(run(SCENARIO, out=out, duration_s=RUN_S).trace)
            first = first or found
            runs.times += 1
            runs.differed += found != first
            runs.bytes_.append(_size(out))
            runs.looks.append(Footprint.by([os.getpid()]))
            page.looks.append(Footprint.by(session_of(process.pid)))
            page.bytes_.append(_size(folder / "runs"))
            page.lasted_s = runs.lasted_s = monotonic() - began
            yield page, runs
            sleep(PAUSE_S)
        if process.poll() is not None:
            raise SimulationError(f"the console ended by itself, with {process.returncode}")
        visitor.join(VISIT_S + STARTS_S)


@contextmanager
def _console(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    words = ("console", SCENARIO, "--no-open", "--port", "0", "--runs", str(folder / "runs"))
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "annelid", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            yield process, _address(process.stdout)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STARTS_S)
            except subprocess.TimeoutExpired:
                for left in session_of(process.pid):
                    os.kill(left, signal.SIGKILL)


def _address(said: IO[str]) -> str:
    lines = []
    for line in said:
        lines.append(line.strip())
        if told := re.search(r"http://(\S+)", line):
            return told[1]
    raise SimulationError(f"the console did not start: {' '.join(lines)[:300]}")


def _visits(address: str, page: Soaked, end: float, process: subprocess.Popen[str]) -> None:
    """Browsers that come, read all they are sent for a while, and go."""
    from annelid.console.visit import visit

    while monotonic() + VISIT_S < end and process.poll() is None:
        with visit(address) as socket:
            until = monotonic() + VISIT_S
            while monotonic() < until:
                with suppress(TimeoutError):
                    socket.recv(0.2)
        page.times += 1
        sleep(PAUSE_S)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
