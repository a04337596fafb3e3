"""A user's mesh holds what is dropped on it; a file that cannot is refused with the reason."""

from __future__ import annotations

import math
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from numpy.typing import NDArray
from tests.rigs import simulation

from annelid.errors import GeometryError, MissingFile, SpecError
from annelid.robot.body import Touches
from annelid.spec import Vec3
from annelid.worlds import Scenery, World, parse_world, worlds
from annelid.worlds.pipe import PipeNetwork, Straight
from annelid.worlds.prisms import gaps_behind, prisms, winding

Floats = NDArray[np.float64]

# --- drawing -----------------------------------------------------------------------------------


def tube(radius: float, *, start: float = 0.0, facets: int = 24, inwards: bool = True) -> Floats:
    """(n, 3, 3) triangles of a bore along x, 400 mm long, or of a sector of it."""
    turn = np.linspace(start, 2 * math.pi, facets + 1)
    rows = [
        np.stack([np.full_like(turn, x), radius * np.cos(turn), radius * np.sin(turn)], axis=1)
        for x in np.linspace(0, 400, 5)
    ]
    triangles = []
    for here, there in pairwise(rows):
        for a, b, c, d in zip(here, here[1:], there[1:], there, strict=False):
            triangles += [(a, b, c), (a, c, d)]
    corners = np.array(triangles)
    return corners if not inwards else corners[:, ::-1]


HALF_PIPE = tube(20, start=math.pi, facets=12)


def box(size: Vec3, middle: Vec3 = (0, 0, 0)) -> Floats:
    """Twelve triangles that look outwards."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = signs * np.array(size) / 2 + np.array(middle)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    triangles: Floats = corners[np.array(faces)]
    return triangles


FLOOR = box((400, 200, 10), (0, 0, -5))


def write_stl(path: Path, triangles: Floats) -> Path:
    rows = [struct.pack("<12fH", 0, 0, 0, *t.ravel(), 0) for t in triangles]
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(rows)) + b"".join(rows))
    return path


def write_obj(path: Path, triangles: Floats) -> Path:
    lines = [f"v {x} {y} {z}" for x, y, z in triangles.reshape(-1, 3)]
    lines += [f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}" for k in range(len(triangles))]
    path.write_text("\n".join(lines))
    return path


def mesh(path: Path, **fields: Any) -> World:
    return parse_world({"kind": "mesh", "file": str(path), **fields}, worlds())


def dropped(scenery: Scenery, at: Vec3, *, push: Vec3 = (0.0, 0.0, 0.0)) -> Floats:
    """Where a ball of 16 mm that starts at ``at`` is a second later."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 0.001
    for index, solid in enumerate(scenery.solids):
        spec.add_mesh(name=f"{index}", uservert=solid.points.ravel())
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH, meshname=f"{index}", solref=[0.004, 1], priority=1
        )
    ball = spec.worldbody.add_body(pos=at)
    ball.add_freejoint()
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.008, 0, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qvel[:3] = push
    for _ in range(1000):
        mujoco.mj_step(model, data)
    place: Floats = data.qpos[:3]
    return place


# --- what a user would notice ------------------------------------------------------------------


@pytest.mark.parametrize("write", [write_stl, write_obj])
@pytest.mark.parametrize("turned", [1, -1], ids=["facing the robot", "facing away"])
def test_a_half_pipe_holds_a_ball(tmp_path, write, turned):
    path = write(tmp_path / f"half.{write.__name__[-3:]}", HALF_PIPE[:, ::turned])
    scenery = mesh(path, start_mm=[200, 0, 0]).scenery(0.1)
    x, y, z = dropped(scenery, (0.2, 0.004, 0.0))
    assert math.hypot(y, z) == pytest.approx(0.012, abs=0.0005)
    assert z < -0.010
    assert x == pytest.approx(0.2, abs=0.02)


def test_a_box_is_a_floor_of_the_right_height(tmp_path):
    scenery = mesh(write_obj(tmp_path / "floor.obj", FLOOR), contact="flat").scenery(0.1)
    assert dropped(scenery, (0.03, 0.02, 0.05))[2] == pytest.approx(0.008, abs=2e-4)
    assert scenery.meets is Touches.GROUND


def test_a_pipe_with_a_thin_wall_keeps_its_bore(tmp_path):
    """The outer skin must not reach through the wall: 1 mm here, prisms would be 4."""
    both = np.concatenate([tube(20), tube(21, inwards=False)])
    scenery = mesh(write_stl(tmp_path / "pipe.stl", both), start_mm=[100, 0, 0]).scenery(0.1)
    _, y, z = dropped(scenery, (0.2, 0, 0), push=(0, 0.3, 0))
    assert math.hypot(y, z) == pytest.approx(0.012, abs=0.0005)


def test_the_looks_are_the_mesh_itself(tmp_path):
    world = mesh(write_stl(tmp_path / "half.stl", HALF_PIPE), start_mm=[50, 0, 0], heading_deg=90)
    scenery = world.scenery(0.1)
    (looks,) = scenery.looks
    assert len(looks.faces) == len(scenery.solids) == len(HALF_PIPE)
    assert looks.vertices.max() == pytest.approx(0.4)
    assert scenery.meets is Touches.PIPE
    assert scenery.start.at == pytest.approx((0.05, 0, 0))
    assert world.progress((0.05, 0.3, 0)) == pytest.approx(0.3)


def test_the_scale_is_metres_per_unit(tmp_path):
    path = write_stl(tmp_path / "half.stl", HALF_PIPE / 25.4)
    (looks,) = mesh(path, scale=0.0254, start_mm=[50, 0, 0]).scenery(0.1).looks
    assert looks.vertices.max() == pytest.approx(0.4, rel=1e-6)


# --- what is refused ---------------------------------------------------------------------------


def test_a_missing_file(tmp_path):
    with pytest.raises(MissingFile, match=r"file: .*gone\.stl: no such file"):
        mesh(tmp_path / "gone.stl")
    with pytest.raises(SpecError, match=r"file: .*expected an \.stl or \.obj"):
        mesh(tmp_path / "part.step")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.stl", b"", "no triangles"),
        ("text.stl", b"this is a shopping list\n", "no triangles"),
        ("noise.stl", bytes(range(256)) * 10, "not a readable mesh"),
        ("words.obj", b"hello world\n", "no triangles"),
        ("index.obj", b"v 0 0 0\nv 100 0 0\nv 0 100 0\nf 1 2 9\n", "not a readable mesh"),
        ("nan.obj", b"v nan 0 0\nv 100 0 0\nv 0 100 0\nf 1 2 3\n", "not numbers"),
        ("line.obj", b"v 0 0 0\nv 100 0 0\nv 200 0 0\nf 1 2 3\n", "every triangle is degenerate"),
    ],
)
def test_a_broken_file(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SpecError, match=f"file: .*{name}: .*{message}"):
        mesh(tmp_path / name).scenery(0.1)


def test_a_torn_file(tmp_path):
    path = write_stl(tmp_path / "torn.stl", FLOOR)
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(SpecError, match=r"torn\.stl: not a readable mesh"):
        mesh(path).scenery(0.1)


def test_triangles_that_look_to_both_sides(tmp_path):
    mixed = FLOOR.copy()
    mixed[3] = mixed[3, ::-1]
    with pytest.raises(SpecError, match=r"at 3 edges .* recalculate the normals"):
        mesh(write_stl(tmp_path / "mixed.stl", mixed)).scenery(0.1)


@pytest.mark.parametrize(
    ("factor", "advice"),
    [
        (0.001, r"0\.0004 m long, expected 0\.03 to 100: .* 1 \(metres\)"),
        (1000, r"400 m long, expected 0\.03 to 100: .* scale = 2\.5e-06"),
    ],
)
def test_a_wrong_unit_is_answered_with_a_better_one(tmp_path, factor, advice):
    path = write_stl(tmp_path / "floor.stl", FLOOR * factor)
    with pytest.raises(GeometryError, match=f"scale: at 0.001 metres per unit .*{advice}"):
        mesh(path).scenery(0.1)


def test_too_many_triangles(tmp_path):
    path = write_stl(tmp_path / "fine.stl", tube(20, facets=2600))
    with pytest.raises(GeometryError, match=r"20800 triangles, at most 20000 .* Decimat"):
        mesh(path).scenery(0.1)


# --- the cutting -------------------------------------------------------------------------------


def test_prisms_are_as_deep_as_asked_or_half_the_wall():
    for thickness, expected in ((0.1, 0.004), (0.002, 0.001)):
        triangles = box((0.3, 0.3, thickness))
        vertices, faces = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
        pieces = prisms(vertices, faces.reshape(-1, 3), depth=0.004)
        normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        assert gaps_behind(triangles, normals, 0.008).min() == pytest.approx(min(thickness, 0.008))
        depth = np.linalg.norm(pieces[:, 3:] - pieces[:, :3], axis=2)
        assert depth == pytest.approx(np.full_like(depth, expected))


def test_winding_tells_inside_from_outside():
    assert winding(FLOOR, np.array([0, 0, -5.0])) == pytest.approx(1)
    assert winding(FLOOR, np.array([0, 0, 5.0])) == pytest.approx(0, abs=1e-9)


def test_a_mesh_feels_like_what_it_stands_for(tmp_path):
    file = write_stl(tmp_path / "it.stl", box((200, 100, 10)))
    assert mesh(file).surface.friction == 0.0
    assert mesh(file, contact="flat").surface.friction == 0.6
    assert mesh(file, surface={"grip": 0.5}).surface.friction == 0.0
    assert mesh(file, contact="flat", surface={"friction": 0.2}).surface.friction == 0.2


def test_a_drive_is_as_fast_in_a_drawn_pipe_as_in_a_pipe(tmp_path):
    """Fine enough to be round; with 16 facets it is another shape, and 6 % slower."""
    file = tmp_path / "pipe.stl"
    vertices, faces = PipeNetwork(parts=(Straight(length_mm=700),)).tubes().mesh()
    write_stl(file, vertices[faces] * 1000)
    way = []
    for world in (
        {"kind": "mesh", "file": str(file), "start_mm": [200, 0, 0]},
        {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 500}]},
    ):
        sim = simulation("H", world, timestep_ms=1.0)
        sim.actuators.write_one("H1.drive", 1.0)
        sim.advance_to(1_000_000_000)
        before = sim.progress()
        sim.advance_to(5_000_000_000)
        way.append(sim.progress() - before)
    assert way[0] == pytest.approx(way[1], rel=0.03)


def test_a_tube_is_walled_and_a_floor_is_not(tmp_path):
    """Where walls are, a robot is not put down to a side: it would be in one of them."""
    file = write_stl(tmp_path / "tube.stl", tube(0.02))
    assert mesh(file).walled
    assert not mesh(file, contact="flat").walled
