"""The wires that run through the docks: bus, power and sync lines (000 §2: eight wires).

A module that comes off takes its wires along.  What is left of the chain goes on with its piece of
the bus; the central control's cable is plugged into the tail.  A piece without that cable, and
without a module that can supply power (MDL ``PS``), goes dark, and starts anew when it is docked
again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from annelid.electronics.circuit import Circuit
from annelid.electronics.i2c import I2cBus
from annelid.electronics.node import Node
from annelid.electronics.sync_line import SyncLine, SyncPin

Docked = tuple[tuple[str, str], tuple[str, str]]
"""Two faces, each (module, face)."""

DARK: Final = "its piece has no power"


class Harness:
    """Follows the docks; :meth:`follow` whenever they have changed."""

    def __init__(
        self,
        circuit: Circuit,
        bus: I2cBus,
        *,
        nodes: Mapping[str, Node],
        pins: Mapping[tuple[str, str], SyncPin],
        supplies: Iterable[str],
        tail: str,
        pc: str,
        carrier: str | None = None,
        tether: bool = True,
    ) -> None:
        """``pins``: (module, face) to the pin behind it; ``nodes`` head first.

        ``carrier`` is the module on whose board the central control runs, if it is on one;
        ``tether`` False: the cable at the tail, if there is one, supplies no power.
        """
        self.lines: dict[tuple[tuple[str, str], tuple[str, str]], SyncLine] = {}
        self._circuit = circuit
        self._bus = bus
        self._nodes = nodes
        self._pins = pins
        self._supplies = frozenset(supplies)
        self._pc = pc
        self._tail = tail
        self._carrier = carrier or tail
        self._tether = tether
        self._dark: set[str] = set()

    def follow(self, docks: Iterable[Docked]) -> None:
        """These docks are closed and no others."""
        docks = list(docks)
        self._wire(docks)
        pieces = self._pieces(docks)
        self._bus.hang_together(
            [[*piece, self._pc] if self._carrier in piece else piece for piece in pieces]
        )
        for piece in pieces:
            powered = (self._tether and self._tail in piece) or not self._supplies.isdisjoint(piece)
            for name in piece:
                self._power(self._nodes[name], on=powered)

    def _wire(self, docks: Sequence[Docked]) -> None:
        wanted = [(a, b) for a, b in docks if a in self._pins and b in self._pins]
        for pair in [pair for pair in self.lines if pair not in wanted]:
            self.lines.pop(pair).part()
        for a, b in wanted:
            if (a, b) not in self.lines:
                name = f"sync/{a[0]}-{b[0]}"
                ends = {"front": self._pins[a], "rear": self._pins[b]}
                self.lines[a, b] = self._circuit.connect(SyncLine, name, **ends)

    def _pieces(self, docks: Sequence[Docked]) -> list[list[str]]:
        """Modules that hang together, each piece in the order of the robot."""
        piece_of = {name: {name} for name in self._nodes}
        for (a, _), (b, _) in docks:
            if piece_of[a] is not piece_of[b]:
                piece_of[a] |= piece_of[b]
                for name in piece_of[b]:
                    piece_of[name] = piece_of[a]
        order = list(self._nodes)
        pieces = {id(piece): piece for piece in piece_of.values()}
        return [sorted(piece, key=order.index) for piece in pieces.values()]

    def _power(self, node: Node, *, on: bool) -> None:
        """A board that is broken stays so; one that was never switched on waits for that."""
        if not on and node.alive:
            node.stop(DARK)
            self._dark.add(node.name)
        elif on and node.name in self._dark:
            self._dark.remove(node.name)
            node.start()
