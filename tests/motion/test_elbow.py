"""The nose: touches, openings, elbows; from readings like those of the study."""

from __future__ import annotations

from math import cos, degrees, nan, pi, radians, sin, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from annelid.motion.elbow import (
    AGAIN,
    LOOKS,
    RADIUS,
    Nose,
    NoseFinding,
    NoseReport,
    free_side,
)
from annelid.motion.opening import WATCH
from annelid.worlds import parse_world, worlds
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.tube_rays import trace_ray

STRAIGHT = (0.011, 0.026, 0.015, 0.005)
"""A nose that lies on the floor of a straight pipe of 40 mm sees this."""


@pytest.mark.parametrize(
    ("rays", "towards"),
    [
        ((0.09, 0.02, 0.01, 0.01), 0),
        ((0.01, 0.09, 0.01, 0.02), 90),
        ((0.01, 0.02, 0.09, 0.01), 180),
        ((0.01, 0.01, 0.02, 0.09), 270),
        ((0.08, 0.08, 0.01, 0.01), 45),
    ],
)
def test_it_goes_on_where_the_rays_are_longest(rays, towards):
    found = free_side(*rays)
    assert found is not None
    assert (degrees(found) - towards + 180) % 360 - 180 == pytest.approx(0, abs=2)


def test_short_rays_and_dead_ones_leave_no_way_on():
    assert free_side(*STRAIGHT) is None
    assert free_side(nan, nan, nan, nan) is None


def felt(nose: Nose, force: float, rays: tuple[float, ...], looks: int) -> list[NoseReport]:
    found = [nose.look(force, rays) for _ in range(looks)]
    return [each for each in found if each is not None]


@pytest.mark.parametrize("dead", range(4))
@pytest.mark.parametrize("before", [0, 20])
def test_a_ray_that_died_does_not_turn_the_way_on(dead: int, before: int):
    """Neither in a bend nor at a branch to another side, whether the ray has ever measured or not;
    and with a dead ray nobody says that the pipe is closed."""
    for way_on in set(range(4)) - {dead}:
        nose = Nose()
        felt(nose, 0.0, STRAIGHT, before)
        rays = [*STRAIGHT]
        rays[way_on] = 0.09
        rays[dead] = nan
        felt(nose, 0.0, tuple(nan if k == dead else ray for k, ray in enumerate(STRAIGHT)), 10)
        for report in (*felt(nose, 0.0, tuple(rays), 10), *felt(nose, 0.3, tuple(rays), 10)):
            assert report.towards is not None
            off = degrees(report.towards) - 90 * way_on
            assert (off + 180) % 360 - 180 == pytest.approx(0, abs=5), report
    cap = tuple(nan if k == dead else 0.006 for k in range(4))
    assert felt(Nose(), 0.3, cap, 5) == [NoseReport(NoseFinding.TOUCH, None)]


def test_a_touch_is_told_once_and_again_after_it_was_gone():
    nose = Nose()
    free = (0.01, 0.02, 0.06, 0.01)
    assert felt(nose, 0.3, free, LOOKS - 1) == []
    told = felt(nose, 0.3, free, 10)
    assert [each.what for each in told] == [NoseFinding.TOUCH]
    assert told[0].towards == pytest.approx(pi, abs=0.05)
    assert felt(nose, 0.0, STRAIGHT, 5) == []
    assert len(felt(nose, 0.3, free, 5)) == 1


def test_a_touch_that_lasts_is_told_again():
    told = felt(Nose(), 0.3, STRAIGHT, 3 * AGAIN)
    assert len(told) == 4
    assert set(told) == {NoseReport(NoseFinding.TOUCH, None)}


def test_a_weak_or_short_touch_is_none():
    nose = Nose()
    assert felt(nose, 0.05, STRAIGHT, 20) == []
    assert nose.look(0.3, STRAIGHT) is None
    assert felt(nose, 0.0, STRAIGHT, 5) == []


def test_a_dead_end_leaves_no_way_on():
    assert felt(Nose(), 0.4, STRAIGHT, 5) == [NoseReport(NoseFinding.TOUCH, None)]


def test_an_opening_across_from_a_wall_that_stays_is_a_bifurcation():
    nose = Nose()
    felt(nose, 0.0, STRAIGHT, 10)
    (first,) = felt(nose, 0.0, (0.011, 0.026, 0.15, 0.005), 20)
    (second,) = felt(nose, 0.0, STRAIGHT, 20)  # once more when it is behind the nose
    for told in (first, second):
        assert told.what is NoseFinding.OPENING
        assert told.towards == pytest.approx(pi, abs=0.05)
    long = felt(nose, 0.0, (0.011, 0.026, 0.15, 0.005), WATCH + 20)
    assert len(long) == 2
    assert felt(nose, 0.0, STRAIGHT, 20) == []


@pytest.mark.parametrize(
    ("rays", "what", "towards"),
    [
        ((0.15, 0.026, 0.15, 0.005), NoseFinding.CROSS, 0.0),
        ((0.011, 0.15, 0.015, 0.15), NoseFinding.CROSS, pi / 2),
        ((0.15, 0.15, 0.015, 0.005), NoseFinding.OPENING, pi / 4),
    ],
)
def test_two_sides_that_open_across_from_each_other_are_a_cross(rays, what, towards):
    """The control: two sides that are neighbours show one branch between them."""
    nose = Nose()
    felt(nose, 0.0, STRAIGHT, 10)
    (first,) = felt(nose, 0.0, rays, 20)
    (second,) = felt(nose, 0.0, STRAIGHT, 20)
    for told in (first, second):
        assert told.what is what
        assert told.towards == pytest.approx(towards, abs=0.05)


def fitting(kind: str, size: float, bore: float) -> dict[str, object]:
    """``size``: the angle of a branch, degrees, or the radius of an elbow, mm."""
    if kind == "elbow":
        return {"radius_mm": size, "angle_deg": 90}
    if kind == "reducer":
        return {"length_mm": 60, "bore_mm": 1000 * bore + 4}
    return {"run_mm": 300, "branch_mm": 150, "branch_angle_deg": size}


def seen_on_the_way(kind: str, size: float, bore: float, roll: float) -> list[NoseFinding]:
    """By a nose that lies on the floor and goes straight on, until it touches a wall."""
    parts: list[dict[str, object]] = [
        {"part": "straight", "length_mm": 250},
        {"part": kind, **fitting(kind, size, bore)},
        {"part": "straight", "length_mm": 400},
    ]
    world = parse_world({"kind": "pipe", "bore_mm": 1000 * bore, "parts": parts}, worlds())
    assert isinstance(world, Pipe)
    tubes = world.tubes()
    table = tubes.to_array()
    nose, told = Nose(bore=bore), []
    sides = [np.array([0.0, cos(roll + k * pi / 2), sin(roll + k * pi / 2)]) for k in range(4)]
    ahead = np.array([1.0, 0.0, 0.0])
    for way in np.arange(0.20, 0.50, 0.00135):
        middle = np.array([way - RADIUS, 0.0, RADIUS - bore / 2])
        if tubes.clearance(middle) < RADIUS - 0.001:
            break
        looks = [(ahead + side) * sqrt(0.5) for side in sides]
        rays = [trace_ray(table, middle + RADIUS * look, look, 0.15)[0] for look in looks]
        report = nose.look(0.0, rays)
        told += [report.what] if report else []
    return told


ANGLES, BORES = st.floats(30, 90), st.floats(0.0385, 0.044)


@given(ANGLES, BORES, st.floats(-0.6, 0.6), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_a_cross_is_told_at_any_angle_in_any_bore(angle, bore, roll, quarter):
    """Rolled by up to 35° from where a ray looks into it."""
    told = seen_on_the_way("cross", angle, bore, roll + quarter * pi / 2)
    assert told[1:] == [NoseFinding.CROSS]


@given(ANGLES, BORES, st.floats(0, 2 * pi))
@settings(max_examples=40, deadline=None)
def test_a_branch_is_told_however_the_nose_is_rolled(angle, bore, roll):
    """Its beginning and its end; between two rays, or low beside the nose, none sees far."""
    first, second = seen_on_the_way("tee", angle, bore, roll)
    assert first is NoseFinding.OPENING
    assert second in (NoseFinding.OPENING, NoseFinding.SLIGHT)


@pytest.mark.parametrize("kind", ["elbow", "reducer"])
@given(BORES, st.floats(0.045, 0.120), st.floats(0, 2 * pi))
@settings(max_examples=20, deadline=None)
def test_neither_a_bend_nor_another_bore_is_a_branch(kind, bore, radius, roll):
    assert len(seen_on_the_way(kind, 1000 * radius, bore, roll)) < 2


def test_a_cross_of_which_one_side_shows_sooner_is_told_as_one_in_the_end():
    nose = Nose()
    felt(nose, 0.0, STRAIGHT, 10)
    (first,) = felt(nose, 0.0, (0.15, 0.026, 0.015, 0.005), 6)
    assert first.what is NoseFinding.OPENING
    assert felt(nose, 0.0, (0.15, 0.026, 0.15, 0.005), 10) == []
    (second,) = felt(nose, 0.0, STRAIGHT, 20)
    assert second == NoseReport(NoseFinding.CROSS, 0.0)


@pytest.mark.parametrize("ray", range(4))
def test_a_ray_that_jumps_alone_looks_into_a_sharp_branch_of_a_wide_pipe(ray: int):
    """There it does not see as far as would be too far in any straight pipe."""
    nose, wide = Nose(bore=0.043), (0.0148, 0.031, 0.0137, 0.005)
    assert felt(nose, 0.0, wide, 20) == []
    jumps = tuple(each + 0.02 * (k == ray) for k, each in enumerate(wide))
    assert ray == 1 or max(jumps) < nose.free
    (first,) = felt(nose, 0.0, jumps, 14)
    (second,) = felt(nose, 0.0, wide, 20)
    assert first.what is NoseFinding.OPENING
    assert second.what is (NoseFinding.OPENING if ray == 1 else NoseFinding.SLIGHT)
    for told in (first, second):
        assert told.towards == pytest.approx(ray * pi / 2, abs=0.3)


@pytest.mark.parametrize("step", [0.0003, 0.001, 0.02])
def test_rays_that_change_in_pairs_are_no_branch(step: float):
    """The nose is bent aside, at any speed; the control: a ray that grows alone."""
    wide = (0.0148, 0.031, 0.0137, 0.005)
    for across, told in ((1.0, 0), (0.0, 1)):
        nose = Nose(bore=0.043)
        felt(nose, 0.0, wide, 80)
        found = []
        for look in range(60):
            more = min(step * look, 0.010)
            rays = (wide[0] + more, wide[1], wide[2] - across * more, wide[3])
            found += felt(nose, 0.0, rays, 1)
        assert len(found) == told


@given(st.floats(0.0385, 0.050), st.floats(0, 2 * pi), st.floats(4, 7.5), st.integers(4, 14))
@example(0.0477, radians(173), 6.8, 14)
@example(0.0434, radians(353), 7.4, 13)
@example(0.0480, radians(179), 5.5, 10)
@settings(max_examples=40, deadline=None)
def test_a_nose_that_nods_in_a_straight_pipe_sees_no_opening(bore, roll, dips_deg, looks):
    """An inchworm's nose dips on the floor at every step, ``looks`` down and as many up, and one
    ray sees up to 8 mm farther."""
    floor = np.array([0.0, 0.0, RADIUS - bore / 2])
    nose = Nose(bore=bore)
    for look in range(60 + 8 * looks):
        dips = radians(dips_deg) * (look >= 60) * (1 - cos(pi * look / looks)) / 2
        assert felt(nose, 0.0, _rays_of_a_leaning_nose(bore, floor, roll, dips), 1) == []


def _rays_of_a_leaning_nose(
    bore: float, place: NDArray[np.float64], roll: float, down: float
) -> tuple[float, ...]:
    """Four rays 45° forward, to the wall of a straight pipe along x."""
    ahead = np.array([cos(down), 0.0, -sin(down)])
    above, beside = np.array([sin(down), 0.0, cos(down)]), np.array([0.0, 1.0, 0.0])
    rays = []
    for angle in (roll + k * pi / 2 for k in range(4)):
        way = (ahead + cos(angle) * beside + sin(angle) * above) * sqrt(0.5)
        start = place + RADIUS * way
        a, b = way[1:] @ way[1:], start[1:] @ way[1:]
        c = start[1:] @ start[1:] - (bore / 2) ** 2
        rays.append(float((sqrt(b * b - a * c) - b) / a))
    return tuple(rays)


@pytest.mark.parametrize("bore", [0.038, 0.040, 0.044, 0.050])
def test_a_straight_pipe_of_any_bore_is_not_open(bore: float):
    """A nose on the floor: rays meet the walls of this bore, and none counts as free."""
    low = bore - 2 * RADIUS
    rays = [sqrt(2) * wall - RADIUS for wall in _walls(bore, low)]
    nose = Nose()
    assert felt(nose, 0.0, tuple(rays), 200) == []
    assert nose.free > max(rays) + 0.005
    assert len(felt(nose, 0.0, (rays[0], rays[1], 0.12, rays[3]), 20)) == 1


def test_a_bend_is_not_learnt_as_a_wider_pipe():
    """In a gentle bend between two rays the pipe seems to widen slowly; its bore stays, and a touch
    shows the way on.  A narrower pipe is believed at once."""
    nose = Nose()
    felt(nose, 0.0, STRAIGHT, 100)
    assert nose.bore is not None
    straight = nose.bore
    for look in range(88):
        more = 0.00003 * look
        felt(nose, 0.0, tuple(ray + more for ray in STRAIGHT), 1)
    assert nose.bore < straight + 0.001
    (told,) = felt(nose, 0.3, (0.033, 0.023, 0.003, 0.002), 5)
    assert told.towards is not None
    assert 0 < told.towards < pi / 2
    felt(nose, 0.0, tuple(ray - 0.002 for ray in STRAIGHT), 100)
    assert nose.bore < straight - 0.001


def _walls(bore: float, low: float) -> tuple[float, ...]:
    """Left, up, right, down of an axis that lies ``low / 2`` below the pipe's."""
    side = sqrt((bore / 2) ** 2 - (low / 2) ** 2)
    return side, (bore + low) / 2, side, (bore - low) / 2


def test_an_opening_across_from_a_wall_that_comes_nearer_is_an_elbow():
    """Nothing is told a second time until the nose touches."""
    nose = Nose()
    felt(nose, 0.0, STRAIGHT, 10)
    told = []
    for look in range(WATCH + 10):
        nearer = max(0.001, 0.011 - 0.0004 * look)
        told += felt(nose, 0.0, (nearer, 0.022, 0.1 - 0.001 * look, 0.005), 1)
    told += felt(nose, 0.0, STRAIGHT, 20)
    assert [each.what for each in told] == [NoseFinding.OPENING]
    assert [each.what for each in felt(nose, 0.3, (0.001, 0.01, 0.05, 0.005), 5)] == [
        NoseFinding.TOUCH
    ]


def test_a_wall_ahead_of_every_ray_is_a_closed_way():
    cap = (0.006, 0.005, 0.007, 0.006)
    assert felt(Nose(), 0.3, cap, 5) == [NoseReport(NoseFinding.CLOSED, None)]
    assert felt(Nose(), 0.3, (0.006, 0.005, 0.015, 0.006), 5)[0].what is NoseFinding.TOUCH
    assert felt(Nose(), 0.0, cap, 5) == [], "near, and not touched"


@pytest.mark.parametrize(
    ("across", "what"), [(0.026, NoseFinding.OPENING), (0.004, NoseFinding.TOUCH)]
)
def test_a_nose_that_sinks_into_a_branch_meets_its_edge_and_not_the_wall_across(across, what):
    """A branch in the floor, and an elbow that leads down."""
    nose = Nose(RADIUS, 0.040)
    felt(nose, 0.0, STRAIGHT, 10)
    (begins,) = felt(nose, 0.0, (0.011, 0.026, 0.015, 0.08), 12)
    assert begins.what is NoseFinding.OPENING
    (told,) = felt(nose, 0.3, (0.011, across, 0.015, 0.05), 5)
    assert told.what is what
