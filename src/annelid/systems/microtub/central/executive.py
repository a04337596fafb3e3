"""Sends what the behaviours decided: frames only when the decision changes.

A movement begins with all its orders; a new one takes the place of the old at once, because a
movement command makes modules forget the one before (000 Table 5).  Working mode and places in
the wave are told whenever they are others than before.
"""

from __future__ import annotations

from collections.abc import Iterable

from annelid.kernel import Program
from annelid.systems.microtub.central.attention import AttentiveEar
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement, Order, introductions
from annelid.systems.microtub.protocol import LLC2, WorkingMode

MOVEMENT = "movement"
"""Kind of event: another movement begins."""


class Executive:
    """``current`` is the movement that the modules were told last; None: to stand."""

    def __init__(self, ear: AttentiveEar, knowledge: Knowledge) -> None:
        self.current: Movement | None = None
        self.begun = 0
        """Movements so far."""
        self._adjusted = 0
        self._ear = ear
        self._knowledge = knowledge
        self._mode: WorkingMode | None = None

    def carry_out(self, movement: Movement | None) -> Program:
        """Brings nothing; sends what is new."""
        yield from self._tell_mode()
        if movement == self.current:
            return
        if movement is None:
            yield from self.stop()
            return
        ending = () if self.current is None else self.current.ending
        self.current = movement
        self.begun += 1
        self._knowledge.heading = movement.heading
        self._knowledge.standing_since_ns = self._ear.board.now if movement.still else None
        orders = [str(order) for order in movement.orders]
        self._ear.board.log(MOVEMENT, {"name": movement.name, "orders": orders})
        yield from self._send(ending)
        yield from self._send(movement.orders)

    def adjust(self, bifurcations: Bifurcations) -> Program:
        """Servos that have to stand otherwise now, while the movement goes on."""
        anew, self._adjusted = self.begun != self._adjusted, self.begun
        if self.current is not None:
            yield from self._send(bifurcations.orders(anew=anew))

    def _send(self, orders: Iterable[Order]) -> Program:
        for order in orders:
            yield from self._ear.say(order.command, *order.values, to=order.to)

    def stop(self) -> Program:
        """Everybody stands still."""
        if self.current is not None:
            self._ear.board.log(MOVEMENT, {"name": "stop", "orders": ["STP"]})
        self.current = None
        self._knowledge.heading = 0
        self._knowledge.standing_since_ns = None
        yield from self._ear.say(LLC2.STP)

    def introduce(self) -> Program:
        """After discovery: modules have forgotten, or never knew."""
        self.current = None
        self._mode = None
        yield from self._send(introductions(self._knowledge.parts))
        yield from self._tell_mode()

    def _tell_mode(self) -> Program:
        if self._knowledge.mode is not self._mode:
            self._mode = self._knowledge.mode
            yield from self._ear.say(LLC2.CM, self._mode)
