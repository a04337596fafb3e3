"""Diagnosis: finds out which legs have failed.

A leg that does not answer, a joint that does not go where it is sent, a cup that does not hold (or
not let go) when it is tried again.  The cause of the failure is not known here.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import Log
from annelid.systems.climber.planner.situation import ClimberSituation
from annelid.systems.climber.planner.steps import LegStep, StepPhase

Floats = NDArray[np.float64]

SILENT_S: Final = 0.3
"""Without an answer a leg counts as dead after this."""
STRAY_STANDING, STRAY_MOVING = 0.06, 0.20
"""How far a joint may be from where it is sent, rad."""
STRAY_S: Final = 0.5
CUP_TRIES: Final = 3
"""A cup that finds no hold at so many places in a row, or loses it, has failed."""
LOST: Final = 0.5
"""Share of a vacuum below which a cup that should hold does not."""


class Diagnosis:
    """Keeps the record of every leg."""

    def __init__(self, legs: int, log: Log) -> None:
        self._log = log
        self._stray_since = np.full(legs, np.nan)
        self._misses = np.zeros(legs, dtype=int)

    def look(self, now: ClimberSituation, meant: Floats) -> None:
        """``meant``: joints as they should be now."""
        joints = now.climber.joints
        moving = now.step.leg if now.step is not None else -1
        silent = [int(k) for k in np.flatnonzero(~now.answering)]
        now.lost = {k: now.lost[k] if k in now.lost else now.foot(k) for k in silent}
        for k in np.flatnonzero(now.usable):
            leg = int(k)
            if not now.answering[leg]:
                self._fail(now, leg, "does not answer")
                now.standing[leg] = False
                continue
            off = np.abs(now.q[leg] - meant[leg])
            worst = int(np.argmax(off))
            limit = STRAY_MOVING if leg == moving else STRAY_STANDING
            if not off[worst] > limit:
                self._stray_since[leg] = np.nan
            elif np.isnan(self._stray_since[leg]):
                self._stray_since[leg] = now.time_s
            elif now.time_s - self._stray_since[leg] > STRAY_S:
                self._fail(now, leg, f"{joints[worst]} does not follow ({off[worst]:.2f} rad off)")
            if now.standing[leg] and now.vacuum[leg] < LOST:
                now.standing[leg] = False
                self._miss(now, leg, "its cup has lost its vacuum")

    def stepped(self, now: ClimberSituation, step: LegStep) -> None:
        """A step is over; one that folds a broken leg proves nothing."""
        if step.tuck is not None:
            return
        if step.phase is StepPhase.DONE:
            self._misses[step.leg] = 0
        else:
            self._miss(now, step.leg, step.reason)

    def _miss(self, now: ClimberSituation, leg: int, reason: str) -> None:
        self._misses[leg] += 1
        self._log("miss", {"leg": leg + 1, "why": reason, "times": int(self._misses[leg])})
        if self._misses[leg] >= CUP_TRIES:
            self._fail(now, leg, reason)

    def _fail(self, now: ClimberSituation, leg: int, reason: str) -> None:
        now.usable[leg] = False
        now.failures[leg] = reason
        self._log("leg failed", {"leg": leg + 1, "why": reason, "left": int(now.usable.sum())})
