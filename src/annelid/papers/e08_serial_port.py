"""E8: a real serial port: host and modules as separate processes over a pseudo-terminal (004).

What a user does in three windows is done here: ``annelid erekobot pair`` is the cable, ``modules``
the simulated chain in real time, ``host`` the PC.  The programs are those of the simulated line, so
the chain should crawl as far as it does there.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.trial.replay import Run

COMMAND = (sys.executable, "-c", "from annelid.cli.main import run; run()", "erekobot")
PROFILES = (1, 2, 3, 4)
MODULES = 5
PATIENCE_S = 30.0
NEAR = 0.15
"""How much the way may differ from the simulated line's: packets come some ms later or sooner."""


@dataclass(frozen=True)
class Session:
    """What host and modules left behind."""

    ended: bool
    """Both by themselves, with exit code 0."""
    crawled_m: float
    said: str
    """The last words, where it went wrong."""


@contextmanager
def process(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Ended with the block, whatever happens in it."""
    pipe = subprocess.PIPE
    started = subprocess.Popen([*COMMAND, *words], stdout=pipe, stderr=pipe, text=True)
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def lines(of: subprocess.Popen[str], count: int) -> list[str]:
    """The first lines that it says; fewer if it has no more to say, or is silent for too long."""
    alarm = threading.Timer(PATIENCE_S, of.kill)
    alarm.start()
    out: IO[str] | None = of.stdout
    try:
        return [] if out is None else [out.readline().strip() for _ in range(count)]
    finally:
        alarm.cancel()


def session(profile: int, seconds: float) -> Session:
    """One cable, one chain, one host, three processes."""
    with tempfile.TemporaryDirectory() as folder, process("pair") as cable:
        a, b = lines(cable, 2)
        out = Path(folder) / "run"
        chain = ("modules", "--port", b, "--profile", str(profile), "--out", str(out))
        pc = ("host", "--port", a, "--profile", str(profile), "--seconds", str(seconds))
        with process(*chain) as modules:
            lines(modules, 1)  # they listen
            with process(*pc) as host:
                try:
                    errors = [each.communicate(timeout=PATIENCE_S)[1] for each in (host, modules)]
                except subprocess.TimeoutExpired:
                    return Session(False, 0.0, f"no end after {PATIENCE_S:g} s")
        ended = host.returncode == 0 and modules.returncode == 0
        metrics = json.loads((out / "metrics.json").read_text("utf-8")) if ended else {}
        return Session(ended, float(metrics.get("progress_m", 0.0)), " ".join(errors).strip())


def twin(profile: int, seconds: float) -> Case:
    """The same chain on a simulated line."""
    fields = {
        "control.options.profile": profile,
        "control.options.stop_s": seconds,
        "duration_s": seconds + 1,
    }
    return Case("e08-line", fields, nominal="the chain at the port is as designed")


def crawled_m(run: Run) -> float:
    return run.metrics.progress_m


def experiment(bench: Bench) -> Outcome:
    profiles, seconds = ((3,), 2.5) if bench.quick else (PROFILES, 8.0)
    twins = bench.trials({p: twin(p, seconds) for p in profiles}, crawled_m)
    simulated = {p: way for p, (way,) in twins.items()}
    found: dict[int, Session] = {}
    for number, profile in enumerate(profiles):
        bench.progress(f"profile {profile}", number / len(profiles))
        found[profile] = session(profile, seconds)
    near = {p: abs(found[p].crawled_m / simulated[p] - 1) for p in profiles}
    failures = [f"profile {p}: {s.said}" for p, s in found.items() if not s.ended]
    shown = "/".join(f"{1000 * found[p].crawled_m:.0f}" for p in profiles)
    expected = "/".join(f"{1000 * simulated[p]:.0f}" for p in profiles)
    which = "/".join(map(str, profiles))
    return Outcome(
        ours=(
            f"{MODULES} modules in {seconds:g} s, profile {which}: {shown} mm as two processes, "
            f"{expected} mm on a simulated line"
        ),
        passed=not failures and max(near.values()) <= NEAR,
        note=(
            "Host, modules and cable (a pseudo-terminal pair) are three processes; physics in real "
            f"time at 2 ms; ways within {NEAR:.0%} of the simulated line's. The host's and the "
            "modules' programs are the same in both. Not tried: a cable of copper. "
            + " ".join(failures)
        ).strip(),
        values={
            **{f"crawled_mm_profile_{p}": 1000 * found[p].crawled_m for p in profiles},
            **{f"simulated_mm_profile_{p}": 1000 * simulated[p] for p in profiles},
            "difference_max": max(near.values()),
        },
        plots=(
            Figure(
                "Way of the chain, as two processes and on a simulated line",
                "profile",
                "way, mm",
                tuple(
                    Series.of(name, profiles, [1000 * way[p] for p in profiles], style="points")
                    for name, way in (
                        ("two processes", {p: found[p].crawled_m for p in profiles}),
                        ("simulated line", simulated),
                    )
                ),
            ),
        ),
    )
