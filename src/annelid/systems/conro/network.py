"""Boards with a role on every module, and infrared between the faces that are docked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from annelid.electronics.circuit import Circuit
from annelid.electronics.infrared import Infrared, Sight, SightOf, docked
from annelid.electronics.node import Node
from annelid.errors import InputError
from annelid.motion.roles import Role
from annelid.physics.simulation import Simulation
from annelid.robot.robot import Placed
from annelid.systems.conro.ring import ring
from annelid.systems.conro.spec import ConroSpec
from annelid.systems.conro.tree import tree

LINK: Final = "infrared"


@dataclass(frozen=True)
class Network:
    """What was built; the modules in the order of the robot."""

    role: Role
    modules: tuple[Node, ...]
    infrared: Infrared
    step_s: float

    @property
    def cycle_s(self) -> float:
        """Of a module whose clock is right."""
        return self.role.period * self.step_s


def build(spec: ConroSpec, circuit: Circuit) -> Network:
    """Every module that can keep the role gets a board; others are carried along."""
    robot = circuit.sim.robot
    role = spec.made_role(len(robot.modules))
    able = [(m, fitted) for m in robot.modules if (fitted := role.fitted(_servos(m)))]
    if not able:
        raise InputError(
            f"conro: role {role.name} needs the servos {', '.join(role.motion)}; "
            f"no module of {robot.letters} has them"
        )
    for module, _ in able:
        if not module.type.latch and not role.loop:
            raise InputError(
                f"conro: {module.name} cannot tell whether its {role.parent} is docked, and so "
                "whether it is the root; give it latch = true"
            )
    infrared = Infrared(
        LINK, circuit.kernel, circuit.sim.streams, spec.infrared(), sight=now_docked(circuit.sim)
    )
    step_s = spec.step_ms / 1000
    program = ring if role.loop else tree
    nodes = []
    for module, fitted in able:
        firmware = partial(program, role=fitted, step_s=step_s)
        node = circuit.add(module.name, firmware, spec.board())
        for face in module.body.faces:
            node.board.ports[face.name] = infrared.attach(f"{module.name}.{face.name}")
        nodes.append(node)
    circuit.links[LINK] = infrared
    return Network(role, tuple(nodes), infrared, step_s)


def _servos(module: Placed) -> set[str]:
    return {mount.name for mount in module.body.mounts}


def now_docked(sim: Simulation) -> SightOf:
    """Faces that are docked at the moment see each other, through cuts and joins."""
    known: dict[int, SightOf] = {}

    def sight(face: str) -> Mapping[str, Sight]:
        if sim.epoch not in known:
            known.clear()
            known[sim.epoch] = docked((".".join(d.a), ".".join(d.b)) for d in sim.robot.docks)
        return known[sim.epoch](face)

    return sight
