"""Writes the changes of a stack (what is active, who wins, why) into the trace.

===============  ==========================================================================
kind             detail
===============  ==========================================================================
``decision``     the winners on a channel are others: ``channel value winners before rule
                 reason losers``
``behaviour``    one became active or ceased to be: ``behaviour active reason``
``token``        it passed to another: ``token owner before reason``
``flip-flop``    winners keep taking a channel from each other: ``channel between undone
                 window_ns``
===============  ==========================================================================

A value that merely moves is no event: a wave that goes on costs the trace nothing.

:mod:`annelid.behaviour.why` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from annelid.behaviour.activation import Activation
from annelid.behaviour.behaviour import Decision
from annelid.behaviour.channel import Channel
from annelid.behaviour.tokens import Token

Log = Callable[[str, Mapping[str, Any]], Any]
"""``(kind, detail)``: a board's ``log``.  Time and place are the board's to add: the time that
behaviours see is its own clock's, and drifts."""

DECISION: Final = "decision"
BEHAVIOUR: Final = "behaviour"
TOKEN: Final = "token"
FLIP_FLOP: Final = "flip-flop"


def plain(value: Any) -> Any:
    """A value as the trace can keep it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)


class Chronicle:
    """Writes to ``log``, if there is one."""

    __slots__ = ("_log", "activations")

    def __init__(self, log: Log | None) -> None:
        self._log = log
        self.activations: Mapping[str, Activation] = {}
        """To say of one that fell silent what became of it."""

    def winners_changed(self, channel: Channel, before: Decision, now_ns: int) -> None:
        """Others decide on ``channel`` than did ``before``; perhaps once too often."""
        decision = channel.decision
        undone = channel.watch.changed(now_ns, before.winners, decision.winners)
        if self._log is None:
            return
        detail = {
            "channel": channel.name,
            "value": plain(decision.value),
            "winners": list(decision.winners),
            "before": list(before.winners),
            "rule": decision.rule,
            "reason": self._reason(channel, before),
            "losers": [str(loser) for loser in decision.losers],
        }
        self._log(DECISION, detail)
        if undone:
            between = [" and ".join(who) or "nobody" for who in (before.winners, decision.winners)]
            fight = {"undone": undone, "window_ns": channel.watch.rule.window_ns}
            self._log(FLIP_FLOP, {"channel": channel.name, "between": between, **fight})

    def activation_changed(self, one: Activation) -> None:
        self._tell(BEHAVIOUR, behaviour=one.name, active=one.active, reason=one.reason)

    def token_passed(self, token: Token, before: str | None, why: str) -> None:
        self._tell(TOKEN, token=token.name, owner=token.owner, before=before, reason=why)

    def _reason(self, channel: Channel, before: Decision) -> str:
        """The winners' own words; where nobody speaks, what became of those who did."""
        decision = channel.decision
        if decision.winners:
            return "; ".join(filter(None, map(channel.reason, decision.winners)))
        beaten = {loser.source: str(loser) for loser in decision.losers}
        return "; ".join(beaten.get(name) or self._silence(name) for name in before.winners)

    def _silence(self, name: str) -> str:
        one = self.activations[name]
        return f"{name} has nothing to say" if one.active else f"{name} is off: {one.reason}"

    def _tell(self, kind: str, **detail: Any) -> None:
        if self._log is not None:
            self._log(kind, detail)
