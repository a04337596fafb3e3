"""How far modules are behind each other, from the signals that they send.

A module signals when its cycle has come to d, whether anybody is docked there or not; so the
moments of its signals are its phase, and nobody need ask the programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers.role_run import RoleRun

Floats = NDArray[np.float64]

SLACK: Final = 3.0
"""Steps by which a lag may miss d: a signal takes a millisecond and is seen at the next step, and
clocks that are 0.5 % off slide by 0.9 in a cycle."""


@dataclass(frozen=True)
class Lag:
    """Of one module behind the one before it, at every signal of its own."""

    module: str
    cycle: Floats
    """When, in cycles since the beginning."""
    steps: Floats
    """0 to T."""


def lags(run: RoleRun, order: Sequence[str]) -> list[Lag]:
    """Of the second, third … of modules in the order in which they are docked."""
    role = run.network.role
    (child,) = role.delays
    sent = {name: np.array(run.sent(f"{name}.{child}")) for name in order}
    found = []
    for before, module in pairwise(order):
        own, theirs = sent[module], sent[before]
        last = np.searchsorted(theirs, own, side="right") - 1
        heard = last >= 0
        behind = (own[heard] - theirs[last[heard]]) * role.period % role.period
        found.append(Lag(module, own[heard], behind))
    return found


def in_step_from(run: RoleRun, order: Sequence[str], *, begin: float, end: float) -> float:
    """The cycle from which on all are d behind the one before them, until ``end``; infinite: they
    are not, or some module is silent."""
    (delay,) = run.network.role.delays.values()
    period = run.network.role.period
    since = begin
    for lag in lags(run, order):
        within = (lag.cycle >= begin) & (lag.cycle < end)
        if not within.any():
            return float("inf")
        off = np.abs((lag.steps[within] - delay + period / 2) % period - period / 2)
        when = lag.cycle[within]
        good = off <= SLACK
        if not good[-1]:
            return float("inf")
        bad = np.flatnonzero(~good)
        first = bad[-1] + 1 if len(bad) else 0
        since = max(since, float(when[first]))
    return since
