"""Measures what an open console costs the simulation, and how smoothly it shows a long chain."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import monotonic, process_time, sleep

from annelid.console.gate import AccessGate
from annelid.console.page import Page
from annelid.console.session import Session
from annelid.console.visit import visit
from annelid.errors import SimulationError
from annelid.trial.bench_row import BenchRow
from annelid.trial.load import load
from annelid.trial.scenario import Scenario

FASTEST = 20.0
LONG = "R" * 30
SHARE, ENOUGH = 0.5, 30.0
"""Of a core; updates a second that are smooth for certain."""
PATIENCE_S = 120.0
WARM_S = 0.5
"""A process's first steps load what was compiled, once."""
SETTLE_S = 0.3
"""Until a viewer is noticed, or missed."""


def cost(*, quick: bool) -> BenchRow:
    """CPU of a simulated second with a browser on the page, against nobody looking: one run, in
    turns."""
    turn_s = 1.0 if quick else 3.0
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        session, page = _served(load("snake"), Path(folder))
        try:
            session.set_speed(FASTEST)
            session.play()
            _wait(session, WARM_S)
            for _ in range(3 if quick else 9):
                alone = _cpu_per_second(session, turn_s)
                with _viewer(page):
                    ratios.append(_cpu_per_second(session, turn_s) / alone)
        finally:
            page.close()
    return BenchRow(
        "simulation with an open console / without",
        median(ratios),
        "×",
        1.15,
        "snake of six, as fast as it goes, 40 frames a second to a viewer that reads them all; CPU "
        "time of the simulation's process, in turns with nobody looking",
    )


def updates(*, quick: bool) -> tuple[BenchRow, BenchRow]:
    """New poses of a long chain on the page, and what one costs the server.

    They are counted per simulated second, the run being asked for real time: on a machine that
    keeps up that is per second; on one that has other things to do the run is slower, and its
    movement should be no less smooth for that.
    """
    scenario = load("snake", overrides={"robot.chain": LONG})
    span_s = 3.0 if quick else 8.0
    with tempfile.TemporaryDirectory() as folder:
        session, page = _served(scenario, Path(folder))
        try:
            session.play()
            with _viewer(page):
                _wait(session, WARM_S)
                start_s, shown = session.now_s, page.shown
                began, spent = monotonic(), process_time()
                _wait(session, start_s + span_s)
                shown, passed_s = page.shown - shown, session.now_s - start_s
                spent, wall_s = process_time() - spent, monotonic() - began
        finally:
            page.close()
    modules = f"{len(LONG)} modules"
    rate = BenchRow(
        f"updates of the page, {modules}",
        shown / passed_s,
        "/s",
        20.0,
        "new poses sent to browsers per simulated second, the run asked for real time; here "
        f"{shown / wall_s:.0f} per second of wall time at {passed_s / wall_s:.2f} × real time",
        above=True,
    )
    cost = BenchRow(
        f"CPU of an update, {modules}",
        1000 * spent / max(shown, 1),
        "ms",
        1000 * SHARE / ENOUGH,
        f"of the server and one viewer that reads all; the limit is {ENOUGH:g} updates a second "
        f"with {SHARE:.0%} of a core",
    )
    return rate, cost


@contextmanager
def _viewer(page: Page) -> Iterator[None]:
    """Somebody who reads all that a browser is sent, and draws nothing."""
    with visit(f"localhost:{page.server.get_port()}") as socket:

        def read() -> None:
            for _ in socket:
                pass

        reader = threading.Thread(target=read, daemon=True, name="viewer")
        reader.start()
        sleep(SETTLE_S)
        yield
    reader.join()
    sleep(SETTLE_S)


def _served(scenario: Scenario, runs: Path) -> tuple[Session, Page]:
    session = Session(runs=runs / "runs")
    page = Page(session, gate=AccessGate("127.0.0.1"), port=0)
    page.start()
    session.open(scenario)
    _wait(session, 0.0)
    return session, page


def _wait(session: Session, t_s: float) -> tuple[float, float]:
    """Until the run has come so far: (its time, CPU of its process)."""
    end = monotonic() + PATIENCE_S
    while session.readings is None or session.readings.t_ns < t_s * 1e9:
        if monotonic() > end:
            raise SimulationError(f"the console's run did not come to {t_s:g} s")
        sleep(0.02)
    return session.readings.t_ns * 1e-9, session.readings.cpu_s


def _cpu_per_second(session: Session, span_s: float) -> float:
    start_s, start_cpu = _wait(session, session.now_s)
    end_s, end_cpu = _wait(session, start_s + span_s)
    return (end_cpu - start_cpu) / (end_s - start_s)
