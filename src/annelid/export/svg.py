"""The pipes of a scenario as a drawing, from above and from the side."""

from __future__ import annotations

from pathlib import Path

from annelid.boundary.files import write_file
from annelid.errors import InputError
from annelid.physics.simulation import Simulation
from annelid.worlds.picture import svg
from annelid.worlds.pipe_world import Pipe


def write_svg(sim: Simulation, out: Path) -> Path:
    """As built: with the bore that this robot's seed has drawn."""
    world = sim.world
    if not isinstance(world, Pipe):
        raise InputError(f"svg: expected a world of pipes, got {world.kind}")
    tubes = world.tubes()
    return write_file(out, svg(tubes, title=f"bore {2000 * tubes.tubes[0].radius_start:.1f} mm"))
