"""A proposal of a behaviour (channel, value, strength), and the decision made from proposals.

A :class:`Proposal` is one wish on one channel; a :class:`Decision` is what an arbiter made of
several.  Both have ``value``, ``strength``, ``winners`` and ``losers``, so a decision can stand
wherever a proposal can, and arbiters nest.

Both are named tuples: frozen, and the cheapest thing Python can make (a quarter of a microsecond),
because a robot makes some of them at every tick of every module.
"""

from __future__ import annotations

from typing import Any, NamedTuple


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

SILENCE = Decision(None)
"""Nobody has said anything."""


def beaten(option: Option, why: str, by: tuple[str, ...] = ()) -> tuple[Loser, ...]:
    """Everyone behind ``option`` as losers, after those it had beaten itself."""
    if option.value is None and not option.blank:
        return option.losers
    return (*option.losers, *[Loser(source, why, by) for source in option.winners])
