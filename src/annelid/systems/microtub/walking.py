"""The walk of one module: what movement commands come to (LLC2, 000 §5).

Commands are gathered in :class:`GaitOrders`; what they mean together is written into the stimuli of
the embedded behaviours, and drives and joints that are to stop are ordered to.
"""

from __future__ import annotations

from dataclasses import replace
from math import radians
from typing import cast

from annelid.electronics.board import Board
from annelid.systems.microtub.behaviours import GaitOrders, Sinusoid, Stimuli
from annelid.systems.microtub.behaviours.walk import STANDING
from annelid.systems.microtub.clocks import GaitClock
from annelid.systems.microtub.protocol import LLC2, InchwormPart, Message, Wave
from annelid.systems.microtub.translation import Translation


class Walking:
    """Of one module, since it started."""

    def __init__(
        self,
        board: Board,
        stimuli: Stimuli,
        told: GaitOrders,
        translation: Translation,
        clock: GaitClock,
    ) -> None:
        self.moved = False
        """Whether it has walked."""
        self._board = board
        self._stimuli = stimuli
        self._told = told
        self._translation = translation
        self._clock = clock

    def begin(self, said: Message) -> None:
        """A movement begins, for all at t = 0; direct commands of before are forgotten."""
        given = radians(int(said.values[0])) if said.values else None
        self._told.begin(said.command, given if said.command is LLC2.TUR else None)
        self._stimuli.orders.clear()
        self._clock.start(self._board.now)
        self._board.log("walking", {"command": said.command.name})

    def turn(self, said: Message) -> None:
        """Round an elbow with the movement that is at work; its time goes on."""
        self._told.turn(radians(int(said.values[0])) if said.values else 0.0)
        self._stimuli.orders.clear()
        self._board.log("walking", {"command": said.command.name})

    def wave(self, said: Message) -> None:
        """In the place of the wave that runs, or a walk of its own; t goes on, so nothing jumps
        that need not."""
        wave, amplitude, omega, phase, lead = said.values
        self._told.waves[cast(Wave, wave)] = Sinusoid(
            radians(int(amplitude)), int(omega) / 1000, int(phase) / 1000, int(lead) / 1000
        )

    def pace(self, percent: int) -> None:
        self._told.speed = percent / 100
        self.set()

    def take_place(self, place: int) -> None:
        """Its place in the wave."""
        self._stimuli.position = place
        self.set()

    def take_part(self, part: InchwormPart) -> None:
        """Its part in an inchworm."""
        self._told.part = part
        self.set()

    def set(self) -> bool:
        """Give the behaviours the walk that the orders come to.  False: without its waves, for a
        module that is to wave and does not know its place would break the wave of all."""
        stimuli = self._stimuli
        walk = self._told.walk()
        self.moved = self.moved or walk is not STANDING
        placed = stimuli.position is not None or not (walk.vertical or walk.horizontal)
        stimuli.walk = walk if placed else replace(walk, vertical=None, horizontal=None)
        if self._told.speed == 0.0:
            self._halt()
        return placed

    def stop(self) -> None:
        """Drives stand still; servos hold what they have.  Joints that a wall keeps from their
        target stay where they are: to press on would look like a broken servo."""
        self._told.stop()
        self.set()
        self._halt()
        stimuli, joint = self._stimuli, self._stimuli.joint
        if joint is not None and stimuli.in_pipe:
            held = {joint.horizontal.actuator, joint.vertical.actuator} & stimuli.servos.keys()
            stimuli.orders |= {name: stimuli.servos[name].angle for name in held}
        self._board.log("walking", {"command": LLC2.STP.name})

    def end_elbow(self, why: str) -> None:
        """The movement goes on as it did before the elbow."""
        told = self._told
        if told.turning:
            told.turning = False
            self.set()
            command = "" if told.command is None else told.command.name
            self._board.log("walking", {"command": command, "why": why})

    def _halt(self) -> None:
        for actuator in self._translation.actuators:
            if actuator.kind == "drive":
                self._stimuli.orders[actuator.name] = 0.0
