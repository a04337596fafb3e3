"""What this robot can do here, by the rules; updated when the robot or its surroundings change.

A thin layer over ``inference``: it knows when to infer anew, tells the trace what has changed, and
puts refusals into words.
"""

from __future__ import annotations

from typing import Final

from annelid.behaviour import Log
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.inference import Engine, Fact, Inferred, RobotSituation, why_not
from annelid.systems.microtub.protocol import WorkingMode
from annelid.systems.statement import Statement

ABILITIES: Final = "abilities"
"""Kind of event."""
GOING: Final = ("forward", "lateral")
"""Abilities of which one is enough to get anywhere."""

PIPE, OPEN_AIR = WorkingMode.PIPE, WorkingMode.OPEN_AIR
NOBODY_SEES: Final = (
    "nobody on board can tell whether this is a pipe; control.options.environment may say so"
)
"""Such a robot goes where a movement holds everywhere; it does not roll to the side in what may be
a pipe."""

WAVES: Final = ("MO1", "TUR", "TUP")
"""Movements that hold on to no wall."""


class Abilities:
    """``inferred`` is what follows from the chain as it is known now."""

    def __init__(
        self,
        knowledge: Knowledge,
        log: Log,
        *,
        adapt: bool = True,
        tethered: bool = True,
        engine: Engine | None = None,
    ) -> None:
        """``adapt`` False: what was inferred for the healthy robot stands, whatever breaks;
        ``tethered`` False: power comes from the robot's own modules (MDL ``PS``) or not at all."""
        self.engine = engine or Engine()
        self._adapt = adapt
        self._tethered = tethered
        self._healthy: tuple[KnownModule, ...] = ()
        self._knowledge = knowledge
        self._log = log
        self._seen: tuple[object, ...] = ()
        self._told: dict[str, object] = {}
        self.inferred: Inferred = self.engine.infer((), RobotSituation(tethered=tethered))

    def infer(self) -> Inferred:
        """Anew, if anything it depends on is another; the trace is told of changes."""
        knowledge = self._knowledge
        parts = self._parts()
        depends = (parts, knowledge.mode, self.engine.rulebook.version)
        if depends == self._seen:
            return self.inferred
        self._seen = depends
        self.inferred = self.engine.infer(
            parts, RobotSituation(knowledge.mode, tethered=self._tethered)
        )
        found = {
            name: (grade, [_named(way) for way in self.ways(name)])
            for name, grade in self.inferred.abilities.items()
        }
        told: dict[str, object] = {
            "ids": knowledge.ids,
            "mode": knowledge.mode.meaning,
            "abilities": found,
        }
        if told != self._told:
            self._told = told
            self._log(ABILITIES, told)
        return self.inferred

    def _parts(self) -> tuple[KnownModule, ...]:
        if self._adapt or not self._healthy:
            self._healthy = self._knowledge.parts
        return self._healthy

    def ways(self, ability: str) -> tuple[Fact, ...]:
        """The best first, without those that got the robot nowhere; none: it cannot."""
        failed = self._knowledge.failed if self._adapt else ()
        return tuple(
            way
            for way in self.infer().ways(ability)
            if _named(way) not in failed and (not self._knowledge.wide or _waves(way))
        )

    def refusal(self) -> Statement | None:
        """Why this robot cannot get anywhere; None: it can try."""
        known = self.infer()
        unknown = self._knowledge.mode is WorkingMode.GENERAL
        if unknown and not known.can(GOING[0]) and any(map(self._goes, (PIPE, OPEN_AIR))):
            return telling.of_itself("refused", NOBODY_SEES)
        if not any(known.can(each) for each in GOING):
            reasons = "; ".join(node.text for node in why_not(known, GOING[0]).because[:3])
            words = f"this robot cannot move {known.situation.mode.meaning}: {reasons}"
            return telling.of_itself("refused", words)
        if self._knowledge.wide and not any(map(_waves, known.ways(GOING[0]))):
            return telling.too_wide()
        return None

    def _goes(self, mode: WorkingMode) -> bool:
        """Whether this robot could get anywhere there."""
        there = RobotSituation(mode, tethered=self._tethered)
        known = self.engine.infer(self._parts(), there)
        return any(map(known.can, GOING))

    def missing(self, task: str) -> tuple[str, ...]:
        """What a task should have and this robot lacks."""
        known = self.infer()
        return tuple(need for need in self.engine.task(task).needs if not known.can(need))


def _named(way: Fact) -> str:
    return way.skill if way.rule is None else way.rule.name


def _waves(way: Fact) -> bool:
    """Whether it needs no wall."""
    gait = None if way.rule is None else way.rule.gait
    return gait is not None and gait.commands[0] in WAVES
