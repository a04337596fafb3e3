"""B13: obstacle negotiation over goal over path over wandering, and balance over all walking
(000 §6.2, Fig 17), as traces of runs.

Four situations, each of which calls one level up while the one below speaks: a stripe on the floor
while wandering, a break in the wall while following a pipe, an elbow while reaching for the end of
the pipe, a robot on its side that wants to walk.  A take-over counts when the trace has the change
of the winner, names the one below among the suppressed, and has a reason in words.  The scenarios
are those of other rows.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

END_S: Final = 25.0
RATE_MIN: Final = 0.8
REPEATS: Final = 5


class TakeOver(NamedTuple):
    """Who is to take over from whom, and where."""

    scenario: str
    channel: str
    above: str
    below: str
    fields: dict[str, Any] = {}  # noqa: RUF012  never changed


TO_THE_END: Final = {"control.options.operator.0.say": "RPL end"}
SITUATIONS: Final = {
    "path over wandering": TakeOver("b21-stripe", "destination", "stripe following", "wandering"),
    "goal over path": TakeOver("b16-break", "destination", "find a pipe break", "pipe following"),
    "obstacle over goal": TakeOver(
        "elbow-dialogue", "destination", "obstacle negotiation", "reach a place", TO_THE_END
    ),
    "balance over walking": TakeOver("b12-balance", "action", "balance", "move straight"),
}


def judge(run: Run) -> dict[str, str]:
    """Of each take-over that the trace shows: the reason of the first."""
    found: dict[str, str] = {}
    for event in run.events("decision"):
        detail = event.detail
        for name, wanted in SITUATIONS.items():
            if (
                detail["channel"] == wanted.channel
                and detail["winners"] == [wanted.above]
                and detail["reason"]
                and any(it.startswith(f"{wanted.below} was suppressed") for it in detail["losers"])
            ):
                found.setdefault(name, str(detail["reason"]))
    return found


def experiment(bench: Bench) -> Outcome:
    cases = {
        name: Case(each.scenario, {"duration_s": END_S, **each.fields})
        for name, each in SITUATIONS.items()
    }
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    rates = {name: Rate.count(name in each for each in found[name]) for name in SITUATIONS}
    reasons = (f"{name}: {found[name][0].get(name, '-')}" for name in SITUATIONS)
    return Outcome(
        ours="; ".join(f"{name} {rate}" for name, rate in rates.items()),
        passed=all(rate.value >= RATE_MIN for rate in rates.values()),
        note=f"Take-overs in the trace within {END_S:g} s.  Reasons: {'; '.join(reasons)}.",
        values=numbers(rates),
    )
