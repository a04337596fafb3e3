"""One channel while it runs: a slot for each proposal, the compiled tree, the last decision.

A table names everyone who might ever speak; at a given moment few do.  So the tree is compiled
for those who are there (:meth:`Arbiter.among`) when somebody comes or goes, once for each
company, and a decision costs by who speaks, not by how long the table is.
"""

from __future__ import annotations

from typing import Any

from annelid.behaviour.behaviour import SILENCE, Decision, Option, Proposal
from annelid.behaviour.flipflop import FlipFlop, FlipFlopWatch
from annelid.behaviour.fusion import Arbiter, Fuse, Heard, House


class Channel:
    """``heard[seats[name]]`` is what the behaviour of that name proposes here, or ``None``."""

    __slots__ = (
        "_house",
        "_plans",
        "_tree",
        "decision",
        "fuse",
        "heard",
        "moved",
        "name",
        "restless",
        "seats",
        "stale",
        "watch",
    )

    def __init__(self, name: str, tree: Arbiter, house: House, flip_flop: FlipFlop) -> None:
        self.name = name
        self._house = house
        self._tree = tree.resolved(house, f"channel {name!r}")
        names = dict.fromkeys(self._tree.names())
        self.seats = {name: index for index, name in enumerate(names)}
        self.heard: list[Option | None] = [None] * len(self.seats)
        self.stale = False
        """Whether something was said or withdrawn since the last decision."""
        self.moved = False
        """Whether somebody has come or gone since then."""
        self._plans: dict[tuple[str, ...], tuple[Fuse, bool]] = {(): (_silence, False)}
        self._tree.compile(house, self.seats)  # a mistake in the table shall show at once
        self.fuse, self.restless = self._plans[()]
        self.decision = SILENCE
        self.watch = FlipFlopWatch(flip_flop)

    def arrange(self) -> None:
        """Choose the tree for those who are there now."""
        self.moved = False
        present = tuple(name for name, seat in self.seats.items() if self.heard[seat] is not None)
        plan = self._plans.get(present)
        if plan is None:
            tree = self._tree.among(present)
            plan = (_silence, False) if tree is None else tree.compile(self._house, self.seats)
            self._plans[present] = plan
        self.fuse, self.restless = plan

    def reason(self, name: str) -> str:
        """What the behaviour of that name gave as its reason, if it gave one."""
        said = self.heard[self.seats[name]]
        return said.reason if isinstance(said, Proposal) else ""


class ProposalSlot:
    """Where one behaviour speaks on one channel."""

    __slots__ = ("channel", "index", "turn")

    def __init__(self, channel: Channel, index: int) -> None:
        self.channel = channel
        self.index = index
        self.turn = 0
        """The turn of the stack at which it last spoke here."""

    def clear(self) -> None:
        """It speaks here no longer."""
        self.channel.heard[self.index] = None
        self.channel.stale = self.channel.moved = True


def _silence(heard: Heard, stimuli: Any) -> Decision:
    return SILENCE
