"""A chain of ErekoBots on its serial line: what the experiments on 004 share.

A user's run (``annelid run``) does the same with a run folder; experiments of hundreds of runs keep
the events in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from annelid.electronics.board import Board, Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.port import BytePort
from annelid.kernel import Kernel, Program, seconds
from annelid.papers.drive import open_air, simulation
from annelid.systems.erekobot.network import build
from annelid.systems.erekobot.packets import Packet, encode
from annelid.systems.erekobot.spec import ErekobotSpec

Event = tuple[int, str, str, Mapping[str, Any]]

MODULES: Final = 6
LENGTH_M: Final = 0.05 * MODULES
"""Of the chain that crawls: cubes of 50 mm (004, Table 1)."""

CRAWL: Final[Mapping[str, Any]] = {
    "period": 16,
    "interval_ms": 200,
    "gait": {"segments": MODULES, "waves": 1, "alpha_deg": 30},
}
"""One wave of ±30° along the body; a time state of 200 ms, from which on 004 finds its line
reliable."""

COARSE: Final[Mapping[str, Any]] = {"timestep_ms": 2, "servo": "quasi-static"}
"""Physics for experiments in which only the wire counts."""


class SerialChain:
    """Host and modules, switched on; ``host`` replaces the host's program."""

    def __init__(
        self,
        modules: int,
        spec: Mapping[str, Any],
        *,
        seed: int = 0,
        host: Firmware | None = None,
        physics: Mapping[str, Any] = COARSE,
    ) -> None:
        self.events: list[Event] = []
        self.sim = simulation("K" * modules, open_air(), seed=seed, **physics)
        self.kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(self.kernel, self.sim)
        self.spec = ErekobotSpec.parse(spec, where="control")
        self.network = build(self.spec, self.circuit, host_firmware=host)
        self.modules = [node.name for node in self.network.modules]
        self.circuit.start()

    def run(self, until_s: float) -> None:
        """Programs and wires; physics follows as far as anybody looks at it."""
        self.kernel.run(seconds(until_s))

    def result(self) -> Any:
        """What the host's program returned."""
        process = self.network.host.process
        return None if process is None else process.result

    def centre(self) -> np.ndarray:
        """Of the chain, now."""
        self.circuit.grid.sync()
        return self.sim.centre()

    def angles_deg(self) -> list[float]:
        """Of the modules' servos, now."""
        self.circuit.grid.sync()
        actuators = self.sim.actuators
        places = [actuators.place(f"{name}.{self.spec.servo}") for name in self.modules]
        return [float(np.degrees(actuators.position_at(place))) for place in places]

    def of(self, source: str, kind: str) -> list[tuple[int, Mapping[str, Any]]]:
        """When, and what: the events of one board."""
        return [
            (t, detail) for t, name, what, detail in self.events if (name, what) == (source, kind)
        ]

    def started_ns(self) -> int:
        """When the host began the gait."""
        return self.of(self.network.host.name, "start")[0][0]

    @property
    def crashes(self) -> int:
        return sum(kind == "crash" for _, _, kind, _ in self.events)


def saying(sayings: Iterable[tuple[float, Packet]]) -> Firmware:
    """A host that says this, each at its time (s)."""
    told = list(sayings)

    def program(board: Board) -> Program:
        port: BytePort = board.ports["serial"]
        for at_s, packet in told:
            yield board.until(seconds(at_s))
            port.send(encode(packet))

    return program
