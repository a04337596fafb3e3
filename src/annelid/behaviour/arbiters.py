"""The seven ways to make one value from several proposals, as pure functions.

============  =================================================  ================================
function      the value is                                       used in the papers for
============  =================================================  ================================
``suppress``  that of the first that speaks                      000 §6.2: wander < path < goal
``inhibit``   nothing while an inhibitor speaks                  000 §4.2: survival behaviours
``blend``     the mean, weighted by strength                     000 §4.2: waves on one servo
``total``     the sum, weighted by strength, within limits       000 §6.2: destinations
``select``    that of the one with the best score                000 §6.2.1: action selection
``token``     that of the one who holds the exclusive right      003 §4.2.2: leg safety
``gate``      passed on while the gate is open, else nothing     000 §3: working mode
============  =================================================  ================================

Options are given in the order of their priority; ``None`` stands for one that is silent.  An
option without value or with strength 0 is silent too, and *silence passes through*: it never wins
over somebody who speaks.  ``blend`` and ``total`` do not depend on the order of their options
(beyond rounding), ``select`` only for ties; the others do, and mean to.

A blanked option (an inhibited subtree) is silent for those above it, as an inhibited wire is in a
subsumption network; only where nobody else speaks does the blank show, with its inhibitor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, isfinite
from typing import Any

import numpy as np

from annelid.behaviour.behaviour import SILENCE, Decision, Loser, Option, Proposal, beaten
from annelid.errors import InputError

Score = Callable[[Option], float | None]
Limits = tuple[float, float]

NO_LIMITS: Limits = (-inf, inf)


def suppress(options: Sequence[Option | None]) -> Decision:
    """The first that speaks wins; the ones after it are heard when it is silent."""
    winner: Option | None = None
    losers: tuple[Loser, ...] = ()
    present: Iterator[Option] = filter(None, options)
    for option in present:
        if option.value is None or not option.strength > 0.0:
            if option.losers:
                losers += option.losers
        elif winner is None:
            winner = option
        elif type(option) is Proposal:  # as beaten() does, for the case that is not rare
            losers += (Loser(option.source, "suppressed", winner.winners),)
        else:
            losers += beaten(option, "suppressed", winner.winners)
    if winner is None:
        return _unheard(options)
    if not losers and type(winner) is Decision:
        return winner
    return Decision(
        winner.value, winner.strength, winner.winners, winner.losers + losers, "suppress"
    )


def inhibit(inhibitors: Sequence[Option | None], option: Option | None) -> Decision:
    """``option``, blanked while any of ``inhibitors`` speaks, whatever value it names."""
    speaking = [one for one in inhibitors if one and _objects(one)] if any(inhibitors) else ()
    if not speaking:
        return option if type(option) is Decision else suppress((option,))
    winners = tuple(source for one in speaking for source in one.winners)
    strength = max(one.strength for one in speaking)
    losers = beaten(option, "inhibited", winners) if option is not None else ()
    return Decision(None, strength, winners, losers, "inhibit")


def blend(options: Sequence[Option | None]) -> Decision:
    """The mean of all that speak, weighted by their strength; it lies between them."""
    speaking = _speaking(options)
    if len(speaking) == 1:
        return _merged(speaking[0].value, speaking, "blend")
    if not speaking:
        return _unheard(options)
    first = speaking[0].value
    weight, moment = 0.0, 0.0
    try:
        for one in speaking:  # measured from the first, so that equal values give exactly that one
            weight += one.strength
            moment += (one.value - first) * one.strength
        value = first + moment / weight
    except TypeError:
        raise _no_number("blend", speaking) from None
    return _merged(value, speaking, "blend")


def total(options: Sequence[Option | None], limits: Limits = NO_LIMITS) -> Decision:
    """The sum of all that speak, each times its strength, kept within ``limits``."""
    speaking = _speaking(options)
    if not speaking:
        return _unheard(options)
    try:
        if len(speaking) == 1:
            value = speaking[0].value * speaking[0].strength
        else:
            value = sum(one.value * one.strength for one in speaking)
    except TypeError:
        raise _no_number("sum", speaking) from None
    if limits is not NO_LIMITS:
        low, high = limits
        if isinstance(value, np.ndarray):
            value = np.clip(value, low, high)
        elif value == value:  # a NaN is for _merged to complain of
            value = min(max(value, low), high)
    return _merged(value, speaking, "sum")


def select(options: Sequence[Option | None], score: Score) -> Decision:
    """The one with the highest score; of equals the first.  A score of ``None``: unsuitable."""
    winner: Option | None = None
    best = -inf
    speaking = _speaking(options)
    scores: list[float | None] = []
    for option in speaking:
        points = score(option)
        scores.append(points)
        if points is not None and (points > best or (winner is None and points == best)):
            winner, best = option, points
    losers: tuple[Loser, ...] = () if winner is None else winner.losers
    by = () if winner is None else winner.winners
    for option, points in zip(speaking, scores, strict=True):
        if option is not winner:
            why = "unsuitable" if points is None else f"outscored ({points:.3g} to {best:.3g})"
            losers += beaten(option, why, () if points is None else by)
    if winner is None:
        return Decision(None, losers=losers, rule="select") if losers else _unheard(options)
    return Decision(winner.value, winner.strength, by, losers, "select")


def token(options: Sequence[Option | None], owner: str | None, name: str = "token") -> Decision:
    """Only what the owner of the exclusive right has a part in."""
    winner: Option | None = None
    losers: tuple[Loser, ...] = ()
    for option in _speaking(options):
        if winner is None and owner in option.winners:
            winner = option
        else:
            by = () if owner is None else (owner,)
            losers += beaten(option, f"kept out: the {name} token is held", by or ("nobody",))
    if winner is None:
        return Decision(None, losers=losers, rule="token") if losers else _unheard(options)
    return Decision(winner.value, winner.strength, winner.winners, winner.losers + losers, "token")


def gate(option: Option | None, is_open: bool, because: str = "the gate is closed") -> Decision:
    """``option`` while the gate is open, else nothing."""
    if is_open or option is None:
        return suppress((option,))
    losers = beaten(option, f"stopped: {because}")
    return Decision(None, losers=losers, rule="gate") if losers else SILENCE


def _objects(option: Option) -> bool:
    """A silent or blanked decision inhibits nobody; a proposal does, even one without value."""
    return option.strength > 0.0 and (type(option) is not Decision or option.value is not None)


def _speaking(options: Sequence[Option | None]) -> list[Option]:
    speaking = []
    present: Iterator[Option] = filter(None, options)
    for option in present:
        if option.value is not None and option.strength > 0.0:
            speaking.append(option)
    return speaking


def _unheard(options: Sequence[Option | None]) -> Decision:
    """Nobody speaks: a blank shows through, and the losers below are not forgotten."""
    losers: tuple[Loser, ...] = ()
    blank: Decision | None = None
    rule = "silence"
    for option in options:
        if isinstance(option, Decision):
            losers += option.losers
            rule = option.rule if rule == "silence" else rule
            if blank is None and option.blank:
                blank = option
    if blank is not None:
        return blank._replace(losers=losers)
    return Decision(None, losers=losers, rule=rule) if losers else SILENCE


def _merged(value: Any, speaking: Sequence[Option], rule: str) -> Decision:
    try:
        fine = isfinite(value) if isinstance(value, float) else bool(np.isfinite(value).all())
    except TypeError:
        raise _no_number(rule, speaking) from None
    if not fine:
        raise _no_number(rule, speaking)
    if len(speaking) == 1:
        (one,) = speaking
        return Decision(value, one.strength, one.winners, one.losers, rule)
    strength = 0.0
    winners: tuple[str, ...] = ()
    losers: tuple[Loser, ...] = ()
    for one in speaking:
        strength = max(strength, one.strength)
        winners += one.winners
        losers += one.losers
    return Decision(value, strength, winners, losers, rule)


def _no_number(rule: str, speaking: Sequence[Option]) -> InputError:
    said = ", ".join(f"{one.value!r} from {' and '.join(one.winners)}" for one in speaking)
    return InputError(f"{rule}: expected finite numbers or arrays of one shape, got {said}")
