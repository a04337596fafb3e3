"""CONRO modules that keep a role: what the experiments on 002 share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, seconds
from annelid.modules import shelf
from annelid.papers.drive import open_air, robot, simulation
from annelid.robot import Robot, RobotSpec, assemble
from annelid.systems.conro.network import build
from annelid.systems.conro.spec import ConroSpec

MODULES: Final = 8

COARSE: Final[Mapping[str, Any]] = {"timestep_ms": 2.0, "servo": "quasi-static"}
FINE: Final[Mapping[str, Any]] = {"timestep_ms": 0.5, "servo": "dcmotor"}


class RoleRun:
    """A robot in open air with its programs, switched on."""

    def __init__(
        self,
        spec: Mapping[str, Any],
        *,
        modules: int = MODULES,
        each: Mapping[str, Any] | None = None,
        who: Robot | None = None,
        world: Mapping[str, Any] | None = None,
        seed: int = 0,
        physics: Mapping[str, Any] = COARSE,
    ) -> None:
        """``each``: parameters of every C; ``who``: instead of a chain or loop of them; ``world``:
        what open air has in it."""
        self.events: list[tuple[int, str, str, Mapping[str, Any]]] = []
        track = spec.get("role") == "rolling-track"
        kind = each or {}
        body = who or (loop(modules, **kind) if track else robot("C" * modules, C=kind))
        self.sim = simulation(body, open_air(**(world or {})), seed=seed, **physics)
        self.kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(self.kernel, self.sim)
        self.network = build(ConroSpec.parse(spec, where="control.options"), self.circuit)
        self.circuit.start()

    def run(self, cycles: float) -> None:
        """Until so many cycles after the beginning."""
        self.kernel.run(seconds(cycles * self.network.cycle_s))
        self.circuit.grid.sync()

    def path(self, begin: int, end: int) -> np.ndarray:
        """The robot's centre on the floor, once a cycle, m."""
        seen = []
        for cycle in range(begin, end + 1):
            self.run(cycle)
            seen.append(self.sim.centre()[:2].copy())
        return np.array(seen)

    def sent(self, connector: str) -> list[float]:
        """When a connector began to signal, in cycles."""
        cycle_ns = self.network.cycle_s * 1e9
        wire = (detail for _, _, kind, detail in self.events if kind == "wire")
        return [detail["start_ns"] / cycle_ns for detail in wire if detail["from"] == connector]


def loop(modules: int, **each: Any) -> Robot:
    """A regular polygon that stands on an edge; ``each``: parameters of every C."""
    names = range(1, modules + 1)
    table = {
        "modules": [{"type": "C", "start": {"pitch": 360 / modules}} for _ in names],
        "docks": [{"a": f"C{k}.back", "b": f"C{k % modules + 1}.front"} for k in names],
        "each": {"C": each},
    }
    return assemble(RobotSpec.parse(table, where="robot"), shelf())


def per_cycle(path: np.ndarray) -> float:
    """How far the centre gets in a cycle as the crow flies, m."""
    return float(np.linalg.norm(path[-1] - path[0])) / (len(path) - 1)
