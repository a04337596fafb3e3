"""The modules of a robot as STL, in millimetres: a start for CAD."""

from __future__ import annotations

from pathlib import Path

from annelid.boundary.files import write_file
from annelid.export.shapes import body_mesh, different
from annelid.physics.simulation import Simulation


def write_stl(sim: Simulation, out: Path) -> Path:
    """A file for each kind of module, named after the first module of it, into the folder ``out``.

    The module's frame: x to its front face, y left, z up; joints at zero.
    """
    bodies = {module.name: module.body for module in sim.robot.modules}
    for name, body in different(bodies):
        mesh = body_mesh(body)
        mesh.apply_scale(1000.0)
        write_file(out / f"{name}.stl", mesh.export(file_type="stl"))
    return out
