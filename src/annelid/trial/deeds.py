"""Applies operator commands, faults and edited programs to a running trial.

What cannot be (a servo that does not exist, a program that does not compile) is refused when it is
looked up, and then never happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import radians

from annelid.electronics.board import Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.elsewhere import GATE, RemoteGate
from annelid.electronics.injector import Injector
from annelid.electronics.node import Node
from annelid.electronics.port import TERMINAL, Terminal
from annelid.errors import InputError
from annelid.kernel import Kernel, Priority, seconds, to_seconds
from annelid.motion import bind
from annelid.physics.simulation import Simulation
from annelid.systems import SYSTEMS, with_words
from annelid.trial.driving import Driver
from annelid.trial.layers import rethought
from annelid.trial.outside import InjectFault, Outside, Reprogram, Rethink, Retune, Say, Speak
from annelid.trial.programs import reprogram, written
from annelid.trial.scenario import CutEvent, JoinEvent

Deed = Callable[[], None]
"""To be called in the instant in which it is to happen."""


class Deeds:
    """For one run."""

    def __init__(self, circuit: Circuit, injector: Injector, driver: Driver) -> None:
        self._circuit = circuit
        self._injector = injector
        self._driver = driver

    def of(self, what: Outside) -> Deed:
        match what:
            case Say():
                terminal = self._terminal()
                terminal.check(what.line)
                return lambda: terminal.type(what.line)
            case InjectFault():
                return self._injector.by_hand(what.fault)
            case Retune():
                return self._retune(what)
            case Reprogram() | Rethink():
                return self._flash(what)
            case Speak():
                return self.gate(what.board).deed(what.turn())

    def gate(self, board: str) -> RemoteGate:
        """Of a board whose program runs elsewhere."""
        ports = self._circuit.nodes[board].board.ports
        if GATE not in ports:
            raise InputError(f"speak: the program of {board} runs here, not elsewhere")
        gate: RemoteGate = ports[GATE]
        return gate

    def _terminal(self) -> Terminal:
        for node in self._circuit.nodes.values():
            if TERMINAL in node.board.ports:
                found: Terminal = node.board.ports[TERMINAL]
                return found
        listen = ", ".join(with_words(SYSTEMS.table()))
        raise InputError(f"say: nobody listens; systems with a terminal: {listen}")

    def _retune(self, what: Retune) -> Deed:
        circuit = self._circuit
        if circuit.nodes:
            raise InputError("retune: this robot is driven by programs, not by gaits")
        gaits = bind(what.gaits, circuit.sim.robot)
        return lambda: self._driver.retune(what.gaits, gaits, to_seconds(circuit.kernel.now))

    def _flash(self, what: Reprogram | Rethink) -> Deed:
        nodes = [self._circuit.nodes[name] for name in what.boards]
        new = [(node, _firmware(what, node)) for node in nodes]

        def flash() -> None:
            for node, firmware in new:
                reprogram(node, firmware)

        return flash


def _firmware(what: Reprogram | Rethink, node: Node) -> Firmware:
    if isinstance(what, Rethink):
        return rethought(what.source, what.behaviour, node.firmware, board=node.name)
    return written(what.source, node.firmware, board=node.name)


class Happenings:
    """A scenario's cuts and joins between modules, each at its time, and told in the trace."""

    def __init__(self, kernel: Kernel, sim: Simulation) -> None:
        self._kernel = kernel
        self._sim = sim

    def schedule(self, events: Iterable[CutEvent | JoinEvent]) -> None:
        for event in events:
            dock = partial(self._dock, event)
            self._kernel.call_at(seconds(event.at_s), dock, priority=Priority.OUTSIDE)

    def _dock(self, event: CutEvent | JoinEvent) -> None:
        """Two faces that miss each other cannot join; that is an outcome, not a mistake."""
        self._sim.advance_to(self._kernel.now)
        detail: dict[str, object] = {"a": event.a, "b": event.b}
        try:
            if isinstance(event, CutEvent):
                self._sim.cut(event.a, event.b)
            else:
                angle = None if event.angle_deg is None else radians(event.angle_deg)
                self._sim.join(event.a, event.b, angle=angle)
                detail["angle_rad"] = self._sim.robot.docks[-1].angle
        except InputError as error:
            self._kernel.record("trial", f"{event.do} failed", {**detail, "why": str(error)})
        else:
            self._kernel.record("trial", event.do, {**detail, "epoch": self._sim.epoch})
