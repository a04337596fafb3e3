"""One angle makes a floor, a wall or a ceiling; the robot starts on it, heading up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from annelid.errors import SpecError
from annelid.spec import Quat, Vec3
from annelid.worlds.plane import Plane


def turned(quat: Quat, vector: Vec3) -> NDArray[np.float64]:
    w, axis = quat[0], np.array(quat[1:])
    before = np.array(vector, dtype=float)
    after: NDArray[np.float64] = before + 2 * np.cross(axis, np.cross(axis, before) + w * before)
    return after


@pytest.mark.parametrize(
    ("slope_deg", "ahead", "normal"),
    [
        (0, (1, 0, 0), (0, 0, 1)),
        (30, (math.sqrt(3) / 2, 0, 0.5), (-0.5, 0, math.sqrt(3) / 2)),
        (90, (0, 0, 1), (-1, 0, 0)),
        (180, (-1, 0, 0), (0, 0, -1)),
    ],
)
def test_the_robot_lies_on_the_plane_and_looks_up_the_slope(slope_deg, ahead, normal):
    world = Plane(slope_deg=slope_deg)
    scenery = world.scenery(0.3)
    (plane,) = scenery.blocks
    start = scenery.start
    assert turned(plane.turn, (0, 0, 1)) == pytest.approx(normal, abs=1e-12)
    assert turned(start.turn, (1, 0, 0)) == pytest.approx(ahead, abs=1e-12)
    assert turned(start.turn, (0, 0, 1)) == pytest.approx(normal, abs=1e-12)
    assert np.dot(start.at, normal) == pytest.approx(0.014)
    assert world.progress(tuple(0.7 * np.array(ahead) + start.at)) == pytest.approx(0.7)


def test_heading_is_counted_on_the_plane():
    world = Plane(slope_deg=90, heading_deg=90)
    start = world.scenery(0.3).start
    assert turned(start.turn, (1, 0, 0)) == pytest.approx((0, 1, 0), abs=1e-12)
    assert world.progress((0, 0.4, 3)) == pytest.approx(0.4)


def test_friction_and_gravity_are_the_worlds_own():
    moon = Plane.parse({"surface": {"grip": 0.5}, "gravity": 1.62}, where="world")
    assert moon.surface.friction == 0.6
    assert moon.surface.grip == 0.5
    assert moon.gravity == 1.62


def test_a_goal_can_be_set():
    assert Plane().goal is None
    assert Plane(goal_mm=500).goal == 0.5


def test_a_slope_beyond_the_ceiling_is_refused():
    with pytest.raises(SpecError, match=r"slope_deg.*180"):
        Plane.parse({"slope_deg": 200}, where="world")
