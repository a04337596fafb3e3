"""Measures the distance that a head has gone, without the swaying of its gait."""

from __future__ import annotations

SWAY_M = 0.020
"""A head that goes back by less has not turned round, m."""


class WayLength:
    """The length of a way, from places along it."""

    def __init__(self, start: float) -> None:
        self._turned = self._furthest = self._place = start
        self._before = 0.0
        """Length up to where it last turned round, m."""

    @property
    def length(self) -> float:
        since = max(abs(self._furthest - self._turned), abs(self._place - self._turned))
        return self._before + since

    def go_on(self, place: float) -> None:
        self._place = place
        leg = self._furthest - self._turned
        further = place - self._furthest
        if leg * further >= 0:
            self._furthest = place
        elif abs(further) > SWAY_M:
            if abs(leg) > SWAY_M:
                self._before += abs(leg)
                self._turned = self._furthest
            self._furthest = place
