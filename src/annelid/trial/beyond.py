"""Warns of a scenario that lies outside what its robot can pass, before it is simulated."""

from __future__ import annotations

from annelid.physics.simulation import Simulation
from annelid.robot.hauling import Hauling
from annelid.worlds.passing import COST_MAX, cost_of, reaches
from annelid.worlds.pipe_world import Pipe


def beyond(sim: Simulation) -> tuple[str, ...]:
    """One line for each end of the pipes that this robot cannot reach and leave; none for a robot
    that is not pushed by drives, of which that is not known.  Of a network that would take long,
    one line says that it was not looked at."""
    world = sim.world
    if not isinstance(world, Pipe) or len(sim.robot.pieces()) > 1:
        return ()
    hauling = Hauling.of([module.type for module in sim.robot.modules])
    if not any(ring.stall for ring in hauling.rings):
        return ()
    tubes = world.tubes()
    if cost_of(tubes) > COST_MAX:
        return (
            f"which ends are beyond this robot's range is not computed: {len(tubes.tubes)} tubes "
            "with this many bends and branches would take too long",
        )
    return tuple(
        f"the end of {tubes.tubes[each.end].part} is beyond this robot's range: {each.why_not}"
        for each in reaches(tubes, hauling)
        if not each.reachable
    )
