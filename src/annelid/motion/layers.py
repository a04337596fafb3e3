"""The compiled form of a gait: index arrays and numbers, applied in order.

A layer takes the values so far and lays its own over them.  All look-ups are done; a tick costs a
few array operations a layer, whatever the number of modules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from annelid.motion.inchworm import READY, Inchworm
from annelid.motion.push import Push
from annelid.motion.waves import waves

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Window:
    """When a gait counts: fades in after ``start``, out after ``end``, each over ``ramp`` (s)."""

    start: float = 0.0
    end: float = inf
    ramp: float = 0.0

    @property
    def full_from(self) -> float:
        return self.start + self.ramp

    def weight(self, t: float) -> float:
        """From 0 to 1, smooth at both ends (3x² - 2x³)."""
        if t < self.start or t >= self.end + self.ramp:
            return 0.0
        if self.full_from <= t < self.end:
            return 1.0
        rise = (t - self.start) / self.ramp if t < self.full_from else 1.0
        fall = 1.0 - (t - self.end) / self.ramp if t >= self.end else 1.0
        x = min(rise, fall)
        return x * x * (3 - 2 * x)


class Layer(Protocol):
    def apply(self, t: float, values: Floats) -> None:
        """Lay this layer's values at ``t`` over ``values``, in place."""


def _lay(values: Floats, places: Places, target: Floats, weight: float) -> None:
    """Blend ``target`` in; a released servo (NaN) has nothing to blend with and takes it whole."""
    if weight < 1:
        below = values[places]
        target = np.where(np.isnan(below), target, below + weight * (target - below))
    values[places] = target


@dataclass(frozen=True)
class Fixed:
    """Hold, and relax (where the target is NaN)."""

    window: Window
    places: Places
    target: Floats

    def apply(self, t: float, values: Floats) -> None:
        if (weight := self.window.weight(t)) > 0:
            _lay(values, self.places, self.target, weight)


@dataclass(frozen=True)
class Moving:
    """A function of time."""

    window: Window
    places: Places
    values: Callable[[float], Floats]
    """From the time since the window opened, s, to one value a place."""

    def apply(self, t: float, values: Floats) -> None:
        if (weight := self.window.weight(t)) > 0:
            target = np.asarray(self.values(t - self.window.start), float)
            _lay(values, self.places, target, weight)


@dataclass(frozen=True)
class Pushing:
    window: Window
    places: Places
    full: Floats
    """Values at level 1."""
    push: Push

    def apply(self, t: float, values: Floats) -> None:
        if (weight := self.window.weight(t)) > 0:
            _lay(values, self.places, self.push.at(t) * self.full, weight)


@dataclass(frozen=True)
class Inching:
    """Starts to walk when it is fully faded in: first both supports grip, then one lets go."""

    window: Window
    places: Places
    targets: Floats
    """Row k: the values in phase k."""
    ready: Floats
    cycle: Inchworm

    @classmethod
    def of(
        cls,
        window: Window,
        cycle: Inchworm,
        places: Places,
        role: Sequence[int],
        low: Floats,
        high: Floats,
    ) -> Inching:
        """``role`` of each place: 0 rear, 1 extension, 2 front (the order of ``InchwormStep``)."""
        states = np.array([*cycle.steps, READY], float)[:, list(role)]
        rows = low + (high - low) * states
        return cls(window, places, rows[:-1], rows[-1], cycle)

    def apply(self, t: float, values: Floats) -> None:
        if (weight := self.window.weight(t)) > 0:
            phase = self.cycle.phase(t - self.window.full_from)
            _lay(values, self.places, self.targets[phase] if phase >= 0 else self.ready, weight)


@dataclass(frozen=True)
class WaveTerm:
    """One wave on one actuator; ``phase`` is that of this module at t = 0."""

    window: Window
    place: int
    amplitude: float
    omega: float
    phase: float
    offset: float


class Waves:
    """Sums of sinusoids, all actuators at once.

    Arrays have a column for each actuator and as many rows as the busiest one has waves; what an
    actuator lacks is filled with waves of weight and amplitude 0.
    """

    def __init__(self, terms: Sequence[WaveTerm]) -> None:
        self.terms = tuple(terms)
        """As given: for what computes them elsewhere, on a GPU."""
        columns: dict[int, list[WaveTerm]] = {}
        for term in terms:
            columns.setdefault(term.place, []).append(term)
        windows = list(dict.fromkeys(term.window for term in terms))
        shape = (max(map(len, columns.values())), len(columns))
        self._places: Places = np.array(list(columns), np.intp)
        self._amplitude, self._omega, self._phase, self._offset = np.zeros((4, *shape))
        self._window = np.full(shape, len(windows))
        for column, own in enumerate(columns.values()):
            for row, term in enumerate(own):
                at = row, column
                self._amplitude[at] = term.amplitude
                self._omega[at] = term.omega
                self._phase[at] = term.phase
                self._offset[at] = term.offset
                self._window[at] = windows.index(term.window)
        self._windows = windows
        self._full_from = max(window.full_from for window in windows)
        self._full_until = min(window.end for window in windows)
        # With one wave an actuator and all at full weight, a tick needs plain vectors only.
        self._plain = (
            tuple(a[0] for a in (self._omega, self._phase, self._amplitude, self._offset))
            if shape[0] == 1
            else None
        )

    def apply(self, t: float, values: Floats) -> None:
        full = self._full_from <= t < self._full_until
        if full and self._plain is not None:
            omega, phase, amplitude, offset = self._plain
            values[self._places] = waves(omega * t, phase, amplitude, offset)
            return
        terms = waves(self._omega * t, self._phase, self._amplitude, self._offset)
        if full:
            values[self._places] = terms.sum(axis=0)
            return
        weights = np.array([*(window.weight(t) for window in self._windows), 0.0])[self._window]
        cover = weights.max(axis=0)
        below = values[self._places]
        freed = np.isnan(below) & (cover > 0)
        kept = np.where(freed, 0.0, below * (1 - cover))
        values[self._places] = kept + (weights * terms).sum(axis=0)

    def apply_rows(self, times: Floats, rows: Floats) -> None:
        """As ``apply`` at every one of ``times``, to the very bit; a row of values for each."""
        full = (self._full_from <= times) & (times < self._full_until)
        if self._plain is None:
            full[:] = False
        for row in np.flatnonzero(~full):
            self.apply(float(times[row]), rows[row])
        if self._plain is not None:
            omega, phase, amplitude, offset = self._plain
            angles = times[full, None] * omega
            rows[np.ix_(full, self._places)] = waves(angles, phase, amplitude, offset)
