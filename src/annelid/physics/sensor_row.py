"""Reads many sensors at once, for somebody who wants all of them at every tick.

A sensor that shows a number of the engine (an acceleration, a force, a way, a vacuum) is a place in
one of its arrays, a factor, an offset, noise and a converter.  Here these are columns of a table,
so that a row of readings costs as much as a few single ones, and is the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import RandomStreams
from annelid.physics.channel import AnalogInput

Floats = NDArray[np.float64]

BLOCK = 256
"""Steps whose noise is drawn at once."""


class Noise:
    """Normal noise of one sensor as a function of the step.

    A generator for every step would cost 20 µs; one for ``BLOCK`` steps costs less than reading
    the sensor.
    """

    __slots__ = ("_block", "_deviation", "_name", "_number", "_shape", "_streams")

    def __init__(
        self, streams: RandomStreams, name: str, deviation: float, channels: int = 1
    ) -> None:
        self._streams, self._name, self._deviation = streams, name, deviation
        self._shape = (BLOCK, channels)
        self._number = -1
        self._block: Floats = np.zeros(self._shape)

    def block(self, number: int) -> Floats:
        """A row per step, a column per channel."""
        if number != self._number and self._deviation:
            draw = self._streams.block(self._name, number)
            self._block = draw.normal(0.0, self._deviation, self._shape)
            self._number = number
        return self._block

    def at(self, step: int) -> list[float]:
        """A number per channel."""
        number, place = divmod(step, BLOCK)
        row: list[float] = self.block(number)[place].tolist()  # of the whole block it costs more
        return row

    def first(self, step: int) -> float:
        """Of the first channel; of a sensor that has one, this costs less."""
        number, place = divmod(step, BLOCK)
        block = self._block if number == self._number else self.block(number)
        return block.item(place, 0)


@dataclass(frozen=True)
class Shown:
    """Numbers of the engine that a sensor shows: ``factor * source[place]`` for each channel."""

    source: Floats
    places: tuple[int, ...]
    factors: tuple[float, ...]
    noise: Noise | None = None


class SensorRow:
    """Of all sensors that show numbers of the engine."""

    def __init__(self, shown: Sequence[tuple[Sequence[int], Sequence[AnalogInput], Shown]]) -> None:
        """For each sensor: its places in the whole row, its inputs, what it shows."""
        inputs = [each for _, own, _ in shown for each in own]
        self._places = np.array([k for places, _, _ in shown for k in places], dtype=np.intp)
        self._factors = np.array([f for _, _, one in shown for f in one.factors])
        self._offset = np.array([each.offset for each in inputs])
        self._low = np.array([each.bottom for each in inputs])
        self._high = np.array([each.top for each in inputs])
        self._step = np.array([each.resolution for each in inputs])
        self._noises = [(one.noise, len(own)) for _, own, one in shown]
        self._number = -1
        self._noise: Floats = np.zeros((BLOCK, len(inputs)))
        self._gather = _gatherer([one for _, _, one in shown])

    def read_into(self, row: Floats, step: int) -> None:
        """The readings at this step, at their places in ``row``."""
        number, place = divmod(step, BLOCK)
        if number != self._number:
            self._number = number
            still = np.zeros((BLOCK, 1))
            blocks = [
                np.repeat(still, count, axis=1) if noise is None else noise.block(number)
                for noise, count in self._noises
            ]
            self._noise = np.hstack(blocks) if blocks else self._noise
        value = self._gather() * self._factors + self._noise[place] + self._offset
        read = np.rint(value / self._step) * self._step
        read = np.where(value > self._low, read, self._low)  # NaN reads as the lowest
        row[self._places] = np.where(value >= self._high, self._high, read)


def _gatherer(shown: Sequence[Shown]) -> Callable[[], Floats]:
    """Fetches the engine's numbers, in order; most robots have them all in one array."""
    sources = {id(one.source): one.source for one in shown}
    where = [(id(one.source), place) for one in shown for place in one.places]
    parts = [
        (
            source,
            np.array([place for key, place in where if key == name], dtype=np.intp),
            np.array([k for k, (key, _) in enumerate(where) if key == name], dtype=np.intp),
        )
        for name, source in sources.items()
    ]
    if len(parts) == 1:
        source, places, _ = parts[0]
        return lambda: source[places]

    def gather() -> Floats:
        values = np.empty(len(where))
        for source, places, into in parts:
            values[into] = source[places]
        return values

    return gather
