"""Rays in the model of a bend meet the same wall as the world's own geometry has."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annelid.systems.microtub.central.bend_model import BendView, Floats
from annelid.worlds.tubes import Tube

BORE = 0.040
VIEW = BendView(
    lens=-0.05,
    radius=0.08,
    angle=radians(90),
    towards=0.0,
    left=0.0,
    up=-0.007,
    yaw=0.0,
    pitch=0.0,
    gain=255.0,
)


def rays(*aside: tuple[float, float]) -> Floats:
    """By how much they go to the left and up per metre ahead."""
    each = np.array([[1.0, left, up] for left, up in aside])
    units: Floats = each / np.linalg.norm(each, axis=1, keepdims=True)
    return units


def elbow(view: BendView) -> Tube:
    return Tube(
        part="elbow1",
        start=(0.0, 0.0, 0.0),
        tangent=(1.0, 0.0, 0.0),
        up=(0.0, 0.0, 1.0),
        length=view.radius * view.angle,
        radius_start=BORE / 2,
        radius_end=BORE / 2,
        bend_normal=(0.0, cos(view.towards), sin(view.towards)),
        bend_radius=view.radius,
    )


@given(
    radius=st.floats(0.03, 0.15),
    towards=st.floats(0, 2 * pi),
    lens=st.floats(-0.08, -0.01),
    aside=st.tuples(st.floats(-0.25, 0.25), st.floats(-0.25, 0.25)),
)
def test_a_ray_ends_at_the_wall_of_the_world(
    radius: float, towards: float, lens: float, aside: tuple[float, float]
):
    view = replace(VIEW, radius=radius, towards=towards, lens=lens)
    met = view.meet(rays(aside), BORE)
    point = np.array([lens, 0.0, -0.007]) + met.far[0] * rays(aside)[0]
    tube = elbow(view)
    along, radial = tube.coordinates(point)
    assume(0.002 < met.along[0] < tube.length - 0.002)
    assume(BORE / 2 - radial[0] < 2e-4)  # a ray that grazes a wall takes more steps than there are
    assert along[0] == pytest.approx(met.along[0], abs=2e-3)
    middle, tangent, up = tube.frame(float(along[0]))
    left = np.cross(up, tangent)
    spoke = cos(met.side[0]) * left + sin(met.side[0]) * up
    assert spoke @ (point - middle) == pytest.approx(BORE / 2, abs=1e-3)


def test_far_walls_and_walls_that_lean_away_are_darker():
    near, far = (replace(VIEW, lens=lens).meet(rays((0.0, 0.0)), BORE) for lens in (-0.02, -0.12))
    assert near.far[0] < far.far[0]
    assert near.light[0] > far.light[0]


def test_a_lens_in_the_bend_sees_the_same_wherever_it_is_in_it():
    early, late = (replace(VIEW, lens=lens).meet(rays((0.1, 0.2)), BORE) for lens in (0.01, 0.03))
    assert early.far == pytest.approx(late.far, abs=1e-4)
    assert late.along - early.along == pytest.approx(0.02, abs=1e-4)
