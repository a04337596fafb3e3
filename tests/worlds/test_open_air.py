"""Things stand where the scenario puts them; stripes are seen and not felt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from annelid.errors import GeometryError, SpecError
from annelid.worlds.open_air import OpenAir
from annelid.worlds.scenery import Block


def world(**fields: Any) -> OpenAir:
    return OpenAir.parse(fields, where="world")


def blocks(**fields: Any) -> Sequence[Block]:
    return world(**fields).scenery(0.2).blocks


def test_an_empty_world_is_a_floor():
    (floor,) = blocks()
    assert (floor.shape, floor.solid) == ("plane", True)
    assert world().surface.friction == 0.6


def test_obstacles_stand_on_the_floor():
    _, box, pillar = blocks(
        obstacles=[
            {"shape": "box", "at_mm": [500, 100], "size_mm": [80, 40, 60], "turn_deg": 90},
            {"shape": "cylinder", "at_mm": [300, -200], "diameter_mm": 50, "height_mm": 100},
        ]
    )
    assert box.size == pytest.approx((0.04, 0.02, 0.03))
    assert box.at == pytest.approx((0.5, 0.1, 0.03))
    assert box.turn == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    assert pillar.size == pytest.approx((0.025, 0.05))
    assert (box.name, pillar.name) == ("box1", "cylinder1")
    assert box.solid
    assert pillar.solid


def test_a_wall_goes_from_one_place_to_the_other():
    _, wall = blocks(obstacles=[{"shape": "wall", "from_mm": [500, -300], "to_mm": [500, 300]}])
    assert wall.at[:2] == pytest.approx((0.5, 0))
    assert wall.size[0] == pytest.approx(0.3)
    assert 2 * math.atan2(wall.turn[3], wall.turn[0]) == pytest.approx(math.pi / 2)


def test_a_stripe_is_paint():
    _, *paint = blocks(
        stripes=[{"points_mm": [[0, 0], [300, 0], [300, 400]], "width_mm": 30, "grey": 0.2}]
    )
    assert [part.shape for part in paint] == ["box", "box", "cylinder"]
    assert not any(part.solid for part in paint)
    assert {part.grey for part in paint} == {0.2}
    assert paint[1].at[:2] == pytest.approx((0.3, 0.2))
    assert paint[1].size[:2] == pytest.approx((0.2, 0.015))
    assert all(part.at[2] + part.size[-1] < 0.001 for part in paint)


def test_a_landmark_keeps_its_name_and_grey():
    _, post, panel = blocks(
        landmarks=[
            {"name": "tree", "at_mm": [800, 300], "grey": 0.9},
            {"name": "door", "shape": "panel", "at_mm": [900, 0], "width_mm": 200},
        ]
    )
    assert (post.name, post.shape, post.grey) == ("tree", "cylinder", 0.9)
    assert panel.size[1] == pytest.approx(0.1)
    assert panel.at[2] == pytest.approx(0.15)


def test_progress_is_along_the_first_heading():
    there = world(start_mm=[100, 200], heading_deg=90, goal_mm=800)
    assert there.progress((0.1, 0.7, 0)) == pytest.approx(0.5)
    assert there.goal == 0.8
    assert there.scenery(0.3).start.at[:2] == pytest.approx((0.1, 0.2))


@pytest.mark.parametrize(
    "obstacle",
    [
        {"shape": "box", "at_mm": [-100, 0], "size_mm": [20, 20, 20]},
        {"shape": "cylinder", "at_mm": [20, 0], "diameter_mm": 30},
        {"shape": "wall", "from_mm": [-100, -50], "to_mm": [-100, 50]},
    ],
)
def test_nothing_may_stand_where_the_robot_starts(obstacle):
    with pytest.raises(GeometryError, match=r"1' stands where the robot starts"):
        blocks(obstacles=[obstacle])
    moved = world(obstacles=[obstacle], start_mm=[0, 400])
    assert len(moved.scenery(0.2).blocks) == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"obstacles": [{"shape": "ball", "at_mm": [0, 0]}]}, "'box', 'cylinder', 'wall'"),
        ({"obstacles": [{"shape": "box", "at_mm": [0, 0], "size_mm": [1, -1, 1]}]}, "size_mm.1"),
        ({"obstacles": [{"shape": "wall", "from_mm": [1, 1], "to_mm": [1, 1]}]}, "both are"),
        ({"stripes": [{"points_mm": [[0, 0]]}]}, "points_mm"),
        ({"stripes": [{"points_mm": [[0, 0], [1, 1]], "grey": 2}]}, "grey"),
        (
            {"landmarks": [{"name": "a", "at_mm": [1, 0]}, {"name": "a", "at_mm": [2, 0]}]},
            r"names .* must differ: \['a'\]",
        ),
    ],
)
def test_nonsense_is_refused_with_the_field(fields, message):
    with pytest.raises(SpecError, match=message):
        world(**fields)
