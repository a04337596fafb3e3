"""Builds CONRO's boards: a role on every module, infrared between docked faces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from annelid.electronics.circuit import Circuit
from annelid.electronics.infrared import Infrared, LineOfSight, SightOf, docked
from annelid.electronics.node import Node
from annelid.errors import InputError
from annelid.motion.roles import Role
from annelid.physics.simulation import Simulation
from annelid.robot.robot import Placed
from annelid.systems.conro.lineage import lineage
from annelid.systems.conro.overlap import require_apart
from annelid.systems.conro.programs import (
    firmware,
    needs_latches,
    require_fit,
    require_motions,
    require_senses,
)
from annelid.systems.conro.spec import ConroSpec

LINK: Final = "infrared"


@dataclass(frozen=True)
class ConroNetwork:
    """What was built; the modules in the order of the robot."""

    role: Role
    modules: tuple[Node, ...]
    infrared: Infrared
    step_s: float

    @property
    def cycle_s(self) -> float:
        """Of a module whose clock is right."""
        return self.role.period * self.step_s


def build(spec: ConroSpec, circuit: Circuit) -> ConroNetwork:
    """Every module that can keep the role gets a board; others are carried along."""
    robot = circuit.sim.robot
    cast, casts = spec.cast(len(robot.modules)), spec.casts(robot)
    role, called = cast.root, spec.called(robot)
    able = [
        (module, fitted)
        for module in robot.modules
        if (fitted := casts[module.name].fitted(*_parts(module, called.get(module.name))))
    ]
    require_motions(spec, robot, {module.name for module, _ in able})
    if not able:
        raise InputError(
            f"conro: role {role.name} needs the servos {', '.join(role.motion)}; "
            f"no module of {robot.letters} has them"
        )
    for module, _ in able:
        if not module.type.latch and needs_latches(spec, cast):
            raise InputError(
                f"conro: {module.name} cannot tell whether its {role.parent} is docked, and so "
                "whether it is the root; give it latch = true"
            )
    require_senses(spec, (module for module, _ in able))
    fitted_casts = {module.name: fitted for module, fitted in able}
    found = lineage(robot, fitted_casts, both_ways=spec.signals == "both")
    require_fit(spec, cast, found)
    require_apart(circuit.sim)
    places = found.places()
    sight = now_docked(circuit.sim)
    infrared = circuit.connect(Infrared, LINK, spec.infrared(), sight=sight)
    step_s = spec.step_ms / 1000
    nodes = []
    for module, fitted in able:
        program = firmware(spec, fitted, places[module.name])
        node = circuit.add(module.name, program, spec.board())
        for face in module.body.faces:
            node.board.ports[face.name] = infrared.attach(f"{module.name}.{face.name}")
        nodes.append(node)
    return ConroNetwork(role, tuple(nodes), infrared, step_s)


def _parts(
    module: Placed, called: Mapping[str, str] | None
) -> tuple[set[str], Mapping[str, str] | None, set[str]]:
    """What a role must fit: servos, what they are called, faces."""
    body = module.body
    return {mount.name for mount in body.mounts}, called, {face.name for face in body.faces}


def now_docked(sim: Simulation) -> SightOf:
    """Faces that are docked at the moment see each other, through cuts and joins."""
    known: dict[int, SightOf] = {}

    def sight(face: str) -> Mapping[str, LineOfSight]:
        if sim.epoch not in known:
            known.clear()
            known[sim.epoch] = docked((".".join(d.a), ".".join(d.b)) for d in sim.robot.docks)
        return known[sim.epoch](face)

    return sight
