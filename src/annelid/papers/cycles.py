"""Judges of runs whose modules repeat a cycle: how far they get in one, and who is in step.

Phases follow from the recorded signals (``annelid.systems.conro.phases``); no program is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import RandomStreams
from annelid.motion.casts import Cast
from annelid.papers.case import places
from annelid.systems.conro.phases import phases
from annelid.systems.conro.spec import ConroSpec
from annelid.trial.load import resolve
from annelid.trial.replay import Run

Floats = NDArray[np.float64]
Wire = list[Mapping[str, Any]]

CYCLE_S: Final = 3.96
"""Of a module with the default of 180 steps of 22 ms."""
COARSE: Final[Mapping[str, Any]] = {"physics.timestep_ms": 2.0, "physics.servo": "quasi-static"}
"""For the many seconds that these experiments take."""


def options(run: Run) -> ConroSpec:
    found = run.scenario.control.options
    assert isinstance(found, ConroSpec)
    return found


def cycle_s(run: Run) -> float:
    """Of a module whose clock is right."""
    spec = options(run)
    return spec.period * spec.step_ms / 1000


def wire(run: Run) -> Wire:
    """Every signal, in the order in which they ended."""
    return [event.detail for event in run.events("wire")]


def path(run: Run, begin: float, end: float, modules: Iterable[str] = ()) -> Floats:
    """Where the robot's centre, or the middle of these modules, is on the floor, m: one row at
    each cycle from ``begin`` to ``end``."""
    named = [places(run, name)[:, :2] for name in modules]
    if named:
        time, where = run.time("modules"), np.mean(named, axis=0)
    else:
        robot = run["robot"]
        time, where = run.time("robot"), np.column_stack((robot["x"], robot["y"]))
    ends = cycle_s(run) * np.arange(begin, end + 0.5)
    return np.column_stack([np.interp(ends, time, axis) for axis in where.T])


def per_cycle(way: Floats) -> float:
    """How far it gets in a cycle as the crow flies, m."""
    return float(np.linalg.norm(way[-1] - way[0])) / (len(way) - 1)


@dataclass(frozen=True)
class Dock:
    """A parent that signals to its child through one of its connectors."""

    parent: str
    connector: str
    child: str


def docks(run: Run, cast: Cast) -> list[Dock]:
    """Of the robot as it begins, each with its parent first."""
    robot, _ = resolve(run.scenario)
    found = []
    for joined in robot.docks:
        for (parent, connector), (child, came_by) in ((joined.a, joined.b), (joined.b, joined.a)):
            if connector not in cast.root.delays:
                continue
            if cast.chosen(cast.signal(cast.root, connector), came_by) is not None:
                found.append(Dock(parent, connector, child))
    return found


def misses(run: Run, chosen: Iterable[Dock] | None = None) -> list[tuple[Floats, Floats]]:
    """For each dock: moments (cycles), and by how much of a cycle the child is not behind its
    parent as far as it should be."""
    spec, (robot, _) = options(run), resolve(run.scenario)
    cast = spec.cast(len(robot.modules))
    known = phases(spec, len(robot.modules), wire(run))
    found = []
    for dock in docks(run, cast) if chosen is None else chosen:
        nothing: tuple[Floats, Floats] = (np.empty(0), np.empty(0))
        behind = {} if known is None else known.behind
        theirs_at, theirs = behind.get(dock.parent, nothing)
        own_at, own = behind.get(dock.child, nothing)
        last = np.searchsorted(theirs_at, own_at, side="right") - 1
        heard = last >= 0
        delay = cast.root.delays[dock.connector] / cast.root.period
        off = np.abs((own[heard] - theirs[last[heard]] - delay + 0.5) % 1 - 0.5)
        found.append((own_at[heard] / cycle_s(run), off))
    return found


def in_step_from(
    found: Iterable[tuple[Floats, Floats]], *, begin: float, end: float, slack: float
) -> float:
    """The cycle from which on every dock keeps its delay until ``end``; infinite: they do not, or
    some module is silent."""
    since = begin
    for when, off in found:
        within = (when >= begin) & (when < end)
        bad = np.flatnonzero(off[within] > slack)
        first = bad[-1] + 1 if len(bad) else 0
        if first >= within.sum():
            return inf
        since = max(since, float(when[within][first]))
    return since


def number(seed: int, module: str) -> int:
    """What a board draws with that seed: the highest leads."""
    return int(RandomStreams(seed)[f"board/{module}"].integers(1 << 16))


def leader(seed: int, modules: Iterable[str]) -> str:
    return max(modules, key=lambda name: number(seed, name))
