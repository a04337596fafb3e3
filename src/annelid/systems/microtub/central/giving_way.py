"""Feels elbows by the joints, where they give way: by how far they are bent altogether.

Where the joints of a wave or an inchworm yield to the wall the nose follows the bend and may touch
nothing, and nobody says TSF: no joint knows which of them is the last.  But in a straight pipe the
bends of a chain cancel, however it zigzags, and in an elbow they add up to the part of it that lies
between nose and tail.  So such a robot asks its joints where they stand.  The sum, smoothed over a
wave, rises in an elbow, with the direction in which that leads, and falls again behind it; the most
that it came to is the angle of the elbow.  A touch after which it does not rise was no elbow: a
nose that waves about touches walls, too, and nothing is put on the map then.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import atan2, degrees, exp, hypot, radians
from typing import Final

from annelid.kernel import Program, to_seconds
from annelid.robot.service import HORIZONTAL, VERTICAL
from annelid.systems.microtub.central.bends import SERVO
from annelid.systems.microtub.central.knowledge import Knowledge, shelf_kinds
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC1, Command, Message

QUESTIONS: Final[tuple[Command, ...]] = (LLC1.GS1, LLC1.GS2)
SMOOTH_S: Final = 1.5
"""Time constant of the sum: a wave of 8 rad/s is damped to a twelfth."""
BENT: Final = radians(32)
"""More than both ends of a chain lean in a straight pipe, mostly: an elbow."""
OVER: Final = 0.4
"""Of the most that it was: below, the tail is coming out."""
STRAIGHT: Final = radians(20)
"""Below, the chain lies straight enough for another elbow to be felt."""
NONE_S: Final = 12.0
"""Not bent so long after a touch: there was no elbow."""


class GivingWay:
    """Of one life of the central control; begins and ends ``turning`` of the knowledge."""

    def __init__(self, ear: Ear, knowledge: Knowledge) -> None:
        self._ear = ear
        self._knowledge = knowledge
        self._forget()

    def _forget(self) -> None:
        self._angles: dict[tuple[int, int], float] = {}
        self._before_ns: int | None = None
        """The last look; None: there was none."""
        self._turning_s: float | None = None
        """Since the turn began; None: there is none."""
        self._left = self._up = self._most = 0.0
        self._straight = True
        """Whether it has been straight since the last elbow."""

    @property
    def _watching(self) -> bool:
        knowledge = self._knowledge
        return knowledge.gives_way and knowledge.heading > 0 and knowledge.in_pipe is True

    def ask(self) -> Program:
        """Every joint where it stands; answers come in between."""
        if self._watching:
            for address, number, *_ in self._joints():
                yield from self._ear.say(QUESTIONS[number], to=address)

    def learn(self, said: Message) -> None:
        """SS1 or SS2."""
        self._angles[said.sender, SERVO[said.command]] = radians(float(said.values[0]))

    def look(self) -> None:
        """Before anything is decided."""
        knowledge = self._knowledge
        if not self._watching:
            self._forget()
            return
        before_ns, self._before_ns = self._before_ns, knowledge.now_ns
        passed_s = 0.0 if before_ns is None else to_seconds(knowledge.now_ns - before_ns)
        self._sum(passed_s)
        bent = hypot(self._left, self._up)
        if not knowledge.turning:
            self._turning_s, self._most = None, 0.0
            self._straight = self._straight or bent < STRAIGHT
            if self._straight and bent > BENT:
                knowledge.bend_deg = round(degrees(atan2(self._up, self._left))) % 360
            return
        self._turning_s = 0.0 if self._turning_s is None else self._turning_s + passed_s
        self._most = max(self._most, bent)
        if self._most <= BENT:
            if self._turning_s > NONE_S:
                self._end(round_it=False)
            return
        knowledge.bent = self._most
        if bent < OVER * self._most:
            self._end(round_it=True)

    def _sum(self, passed_s: float) -> None:
        left = up = 0.0
        for address, number, axis, factor in self._joints():
            angle = self._angles.get((address, number), 0.0) / factor
            if axis == HORIZONTAL:
                left += angle
            else:
                up += angle
        share = 1 - exp(-passed_s / SMOOTH_S)
        self._left += share * (left - self._left)
        self._up += share * (up - self._up)

    def _end(self, *, round_it: bool) -> None:
        knowledge = self._knowledge
        knowledge.turning, knowledge.turn_ended = False, round_it
        self._straight = not round_it
        most = round(degrees(self._most))
        self._ear.board.log("bent", {"most_deg": most, "elbow": round_it})

    def _joints(self) -> Iterator[tuple[int, int, str, float]]:
        """Address, number of the servo from 0, what it serves, its angle for one radian of that.
        A joint in the first or the last module has next to nothing beyond it and lies as it likes:
        it tells nothing of the pipe."""
        inner = self._knowledge.parts[1:-1]
        for part in (each for each in inner if each.alive):
            for number, axis, factor in _axes(part.id):
                yield part.address, number, axis, factor


@cache
def _axes(wire_id: str) -> tuple[tuple[int, str, float], ...]:
    kind = shelf_kinds().get(wire_id)
    if kind is None:
        return ()
    body = kind.body()
    services, order = kind.services(body), kind.servo_order(body)[: len(QUESTIONS)]
    return tuple(
        (order.index(services[axis].actuator), axis, services[axis].factor)
        for axis in (HORIZONTAL, VERTICAL)
        if axis in services and services[axis].actuator in order
    )
