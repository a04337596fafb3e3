"""Runs scenarios with faults drawn at random, and judges what became of them.

==========  ===================================================================================
ok          the run ended as it should
crash       a program of ours raised, or an error escaped that is none of ours
hang        the run took more than ``WALL_S`` of wall time
nan         the physics left the ground it is valid on, or a metric is not a number
false       the robot said what is not so (``metrics.statements_false``)
energy      more than its motors and boards can draw, or less than nothing
time        it ended too early or too late, without a goal or a fall
==========  ===================================================================================

What a deceived sensor made the robot say (``statements_misled``) is counted apart and is no
failure.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

import numpy as np

from annelid.electronics.faults import FaultSpec
from annelid.errors import AnnelidError, InputError, SimulationError
from annelid.kernel.process import what_of, where_of
from annelid.reliability.draws import FaultDraw
from annelid.robot.body import ServoMount
from annelid.trial.load import changed, load, parse
from annelid.trial.metrics import Metrics
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario

TRIES: Final = 16
"""Runs that are spent on one failure."""

Table = dict[str, Any]


def shrunk(
    table: Table, outcome: str, again: Callable[[Table], str], *, tries: int = TRIES
) -> Table:
    """The smallest table found for which ``again`` still gives ``outcome``."""
    best = deepcopy(table)
    left = tries
    smaller = True
    while smaller and left > 0:
        smaller = False
        for candidate in _smaller(best):
            left -= 1
            if again(candidate) == outcome:
                best, smaller = candidate, True
                break
            if left <= 0:
                break
    return best


def _smaller(table: Table) -> Iterator[Table]:
    """One change at a time, the one that helps most first."""
    faults = table.get("faults", [])
    for place in range(len(faults)):
        yield {**table, "faults": faults[:place] + faults[place + 1 :]}
    if table.get("tolerances", {}).get("draw"):
        yield {**table, "tolerances": {**table["tolerances"], "draw": False}}
    duration = table.get("duration_s", 0.0)
    last = max((fault.get("at_s") or 0.0 for fault in faults), default=0.0)
    for shorter in (round(last + 0.5, 3), round(duration / 2, 3)):
        if 0.1 < shorter < 0.8 * duration and shorter > last:
            yield {**table, "duration_s": shorter}
    for place, fault in enumerate(faults):
        if fault.get("until_s") is not None:
            kept = {name: value for name, value in fault.items() if name != "until_s"}
            yield {**table, "faults": [*faults[:place], kept, *faults[place + 1 :]]}


OUTCOMES: Final = ("ok", "crash", "hang", "nan", "false", "energy", "time")
WALL_S: Final = 300.0
"""Wall time of one run; a run of ten seconds takes two to ten."""
MARGIN: Final = 2.0
"""On what motors can draw when they stand still: some are driven by others."""
IDLE_W: Final = 5.0
"""Of each board, at most."""


class TookTooLong(KeyboardInterrupt):
    """Programs contain every other error."""


@dataclass(frozen=True)
class Strike:
    """One run to make."""

    source: str
    """Shipped name, or file."""
    seed: int
    seconds: float
    plugin_files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Struck:
    """What became of it."""

    scenario: str
    seed: int
    faults: tuple[str, ...]
    """Kinds, sorted."""
    outcome: str
    why: str = ""
    misled: int = 0
    table: dict[str, Any] | None = None
    """The scenario, where it failed."""


def strike(job: Strike) -> Struck:
    """Draw, run and judge."""
    plugins = load_plugins(job.plugin_files)
    scenario, faults = drawn(job, plugins)
    struck = judged(scenario, plugins)
    kinds = tuple(sorted(fault.fault for fault in faults))
    return Struck(job.source, job.seed, kinds, *struck)


def drawn(job: Strike, plugins: Plugins) -> tuple[Scenario, list[FaultSpec]]:
    """The scenario with another robot of its tolerances, and with the faults of this seed."""
    base, faults = _base(job.source, job.seconds, job.plugin_files)
    draw = np.random.default_rng([job.seed, *job.source.encode()])
    found = faults.faults(draw, base.duration_s)
    tables = [fault.model_dump(mode="json", exclude_none=True) for fault in (*base.faults, *found)]
    fields = {"faults": tables, "seed": job.seed, "tolerances.draw": True}
    return changed(base, fields, plugins=plugins), found


@lru_cache(maxsize=8)
def _base(source: str, seconds: float, files: tuple[Path, ...]) -> tuple[Scenario, FaultDraw]:
    plugins = load_plugins(files)
    whole = load(source, plugins=plugins)
    base = changed(whole, {"duration_s": min(whole.duration_s, seconds)}, plugins=plugins)
    trial = Trial(base, plugins=plugins)
    return base, FaultDraw(trial.circuit, trial.injector, plugins)


def judged(
    scenario: Scenario,
    plugins: Plugins = Plugins(),  # noqa: B008  frozen and empty
    *,
    prepare: Callable[[Trial], None] = lambda _: None,
    truthful: bool = True,
) -> tuple[str, str, int, dict[str, Any] | None]:
    """Outcome, why, statements that a sensor misled, and the table where it failed.

    ``prepare`` may do something to the trial before it runs; ``truthful``: what it says is judged.
    """
    misled = 0
    try:
        with limited(WALL_S):
            trial = Trial(scenario, plugins=plugins)
            prepare(trial)
            metrics = trial.measure()
        misled = len(metrics.statements_misled)
        outcome, why = _judge(trial, metrics, truthful=truthful)
    except TookTooLong:
        outcome, why = "hang", f"more than {WALL_S:g} s"
    except SimulationError as error:
        outcome, why = "nan", str(error)
    except AnnelidError as error:
        outcome, why = "crash", f"{where_of(error)}: {what_of(error)}"
    except Exception as error:  # noqa: BLE001  that is what is looked for
        outcome, why = "crash", f"{where_of(error)}: {what_of(error)}"
    table = None if outcome == "ok" else scenario.model_dump(mode="json")
    return outcome, why, misled, table


def _judge(trial: Trial, metrics: Metrics, *, truthful: bool) -> tuple[str, str]:
    if metrics.crashes:
        return "crash", "; ".join(metrics.crashes)
    numbers = [value for _, value in metrics if isinstance(value, float)]
    if not all(map(math.isfinite, numbers)) or not np.isfinite(trial.sim.data.qpos).all():
        return "nan", "a metric or a joint is not a number"
    if truthful and metrics.statements_false:
        return "false", "; ".join(metrics.statements_false)
    most = MARGIN * _power_w(trial) * metrics.time_s
    if not 0.0 <= metrics.energy_j <= most:
        return "energy", f"{metrics.energy_j:.4g} J, expected 0 to {most:.4g}"
    ended = metrics.stopped in ("goal", "fell")
    late = trial.scenario.duration_s - metrics.time_s
    if not ended and abs(late) > trial.scenario.control.tick_ms / 1000:
        return "time", f"{metrics.stopped} at {metrics.time_s:.3f} s"
    return "ok", ""


def _power_w(trial: Trial) -> float:
    """What motors draw that stand still, and boards."""
    total = IDLE_W * (1 + len(trial.circuit.nodes))
    for motor in trial.sim.plan.motors:
        mount = motor.mount
        if isinstance(mount, ServoMount):
            total += mount.servo.voltage**2 / mount.servo.resistance
        else:
            total += mount.voltage * mount.stall_current
    return total


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Ends an endless loop of Python; in a worker's main thread, where trials run."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def again(table: dict[str, Any], plugins: Plugins) -> str:
    """The outcome of a changed scenario; "refused" where it cannot be built."""
    try:
        return judged(parse(table, plugins=plugins), plugins)[0]
    except InputError:
        return "refused"
