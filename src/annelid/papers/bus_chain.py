"""MICROTUB boards on their bus and sync lines: what the experiments on 000's protocol share.

Where nobody asks for physics there is none to be stepped: modules without bodies have boards, wires
and clocks, and a run of a chain costs milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any, Final

from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, seconds
from annelid.modules import shelf
from annelid.papers.drive import open_air, simulation
from annelid.physics.simulation import Simulation
from annelid.robot.module import ModuleType
from annelid.systems.microtub.central.control import central_control
from annelid.systems.microtub.discovery import FoundChain
from annelid.systems.microtub.network import Fitted, wire
from annelid.systems.microtub.spec import MicrotubSpec

Event = tuple[int, str, str, Mapping[str, Any]]

LETTERS: Final = "TRHSEVPNBG"
"""MICROTUB's modules (FACTS §3)."""


def module_type(letter: str) -> ModuleType:
    return shelf()[letter].parse({}, where=letter)


class BusChain:
    """Modules and the PC that discovers them, switched on; ``found`` is what it found.

    ``sim`` with the same modules gives them bodies; without, they have none.
    """

    def __init__(
        self,
        letters: str,
        options: Mapping[str, Any],
        *,
        seed: int = 0,
        sim: Simulation | None = None,
        clock_log: bool = False,
    ) -> None:
        self.events: list[Event] = []
        self.found: list[FoundChain] = []
        self.kernel = Kernel(record=lambda *event: self.events.append(event))
        self.circuit = Circuit(self.kernel, sim or simulation("P", open_air(), seed=seed))
        spec = MicrotubSpec.parse(options, where="control.options")
        control = partial(central_control, spec=spec, found=self.found.append)
        if sim is not None:
            modules = [Fitted(m.name, m.type, m.body) for m in sim.robot.modules]
        else:
            kinds = [module_type(letter) for letter in letters]
            modules = [Fitted(f"M{i}", kind, kind.body()) for i, kind in enumerate(kinds, 1)]
        docks = [((a.name, "back"), (b.name, "front")) for a, b in pairwise(modules)]
        self.network = wire(spec, self.circuit, modules, docks, pc=control, clock_log=clock_log)
        self.circuit.start()

    def run(self, until_s: float) -> None:
        self.kernel.run(seconds(until_s))

    def run_until_found(self, count: int, limit_s: float) -> bool:
        """Whether the PC came to so many results by then."""
        while len(self.found) < count and self.kernel.now < seconds(limit_s):
            self.kernel.run(self.kernel.now + seconds(0.05))
        return len(self.found) >= count
