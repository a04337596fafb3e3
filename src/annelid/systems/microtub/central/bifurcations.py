"""Bifurcations on the robot's way: detected once, remembered, passed in both directions.

The head says that a side is open (TS opening); which leg to take is decided here, by the operator's
preference and by what has been seen already.  From then on ``annelid.motion.bifurcation`` says how
every joint has to stand for the way that the nose has come, and here that becomes servo orders for
those whose whole degrees have changed.  The push goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import degrees, radians
from typing import Final, Literal

from annelid.kernel import to_seconds
from annelid.motion.bifurcation import Backbone, Junction
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge, TouchReport, shelf_kinds
from annelid.systems.microtub.central.movements import Order
from annelid.systems.microtub.mapping import PipeBranch
from annelid.systems.microtub.protocol import LLC1

Leg = Literal["run", "branch"]
"""Straight on, or to the side."""
Choice = Literal["run", "branch", "both"]
ORDER: Final[dict[Choice, tuple[Leg, ...]]] = {
    "run": ("run",),
    "branch": ("branch",),
    "both": ("branch", "run"),
}
"""Legs to enter, one after the other.  The branch comes first: a nose has to find it to 10 mm, and
coming back the robot has rolled and its odometer has miscounted; straight on it needs neither."""
BEFORE_M: Final = 0.10
"""The next leg is begun from so far before the bifurcation."""
MOUTH_M: Final = 0.12
"""An opening seen so shortly before the end of a pipe is that end."""
MAPPED_M: Final = 0.075
"""So far behind its middle a bifurcation is put on the map: an open end would be known by then."""
SAME_M: Final = 0.05
"""Two openings this near along the way are one."""
AGAIN_M: Final = 0.08
"""So far the odometer may be wrong when a bifurcation is come upon for another leg."""


@dataclass
class SeenBifurcation:
    """One bifurcation and what the robot does there."""

    junction: Junction
    taken: Leg
    seen_at: float
    """Way of the nose when it was first seen, m."""
    left: tuple[Leg, ...] = ()
    """Legs that are to be entered yet."""
    again: bool = False
    """Whether the nose is to come upon it once more."""
    mapped: bool = False


class Bifurcations:
    """Of one life of the central control."""

    def __init__(self, knowledge: Knowledge, *, enter: Choice = "run") -> None:
        self.seen: list[SeenBifurcation] = []
        """On the way that the robot is on."""
        self.left_out = 0
        """Legs that were seen and will not be entered."""
        self._knowledge = knowledge
        self._legs = ORDER[enter]
        self._sent: dict[int, tuple[int, int]] = {}

    def opening(self, felt: TouchReport) -> SeenBifurcation | None:
        """A side is open; None: that is known, has no direction, or is seen by a nose that is bent
        about in another one."""
        way = self._knowledge.way
        if self._again(way) or felt.direction_deg is None or self.at(way) is not None:
            return None
        if any(abs(each.junction.corner - way) < SAME_M for each in self.seen):
            return None
        leg, *left = self._legs
        junction = Junction.seen(way, radians(felt.direction_deg), into=leg == "branch")
        found = SeenBifurcation(junction, leg, way, tuple(left))
        self.seen.append(found)
        return found

    def _again(self, way: float) -> bool:
        """Whether that is a bifurcation whose next leg is sought: then the way is known exactly."""
        for each in self.seen:
            off = each.seen_at - way
            if each.again and not each.mapped and abs(off) < AGAIN_M:
                each.again = False
                self._knowledge.way += off
                return True
        return False

    def next_leg(self) -> SeenBifurcation | None:
        """Going back: the bifurcation that the nose has left behind, set to its next leg; None:
        there is none, or all has been entered."""
        way = self._knowledge.way
        for place, each in enumerate(self.seen):
            if each.left and way < each.junction.corner - BEFORE_M:
                each.taken, *left = each.left
                each.left, each.again, each.mapped = tuple(left), True, False
                each.junction = replace(each.junction, into=each.taken == "branch")
                del self.seen[place + 1 :]
                return each
        return None

    def end(self) -> None:
        """The pipe ends here, in the open: openings seen just before were its mouth."""
        way = self._knowledge.way
        self.seen = [each for each in self.seen if way - each.seen_at > MOUTH_M]

    def counts_touch(self) -> bool:
        """Whether a touch of the nose means anything: bent about in a bifurcation, it does not."""
        return self.at(self._knowledge.way) is None

    def at(self, way: float) -> SeenBifurcation | None:
        """The one that the robot is in, if it is in one."""
        body = self._backbone()
        for each in self.seen:
            if each.junction.reached(way) and not each.junction.over(way, body):
                return each
        return None

    def rocks(self, inside: SeenBifurcation | None) -> bool:
        """Whether the joints rock the robot there now."""
        way = self._knowledge.way
        return inside is not None and inside.junction.rocks(way, self._backbone())

    def orders(self, anew: bool = False) -> list[Order]:
        """What the joints have to be told now; ``anew``: they have forgotten."""
        if anew:
            self._sent.clear()
        knowledge = self._knowledge
        inside = self.at(knowledge.way)
        if inside is not None:
            self._map(inside)
            time_s = to_seconds(knowledge.now_ns)
            bends = inside.junction.bends(knowledge.way, self._backbone(), time_s)
            wanted = [(round(degrees(b.yaw)), round(degrees(b.pitch))) for b in bends]
        elif self._sent:
            wanted = [(0, 0)] * len(self._joints())
        else:
            return []
        found = list(self._changed(wanted))
        if inside is None:
            self._sent.clear()
        return found

    def _changed(self, wanted: list[tuple[int, int]]) -> Iterator[Order]:
        for address, angles in zip(self._joints(), wanted, strict=True):
            before = self._sent.get(address)
            self._sent[address] = angles
            for number, command in enumerate((LLC1.MS1, LLC1.MS2)):
                if before is None or before[number] != angles[number]:
                    yield Order(command, (angles[number],), address)

    def _map(self, inside: SeenBifurcation) -> None:
        """Once, when the nose is well past the middle of it."""
        knowledge = self._knowledge
        beyond = knowledge.way - inside.junction.corner
        if inside.mapped or knowledge.heading < 0 or beyond < MAPPED_M:
            return
        inside.mapped = True
        self.left_out += len(self._legs) == 1
        junction = inside.junction
        knowledge.task.tell(
            telling.bifurcation(knowledge, junction.corner, junction.towards),
            f": taking the {inside.taken}",
        )
        ways = [PipeBranch(), PipeBranch(inside.junction.towards, inside.junction.angle)]
        taken = int(inside.taken == "branch")
        knowledge.pipes.junction("tee", ways, taken=taken, past_m=beyond)

    def drawn_joint(self) -> tuple[int, float] | None:
        """The last joint ahead of the pusher, which is drawn along on the way back: its address,
        and how far behind the nose it is, m; None: there is none."""
        body = self._backbone()
        ahead = [place for place in body.joints if place < body.pusher]
        return (self._joints()[len(ahead) - 1], ahead[-1]) if ahead else None

    def _joints(self) -> list[int]:
        """Addresses of the modules that bend both ways, head first."""
        return [p.address for p in self._knowledge.parts if _bends(p.id)]

    def _backbone(self) -> Backbone:
        return _backbone(self._knowledge.ids)


@cache
def _backbone(ids: str) -> Backbone:
    return Backbone.of([shelf_kinds()[each] for each in ids if each in shelf_kinds()])


@cache
def _bends(wire_id: str) -> bool:
    kind = shelf_kinds().get(wire_id)
    return kind is not None and kind.bends_both_ways()
