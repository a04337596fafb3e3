"""How the joints of the chain are bent: asked once, for all who read it.

Joints in a pipe give way to the wall, so their angles are the pipe's, not the central control's
wishes.  Several readers go by them: which leg of a bifurcation the robot is in (``bifurcations``),
where elbows are and by how much they turn (``elbows``), and elbows of a robot that waves or inches
along (``giving_way``).  Each says whose angles it needs; each joint is asked once, together with
the way of the same moment.  Answers come in between and are read before the next decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import radians
from typing import Final, NamedTuple

from annelid.kernel import Program
from annelid.robot.service import HORIZONTAL, VERTICAL
from annelid.systems.microtub.central.catalogue import KnownType
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC1, Command, Message

QUESTIONS: Final[tuple[Command, ...]] = (LLC1.GS1, LLC1.GS2)
ANSWERS: Final[tuple[Command, ...]] = (LLC1.SS1, LLC1.SS2)


class JointBend(NamedTuple):
    """Of one module, rad: the front against the back."""

    left: float
    up: float


class JointAngles:
    """Of one life of the central control."""

    def __init__(self, ear: Ear, inquiry: Inquiry, knowledge: Knowledge) -> None:
        self._ear = ear
        self._inquiry = inquiry
        self._knowledge = knowledge
        self._told: dict[tuple[int, int], float] = {}
        """By address and number of the servo, since they were last asked for, rad."""

    def ask(self, wanted: Iterable[int]) -> Program:
        """Modules by address, each once, whoever wants it; what was told before is forgotten."""
        self._told.clear()
        addresses = dict.fromkeys(wanted)
        if addresses:
            yield from self._inquiry.ask_the_way()
        for address in addresses:
            for number, *_ in self._axes(address):
                yield from self._ear.say(QUESTIONS[number], to=address)

    def learn(self, said: Message) -> None:
        """SS1 or SS2."""
        servo = said.sender, ANSWERS.index(said.command)
        self._knowledge.servos[servo] = float(said.values[0])
        self._told[servo] = radians(float(said.values[0]))

    def of(self, address: int) -> JointBend | None:
        """None: it was not asked, has not answered, or does not bend."""
        bends = {HORIZONTAL: 0.0, VERTICAL: 0.0}
        axes = tuple(self._axes(address))
        for number, axis, factor in axes:
            told = self._told.get((address, number))
            if told is None:
                return None
            bends[axis] = told / factor
        return JointBend(bends[HORIZONTAL], bends[VERTICAL]) if axes else None

    def total(self, addresses: Iterable[int]) -> JointBend | None:
        """Of all of them together; None: somebody is missing."""
        left = up = 0.0
        for address in addresses:
            bend = self.of(address)
            if bend is None:
                return None
            left, up = left + bend.left, up + bend.up
        return JointBend(left, up)

    def moment(self, addresses: Sequence[int], places: Sequence[float]) -> JointBend | None:
        """Each bend times its joint's place, added up, rad m; None: somebody is missing."""
        left = up = 0.0
        for address, place in zip(addresses, places, strict=True):
            bend = self.of(address)
            if bend is None:
                return None
            left, up = left + place * bend.left, up + place * bend.up
        return JointBend(left, up)

    def _axes(self, address: int) -> Iterator[tuple[int, str, float]]:
        for part in self._knowledge.parts:
            if part.address == address and part.alive:
                yield from bending_axes(part.kind)


@cache
def bending_axes(kind: KnownType | None) -> tuple[tuple[int, str, float], ...]:
    """Of a module: number of the servo from 0, what it serves, its angle for one radian of that."""
    if kind is None:
        return ()
    module = kind.module
    body = module.body()
    services, order = module.services(body), module.servo_order(body)[: len(QUESTIONS)]
    return tuple(
        (order.index(services[axis].actuator), axis, services[axis].factor)
        for axis in (HORIZONTAL, VERTICAL)
        if axis in services and services[axis].actuator in order
    )
