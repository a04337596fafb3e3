"""D7: blocking recovery, the token between leg safety and leg allocation, and upper levels that
disable lower ones (003 §4), as the planner's own trace tells it.

With cups of 13 N on a slope of 45° the planner gets into a blocking state by itself: of the legs
that must step none may be lifted.  At 68° such cups allow no step at all, and it stops; there the
operator releases it, and it stops again.
"""

from __future__ import annotations

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
CASES: Final = {"45°": Case("d07-levels"), "68°": Case("d07-levels", STEEP)}

Went = dict[str, bool]


def judge(run: Run) -> tuple[Went, list[tuple[float, int]]]:
    """What should have been seen and whether it was; and the legs' turns."""
    steep = run.scenario.duration_s == STEEP["duration_s"]
    return (stops(run) if steep else recovers(run)), turns(run)


def recovers(run: Run) -> Went:
    owners = [
        event.detail["owner"] for event in run.events(PASSED) if event.detail["token"] == TOKEN
    ]
    changes, came = run.events(BEHAVIOUR), climbed(run)
    return {
        "blocked and recovered": bool(run.events("blocked")) and bool(run.events("recovered")),
        "token went over and came back": ALLOCATION in owners
        and SAFETY in owners[owners.index(ALLOCATION) :],
        "recovery disabled leg safety": stopped_by(changes, SAFETY, RECOVERY),
        "and with it the trajectory": stopped_by(changes, TRAJECTORY, "nobody enables"),
        "walked on to its goal": came.walked,
    }


def stops(run: Run) -> Went:
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
    for went, _ in [one for each in found.values() for one in each]:
        for what, so in went.items():
            seen.setdefault(what, []).append(so)
    missed = {what: each for what, each in seen.items() if not all(each)}
    whole = [all(went.values()) for each in found.values() for went, _ in each]
    return Outcome(
        ours=f"{len(seen) - len(missed)} of {len(seen)} as they should be in every run"
        + "".join(f"; {what} {Rate.count(each)}" for what, each in missed.items()),
        passed=not missed,
        note=(
            "Cups of 13 N at 45°, where it blocks and recovers, and at 68°, where it stops and the "
            f"operator releases it once.  Everything was seen in {Rate.count(whole)} runs.  Looked "
            f"for: {', '.join(seen)}"
        ),
        values={
            what.replace(" ", "_"): float(sum(each) / len(each)) for what, each in seen.items()
        },
        plots=tuple(turns_figure(slope, each[0][1]) for slope, each in found.items()),
    )
