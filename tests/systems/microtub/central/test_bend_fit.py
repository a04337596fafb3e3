"""Where in a bend a hole is, by real pictures from the ray camera."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians
from typing import Any

import pytest
from tests.rigs import simulation

from annelid.systems.microtub.central.bend_fit import HoleSight, PlacedHole, keep, place
from annelid.systems.microtub.central.known import KnownElbow
from annelid.systems.microtub.central.vision import find_hole, place_ahead
from annelid.systems.microtub.video import Picture

BEFORE_MM = 60.0


def world(
    *,
    bore_mm: float = 40,
    radius_mm: float = 80,
    angle_deg: float = 90,
    roll_deg: float = 0,
    **more: Any,
) -> dict[str, Any]:
    parts = [
        {"part": "straight", "length_mm": BEFORE_MM},
        {"part": "elbow", "angle_deg": angle_deg, "radius_mm": radius_mm, "roll_deg": roll_deg},
        {"part": "straight", "length_mm": 300},
    ]
    return {"kind": "pipe", "bore_mm": bore_mm, "parts": parts, **more}


def picture(pipe: dict[str, Any]) -> Picture:
    sim = simulation("TR", pipe)
    sim.advance(100)
    return sim.sensors.picture("T1.camera")


def felt(pipe: dict[str, Any]) -> KnownElbow:
    """As joints feel an elbow: its middle 15 mm too early, its angle 5° too large, and short."""
    bend = pipe["parts"][1]
    angle = radians(bend["angle_deg"])
    middle = (BEFORE_MM + bend["radius_mm"] * angle / 2) / 1000
    towards = radians(bend["roll_deg"] + 4)
    return KnownElbow(middle - 0.015, angle + radians(5), towards, 0.04, 0.03, place=1)


def sight(pipe: dict[str, Any]) -> HoleSight:
    shot = picture(pipe)
    hole = find_hole(shot)
    assert hole is not None
    return keep(shot, hole, way=0.0, still=True, roll=0.0, bore=pipe["bore_mm"] / 1000)


def placed(pipe: dict[str, Any]) -> PlacedHole | None:
    return place(sight(pipe), felt(pipe))


@pytest.mark.parametrize(
    ("pipe", "along_mm", "clock_deg", "shape", "size_mm"),
    [
        ({}, 40, 90, "hole", 11),
        ({"radius_mm": 60, "roll_deg": 180}, 35, 300, "hole", 12),
        ({"radius_mm": 110, "roll_deg": 90}, 60, 180, "crack", 22),
        ({"bore_mm": 44, "roll_deg": -60}, 50, 40, "hole", 13),
        ({"angle_deg": 45, "radius_mm": 100}, 50, 60, "hole", 12),
    ],
)
def test_a_hole_in_a_bend_is_placed_whatever_the_bend(
    pipe: dict[str, Any], along_mm: float, clock_deg: float, shape: str, size_mm: float
):
    one = {"part": "elbow1", "along_mm": along_mm, "clock_deg": clock_deg}
    broken = world(**pipe, breaks=[{**one, "shape": shape, "size_mm": size_mm}])
    found = placed(broken)
    assert found is not None
    assert 1000 * found.at == pytest.approx(BEFORE_MM + along_mm, abs=10)
    assert cos(found.direction - radians(90 + clock_deg)) > cos(radians(20))


def test_without_the_model_the_same_hole_is_out_of_place():
    """The control: what a straight pipe would make of the picture."""
    one = {"part": "elbow1", "along_mm": 40, "clock_deg": 90, "size_mm": 11}
    shot = picture(world(breaks=[one]))
    hole = find_hole(shot)
    assert hole is not None
    ahead = place_ahead(shot, hole)
    assert ahead is None or abs(1000 * ahead.ahead - (BEFORE_MM + 40)) > 20


def test_a_picture_that_does_not_look_like_the_bend_is_not_placed():
    """By an elbow that leads to the other side."""
    one = {"part": "elbow1", "along_mm": 40, "clock_deg": 90, "size_mm": 11}
    pipe = world(breaks=[one])
    elbow = felt(pipe)
    assert place(sight(pipe), replace(elbow, towards=elbow.towards + pi)) is None


@pytest.mark.parametrize("angle_deg", [30, 60, 90])
def test_a_whole_bend_shows_no_hole(angle_deg: float):
    for roll_deg in (0, 120):
        shot = picture(world(angle_deg=angle_deg, roll_deg=roll_deg))
        assert find_hole(shot) is None


@pytest.mark.parametrize("left_mm", [1, 20, 40])
def test_an_open_end_behind_a_bend_is_not_placed_where_there_is_wall(left_mm: float):
    pipe = world(angle_deg=40, radius_mm=70)
    pipe["parts"][2]["length_mm"] = left_mm
    shot = picture(pipe)
    hole = find_hole(shot)
    end = (BEFORE_MM + 70 * radians(40) + left_mm) / 1000
    if hole is not None:
        kept = keep(shot, hole, way=0.0, still=True, roll=0.0, bore=0.04)
        found = place(kept, felt(pipe))
        assert found is None or found.at > end - 0.01
