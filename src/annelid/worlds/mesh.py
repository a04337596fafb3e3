"""A world from the user's own STL or OBJ file (001 §3.4).

::

    [world]
    kind = "mesh"
    file = "half-pipe.stl"      # relative to the scenario's folder
    scale = 0.001               # metres per unit of the file: 0.001 for millimetres
    start_mm = [50, 0, 14]

The triangles must look out of the material.  A bore that is drawn the other way round, as a solid
core, is noticed by the robot starting inside it, and turned.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import PositiveFloat, ValidationInfo, field_validator, model_validator

from annelid.boundary.cost import MESH_BYTES_MAX, require_at_most
from annelid.boundary.files import is_file, no_file, whole_path
from annelid.errors import GeometryError, MissingFile, SpecError
from annelid.robot.body import Touches
from annelid.spec import Vec3
from annelid.worlds.prisms import facing_apart, prisms, winding
from annelid.worlds.scenery import (
    CHAIN_HEIGHT_MM,
    GROUND_FRICTION,
    PIPE_FRICTION,
    Looks,
    Pose,
    Scenery,
    Solid,
    Surface,
)
from annelid.worlds.world import World

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TRIANGLES_MAX = 20_000
"""Every triangle is a solid of its own to the engine; more take minutes to build."""

"""Of the file, looked at before it is read: as text, a triangle takes 250."""

SMALLEST, LARGEST = 0.030, 100.0
"""Longest side of the bounding box that a robot of these modules can use, m."""

UNITS = {"millimetres": 0.001, "centimetres": 0.01, "inches": 0.0254, "metres": 1.0}

SLIVER = 1e-10
"""Triangles of less area than this are left out, m²."""

BEHIND = 0.1
"""Winding number at the start above which the triangles turn their back on the robot."""


class Mesh(World):
    title: ClassVar[str] = "any STL or OBJ mesh"

    kind: Literal["mesh"] = "mesh"
    surface: Surface = Surface()
    """Without a friction it has that of what it stands for: a pipe's where it meets round shells,
    the ground's where it meets flat ones."""
    file: Path
    """STL or OBJ; looked for beside the scenario."""
    scale: PositiveFloat = 0.001
    """Metres per unit of the file."""
    start_mm: Vec3 = (0.0, 0.0, CHAIN_HEIGHT_MM)
    """Where the robot's nose begins, in the mesh's frame."""
    heading_deg: float = 0.0
    """Where the robot looks at the start, from x to the left."""
    goal_mm: PositiveFloat | None = None
    """Progress that counts as success; None: there is no goal."""
    contact: Literal["round", "flat"] = "round"
    """What the mesh meets: wheels, arms and round shells as a pipe does, or flat sides as the
    ground does."""
    wall_mm: PositiveFloat = 4.0
    """How deep a body that has sunk in is still pushed back; a thinner wall stays thin."""

    @model_validator(mode="before")
    @classmethod
    def _friction_of_its_kind(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        friction = GROUND_FRICTION if given.get("contact") == "flat" else PIPE_FRICTION
        surface = given.get("surface", {})
        if isinstance(surface, Mapping):
            surface = {"friction": friction, **surface}
        return {**given, "surface": surface}

    @field_validator("file")
    @classmethod
    def _found(cls, file: Path, info: ValidationInfo) -> Path:
        """Absolute, so that a run folder's copy of the scenario still leads to it."""
        folder = (info.context or {}).get("folder") or Path.cwd()
        path = whole_path(Path(folder) / file)
        if path.suffix.lower() not in (".stl", ".obj"):
            raise ValueError(f"expected an .stl or .obj file, got {path.name!r}")
        if not is_file(path):
            raise MissingFile(f"world: file: {no_file(path)}")
        return path

    @property
    def walled(self) -> bool:
        return self.contact == "round"

    def scenery(self, robot_length: float) -> Scenery:
        vertices, faces = self.surface_triangles()
        pieces = prisms(vertices, faces, depth=self.wall_mm / 1000)
        half = math.radians(self.heading_deg) / 2
        return Scenery(
            start=Pose(self._start(), (math.cos(half), 0.0, 0.0, math.sin(half))),
            solids=tuple(Solid(points) for points in pieces),
            looks=(Looks(vertices, faces),),
            meets=Touches.PIPE if self.contact == "round" else Touches.GROUND,
        )

    def surface_triangles(self) -> tuple[Floats, Ints]:
        """(vertices in metres, faces), checked, looking towards the robot."""
        vertices, faces = self._read()
        if not len(faces):
            raise SpecError(
                f"world: file: {self.file}: not a readable mesh, there are no triangles in it"
            )
        if not np.isfinite(vertices).all():
            raise SpecError(f"world: file: {self.file}: broken: coordinates that are not numbers")
        if len(faces) > TRIANGLES_MAX:
            raise GeometryError(
                f"world: file: {self.file}: {len(faces)} triangles, at most {TRIANGLES_MAX} are "
                "allowed: reduce them (Blender: Decimate modifier; MeshLab: Quadric Edge Collapse "
                "Decimation)"
            )
        vertices = vertices * self.scale
        self._check_size(vertices[np.unique(faces)])
        first, second, third = (vertices[faces[:, k]] for k in range(3))
        area = np.linalg.norm(np.cross(second - first, third - first), axis=1) / 2
        faces = faces[area > SLIVER]
        if not len(faces):
            raise SpecError(
                f"world: file: {self.file}: broken: every triangle is degenerate (its corners lie "
                "on a line)"
            )
        if apart := facing_apart(faces):
            raise SpecError(
                f"world: file: {self.file}: broken: at {apart} edges the two triangles look to "
                "opposite sides: recalculate the normals (Blender: Mesh, Normals, Recalculate "
                "Outside; MeshLab: Re-Orient all faces coherently)"
            )
        if winding(vertices[faces], np.array(self._start())) > BEHIND:
            faces = np.ascontiguousarray(faces[:, ::-1])
        return vertices, faces

    def progress(self, point: Vec3) -> float:
        heading, start = math.radians(self.heading_deg), self._start()
        return (point[0] - start[0]) * math.cos(heading) + (point[1] - start[1]) * math.sin(heading)

    @property
    def goal(self) -> float | None:
        return None if self.goal_mm is None else self.goal_mm / 1000

    def _start(self) -> Vec3:
        x, y, z = self.start_mm
        return x / 1000, y / 1000, z / 1000

    def _read(self) -> tuple[Floats, Ints]:
        """(vertices in the file's unit, faces), corners at the same place made one."""
        import trimesh

        logging.getLogger("trimesh").addHandler(logging.NullHandler())  # we say what is wrong
        size, where = self.file.stat().st_size, f"world: file: {self.file}"
        require_at_most("bytes", size, MESH_BYTES_MAX, where=where)
        try:
            mesh = trimesh.load_mesh(str(self.file), process=False)
            corners = np.asarray(mesh.vertices, dtype=np.float64)[np.asarray(mesh.faces)]
        except Exception as error:
            raise SpecError(f"world: file: {self.file}: not a readable mesh ({error})") from error
        flat = corners.reshape(-1, 3)
        if not np.isfinite(flat).all() or not len(flat):
            return flat, np.arange(len(flat)).reshape(-1, 3)
        grain = max(float(np.ptp(flat, axis=0).max()) * 1e-7, 1e-12)
        _, first, index = np.unique(
            np.round(flat / grain), axis=0, return_index=True, return_inverse=True
        )
        return flat[first], index.reshape(-1, 3).astype(np.int64)

    def _check_size(self, vertices: Floats) -> None:
        size = float(np.ptp(vertices, axis=0).max())
        if SMALLEST <= size <= LARGEST:
            return
        drawn = size / self.scale
        fits = [f"{unit:g} ({name})" for name, unit in UNITS.items() if 0.1 <= drawn * unit <= 50]
        advice = " or ".join(fits) or f"{1 / drawn if drawn else 1:.3g} (1 m long)"
        raise GeometryError(
            f"world: scale: at {self.scale:g} metres per unit {self.file.name} is {size:.4g} m "
            f"long, expected {SMALLEST:g} to {LARGEST:g}: try scale = {advice}"
        )
