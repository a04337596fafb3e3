"""A behaviour: a condition for being active, and what it proposes when it is (000 §4, Fig 7).

::

    class AvoidOverheating(Behaviour[Module]):
        name = "avoid overheating"
        level = SURVIVAL
        period_ns = period(10)              # heat is slow

        def condition(self, module):
            return module.temperature > 50

        def propose(self, module):
            yield self.proposal("yaw", None, reason=f"{module.temperature:.0f} °C")

*Stimuli* are one object of the system's own making, the same for all behaviours of a stack: the
board's readings, the time, the working mode, what other behaviours have found out.  A behaviour
keeps what state it needs; it must not touch devices, or the arbiters decide nothing.

**Who may run** is said by data, not by calls, so that it can be read and traced:

=============  =====================================================================
``level``      a behaviour may disable those of lower levels, and knows nothing above
``disables``   names, or :data:`BELOW`, that may not run while this one is active
``enables``    names of behaviours ``on_demand`` that may run while this one is active
``on_demand``  runs only while somebody enables it
``token``      runs only while it holds the token of that name
=============  =====================================================================

``disables`` and ``enables`` may be assigned while it runs (a new tuple each time); they lapse when
the behaviour ceases to be active, whatever the cause.  So "when leg safety is disabled, the
trajectory control is disabled" (003 §4.2.1) is ``enables = ("trajectory",)`` on the one and
``on_demand = True`` on the other, and the lower one need not know of the upper.

A :class:`Proposal` is one wish on one channel; a :class:`Decision` is what an arbiter made of
several.  Both have ``value``, ``strength``, ``winners`` and ``losers``, so a decision can stand
wherever a proposal can, and arbiters nest.  Both are named tuples: frozen, and the cheapest thing
Python can make (a quarter of a microsecond), because a robot makes some of them at every tick of
every module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

from annelid.errors import SpecError
from annelid.registry import Kind

Stimuli = TypeVar("Stimuli")


class Loser(NamedTuple):
    """One that was not heard, and why."""

    source: str
    why: str
    """In a word or a sentence that follows its name: ``suppressed``, ``not the holder of …``"""
    by: tuple[str, ...] = ()
    """Those who won over it, if anybody did."""

    def __str__(self) -> str:
        return f"{self.source} was {self.why}" + (f" by {' and '.join(self.by)}" if self.by else "")


class Proposal(NamedTuple):
    """``source`` would have ``channel`` at ``value``.

    A value is a number (SI units), something that adds like one (an array, for a direction), or a
    token to be chosen among (a name, an enum's member).  ``None`` is no value but an objection:
    it blanks a channel where the table has its source as an inhibitor, and is silence elsewhere.
    """

    channel: str
    value: Any
    strength: float = 1.0
    """How much it matters, 0 to 1.  At 0 it is not heard, so a behaviour can fade out."""
    source: str = ""
    reason: str = ""
    """For the trace, in words: ``52 °C``."""

    @property
    def winners(self) -> tuple[str, ...]:
        return (self.source,)

    @property
    def losers(self) -> tuple[Loser, ...]:
        return ()

    @property
    def blank(self) -> bool:
        """Whether an inhibitor has blanked it; only a decision can be."""
        return False


class Decision(NamedTuple):
    """What holds on a channel, who brought it about, and who was not heard."""

    value: Any
    """``None``: nobody has said anything, or what was said was blanked."""
    strength: float = 0.0
    """That of the winner; of several, of the strongest."""
    winners: tuple[str, ...] = ()
    """The sources behind the value; of a blanked channel, its inhibitors."""
    losers: tuple[Loser, ...] = ()
    rule: str = "silence"
    """The arbiter that had the last word."""

    @property
    def blank(self) -> bool:
        """Whether there is no value because somebody inhibits it, which is not mere silence."""
        return self.value is None and bool(self.winners)

    def __str__(self) -> str:
        who = " and ".join(self.winners) or "nobody"
        said = "nothing" if self.value is None else repr(self.value)
        return "; ".join([f"{said} by {who} ({self.rule})", *map(str, self.losers)])


Option = Proposal | Decision
"""What an arbiter chooses among."""

Proposals = tuple[Proposal, ...]

SILENCE = Decision(None)
"""Nobody has said anything."""


def beaten(option: Option, why: str, by: tuple[str, ...] = ()) -> tuple[Loser, ...]:
    """Everyone behind ``option`` as losers, after those it had beaten itself."""
    if option.value is None and not option.blank:
        return option.losers
    return (*option.losers, *[Loser(source, why, by) for source in option.winners])


EVERY_STEP: Final = 0
"""As a period: at every step of the stack."""

BELOW: Final = ("<all lower levels>",)
"""As ``disables``: every behaviour of a lower level."""


class Behaviour(Generic[Stimuli]):
    """To be derived from, for one board or for the whole robot."""

    name: str = ""
    """Unique in its stack; the source of its proposals, and its name in tables and traces."""
    level: int = 0
    period_ns: int = EVERY_STEP
    """Time between two runs.  In between its last proposals stand, and its condition rests."""
    on_demand: bool = False
    token: str | None = None
    disables: tuple[str, ...] = ()
    enables: tuple[str, ...] = ()
    levels: ClassVar[tuple[int, ...]] = ()
    """For the base class of a layer: the levels that its arbiters hear; empty: any."""
    _kept: tuple[tuple[object, ...], Proposals] | None = None
    """What :meth:`kept` depended on, and what was made then."""

    @classmethod
    def make(cls, context: Any, /) -> Self | None:
        """One for a board that starts; ``None``: this board has no use for it.

        To be written for a behaviour that needs arguments, or does not suit every board;
        ``context`` is what its layer offers (``annelid.behaviour.table``).
        """
        return cls()

    def condition(self, stimuli: Stimuli, /) -> bool:
        """The activation condition; one that is not written is always met, at no cost."""
        return True

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        """At most one proposal a channel; a channel not mentioned is left to others.

        A proposal that has not changed is best returned as the same object: the channel then need
        not be decided again.
        """
        raise NotImplementedError

    def reset(self) -> None:
        """Called when it ceases to be active: forget what must not survive a pause."""
        self._kept = None

    def proposal(
        self, channel: str, value: Any, strength: float = 1.0, reason: str = ""
    ) -> Proposal:
        """A proposal of this behaviour's."""
        return Proposal(channel, value, strength, self.name, reason)

    def kept(self, *on: object, make: Callable[[], Proposals]) -> Proposals:
        """``make()``, or the same proposals as last time where everything in ``on`` is the same."""
        if self._kept is None or self._kept[0] != on:
            self._kept = on, make()
        return self._kept[1]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, level {self.level}>"


def _name(behaviour: type[Behaviour[Any]]) -> str:
    if not behaviour.name:
        raise SpecError(f"{behaviour.__name__} does not set name")
    return behaviour.name


BEHAVIOURS: Final[Kind[type[Behaviour[Any]]]] = Kind(
    name="behaviour", plural="behaviours", base=Behaviour, key=_name
)
"""How one is brought (``annelid.registry``); those of the core belong to their systems."""
