"""Feet from joints and joints from feet: properties over random legs, joints and knees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.climber.climbs import hexapod
from tests.systems.climber.legs import random_legs

from annelid.errors import InputError
from annelid.systems.climber.executive.kinematics import KNEE_DOWN, KNEE_UP, Legs
from annelid.systems.climber.model import read_robot

MICROMETRE = 1e-6

seeds = st.integers(min_value=0, max_value=2**32 - 1)


@given(seeds, st.sampled_from([KNEE_UP, KNEE_DOWN]), st.sampled_from([2, 3]))
@settings(max_examples=60)
def test_forward_of_inverse_is_the_foot(seed: int, knee: float, links: int) -> None:
    """Wherever the inverse has an answer, above or below the hip, with either knee."""
    rng = np.random.default_rng(seed)
    legs = random_legs(rng, 5, links)
    feet = legs.mounts + rng.uniform(-0.35, 0.35, (40, 5, 3))
    q = legs.inverse(feet, knee)
    solved = np.isfinite(q).all(axis=-1)
    assert np.abs(legs.forward(q)[solved] - feet[solved]).max(initial=0.0) <= MICROMETRE


@given(seeds, st.sampled_from([KNEE_UP, KNEE_DOWN]))
@settings(max_examples=60)
def test_inverse_finds_every_foot_that_joints_can_make(seed: int, knee: float) -> None:
    """On the outward side of the coxa, with the knee that made it, it finds the joints again."""
    rng = np.random.default_rng(seed)
    legs = random_legs(rng, 4, 2)
    q = np.stack(
        [
            rng.uniform(-1.2, 1.2, (30, 4)),
            rng.uniform(-1.4, 1.4, (30, 4)),
            -knee * rng.uniform(0.05, 3.0, (30, 4)),
        ],
        axis=-1,
    )
    a = legs.angles(q)
    outward = legs.coxae[:, 1] + (legs.links * np.cos(a)).sum(axis=-1) > 0.005
    found = legs.inverse(legs.forward(q), knee)
    assert np.allclose(found[outward], q[outward], atol=1e-6)


@given(seeds, st.sampled_from([2, 3]))
@settings(max_examples=30)
def test_jacobian_is_the_derivative(seed: int, links: int) -> None:
    rng = np.random.default_rng(seed)
    legs = random_legs(rng, 3, links)
    q = rng.uniform(-1.5, 1.5, (3, legs.joints))
    jacobian, small = legs.jacobian(q), 1e-6
    for joint in range(legs.joints):
        step = small * np.eye(legs.joints)[joint]
        slope = (legs.forward(q + step) - legs.forward(q - step)) / (2 * small)
        assert np.allclose(jacobian[:, :, joint], slope, atol=1e-8)


def test_what_cannot_be_reached_is_said_and_not_clipped() -> None:
    legs = read_robot(hexapod()).legs
    far = legs.mounts + 0.5 * legs.frames[:, 1]
    assert np.isnan(legs.inverse(far)).all()
    assert not legs.reachable(far).any()
    assert (legs.margin(legs.inverse(far)) == -np.inf).all()


def test_an_ankle_stands_square_on_the_bodys_floor() -> None:
    climber = read_robot(hexapod(leg={"ankle_mm": 40, "tibia_mm": 123}))
    q = climber.legs.inverse(climber.stance)
    assert climber.joints == ("coxa", "femur", "tibia", "ankle")
    assert climber.legs.angles(q)[:, -1] == pytest.approx(-np.pi / 2)
    assert climber.legs.forward(q) == pytest.approx(climber.stance)


def test_other_numbers_of_links_are_refused() -> None:
    one = np.zeros((1, 3))
    with pytest.raises(InputError, match="expected 2 links after the coxa"):
        Legs(one, np.zeros(1), one, np.ones((1, 1)), one, one)
