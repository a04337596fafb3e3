"""From readings to movement: the traveller's way, pitch and roll, and the push schedule."""

from __future__ import annotations

from math import cos, pi, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError
from annelid.motion.odometry import MOST, advance, calibrate
from annelid.motion.orientation import pitch_and_roll
from annelid.motion.push import Push
from annelid.spec import Vec3

metres = st.floats(-10, 10)
three = st.tuples(metres, metres, metres)
rolled = st.tuples(*(st.floats(-0.99 * MOST, 0.99 * MOST),) * 3)


def test_a_wheel_that_has_lost_the_wall_does_not_count() -> None:
    assert advance(1.0, (0.2, 0.2, 0.2), (0.2, 0.2005, 0.2001)) == pytest.approx(1.0005)


def test_driven_astern_the_way_shrinks() -> None:
    assert advance(1.0, (0.2, 0.2, 0.2), (0.2, 0.1995, 0.1999), direction=-1) == pytest.approx(
        0.9995
    )


@given(st.lists(st.floats(0, 0.001), max_size=50))
def test_when_all_wheels_roll_the_way_is_exact(steps: list[float]) -> None:
    distance, reading = 0.0, 0.0
    for step in steps:
        distance = advance(distance, (reading,) * 3, (reading + step,) * 3)
        reading += step
    assert distance == pytest.approx(sum(steps), abs=1e-12)


@given(metres, three, rolled)
def test_the_way_grows_by_the_largest_of_the_three(
    distance: float, before: tuple[float, ...], ways: tuple[float, ...]
) -> None:
    grown = advance(distance, before, np.add(before, ways).tolist()) - distance
    assert grown == pytest.approx(max(ways), abs=1e-9)


@pytest.mark.parametrize("jump", [MOST + 0.01, -1.0, 16e3])
def test_an_encoder_that_jumps_is_left_out(jump: float) -> None:
    before = (0.2, 0.2, 0.2)
    assert advance(1.0, before, (0.2 + jump, 0.2005, 0.2001)) == pytest.approx(1.0005)
    assert advance(1.0, before, (0.2 + jump,) * 3) == 1.0


@given(st.floats(0.1, 3), st.lists(st.floats(0.01, 5), min_size=1, max_size=20))
def test_calibration_finds_a_linear_error_exactly(factor: float, measured: list[float]) -> None:
    found = calibrate(measured, [factor * m for m in measured])
    assert found == pytest.approx(factor)


def test_calibration_is_least_squares_through_the_origin() -> None:
    measured, true = np.array([1.0, 2.0, 3.0]), np.array([1.1, 1.8, 3.3])
    expected = np.linalg.lstsq(measured[:, None], true, rcond=None)[0][0]
    assert calibrate(measured, true) == pytest.approx(expected)


def test_calibration_needs_distances() -> None:
    for measured, true in (([], []), ([0.0], [1.0]), ([1.0], [1.0, 2.0]), ([np.nan], [1.0])):
        with pytest.raises(InputError, match="odometry"):
            calibrate(measured, true)


angles = st.floats(-pi / 2 + 0.01, pi / 2 - 0.01)


def gravity_at_rest(pitch: float, roll: float, g: float = 9.81) -> Vec3:
    """What the accelerometer reads at rest, m/s²: the inverse of ``pitch_and_roll``."""
    return (-g * cos(pitch) * sin(roll), g * sin(pitch), g * cos(pitch) * cos(roll))


def to_sensor(v: Vec3) -> Vec3:
    """A vector of the body frame (forward, left, up) as the accelerometer names it."""
    forward, left, up = v
    return (-left, forward, up)


@given(angles, st.floats(-pi + 0.01, pi - 0.01), st.floats(0.1, 20))
def test_pitch_and_roll_are_recovered_exactly(pitch: float, roll: float, g: float) -> None:
    """001 eqs 6 and 7."""
    assert pitch_and_roll(*gravity_at_rest(pitch, roll, g)) == pytest.approx((pitch, roll))


@given(angles, st.floats(-pi, pi))
def test_gravity_at_rest_is_the_rotation_the_docstring_states(pitch: float, roll: float) -> None:
    cp, sp, cr, sr = np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
    about_x = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
    about_y = np.array([[cr, 0, sr], [0, 1, 0], [-sr, 0, cr]])
    assert gravity_at_rest(pitch, roll, 1.0) == pytest.approx((about_x @ about_y).T @ [0, 0, 1])


def test_signs_are_nose_up_and_right_side_down() -> None:
    """An accelerometer at rest reads upwards: the axis that points up reads positive."""
    nose_up, _ = pitch_and_roll(*to_sensor((9.81, 0.0, 0.0)))
    _, left_up = pitch_and_roll(*to_sensor((0.0, 9.81, 0.0)))
    assert nose_up == pytest.approx(radians(90))
    assert left_up == pytest.approx(radians(90))
    assert pitch_and_roll(0, 0, 9.81) == (0, 0)


def test_a_push_changes_at_its_times() -> None:
    push = Push(1.0, ((5.0, -0.5), (8.0, 0.0)))
    assert [push.at(t) for t in (0, 4.999, 5, 7, 8, 100)] == [1.0, 1.0, -0.5, -0.5, 0, 0]


def test_a_push_stays_within_full_speed_and_in_order() -> None:
    with pytest.raises(InputError, match="-1 to 1, got 2"):
        Push(2.0)
    with pytest.raises(InputError, match="rising times"):
        Push(1.0, ((5.0, 0.0), (5.0, 1.0)))
