"""MICROTUB chains ready to run: with physics, or as boards and wires alone, which cost little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

from tests.electronics.circuits import Rig
from tests.rigs import WEIGHTLESS, simulation

from annelid.electronics.board import Board, Firmware
from annelid.electronics.port import Frame
from annelid.kernel import AnyOf, Program, Receive
from annelid.modules import shelf
from annelid.physics.simulation import Simulation
from annelid.robot.module import ModuleType
from annelid.systems.microtub.central.control import central_control
from annelid.systems.microtub.discovery import FoundChain, FoundModule
from annelid.systems.microtub.module import BUS
from annelid.systems.microtub.network import Fitted, MicrotubNetwork, wire
from annelid.systems.microtub.protocol import BadFrame, Message, decode
from annelid.systems.microtub.spec import MicrotubSpec

LETTERS = "TRHSEVPNBG"


@lru_cache(maxsize=1)
def _anything() -> Simulation:
    """A robot that nobody asks for anything: boards need a grid to tick on."""
    return simulation("P", WEIGHTLESS)


def made(letter: str) -> ModuleType:
    return shelf()[letter].parse({}, where=letter)


def fitted(letters: str) -> list[Fitted]:
    """M1, M2 … without bodies in the physics, so without servos."""
    kinds = [made(letter) for letter in letters]
    return [Fitted(f"M{i}", kind, kind.body()) for i, kind in enumerate(kinds, 1)]


def findings(rig: Rig) -> list[FoundChain]:
    """What the PC came to whenever it checked the configuration."""
    return [
        FoundChain(
            tuple(map(FoundModule, told["order"], told["ids"], told["mdl"])),
            told["error"],
            told["attempts"],
        )
        for told in rig.details("configuration")
    ]


@dataclass
class Chain:
    """Boards and wires of a chain; the PC's findings as they come."""

    rig: Rig
    network: MicrotubNetwork
    heard: list[Message | BadFrame] = field(default_factory=list)

    @property
    def found(self) -> list[FoundChain]:
        return findings(self.rig)

    def run(self, until_s: float) -> None:
        self.rig.kernel.run(round(until_s * 1e9))

    def run_until_found(self, limit_s: float, count: int = 1) -> None:
        """Until the PC has come to ``count`` results; an idle chain need not be paid for."""
        for tenths in range(1, round(10 * limit_s) + 1):
            self.run(tenths / 10)
            if len(self.found) >= count:
                return

    @property
    def ids(self) -> str:
        return "".join(member.id for member in self.found[-1].members)

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(member.address for member in self.found[-1].members)

    def details(self, kind: str, source: str | None = None) -> list[Any]:
        return [
            detail
            for _, name, found, detail in self.rig.events
            if found == kind and source in (None, name)
        ]


def boards(
    letters: str,
    *,
    seed: int = 0,
    says: Sequence[tuple[float, Frame]] | None = None,
    pc: Firmware | None = None,
    **options: Any,
) -> Chain:
    """Switched on; the PC discovers, or only ``says`` its frames, or runs ``pc``."""
    sim = _anything()
    sim.streams = type(sim.streams)(seed)
    rig = Rig(sim)
    heard: list[Message | BadFrame] = []
    spec = MicrotubSpec.parse(options, where="control.options")
    program = pc or partial(central_control, spec=spec)
    if says is not None:
        program = partial(speaker, says=says, heard=heard)
    modules = fitted(letters)
    docks = [((a.name, "back"), (b.name, "front")) for a, b in pairwise(modules)]
    network = wire(spec, rig.circuit, modules, docks, pc=program)
    rig.circuit.start()
    return Chain(rig, network, heard)


def speaker(
    board: Board, says: Sequence[tuple[float, Frame]], heard: list[Message | BadFrame]
) -> Program:
    """Says each frame at its time (s) and keeps what comes back."""
    port = board.ports[BUS]
    for at_s, frame in (*says, (1e6, None)):
        while True:
            fired = yield AnyOf(Receive(port.received), board.until(round(at_s * 1e9)))
            if fired.index == 1:
                break
            heard.append(decode(fired.value))
        if frame is not None:
            port.send(frame)
