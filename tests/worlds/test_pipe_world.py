"""A robot waits in the launch tube and its way is counted along the bore."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from annelid.errors import GeometryError, SpecError
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.tube_rays import NONE, WALL_HIT, trace_ray
from annelid.worlds.tubes import TubeNetwork


def pipe(**fields: Any) -> Pipe:
    return Pipe.parse(fields, where="world")


def bore(world: Pipe, robot_length: float) -> TubeNetwork:
    tubes = world.scenery(robot_length).tubes
    assert tubes is not None
    return tubes


def test_the_default_is_an_elbow_between_two_straights_of_about_0_8_m():
    world = pipe()
    assert world.goal == pytest.approx(0.35 + 0.06 * math.pi / 2 + 0.35)
    assert world.bore == 0.040
    assert [tube.part for tube in bore(world, 0.2).tubes] == [
        "launch",
        "straight1",
        "elbow1",
        "straight2",
    ]


@pytest.mark.parametrize("slope_deg", [0, 30, 90, -45])
def test_the_robot_starts_wholly_inside_with_its_nose_at_the_inlet(slope_deg):
    world, length = pipe(slope_deg=slope_deg), 0.27
    scenery = world.scenery(length)
    slope = math.radians(slope_deg)
    ahead = np.array([math.cos(slope), 0, math.sin(slope)])
    tail = np.array(scenery.start.at) - length * ahead
    assert bore(world, length).clearance(np.array([scenery.start.at, tail])) == pytest.approx(
        0.020, abs=1e-6
    )
    assert world.progress(scenery.start.at) == pytest.approx(0, abs=1e-9)
    assert world.progress(tuple(tail)) == pytest.approx(-length)
    assert not scenery.self_contact


def test_progress_goes_round_the_elbow():
    world = pipe()
    network = bore(world, 0.2)
    for along in (-0.15, 0.2, 0.40, 0.6, 0.79):
        assert world.progress(tuple(network.point_at(along))) == pytest.approx(along, abs=1e-6)


def test_a_pipe_that_comes_back_beside_the_launch_tube_is_told_apart():
    bend = {"part": "elbow", "radius_mm": 60}
    straight = {"part": "straight", "length_mm": 500}
    world = pipe(parts=[{"part": "straight", "length_mm": 100}, bend, bend, straight])
    network = bore(world, 0.3)
    for along in (-0.25, 0.6, 0.75):
        assert world.progress(tuple(network.point_at(along))) == pytest.approx(along, abs=1e-6)


def test_a_changed_copy_has_its_own_way():
    world = pipe()
    assert world.goal > 0.7
    shorter = world.model_copy(update={"parts": world.parts[:1]})
    assert shorter.goal == pytest.approx(0.35)


def test_the_bore_is_the_narrowest():
    reducer = {"part": "reducer", "length_mm": 50, "bore_mm": 36}
    assert pipe(parts=[{"part": "straight", "length_mm": 100}, reducer]).bore == 0.036


def test_the_launch_tube_is_open_behind_unless_it_is_closed():
    """The wall of a closed one is met by points and by rays, and seen by people; an open one has a
    rim there and nothing else."""
    for launch, closed in (("open", False), ("closed", True)):
        world = pipe(launch=launch, launch_spare_mm=20)
        network = bore(world, 0.2)
        assert network.tubes[0].closed_start is closed
        assert network.tubes[0].length == pytest.approx(0.22)
        (glass,) = world.scenery(0.2).looks
        corners = glass.vertices[glass.faces]
        flat = np.ptp(corners[:, :, 0], axis=1) < 1e-9
        assert flat.any() == closed, "triangles across the bore"
        way, met = trace_ray(network.to_array(), (-0.1, 0.0, 0.0), (-1.0, 0.0, 0.0), 1.0)
        assert (way, met) == ((pytest.approx(0.12), WALL_HIT) if closed else (1.0, NONE))
        assert network.clearance(np.array([[-0.23, 0.0, 0.0]])) < 0


def test_a_floor_leads_up_to_the_mouth_and_no_farther():
    world = pipe(launch="floor", floor_mm=150)
    scenery = world.scenery(0.2)
    (floor,) = scenery.blocks
    assert floor.at[0] + floor.size[0] == pytest.approx(0.0)
    assert floor.at[2] + floor.size[2] == pytest.approx(-0.02), "level with the lowest line"
    assert scenery.start.at[0] == pytest.approx(-0.15)
    assert world.progress((-0.1, 0.05, -0.01)) == pytest.approx(-0.1)
    assert scenery.tubes is not None
    assert scenery.tubes.clearance((-0.01, 0.0, 0.0)) < 0, "no launch tube"


@pytest.mark.parametrize("spare_mm", [0.0, 300.0])
def test_the_room_behind_the_tail_is_a_parameter(spare_mm: float):
    assert bore(pipe(launch_spare_mm=spare_mm), 0.2).tubes[0].length == pytest.approx(
        0.2 + spare_mm / 1000
    )


def test_people_see_through_it():
    (glass,) = pipe().scenery(0.2).looks
    assert glass.colour[3] < 0.5
    assert np.isfinite(glass.vertices).all()
    assert glass.faces.max() < len(glass.vertices)


def test_a_network_that_runs_into_the_launch_tube_is_refused():
    bend = {"part": "elbow", "radius_mm": 60}
    gap = {"part": "straight", "length_mm": 150}
    down = {"part": "straight", "length_mm": 300}
    world = pipe(parts=[{"part": "straight", "length_mm": 50}, bend, gap, bend, gap, bend, down])
    with pytest.raises(GeometryError, match=r"launch.*overlap.*in which the robot waits"):
        world.scenery(0.5)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"bore_mm": 20}, "bore_mm.*36"),
        ({"parts": []}, "at least one part"),
        ({"parts": [{"part": "cap"}]}, "cap cannot be the first"),
        ({"parts": [{"part": "elbow", "radius_mm": 10}]}, "radius_mm"),
        ({"parts": [{"part": "bend"}]}, "'straight', 'elbow', 'tee'"),
        ({"bore": 40}, "bore: unknown field"),
        ({"launch": "ajar"}, "launch.*'open', 'closed' or 'floor'"),
        ({"launch": "floor", "slope_deg": 5}, "a floor leads into a level mouth"),
        ({"launch_spare_mm": -1}, "launch_spare_mm.*at least 0"),
    ],
)
def test_what_does_not_fit_is_refused_when_the_scenario_is_read(fields, message):
    with pytest.raises((GeometryError, SpecError), match=message):
        pipe(**fields)
