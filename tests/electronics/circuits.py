"""A small robot with its electronics, ready to run, that the tests of boards stand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.rigs import WEIGHTLESS, simulation

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.injector import Injector
from annelid.electronics.node import BoardSpec, Node
from annelid.kernel import Kernel, Program, seconds
from annelid.physics.simulation import Simulation
from annelid.robot import Robot

Event = tuple[int, str, str, Mapping[str, Any]]


def idle(board: Board) -> Program:
    while True:
        yield board.sleep(0.015)


@dataclass
class Rig:
    sim: Simulation
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(self.kernel, self.sim)
        self.injector = Injector(self.circuit)

    def add(self, name: str, firmware: Firmware = idle, **spec: Any) -> Node:
        return self.circuit.add(name, firmware, BoardSpec.parse(spec, where="board"))

    def started(self, name: str, firmware: Firmware = idle, **spec: Any) -> Node:
        node = self.add(name, firmware, **spec)
        node.start()
        return node

    def run(self, until_s: float) -> None:
        self.kernel.run(seconds(until_s))
        self.circuit.grid.sync()

    def kinds(self, source: str) -> list[str]:
        return [kind for _, name, kind, _ in self.events if name == source]

    def details(self, kind: str) -> list[Mapping[str, Any]]:
        return [detail for _, _, found, detail in self.events if found == kind]

    def angle(self, servo: str) -> float:
        return self.sim.actuators.position_at(self.sim.actuators.place(servo))


def rig(who: Robot | str = "RR", world: Mapping[str, Any] = WEIGHTLESS, **options: Any) -> Rig:
    return Rig(simulation(who, world, **options))
