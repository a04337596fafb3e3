"""The joints on the way through a bifurcation: how each has to stand, and the orders for that.

``annelid.motion.bifurcation`` says how every joint has to stand for the way that the nose has come.
Here that becomes servo orders for those whose whole degrees have changed.  Where the wheels slip
among the edges, the joints also rock the robot.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, degrees, sin, tan
from typing import Final

from annelid.kernel import to_seconds
from annelid.motion.bifurcation import Backbone, Bend, Rocking
from annelid.systems.microtub.central.catalogue import backbone_of, bends_both_ways
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Order, bend_orders
from annelid.systems.microtub.central.seen_bifurcation import SeenBifurcation

TAIL_LEADS: Final = 0.02
"""On the way back joints are bent for where the robot will be so much later, m: a tail that bends
late is wedged in an elbow, one that bends early slides along its wall (joints that followed the
true line of elbows of 50 mm: 30 mm too late was the slowest and stuck once, 30 mm too early was the
quickest)."""
SPREAD_M: Final = 0.06
"""An elbow is known to some 30 mm only: joints bend as in a wider one."""
SAME_M: Final = 0.04
"""A bend so near to the bifurcation that the robot is in is the one into its branch."""


class JointBends:
    """Of one life of the central control."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._sent: dict[int, tuple[int, int]] = {}
        self._rocking = Rocking()

    @property
    def joints(self) -> list[int]:
        """Addresses of the modules that bend both ways, head first."""
        return [p.address for p in self._knowledge.parts if bends_both_ways(p.kind)]

    @property
    def backbone(self) -> Backbone:
        """Of the chain as it is known."""
        return backbone_of(self._knowledge.kinds)

    @property
    def stands(self) -> bool:
        """Whether the robot has stood for too long where it should go on."""
        return self._rocking.stands

    def rocks(self, inside: SeenBifurcation | None, *, feels: bool) -> bool:
        """Whether the joints rock the robot there now: where its only pusher is among the edges;
        where it stands although another one pushes; where it stands while its tail is drawn over
        them.  ``feels``: they lie still, to feel the wall."""
        if inside is None or self._knowledge.limp or feels:
            return False
        way, body = self._knowledge.way, self.backbone
        among = inside.junction.rocks(way, body)
        if among and not body.helped:
            return True
        return self._rocking.stands and (among or inside.junction.drags(way, body))

    def orders(
        self, inside: SeenBifurcation | None, *, feels: bool, anew: bool = False
    ) -> list[Order]:
        """What the joints have to be told now; ``anew``: they have forgotten."""
        if anew:
            self._sent.clear()
        knowledge = self._knowledge
        phase = self._rocking.step(to_seconds(knowledge.now_ns), knowledge.way, knowledge.heading)
        if knowledge.turning:
            self._sent.clear()
            return []  # an elbow: the modules turn by themselves
        bends: tuple[Bend, ...] | None = None
        if inside is not None and not (knowledge.limp or feels):
            rocks = knowledge.shaking or self.rocks(inside, feels=feels)
            bends = inside.junction.bends(
                knowledge.way,
                self.backbone,
                phase,
                1.0 if rocks else 0.0,
                ahead=knowledge.heading >= 0,
                long=self._rocking.long or knowledge.shaking,
            )
        elif inside is None and knowledge.shaking:
            bends = self.backbone.rocking(phase)
        round_elbows = self.round_elbows(inside)
        if round_elbows:
            straight = (Bend(0.0, 0.0),) * len(self.joints)
            bends = tuple(
                Bend(one.yaw + other.yaw, one.pitch + other.pitch)
                for one, other in zip(bends or straight, round_elbows, strict=True)
            )
        if bends is None and (inside is not None or self._sent):
            bends = (Bend(0.0, 0.0),) * len(self.joints)
        if bends is None:
            return []
        wanted = [(round(degrees(each.yaw)), round(degrees(each.pitch))) for each in bends]
        found = list(self._changed(wanted))
        if inside is None and not knowledge.shaking and not round_elbows:
            self._sent.clear()
        return found

    def round_elbows(self, inside: SeenBifurcation | None) -> tuple[Bend, ...]:
        """On the way back: how the joints stand in the elbows that the chain lies in, or comes to
        next with its tail; none: it lies in no elbow that is known, has to give way, or has a tail
        without a drive, which finds its way along the wall while its joints rest."""
        knowledge, body = self._knowledge, self.backbone
        if knowledge.heading >= 0 or knowledge.limp or knowledge.gives_way or not body.tail_drives:
            return ()
        way = knowledge.way - TAIL_LEADS
        corner = None if inside is None else inside.junction.middle
        near = [
            elbow
            for elbow in knowledge.elbows
            if way + TAIL_LEADS - elbow.begin + SPREAD_M > 0.0
            and way - elbow.end < body.length + SPREAD_M
            and (corner is None or abs(elbow.middle - corner) > SAME_M)
        ]
        if not near:
            return ()
        yaw, pitch = [0.0] * len(self.joints), [0.0] * len(self.joints)
        for elbow in near:
            radius = (elbow.arc + SPREAD_M) / elbow.angle
            bends = body.along(
                way, elbow.begin - SPREAD_M / 2 + radius * tan(elbow.angle / 2), elbow.angle, radius
            )
            for place, bend in enumerate(bends):
                yaw[place] += bend * cos(elbow.towards)
                pitch[place] += bend * sin(elbow.towards)
        return tuple(Bend(*each) for each in zip(yaw, pitch, strict=True))

    def _changed(self, wanted: list[tuple[int, int]]) -> Iterator[Order]:
        for address, angles in zip(self.joints, wanted, strict=True):
            yield from bend_orders(address, angles, self._sent.get(address))
            self._sent[address] = angles
