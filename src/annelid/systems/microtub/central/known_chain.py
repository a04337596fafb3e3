"""The chain as the central control knows it: its modules, head first, and what they have told.

Who is there comes from discovery, what they can do from AMC, what they see, count and feel from
APO and AIM.  How the robot lies is what the accelerometers on board say together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import copysign, cos, radians
from typing import Final

from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.catalogue import Catalogue, Kinds, catalogue, chain_length
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import ModuleInfo

LEANS: Final = radians(15)
"""By so much the foremost joint may lean more than the pipe: it bends into an elbow."""
SILENT_NS: Final = seconds(2.0)
"""A traveller that has not answered for so long measures nothing."""
RELAPSES: Final = 2
"""After becoming worse so often a module is not believed to have recovered."""
CAMERA: Final = "c"
"""Module ID of those with a camera; MDL has no indicator for it."""


@dataclass(slots=True)
class KnownChain:
    """The part of :class:`~annelid.systems.microtub.central.knowledge.Knowledge` that is about the
    modules."""

    catalogue: Catalogue = field(default_factory=catalogue)
    """The types of modules that this computer knows."""
    now_ns: int = 0
    """By the central control's own clock."""
    parts: tuple[KnownModule, ...] = ()
    """The chain, head first; empty while it is not known."""
    seen: dict[int, Situation] = field(default_factory=dict)
    """By module: what it says its surroundings are."""
    told: dict[tuple[int, ModuleInfo], tuple[int, ...]] = field(default_factory=dict)
    """The last answer of each module to each question (AIM)."""
    heard_ns: dict[tuple[int, ModuleInfo], int] = field(default_factory=dict)
    """When a module last told something."""
    unheard: set[int] = field(default_factory=set)
    """Those that did not acknowledge a call or answer a question, and have answered none since: the
    bus of a board takes what comes for a while after its program has hung."""
    failed: set[str] = field(default_factory=set)
    """Ways of moving that got the robot nowhere, by name, since the chain was last another."""
    relapses: dict[int, int] = field(default_factory=dict)
    """By module: how often it has become worse."""

    def know(self, members: Iterable[FoundModule]) -> None:
        """A configuration that discovery believes."""
        self.parts = tuple(
            KnownModule(each.address, each.id, each.mdl, kind=self.catalogue.get(each.id))
            for each in members
        )
        self.failed.clear()
        self._forget_the_absent()

    def change(self, address: int, mdl: str) -> bool:
        """A module says what it can do now; whether that is news.

        A servo that gives way under load seems sound again as soon as it rests, so the robot would
        change its gait for ever: whoever has recovered once is not believed a second time.
        """
        known = next((part for part in self.parts if part.address == address), None)
        if known is None or (known.mdl == mdl and known.alive):
            return False
        worse = any(new < old for new, old in zip(mdl, known.mdl, strict=True))
        if worse:
            self.relapses[address] = self.relapses.get(address, 0) + 1
        elif self.relapses.get(address, 0) >= RELAPSES:
            return False
        self.failed.clear()
        self.parts = tuple(
            replace(part, mdl=mdl, alive=True) if part is known else part for part in self.parts
        )
        return True

    def bury(self, address: int) -> None:
        """It does not answer: its body is still in the chain, its skills are not."""
        self.parts = tuple(p.dead() if p.address == address else p for p in self.parts)
        self._forget_the_absent()

    def _forget_the_absent(self) -> None:
        there = {part.address for part in self.parts if part.alive}
        self.seen = {who: what for who, what in self.seen.items() if who in there}
        self.told = {key: what for key, what in self.told.items() if key[0] in there}

    @property
    def alive(self) -> tuple[KnownModule, ...]:
        return tuple(part for part in self.parts if part.alive)

    @property
    def whole(self) -> bool:
        """Whether every module can do what its type can."""
        return all(part.whole for part in self.parts)

    @property
    def ids(self) -> str:
        return "".join(part.id for part in self.parts)

    @property
    def kinds(self) -> Kinds:
        return tuple(part.kind for part in self.parts)

    @property
    def length(self) -> float:
        """Of the whole chain, m."""
        return chain_length(self.kinds)

    def behind(self, indicator: str) -> float:
        """How far behind the nose the first module that can do that has its tool, m."""
        place = next((k for k, p in enumerate(self.parts) if p.alive and p.can(indicator)), 0)
        return chain_length(self.kinds[:place]) + chain_length(self.kinds[place : place + 1]) / 2

    @property
    def cameras(self) -> tuple[KnownModule, ...]:
        return tuple(part for part in self.alive if part.id == CAMERA)

    def called(self, address: int) -> str:
        """How the operator is told of a module: its place in the chain, from the head on."""
        for place, part in enumerate(self.parts, 1):
            if part.address == address:
                return f"module {place} ({part.id.upper()}, address {address})"
        return f"the module with address {address}"

    def able(self, indicator: str) -> tuple[KnownModule, ...]:
        return tuple(part for part in self.alive if part.can(indicator) > 0)

    # -- what they have told ----------------------------------------------------------------------

    @property
    def situation(self) -> Situation:
        """By the foremost module that says anything."""
        for part in self.alive:
            if self.seen.get(part.address, Situation.UNKNOWN) is not Situation.UNKNOWN:
                return self.seen[part.address]
        return Situation.UNKNOWN

    def answers(self, asked: ModuleInfo) -> list[tuple[int, ...]]:
        """Of all modules that have told, head first."""
        return [
            self.told[part.address, asked]
            for part in self.alive
            if (part.address, asked) in self.told
        ]

    @property
    def silent(self) -> bool:
        """Whether the travellers, which are asked at every look, do not answer any more: then their
        last count is no robot that stands."""
        heard = [at for (_, asked), at in self.heard_ns.items() if asked is ModuleInfo.DISTANCE]
        return bool(heard) and self.now_ns - max(heard) > SILENT_NS

    @property
    def pitch(self) -> float | None:
        """How steep the robot lies, nose up positive, rad; None: nobody has told."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return radians(told[len(told) // 2][1]) if told else None

    @property
    def steep_ahead(self) -> float | None:
        """How steep the pipe ahead is at least: what the foremost two that feel it agree on, or the
        first one alone as far as it leans more than a bend makes it."""
        told = [radians(each[1]) for each in self.answers(ModuleInfo.ORIENTATION)[:2]]
        if not told:
            return None
        alone = max(abs(told[0]) - LEANS, 0.0) if len(told) > 1 else abs(told[0])
        agreed = min(map(abs, told)) if told[0] * told[-1] > 0 else 0.0
        return copysign(max(alone, agreed), told[0])

    @property
    def blind(self) -> bool:
        """Whether nobody sees what is before the robot: the eyes of a module behind the first look
        at the one before it."""
        first = self.parts[0] if self.parts else None
        if first is None or first.address in self.unheard:
            return True
        return not (first.alive and first.can("Sense_front"))

    @property
    def roll(self) -> float:
        """How far the robot lies rolled, its left side up positive, rad; 0 where nobody feels it,
        for a chain turns over slowly, if at all, in a pipe."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return radians(told[0][0]) if told else 0.0

    @property
    def on_its_back(self) -> bool:
        """Whether left and right of its joints are exchanged."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return bool(told) and cos(radians(told[len(told) // 2][0])) < 0
