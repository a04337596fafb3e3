"""A shell of one's own: the user's STL or OBJ in the place of a part's drawn and flat skin.

::

    [robot.each.P]
    shell = "my.stl"                # in millimetres, in the frame of the part

    [robot.each.R]
    shell = {front = "a.stl", back = "b.stl"}

People see the mesh, and the ground meets its convex hull.  A pipe still meets the round skin of the
module, because its wall is analytic; the bore must be wide enough for the mesh.  Masses, joints and
faces stay those of the module.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.boundary.cost import MESH_BYTES_MAX, require_at_most
from annelid.boundary.files import is_file, no_file, whole_path
from annelid.errors import MissingFile, SpecError, UnknownName
from annelid.robot.body import Body, Geom, Part, Touches

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SUFFIXES: Final = (".stl", ".obj")
MILLIMETRE: Final = 0.001
SMALLEST, LARGEST = 0.002, 1.0
"""Longest side that a shell can have, m."""
MOST: Final = 200_000
"""Triangles."""

GREY: Final = (0.70, 0.72, 0.75, 1.0)
UNSEEN: Final = (0.0, 0.0, 0.0, 0.0)

Shell = Path | Mapping[str, Path]
"""Of the first part, or by part."""


def absolute(shell: Any, folder: Path) -> Any:
    """With whole paths, so that a run folder's copy of the scenario still leads to the file."""
    if isinstance(shell, Mapping):
        return {part: absolute(file, folder) for part, file in shell.items()}
    return str(whole_path(folder / shell)) if isinstance(shell, str | Path) else shell


def shelled(body: Body, shell: Shell) -> Body:
    """The body with these shells."""
    files = shell if isinstance(shell, Mapping) else {body.parts[0].name: shell}
    names = [part.name for part in body.parts]
    for name in files:
        if name not in names:
            raise UnknownName("part", name, names, where="shell")
    where = _places(body)
    radius = body.radius
    for name, file in files.items():
        at, turn = where[name]
        points = at + triangles(Path(file))[0] @ turn.T
        radius = max(radius, float(np.hypot(points[:, 1], points[:, 2]).max()))
    parts = tuple(_covered(p, files[p.name]) if p.name in files else p for p in body.parts)
    return body.model_copy(update={"parts": parts, "radius": radius})


def _covered(part: Part, file: Path) -> Part:
    kept = []
    for geom in part.geoms:
        if geom.mass or geom.touches is not Touches.NOTHING:
            touches = {Touches.GROUND: Touches.NOTHING, Touches.ALL: Touches.PIPE}
            change = {"touches": touches.get(geom.touches, geom.touches), "colour": UNSEEN}
            kept.append(geom.model_copy(update=change))
    vertices, _ = triangles(Path(file))
    half = np.abs(vertices).max(axis=0)
    mesh = Geom(
        shape="mesh",
        size=tuple(np.maximum(half, 1e-6).tolist()),
        file=Path(file),
        touches=Touches.GROUND,
        colour=GREY,
    )
    return part.model_copy(update={"geoms": (*kept, mesh)})


def triangles(file: Path) -> tuple[Floats, Ints]:
    """Vertices (m) and faces; what cannot be a shell is refused."""
    if file.suffix.lower() not in SUFFIXES:
        raise SpecError(f"shell: {file}: expected an .stl or .obj file")
    if not is_file(file):
        raise MissingFile(f"shell: {no_file(file)}")
    require_at_most("bytes", file.stat().st_size, MESH_BYTES_MAX, where=f"shell: {file}")
    return _read(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=32)
def _read(file: Path, changed_ns: int) -> tuple[Floats, Ints]:
    import trimesh

    try:
        mesh: Any = trimesh.load(file, force="mesh")
        vertices = np.asarray(mesh.vertices, float) * MILLIMETRE
        faces = np.asarray(mesh.faces, np.int64)
    except Exception as error:  # noqa: BLE001  trimesh's readers fail in every way there is
        raise SpecError(f"shell: {file}: cannot be read: {type(error).__name__}") from None
    if len(faces) < 4 or not np.isfinite(vertices).all():
        raise SpecError(f"shell: {file}: expected a body of at least four triangles")
    if len(faces) > MOST:
        raise SpecError(f"shell: {file}: expected at most {MOST} triangles, got {len(faces)}")
    longest = float(np.ptp(vertices, axis=0).max())
    if not SMALLEST <= longest <= LARGEST:
        raise SpecError(
            f"shell: {file}: it is {1000 * longest:.4g} mm long, expected {1000 * SMALLEST:g} to "
            f"{1000 * LARGEST:g}; files are read in millimetres"
        )
    return vertices, faces


def _places(body: Body) -> dict[str, tuple[Floats, Floats]]:
    """Of the parts in the module's frame: where, and how turned."""
    found: dict[str, tuple[Floats, Floats]] = {}
    for part in body.parts:
        at, turn = np.asarray(part.at, float), _matrix(*part.turn)
        if part.parent is not None:
            above, turned = found[part.parent]
            at, turn = above + turned @ at, turned @ turn
        found[part.name] = at, turn
    return found


def _matrix(w: float, x: float, y: float, z: float) -> Floats:
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
