"""Applies operator commands, faults and edited programs to a running trial.

What cannot be (a servo that does not exist, a program that does not compile) is refused when it is
looked up, and then never happens.
"""

from __future__ import annotations

from collections.abc import Callable

from annelid.electronics.board import Firmware
from annelid.electronics.circuit import Circuit
from annelid.electronics.elsewhere import GATE, RemoteGate
from annelid.electronics.injector import Injector
from annelid.electronics.node import Node
from annelid.electronics.port import TERMINAL, Terminal
from annelid.errors import InputError
from annelid.kernel import to_seconds
from annelid.motion import bind
from annelid.systems import SYSTEMS, with_words
from annelid.trial.driving import Driver
from annelid.trial.layers import rethought
from annelid.trial.outside import InjectFault, Outside, Reprogram, Rethink, Retune, Say, Speak
from annelid.trial.programs import reprogram, written

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
