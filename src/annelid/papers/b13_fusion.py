"""B13: obstacle negotiation over goal over path over wandering, and balance over all walking
(000 §6.2, Fig 17), as traces of runs.

Four situations, each of which calls one level up while the one below speaks: a stripe on the floor
while wandering, a break in the wall while following a pipe, an elbow while reaching for the end of
the pipe, a robot on its side that wants to walk.  A take-over counts when the trace has the change
of the winner, names the one below among the suppressed, and has a reason in words.  The scenarios
are those of other rows.

The control is the same four without what calls the level above: no stripe, no break, no elbow, a
robot that lies upright.  There nothing may be taken over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

END_S: Final = 25.0
REPEATS, CONTROLS = 5, 3


class TakeOver(NamedTuple):
    """Who is to take over from whom, and where."""

    scenario: str
    channel: str
    above: str
    below: str
    calm: dict[str, Any]
    """What takes its cause away."""
    fields: dict[str, Any] = {}  # noqa: RUF012  never changed


TO_THE_END: Final = {"control.options.operator.0.say": "RPL end"}
STRAIGHT: Final = {"world.parts": [{"part": "straight", "length_mm": 1500}]}
"""Longer than the way of ``END_S``."""
SITUATIONS: Final = {
    "path over wandering": TakeOver(
        "b21-stripe", "destination", "stripe following", "wandering", {"world.stripes": []}
    ),
    "goal over path": TakeOver(
        "b16-break", "destination", "find a pipe break", "pipe following", {"world.breaks": []}
    ),
    "obstacle over goal": TakeOver(
        "elbow-dialogue",
        "destination",
        "obstacle negotiation",
        "reach a place",
        STRAIGHT,
        TO_THE_END,
    ),
    "balance over walking": TakeOver(
        "b12-balance", "action", "balance", "move straight", {"robot.roll_deg": 0}
    ),
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


class Traces(NamedTuple):
    """Runs by what they should show: with its cause, and without."""

    called: Mapping[str, Sequence[Mapping[str, str]]]
    calm: Mapping[str, Sequence[Mapping[str, str]]]

    @property
    def rates(self) -> dict[str, Rate]:
        return {name: Rate.count(name in each for each in self.called[name]) for name in SITUATIONS}

    @property
    def false(self) -> Rate:
        """Take-overs without their cause."""
        return Rate.count(name in each for name in SITUATIONS for each in self.calm[name])

    @property
    def passed(self) -> bool:
        return all(rate.value == 1.0 for rate in self.rates.values()) and not self.false.good


def experiment(bench: Bench) -> Outcome:
    called, calm = (
        {
            name: Case(
                each.scenario, {"duration_s": END_S, **each.fields, **(each.calm if c else {})}
            )
            for name, each in SITUATIONS.items()
        }
        for c in (False, True)
    )
    traces = Traces(
        bench.trials(called, judge, repeats=1 if bench.quick else REPEATS),
        bench.trials(calm, judge, repeats=1 if bench.quick else CONTROLS),
    )
    reasons = (f"{name}: {traces.called[name][0].get(name, '-')}" for name in SITUATIONS)
    return Outcome(
        ours="; ".join(
            [
                *(f"{name} {rate}" for name, rate in traces.rates.items()),
                f"without a cause {traces.false}",
            ]
        ),
        passed=traces.passed,
        note=(
            f"Take-overs in the trace within {END_S:g} s; every run has to show its own.  Control: "
            "no stripe, no break, no elbow, upright; none may show it there.  "
            f"Reasons: {'; '.join(reasons)}."
        ),
        values=numbers({**traces.rates, "without a cause": traces.false}),
    )
