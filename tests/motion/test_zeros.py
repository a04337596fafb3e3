"""The zeros of an accelerometer from poses at rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from tests.motion.test_readings import gravity_at_rest

from annelid.errors import InputError
from annelid.motion import accelerometer_zeros, pitch_and_roll

G = 9.81
AXES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], float)
zero = st.floats(-1.5, 1.5)
zeros = st.tuples(zero, zero, zero)
chance = st.integers(0, 2**31)


def laid(seed: int, *, most_deg: float = 20.0) -> np.ndarray:
    """Six poses, none of them quite along an axis, nor put down in a known heading."""
    draw = np.random.default_rng(seed)
    beside = Rotation.from_rotvec(draw.uniform(-1, 1, (6, 3)) * np.radians(most_deg))
    return np.asarray(G * Rotation.random(random_state=seed).apply(beside.apply(AXES)))


@given(zeros, chance)
def test_any_zeros_are_found_without_knowing_how_the_module_lay(off, seed):
    assert accelerometer_zeros(laid(seed) + off) == pytest.approx(off, abs=1e-6)


@given(zeros, chance)
def test_noise_moves_them_by_no_more_than_itself(off, seed):
    noise = np.random.default_rng(seed).normal(0, 0.02, (6, 3))
    found = np.array(accelerometer_zeros(laid(seed) + off + noise))
    assert np.abs(found - off).max() <= 2 * np.linalg.norm(noise)


@given(chance)
def test_more_poses_do_no_harm(seed):
    off = np.array((0.3, -0.2, 0.1))
    twice = np.concatenate([laid(seed), laid(seed + 1)])
    assert accelerometer_zeros(twice + off) == pytest.approx(off, abs=1e-6)


def test_the_unit_is_that_of_g():
    off = np.array((0.02, 0.0, -0.01))
    assert accelerometer_zeros(AXES + off, g=1.0) == pytest.approx(off)


def test_pitch_and_roll_are_right_once_the_zeros_are_taken_off():
    off = np.array((0.3, -0.25, 0.2))
    read = np.array(gravity_at_rest(0.4, -2.0)) + off
    assert abs(np.degrees(pitch_and_roll(*read)[1] + 2.0)) > 1
    found = accelerometer_zeros(G * AXES + off)
    assert pitch_and_roll(*(read - found)) == pytest.approx((0.4, -2.0), abs=1e-6)


@pytest.mark.parametrize("poses", [[], G * AXES[:3], G * AXES[:, :2], G * AXES[0]])
def test_too_few_poses_are_refused(poses):
    with pytest.raises(InputError, match="at least 4 poses"):
        accelerometer_zeros(poses)


@given(zeros, chance)
def test_the_four_sides_alone_do_not_tell_the_zero_along_the_chain(off, seed):
    sides = np.delete(G * AXES, (2, 3), axis=0)
    turn = Rotation.random(random_state=seed)
    with pytest.raises(InputError, match="nearly in one plane"):
        accelerometer_zeros(turn.apply(sides) + 0.05 * np.array(off))


def test_a_module_that_did_not_rest_is_refused():
    moved = G * AXES
    moved[3] *= 1.3
    with pytest.raises(InputError, match="at rest, as long as gravity"):
        accelerometer_zeros(moved)


def test_readings_that_are_no_numbers_are_refused():
    with pytest.raises(InputError, match="finite"):
        accelerometer_zeros(np.full((6, 3), np.nan))
