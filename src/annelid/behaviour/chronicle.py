"""Writes the changes of a stack (what is active, who wins, why) into the trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annelid.behaviour.activation import Activation
from annelid.behaviour.channel import Channel
from annelid.behaviour.events import BEHAVIOUR, DECISION, FLIP_FLOP, TOKEN, Log, plain
from annelid.behaviour.proposal import Decision
from annelid.behaviour.tokens import Token


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
