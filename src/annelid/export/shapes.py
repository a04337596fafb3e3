"""The shapes of a module as triangles, in its own frame while no joint is turned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray

from annelid.boundary.files import write_file
from annelid.physics.frames import Placement, onto
from annelid.physics.simulation import Simulation
from annelid.robot.body import Body, Geom
from annelid.robot.shell import triangles

Floats = NDArray[np.float64]

ROUND = 32
"""Segments of a circle."""


def seen(geom: Geom) -> bool:
    """Whether people see it; the others are what collides."""
    return geom.colour is None or geom.colour[3] > 0


def placements(body: Body) -> dict[str, Placement]:
    """Of the parts, in the module's frame."""
    found: dict[str, Placement] = {}
    for part in body.parts:
        own = Placement.of(part.at, part.turn)
        found[part.name] = own if part.parent is None else found[part.parent] @ own
    return found


def body_mesh(body: Body) -> Any:
    """A ``Trimesh`` of all that is seen of a module, m; where nothing has a look, what collides."""
    geoms = [(part, geom) for part in body.parts for geom in part.geoms]
    shown = [(part, geom) for part, geom in geoms if seen(geom)] or geoms
    where = placements(body)
    meshes = []
    for part, geom in shown:
        mesh = geom_mesh(geom)
        mesh.apply_transform(matrix(where[part.name]))
        meshes.append(mesh)
    return trimesh.util.concatenate(meshes)


def geom_mesh(geom: Geom) -> Any:
    """In the frame of its part."""
    size = geom.size
    if geom.file is not None:
        vertices, faces = triangles(geom.file)
        mesh = trimesh.Trimesh(vertices, faces)
    elif geom.shape == "sphere":
        mesh = trimesh.creation.icosphere(subdivisions=3, radius=size[0])
    elif geom.shape == "ellipsoid":
        mesh = trimesh.creation.icosphere(subdivisions=3, radius=1.0)
        mesh.apply_scale(size)
    elif geom.shape == "box":
        mesh = trimesh.creation.box(extents=[2 * half for half in size])
    elif geom.shape == "capsule":
        mesh = trimesh.creation.capsule(height=2 * size[1], radius=size[0], count=[ROUND, ROUND])
    else:
        mesh = trimesh.creation.cylinder(height=2 * size[1], radius=size[0], sections=ROUND)
    along = geom.shape in ("capsule", "cylinder")
    turn = onto(geom.axis) if along else np.array([1.0, 0.0, 0.0, 0.0])
    mesh.apply_transform(matrix(Placement(np.asarray(geom.at, float), np.asarray(turn, float))))
    return mesh


def matrix(place: Placement) -> Floats:
    """Homogeneous."""
    whole = np.eye(4)
    w, x, y, z = place.turn
    whole[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    whole[:3, 3] = place.at
    return whole


def different(bodies: dict[str, Body]) -> Iterator[tuple[str, Body]]:
    """Each body once, by the name of the first module that has it."""
    known: list[Body] = []
    for name, body in bodies.items():
        if body not in known:
            known.append(body)
            yield name, body


def write_stl(sim: Simulation, out: Path) -> Path:
    """Modules in millimetres, a start for CAD: a file for each kind, named after the
    first module of it, into the folder ``out``.

    The module's frame: x to its front face, y left, z up; joints at zero.
    """
    bodies = {module.name: module.body for module in sim.robot.modules}
    for name, body in different(bodies):
        mesh = body_mesh(body)
        mesh.apply_scale(1000.0)
        write_file(out / f"{name}.stl", mesh.export(file_type="stl"))
    return out
