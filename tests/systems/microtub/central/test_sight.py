"""What the central control makes of pictures: real ones, from the ray camera."""

from __future__ import annotations

from functools import cache
from math import radians
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import ndimage
from tests.rigs import simulation

from annelid.systems.microtub.central.view import OpenView, look
from annelid.systems.microtub.central.vision import find_break
from annelid.systems.microtub.video import Picture
from annelid.systems.statement import STATEMENT
from annelid.trial.load import load
from annelid.trial.run import Trial

PIPE: dict[str, Any] = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 400}]}


def picture(world: dict[str, Any]) -> Picture:
    sim = simulation("TR", world)
    sim.advance(100)
    return sim.sensors.picture("T1.camera")


@pytest.mark.parametrize(
    ("clock_deg", "shape", "size_mm", "along_mm"),
    [(0, "hole", 10, 70), (100, "hole", 12, 90), (180, "hole", 12, 60), (300, "crack", 20, 80)],
)
def test_a_break_is_seen_where_it_is(clock_deg: float, shape: str, size_mm: float, along_mm: float):
    one = {"part": "straight1", "along_mm": along_mm, "clock_deg": clock_deg}
    seen = find_break(picture({**PIPE, "breaks": [{**one, "shape": shape, "size_mm": size_mm}]}))
    assert seen is not None
    assert seen.ahead == pytest.approx(along_mm / 1000, abs=0.015)
    off = (seen.direction - radians(90 + clock_deg) + radians(180)) % radians(360) - radians(180)
    assert abs(off) < radians(12)


def test_a_whole_pipe_and_its_open_end_are_no_break():
    assert find_break(picture(PIPE)) is None
    short = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 60}]}
    assert find_break(picture(short)) is None


def test_a_robot_on_its_way_finds_the_break_and_learns_the_bore():
    """Pictures and the bore are asked for on the same bus, and each answer goes to who asked."""
    near = {"part": "straight1", "along_mm": 120, "clock_deg": 50, "size_mm": 12}
    says = [{"at_s": 2.0, "say": "EXP"}, {"at_s": 5.0, "say": "SIE bore"}]
    changes = {
        "duration_s": 12.0,
        "world.bore_mm": 42,
        "world.breaks": [near],
        "control.options.operator": says,
    }
    trial = Trial(load("b16-break", overrides=changes))
    told: list[str] = []
    trial.listeners.append(
        lambda _, source, kind, detail: (
            told.append(str(detail["words"])) if (source, kind) == ("operator", "answer") else None
        )
    )
    metrics = trial.measure()
    assert any("a break in the wall" in each for each in told), told
    assert any("bore of the pipe" in each for each in told), told
    assert not metrics.statements_false


def test_a_robot_that_comes_round_an_elbow_tells_of_the_hole_in_it():
    parts = [
        {"part": "straight", "length_mm": 150},
        {"part": "elbow", "angle_deg": 90, "radius_mm": 70},
        {"part": "straight", "length_mm": 250},
    ]
    hole = {"part": "elbow1", "along_mm": 45, "clock_deg": 30, "size_mm": 12}
    changes = {"duration_s": 32.0, "world.parts": parts, "world.breaks": [hole]}
    trial = Trial(load("b16-break", overrides=changes))
    told: list[int] = []
    trial.listeners.append(
        lambda _, source, kind, detail: (
            told.append(detail["value"])
            if kind == STATEMENT and detail["what"] == "break"
            else None
        )
    )
    metrics = trial.measure()
    assert told == [pytest.approx(195, abs=20)]
    assert not metrics.statements_false


def open_air(**world: Any) -> OpenView:
    return look(picture({"kind": "open-air", **world}))


def test_nothing_is_seen_where_there_is_nothing():
    view = open_air()
    assert (view.stripe, view.landmark) == (None, None)
    assert max(view.wall_left, view.wall_right) < 0.05


@pytest.mark.parametrize("aside_mm", [-30, 0, 30])
def test_a_stripe_has_a_bearing(aside_mm: float):
    points = [[-300, aside_mm], [600, aside_mm]]
    view = open_air(stripes=[{"points_mm": points, "width_mm": 15, "grey": 0.05}])
    assert view.stripe is not None
    assert view.stripe * aside_mm > 0 or (not aside_mm and abs(view.stripe) < 0.05)


@pytest.mark.parametrize(
    ("at_mm", "near", "reached"),
    [
        ([400, 60], False, False),
        ([120, -20], True, False),
        ([85, -5], True, False),
        ([55, -5], True, True),
        ([40, 5], True, True),
    ],
)
@pytest.mark.parametrize(("width_mm", "grey"), [(20, 0.95), (24, 0.6)])
def test_a_landmark_has_a_bearing_and_may_be_near_or_reached(
    at_mm: list[float], near: bool, reached: bool, width_mm: float, grey: float
):
    post = {"name": "m", "at_mm": at_mm, "width_mm": width_mm, "grey": grey}
    view = open_air(landmarks=[post])
    assert view.landmark is not None
    assert view.landmark * at_mm[1] > 0
    assert (view.landmark_near, view.landmark_reached) == (near, reached)


@pytest.mark.parametrize("roll_deg", range(15, 360, 15))
def test_the_floor_is_no_landmark_however_the_camera_lies(roll_deg: int):
    """A robot on its back took it for one that is at hand."""
    rolled = ndimage.rotate(picture({"kind": "open-air"}), roll_deg, reshape=False, mode="nearest")
    assert look(rolled).landmark is None


@given(st.floats(-180, 180))
@example(5.0)
@example(-15.0)
@settings(max_examples=60, deadline=None)
def test_the_dark_above_the_horizon_is_no_stripe_however_the_camera_is_rolled(roll_deg):
    """From 5° on it came in at the rim."""
    rolled = ndimage.rotate(bare_floor(), roll_deg, reshape=False, mode="nearest")
    assert look(rolled).stripe is None


@pytest.mark.parametrize("side", [1, -1])
def test_a_stripe_is_seen_that_leaves_the_picture(side: int):
    """Far ahead, where the floor above it is faint; and nearer."""
    for ahead_mm in (110, 130, 190):
        points = [[ahead_mm - 300, side * 240], [ahead_mm + 300, 0]]
        view = open_air(stripes=[{"points_mm": points, "width_mm": 15, "grey": 0.05}])
        assert view.stripe is not None


@given(st.floats(-20, 20))
@settings(max_examples=20, deadline=None)
def test_a_stripe_ahead_is_ahead_for_a_camera_that_is_rolled_a_little(roll_deg):
    rolled = ndimage.rotate(striped_floor(), roll_deg, reshape=False, mode="nearest")
    assert look(rolled).stripe == pytest.approx(0.0, abs=radians(13))


@cache
def bare_floor() -> Picture:
    return picture({"kind": "open-air"})


@cache
def striped_floor() -> Picture:
    stripe = {"points_mm": [[-300, 0], [600, 0]], "width_mm": 15, "grey": 0.05}
    return picture({"kind": "open-air", "stripes": [stripe]})


def test_walls_have_a_side():
    left = open_air(obstacles=[{"shape": "wall", "from_mm": [-100, 60], "to_mm": [800, 60]}])
    right = open_air(obstacles=[{"shape": "wall", "from_mm": [-100, -60], "to_mm": [800, -60]}])
    assert left.wall_left > 0.2 > left.wall_right
    assert right.wall_right > 0.2 > right.wall_left
