"""Poses, the centre follower and the collision model."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.climber.climbs import hexapod, on_plane

from annelid.errors import InputError
from annelid.systems.climber.executive.centre import fit, follow
from annelid.systems.climber.executive.collision import segment_to_segment
from annelid.systems.climber.executive.cyclic import cycle
from annelid.systems.climber.executive.pose import BodyPose, apart, between, rotation_of, turned
from annelid.systems.climber.model import read_robot

seeds = st.integers(min_value=0, max_value=2**32 - 1)
CLIMBER = read_robot(hexapod())


@given(seeds, st.floats(0, 1))
@settings(max_examples=50)
def test_interpolation_is_even_and_ends_where_it_should(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    start = BodyPose.of(rng.normal(size=3), rng.uniform(-1, 1, 3))
    end = BodyPose.of(rng.normal(size=3), rng.uniform(-1, 1, 3))
    middle = between(start, end, share)
    way, angle = apart(start, end)
    gone, turned_by = apart(start, middle)
    assert gone == pytest.approx(share * way, abs=1e-9)
    assert turned_by == pytest.approx(share * angle, abs=1e-6)
    assert apart(between(start, end, 1.0), end) == pytest.approx((0.0, 0.0), abs=1e-7)


@given(seeds)
@settings(max_examples=50)
def test_feet_that_stay_are_seen_from_the_new_pose(seed: int) -> None:
    """Equations 3 and 4."""
    rng = np.random.default_rng(seed)
    before = BodyPose.of(rng.normal(size=3), rng.uniform(-1, 1, 3))
    after = BodyPose.of(rng.normal(size=3), rng.uniform(-1, 1, 3))
    feet = rng.normal(size=(6, 3))
    seen = after.into(before.out(feet))
    assert after.out(seen) == pytest.approx(before.out(feet))


@given(seeds, st.integers(3, 8))
@settings(max_examples=80)
def test_descent_finds_what_singular_values_find(seed: int, attached: int) -> None:
    """With noisy feet, from a pose as far away as a robot gets between two looks."""
    rng = np.random.default_rng(seed)
    feet = np.c_[rng.uniform(-0.3, 0.3, (attached, 2)), rng.uniform(-0.1, -0.08, attached)]
    if np.linalg.svd(feet - feet.mean(axis=0), compute_uv=False)[1] < 0.05:
        return  # feet in a row tell no roll
    before = BodyPose.of(rng.normal(size=3), rng.uniform(-0.5, 0.5, 3))
    moved = before @ BodyPose.of(rng.normal(0, 0.01, 3), rng.normal(0, 0.03, 3))
    anchors = moved.out(feet) + rng.normal(0, 5e-4, feet.shape)
    found, oracle = follow(before, feet, anchors), fit(feet, anchors)
    assert found.at == pytest.approx(oracle.at, abs=1e-5)
    assert rotation_of(found.turn.T @ oracle.turn) == pytest.approx(np.zeros(3), abs=1e-4)


def test_two_feet_tell_no_pose() -> None:
    with pytest.raises(InputError, match="at least 3 attached feet, got 2"):
        follow(BodyPose.of(), np.zeros((2, 3)), np.zeros((2, 3)))


def test_segments_that_cross_touch_and_others_have_a_distance() -> None:
    a0, a1 = np.array([0.0, 0.0]), np.array([2.0, 0.0])
    cross = segment_to_segment(a0, a1, np.array([1.0, -1.0]), np.array([1.0, 1.0]))
    apart_ = segment_to_segment(a0, a1, np.array([3.0, 1.0]), np.array([3.0, 2.0]))
    assert cross == 0.0
    assert apart_ == pytest.approx(2**0.5)


def test_the_collision_model_misses_nothing_the_engine_sees() -> None:
    """Random joints within their limits; legs against legs."""
    robot = hexapod(leg={"coxa_deg": (-90, 90)})
    climber = read_robot(robot)
    sim = on_plane(robot)
    sim.data.qpos[2] = 5.0  # high above the plane
    rng = np.random.default_rng(3)
    met = 0
    for _ in range(300):
        q = rng.uniform(climber.legs.low, climber.legs.high)
        for name, row in zip(climber.names, q, strict=True):
            for joint, angle in zip(climber.joints, row, strict=True):
                sim.data.joint(f"{name}/{joint}").qpos[0] = angle
        mujoco.mj_fwdPosition(sim.model, sim.data)
        foreseen = climber.collision.meetings(q)
        for contact in sim.data.contact:
            bodies = [sim.model.body(int(sim.model.geom_bodyid[g])).name for g in contact.geom]
            pair = [name.partition("/")[0] for name in bodies]
            if contact.dist < 0 and all(leg in CLIMBER.names for leg in pair):
                met += 1
                assert foreseen[CLIMBER.names.index(pair[0]), CLIMBER.names.index(pair[1])], bodies
    assert met > 50


def test_the_cyclic_walk_goes_from_back_to_front_and_ends_in_its_stance() -> None:
    moments = list(cycle(CLIMBER.stance, 0.03))
    assert moments[0].lifted is None
    assert (moments[0].feet - CLIMBER.stance)[:, 0] == pytest.approx(np.full(6, -0.03))
    order = [moment.lifted for moment in moments[1:]]
    ahead = [CLIMBER.stance[k, 0] for k in order if k is not None]
    assert sorted(ahead) == ahead
    assert len(order) == 6
    assert moments[-1].feet == pytest.approx(CLIMBER.stance)
    assert turned(np.zeros(3)) == pytest.approx(np.eye(3))
