"""Distances, places and rays in a pipe network, checked against brute force."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from annelid.errors import UnknownName
from annelid.worlds.pipe import PipeNetwork
from annelid.worlds.tube_rays import BREAK_HIT, NONE, WALL_HIT, trace_ray, trace_rays
from annelid.worlds.tubes import TubeNetwork

EVERYTHING = {
    "parts": [
        {"part": "straight", "length_mm": 60},
        {"part": "tee", "roll_deg": 30, "branch_angle_deg": 60, "run_mm": 110},
        {"part": "elbow"},
        {"part": "reducer", "length_mm": 30, "bore_mm": 50},
        {"part": "straight", "length_mm": 40},
        {"part": "reducer", "length_mm": 20, "bore_mm": 40},
        {"part": "straight", "length_mm": 30},
        {"part": "cap"},
        {"part": "straight", "length_mm": 30, "at": "tee1.branch"},
    ],
    "breaks": [
        {"part": "straight1", "along_mm": 40, "clock_deg": 90, "size_mm": 10},
        {"part": "elbow1", "along_mm": 40, "clock_deg": 0, "shape": "crack", "size_mm": 20},
    ],
}

LOOP: dict[str, Any] = {
    "parts": [
        {"part": "tee"},
        {"part": "straight", "length_mm": 60},
        {"part": "tee"},
        {"part": "straight", "length_mm": 40, "at": "tee1.branch"},
        {"part": "elbow", "roll_deg": 180},
        {"part": "straight", "length_mm": 60},
        {"part": "elbow", "roll_deg": 180},
        {"part": "close", "to": "tee2.branch"},
    ],
}


def network(spec: dict[str, Any]) -> TubeNetwork:
    return PipeNetwork.parse(spec, where="test").tubes()


@pytest.fixture(scope="module")
def everything() -> TubeNetwork:
    return network(EVERYTHING)


def wall_cloud(net: TubeNetwork, spacing: float) -> np.ndarray:
    """Points all over the wall that remains, about ``spacing`` apart."""
    rng = np.random.default_rng(1)
    cloud = []
    for index, tube in enumerate(net.tubes):
        facets = math.ceil(2 * math.pi * tube.radius_start / spacing)
        points = tube.wall_points(math.ceil(tube.length / spacing), facets).reshape(-1, 3)
        for other_index, other in enumerate(net.tubes):
            if (other.branch and other.parent == index) or (
                tube.branch and tube.parent == other_index
            ):
                points = points[~other.contains(points)]
        cloud.append(points)
        if tube.closed_end:
            end, tangent, up = tube.frame(tube.length)
            clock, radius = rng.uniform(0, 2 * math.pi, 20_000), rng.uniform(0, 1, 20_000) ** 0.5
            spokes = np.cos(clock)[:, None] * up + np.sin(clock)[:, None] * np.cross(tangent, up)
            cloud.append(end + tube.radius_end * radius[:, None] * spokes)
    return np.concatenate(cloud)


def points_inside(net: TubeNetwork, count: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    low, high = net.bounding_box()
    points = rng.uniform(low, high, (count * 30, 3))
    return points[net.clearance(points) > 0][:count]


@pytest.mark.parametrize(
    "spec",
    [
        EVERYTHING,
        {"parts": [{"part": "tee"}]},
        {"parts": [{"part": "tee", "branch_angle_deg": 120, "roll_deg": 200, "run_mm": 150}]},
        {"bore_mm": 44, "parts": [{"part": "tee", "branch_bore_mm": 38, "branch_angle_deg": 70}]},
        {"parts": [{"part": "cross", "roll_deg": 50}]},
        {"parts": [{"part": "cross", "branch_angle_deg": 50, "run_mm": 160, "branch_mm": 90}]},
        LOOP,
    ],
)
def test_clearance_is_the_distance_to_the_nearest_wall_point(spec):
    net, spacing = network(spec), 0.0005
    points = points_inside(net, 4000)
    brute, _ = cKDTree(wall_cloud(net, spacing)).query(points)
    exact = net.clearance(points)
    assert np.all(exact <= brute + 1e-9)  # no wall point is nearer than the answer
    assert np.all(brute <= exact + spacing)  # one lies where it says, as far as the cloud can tell
    assert np.mean(brute <= np.hypot(exact, 2 * spacing)) > 0.97


def test_a_loop_has_no_end_where_it_closes_and_a_ray_goes_through():
    net = network(LOOP)
    closing = net.tube("close1")
    assert [net.tubes[end].part for end in net.ends()] == ["tee2"]
    ((number, seam),) = net.seams().items()
    assert net.tubes[number] == closing
    into = np.array(closing.frame(0.0)[0]) + 1e-4 * np.array(closing.tangent)
    reach, met = trace_ray(net.to_array(), into, closing.tangent, 1.0)
    assert met == WALL_HIT  # across the run of the second tee, to its far wall
    assert reach == pytest.approx(closing.length + 0.08 + 0.02, abs=1e-3)
    assert net.clearance([seam])[0] == pytest.approx(0.02, abs=1e-9)


def test_inside_and_outside_agree_with_the_tubes(everything):
    rng = np.random.default_rng(3)
    low, high = everything.bounding_box()
    points = rng.uniform(low - 0.01, high + 0.01, (20_000, 3))
    inside = np.any([tube.contains(points) for tube in everything.tubes], axis=0)
    assert np.array_equal(everything.clearance(points) > 0, inside)


@given(along=st.floats(0, 1), clock=st.floats(0, 6.28), depth=st.floats(0.05, 1))
@settings(max_examples=60)
def test_clearance_in_a_bend_is_radius_less_radial(along, clock, depth):
    net = network({"parts": [{"part": "elbow", "angle_deg": 120, "roll_deg": 40}]})
    tube = net.tubes[0]
    point, tangent, up = tube.frame(along * tube.length)
    spoke = math.cos(clock) * up + math.sin(clock) * np.cross(tangent, up)
    here = point + (1 - depth) * 0.02 * spoke
    assert net.clearance(here)[0] == pytest.approx(depth * 0.02, abs=1e-9)


def test_locate_undoes_point_at(everything):
    for distance in np.linspace(0.001, everything.length() - 0.001, 40):
        place = everything.locate(everything.point_at(distance))
        assert place.along == pytest.approx(distance, abs=1e-9)
        assert place.radial == pytest.approx(0, abs=1e-9)
    route = everything.route_to("straight4")
    assert [tube.part for tube in route] == ["straight1", "tee1", "tee1.branch", "straight4"]
    end = everything.length(route=route)
    assert everything.locate(everything.point_at(end - 0.01, route=route)).tube.part == "straight4"
    assert end == pytest.approx(0.060 + 0.055 + 0.080 + 0.030)


def test_unknown_part_is_named(everything):
    with pytest.raises(UnknownName, match="elbow1"):
        everything.route_to("elbow7")


def test_mesh_lies_on_the_wall_and_faces_the_bore(everything):
    vertices, faces = everything.mesh(48)
    used = vertices[np.unique(faces)]
    assert np.abs(everything.clearance(used)).max() < 2e-3  # teeth at the mouth of the tee
    assert np.percentile(np.abs(everything.clearance(used)), 90) < 1e-6
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    assert np.mean(everything.clearance(corners.mean(axis=1) + 0.003 * normals) > 0) > 0.98


def test_rays_end_on_the_wall_and_never_pass_it(everything):
    rng = np.random.default_rng(4)
    table = everything.to_array()
    for origin in points_inside(everything, 40):
        directions = rng.normal(size=(30, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        distances, kinds = trace_rays(table, origin, directions, 1.0)
        met = kinds != NONE
        ends = origin + distances[met, None] * directions[met]
        assert np.abs(everything.clearance(ends)).max() < 2e-6
        for share in (0.25, 0.5, 0.75, 0.95):
            on_the_way = origin + share * distances[met, None] * directions[met]
            assert everything.clearance(on_the_way).min() > -2e-6


def test_rays_see_breaks_caps_and_open_ends(everything):
    table = everything.to_array()
    assert trace_ray(table, [0.04, 0, 0], [0, -1, 0], 1) == pytest.approx((0.02, BREAK_HIT))
    assert trace_ray(table, [0.04, 0, 0], [0, 1, 0], 1) == pytest.approx((0.02, WALL_HIT))
    assert trace_ray(table, [0.04, 0, 0], [-1, 0, 0], 1) == (1, NONE)
    assert trace_ray(table, [0.04, 0, 0], [0, 1, 0], 0.01) == (0.01, NONE)
    point, tangent, up = everything.tube("elbow1").frame(0.04)
    assert trace_ray(table, point, up, 1)[1] == BREAK_HIT
    assert trace_ray(table, point, -up, 1)[1] == WALL_HIT
    point, tangent, _ = everything.tube("straight3").frame(0.01)
    assert trace_ray(table, point, tangent, 1) == pytest.approx((0.02, WALL_HIT))


def test_a_sensor_pressed_into_the_wall_still_sees_across(everything):
    table = everything.to_array()
    assert trace_ray(table, [0.03, 0.0205, 0], [0, -1, 0], 1)[0] == pytest.approx(0.0405, abs=1e-3)
    assert trace_ray(table, [0.03, 0.0205, 0], [0, 1, 0], 1) == pytest.approx((0, WALL_HIT))
    point, _, up = everything.tube("elbow1").frame(0.07)
    assert trace_ray(table, point - 0.0205 * up, up, 1)[0] == pytest.approx(0.0405, abs=1e-3)
    assert trace_ray(table, point - 0.0205 * up, -up, 1)[0] == pytest.approx(0, abs=1e-3)
    assert trace_ray(table, [0.03, 0.2, 0], [0, 1, 0], 1) == (1, NONE)
