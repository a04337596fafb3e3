"""Bifurcations on the robot's way: seen once, remembered, bent through ahead and back.

The head says that a side is open (TS opening); which leg to take is decided here, by the operator's
preference and by what has been seen already.  From then on ``annelid.motion.bifurcation`` says how
every joint has to stand for the way that the nose has come, and here that becomes servo orders for
those whose whole degrees have changed.  The push goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import degrees, radians
from typing import Final, Literal

from annelid.kernel import to_seconds
from annelid.modules import shelf
from annelid.motion.bifurcation import Backbone, Junction
from annelid.robot.module import ModuleType
from annelid.systems.microtub.central.knowledge import Felt, Knowledge
from annelid.systems.microtub.central.movements import Order
from annelid.systems.microtub.mapping import Way
from annelid.systems.microtub.protocol import LLC1

Leg = Literal["run", "branch"]
"""Straight on, or to the side."""
MOUTH_M: Final = 0.12
"""An opening seen so shortly before the end of a pipe is that end."""
MAPPED_M: Final = 0.06
"""So far behind its middle a bifurcation is put on the map: an open end would be known by then."""
SAME_M: Final = 0.05
"""Two openings this near along the way are one."""


@dataclass
class Seen:
    """One bifurcation and what the robot does there."""

    junction: Junction
    taken: Leg
    seen_at: float
    """Way of the nose when it was first seen, m."""
    mapped: bool = False


class Bifurcations:
    """Of one life of the central control."""

    def __init__(self, knowledge: Knowledge, *, prefer: Leg = "run") -> None:
        self.seen: list[Seen] = []
        self._knowledge = knowledge
        self._prefer: Leg = prefer
        self._sent: dict[int, tuple[int, int]] = {}

    def opening(self, felt: Felt) -> Seen | None:
        """A side is open; None: that is known, has no direction, or is seen by a nose that is bent
        about in another one."""
        way = self._knowledge.way
        if felt.direction_deg is None or self.at(way) is not None:
            return None
        if any(abs(each.junction.corner - way) < SAME_M for each in self.seen):
            return None
        towards = radians(felt.direction_deg)
        junction = Junction.seen(way, towards, into=self._prefer == "branch")
        found = Seen(junction, self._prefer, way)
        self.seen.append(found)
        return found

    def end(self) -> None:
        """The pipe ends here, in the open: openings seen just before were its mouth."""
        way = self._knowledge.way
        self.seen = [each for each in self.seen if way - each.seen_at > MOUTH_M]

    def counts_touch(self) -> bool:
        """Whether a touch of the nose means anything: bent about in a bifurcation, it does not."""
        return self.at(self._knowledge.way) is None

    def at(self, way: float) -> Seen | None:
        """The one that the robot is in, if it is in one."""
        body = self._backbone()
        for each in self.seen:
            if each.junction.reached(way) and not each.junction.over(way, body):
                return each
        return None

    def orders(self, *, anew: bool = False) -> list[Order]:
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

    def _map(self, inside: Seen) -> None:
        """Once, when the nose is well past the middle of it."""
        knowledge = self._knowledge
        beyond = knowledge.way - inside.junction.corner
        if inside.mapped or knowledge.heading < 0 or beyond < MAPPED_M:
            return
        inside.mapped = True
        knowledge.task.news.append(
            f"a bifurcation {1000 * inside.junction.corner:.0f} mm from home, to"
            f" {degrees(inside.junction.towards):.0f} deg from the left: taking the {inside.taken}"
        )
        ways = [Way(), Way(inside.junction.towards, inside.junction.angle)]
        taken = int(inside.taken == "branch")
        knowledge.pipes.junction("tee", ways, taken=taken, past_m=beyond)

    def _joints(self) -> list[int]:
        """Addresses of the modules that bend both ways, head first."""
        return [p.address for p in self._knowledge.parts if _bends(p.id)]

    def _backbone(self) -> Backbone:
        return _backbone(self._knowledge.ids)


@cache
def _kinds() -> dict[str, ModuleType]:
    made = [kind.parse({}, where="shelf") for kind in shelf().values()]
    return {kind.wire_id: kind for kind in made}


@cache
def _backbone(ids: str) -> Backbone:
    return Backbone.of([_kinds()[each] for each in ids if each in _kinds()])


@cache
def _bends(wire_id: str) -> bool:
    kind = _kinds().get(wire_id)
    names = set() if kind is None else {mount.name for mount in kind.body().mounts}
    return {"yaw", "pitch"} <= names
