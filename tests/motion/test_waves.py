"""Eqs 7 and 8 of 000: the formula, the way waves run, and the way a body goes with them."""

from __future__ import annotations

from math import pi, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from annelid.motion import SNAKE, wave
from annelid.motion.waves import waves

finite = st.floats(-10, 10)


def bends(
    t: float, amplitude: float, omega: float, phase: float, modules: int
) -> NDArray[np.float64]:
    return np.array([wave(t, amplitude, omega, phase, index) for index in range(modules)])


@given(st.floats(0, 100), finite, finite, finite, st.integers(1, 20), finite)
def test_the_formula_as_printed_for_one_and_for_many(
    t: float, amplitude: float, omega: float, phase: float, i: int, offset: float
) -> None:
    expected = amplitude * sin(omega * t + (i - 1) * phase)
    assert wave(t, amplitude, omega, phase, i - 1) == pytest.approx(expected)
    lead, height, middle = (np.full(3, x) for x in ((i - 1) * phase, amplitude, offset))
    many = waves(np.full(3, omega * t), lead, height, middle)
    assert many == pytest.approx(np.full(3, offset + expected))


@given(st.floats(0, 100), st.floats(0.1, 3), st.floats(0.1, 15), st.floats(-pi, pi))
def test_joints_stay_within_the_amplitude(
    t: float, amplitude: float, omega: float, phase: float
) -> None:
    assert np.all(np.abs(bends(t, amplitude, omega, phase, 12)) <= amplitude + 1e-12)


@given(st.floats(0, 10), st.floats(0.5, 15), st.floats(0.1, 3))
def test_a_positive_phase_runs_to_the_head(t: float, omega: float, phase: float) -> None:
    """What module 5 does now, its neighbour on the head's side does φ/ω later."""
    now = wave(t, 1.0, omega, phase, 5)
    later = wave(t + phase / omega, 1.0, omega, phase, 4)
    assert later == pytest.approx(now, abs=1e-9)


def crawl(phase: float, *, amplitude: float = radians(50), modules: int = 8) -> float:
    """How far a chain without thickness gets in one period, in module lengths; head first is +.

    Quasi-static: it rests on the two points whose chord lies under its centre of mass, and those
    points do not slip on average.  After a period the shape is the first again.
    """
    steps, shift, last = 400, 0.0, None
    for k in range(steps + 1):
        turned = bends(2 * pi * k / steps, amplitude, 1.0, phase, modules)
        # From the tail forwards; positive pitch raises the front.
        headings = np.concatenate([[0.0], np.cumsum(turned[::-1])])
        points = np.concatenate([[0j], np.cumsum(np.exp(1j * headings))])
        middle = points.mean()
        behind, ahead = min(
            ((a, b) for a in points for b in points if a.real < middle.real <= b.real),
            key=lambda ab: _height_under(ab, middle.real),
        )
        points = (points - behind) * np.exp(-1j * np.angle(ahead - behind))
        if last is not None:
            held = np.abs(points.imag) < 1e-9
            shift -= float(np.mean((points.real - last.real)[held]))
        last = points
    return shift


def _height_under(chord: tuple[complex, complex], x: float) -> float:
    a, b = chord
    return a.imag + (b.imag - a.imag) * (x - a.real) / (b.real - a.real)


def test_a_body_moves_with_its_vertical_wave() -> None:
    """FACTS §2; so the rows "forward" and "backward" deserve their names."""
    assert crawl(SNAKE["forward"].phase_vertical) > 0.5
    assert crawl(SNAKE["backward"].phase_vertical) < -0.5
