"""The joints on the way through a bifurcation: how each has to stand, and the orders for that.

``annelid.motion.bifurcation`` says how every joint has to stand for the way that the nose has come.
Here that becomes servo orders for those whose whole degrees have changed.  Where the wheels slip
among the edges, the joints also rock the robot.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

from annelid.kernel import to_seconds
from annelid.motion.bifurcation import Backbone, Bend, Rocking
from annelid.systems.microtub.central.catalogue import backbone_of, bends_both_ways
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Order, bend_orders
from annelid.systems.microtub.central.seen_bifurcation import SeenBifurcation


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
        elif inside is not None or self._sent:
            bends = (Bend(0.0, 0.0),) * len(self.joints)
        else:
            return []
        wanted = [(round(degrees(each.yaw)), round(degrees(each.pitch))) for each in bends]
        found = list(self._changed(wanted))
        if inside is None and not knowledge.shaking:
            self._sent.clear()
        return found

    def _changed(self, wanted: list[tuple[int, int]]) -> Iterator[Order]:
        for address, angles in zip(self.joints, wanted, strict=True):
            yield from bend_orders(address, angles, self._sent.get(address))
            self._sent[address] = angles
