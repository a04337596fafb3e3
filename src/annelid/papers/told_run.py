"""A MICROTUB robot with central control and operator: what the experiments on 000 §6 to §8 share.

It runs what a scenario would run, in memory: events are kept, and the experiment looks at the
physics whenever it likes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, degrees, radians
from typing import Any, Final

import mujoco
import numpy as np

from annelid.electronics.circuit import Circuit
from annelid.electronics.faults import parse_fault
from annelid.electronics.injector import Injector
from annelid.electronics.port import ANSWER
from annelid.kernel import Kernel, seconds, to_seconds
from annelid.papers.drive import JITTER, simulation
from annelid.physics.frames import Placement, about, rotate
from annelid.systems.microtub.central.movements import MOVEMENT
from annelid.systems.microtub.central.operator import OPERATOR_NAME
from annelid.systems.microtub.network import build
from annelid.systems.microtub.spec import MicrotubSpec
from annelid.worlds import World

PHYSICS: Final[Mapping[str, Any]] = {"timestep_ms": 1.0}

Event = tuple[int, str, str, Mapping[str, Any]]
"""Time in ns, source, kind, detail."""


@dataclass
class ToldRun:
    """Switched on; ``says`` are times (s) and lines of the operator."""

    chain: str
    world: World
    says: Sequence[tuple[float, str]]
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    faults: Sequence[Mapping[str, Any]] = ()
    physics: Mapping[str, Any] = field(default_factory=lambda: PHYSICS)
    jitter: float = JITTER
    roll_deg: float = 0.0
    """How the robot lies at first, about its own axis."""

    def __post_init__(self) -> None:
        self.events: list[Event] = []
        self.sim = simulation(
            self.chain, self.world, seed=self.seed, jitter=self.jitter, **self.physics
        )
        if self.roll_deg:
            self._roll_over()
        self.kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(self.kernel, self.sim)
        typed = [{"at_s": at_s, "say": line} for at_s, line in self.says]
        spec = MicrotubSpec.parse({**self.options, "operator": typed}, where="control.options")
        self.network = build(spec, self.circuit)
        injector = Injector(self.circuit)
        injector.schedule([parse_fault(dict(fault)) for fault in self.faults])
        self.circuit.start()

    def _roll_over(self) -> None:
        sim, first = self.sim, self.sim.robot.modules[0].name
        roll = Placement.of(turn=about((1.0, 0.0, 0.0), radians(self.roll_deg)))
        sim.put(first, sim.placement(first) @ roll)
        mujoco.mj_forward(sim.model, sim.data)

    @property
    def rolls_deg(self) -> np.ndarray:
        """How every module is rolled, -180 to 180, from the physics."""
        found = []
        for module in self.sim.robot.modules:
            turn = np.asarray(self.sim.placement(module.name).turn)
            left, up = rotate(turn, (0.0, 1.0, 0.0)), rotate(turn, (0.0, 0.0, 1.0))
            found.append(degrees(atan2(left[2], up[2])))
        return np.array(found)

    def run(self, until_s: float) -> None:
        self.kernel.run(seconds(until_s))
        self.circuit.grid.sync()

    def run_until_told(self, words: str, limit_s: float) -> float | None:
        """Until the operator reads an answer with these words; when that was, s."""
        for second in range(int(to_seconds(self.kernel.now)) + 1, int(limit_s) + 1):
            self.run(second)
            for at_s, answer in self.answers:
                if words in answer:
                    return at_s
        return None

    @property
    def answers(self) -> list[tuple[float, str]]:
        """What the operator has read, and when (s)."""
        return [
            (to_seconds(t_ns), detail["words"])
            for t_ns, source, kind, detail in self.events
            if kind == ANSWER and source == OPERATOR_NAME
        ]

    @property
    def movements(self) -> list[tuple[float, str]]:
        """What the central control has told the modules to do, and when (s)."""
        return [
            (to_seconds(t_ns), detail["name"])
            for t_ns, _, kind, detail in self.events
            if kind == MOVEMENT
        ]

    def told(self, kind: str, source: str | None = None) -> list[Event]:
        return [e for e in self.events if e[2] == kind and source in (None, e[1])]
