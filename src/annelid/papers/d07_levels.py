"""D7: blocking recovery, the token between leg safety and leg allocation, and upper levels that
disable lower ones (003 §4), as the planner's own trace tells it.

With cups of 13 N on a slope of 45° most planners get into a blocking state by themselves: of the
legs that must step none may be lifted.  Cups and slope leave no reserve there, so it is a matter of
chance whether a robot is blocked, and whether its legs can be brought back: one that is not blocked
has nothing to recover from, and one that cannot recover must stop and say why.  What is asked of
every blocked robot is who was active and who held the token; a whole recovery must be seen.  At 68°
such cups allow no step at all, and it stops; there the operator releases it, and it stops again.
Some robots slide off there in the first 0.2 s, before their planner has begun (D5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from annelid.behaviour.chronicle import BEHAVIOUR
from annelid.behaviour.chronicle import TOKEN as PASSED
from annelid.kernel.trace import Event
from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.climbed import climbed, critical, turns, turns_figure
from annelid.papers.interval import Rate
from annelid.systems.climber.executive.links import (
    ALLOCATION,
    CRITICAL,
    RECOVERY,
    SAFETY,
    TOKEN,
    TRAJECTORY,
)
from annelid.trial.replay import Run

RELEASE_S: Final = 30.0
REPEATS: Final = 5
STEEP: Final = {
    "world.slope_deg": 68,
    "control.options.operator": [{"at_s": RELEASE_S, "do": "release"}],
    "duration_s": RELEASE_S + 25,
}
SLOPE, STOPS = "45°", "68°"
CASES: Final = {SLOPE: Case("d07-levels"), STOPS: Case("d07-levels", STEEP)}

Went = dict[str, bool]


@dataclass(frozen=True)
class Trace:
    """What was seen of the levels in one run."""

    went: Went
    """What should have been seen, and whether it was."""
    blocked: bool
    recovered: bool
    """From every blocking, and it walked on to its goal."""
    turns: list[tuple[float, int]]
    """Of the legs."""


def judge(run: Run) -> Trace:
    steep = run.scenario.duration_s == STEEP["duration_s"]
    blocked = len(run.events("blocked"))
    whole = len(run.events("recovered")) == blocked and climbed(run).walked
    went = stops(run) if steep else recovers(run)
    return Trace(went, blocked > 0, blocked > 0 and whole, turns(run))


def recovers(run: Run) -> Went:
    """Of a robot that was not blocked only how it ended is asked."""
    came, blocked, recovered = (
        climbed(run),
        len(run.events("blocked")),
        len(run.events("recovered")),
    )
    ended = {"walked to its goal, or held on and said why not": came.walked or _stands(run)}
    if not blocked:
        return ended
    owners = [
        event.detail["owner"] for event in run.events(PASSED) if event.detail["token"] == TOKEN
    ]
    changes = run.events(BEHAVIOUR)
    over = ALLOCATION in owners
    back = over and SAFETY in owners[owners.index(ALLOCATION) :]
    return {
        "recovery disabled leg safety": stopped_by(changes, SAFETY, RECOVERY),
        "and with it the trajectory": stopped_by(changes, TRAJECTORY, "nobody enables"),
        "token went over": over,
        "token came back from whoever recovered": back or not recovered,
        "recovered, or stopped": recovered == blocked or _stands(run),
        **ended,
    }


def _stands(run: Run) -> bool:
    """It has stopped everything, says why, and has not fallen."""
    return bool(critical(run)) and not climbed(run).fell


def stops(run: Run) -> Went:
    """Nothing of a robot that slid off before its planner had heard of its legs: no level was at
    work yet."""
    if not run.events("ready"):
        return {}
    released = [event.time_ns * 1e-9 for event in run.events("released")]
    active = {e.detail["behaviour"]: e.detail["active"] for e in run.events(BEHAVIOUR)}
    return {
        "critical stop disabled all": [who for who, on in active.items() if on] == [CRITICAL],
        "released by the operator alone": len(released) == 1 and released[0] >= RELEASE_S,
        "stopped again": len(run.events("critical stop")) >= 2 and bool(critical(run)),
        "held on": not climbed(run).fell,
    }


def stopped_by(changes: list[Event], behaviour: str, words: str) -> bool:
    """Whether a behaviour was ever switched off for that reason."""
    details = [event.detail for event in changes if event.detail["behaviour"] == behaviour]
    return any(not one["active"] and words in one["reason"] for one in details)


def experiment(bench: Bench) -> Outcome:
    found = bench.trials(CASES, judge, repeats=1 if bench.quick else REPEATS)
    seen: dict[str, list[bool]] = {}
    traces = [trace for each in found.values() for trace in each]
    for trace in traces:
        for what, so in trace.went.items():
            seen.setdefault(what, []).append(so)
    missed = {what: each for what, each in seen.items() if not all(each)}
    whole = [all(trace.went.values()) for trace in traces if trace.went]
    slid = sum(not trace.went for trace in traces)
    blocked = [trace for trace in found[SLOPE] if trace.blocked]
    recovered = [trace.recovered for trace in blocked]
    return Outcome(
        ours=f"{len(seen) - len(missed)} of {len(seen)} as they should be in every run; at 45° "
        f"{len(blocked)} of {len(found[SLOPE])} were blocked, {sum(recovered)} of these recovered "
        "and walked on to their goal, the others stopped and said why"
        + "".join(f"; {what} {Rate.count(each)}" for what, each in missed.items()),
        passed=not missed and any(recovered) and slid < len(found[STOPS]),
        note=(
            "Cups of 13 N at 45°, where it blocks and recovers, and at 68°, where it stops and the "
            f"operator releases it once.  Everything was seen in {Rate.count(whole)} runs.  Looked "
            f"for: {', '.join(seen)}.  At 45° such cups leave no reserve, so that robots differ in "
            "whether they are blocked and whether legs can be brought back; asked is at least one "
            "whole recovery, and of every blocked robot who was active and who held the token.  "
            f"{slid} slid off at 68° before their planner had begun, and have no trace"
        ),
        values={
            **{
                what.replace(" ", "_").replace(",", ""): float(sum(each) / len(each))
                for what, each in seen.items()
            },
            "blocked": float(len(blocked)),
            "recovered_and_walked_on": float(sum(recovered)),
        },
        plots=tuple(turns_figure(slope, each[0].turns) for slope, each in found.items()),
    )
