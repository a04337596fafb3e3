"""D7: blocking recovery, the token between leg safety and leg allocation, and upper levels that
disable lower ones (003 §4), as the planner's own trace tells it.

With cups of 13 N on a slope of 45° the planner gets into a blocking state by itself: of the legs
that must step none may be lifted.  At 75° such cups allow no step at all, and it stops; there the
operator releases it, and it stops again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.climb_run import ClimbRun, hexapod
from annelid.systems.climber.executive.links import (
    ALLOCATION,
    CRITICAL,
    RECOVERY,
    SAFETY,
    TOKEN,
    TRAJECTORY,
)

CUP_N: Final = 13.0
SLOPE_DEG, STEEP_DEG = 45.0, 75.0
RELEASE_S: Final = 30.0

Told = list[tuple[float, Mapping[str, Any]]]


def climb(slope_deg: float, seconds: float, seed: int) -> tuple[ClimbRun, dict[str, Told]]:
    run = ClimbRun(
        {
            "way": [{"x_mm": 150}],
            "operator": [{"at_s": RELEASE_S, "do": "release"}] if slope_deg == STEEP_DEG else [],
        },
        robot=hexapod(leg={"suction_n": CUP_N}),
        slope_deg=slope_deg,
        seed=seed,
    )
    if slope_deg == STEEP_DEG:
        run.run(seconds)
    else:
        run.walk(seconds)
    kinds = ("behaviour", "token", "blocked", "recovered", "critical stop", "released")
    return run, {kind: run.told(kind) for kind in kinds}


def stopped_by(told: Told, behaviour: str, words: str) -> bool:
    """Whether a behaviour was ever switched off for that reason."""
    return any(
        one["behaviour"] == behaviour and not one["active"] and words in one["reason"]
        for _, one in told
    )


def experiment(bench: Bench) -> Outcome:
    slope, told = climb(SLOPE_DEG, 90.0, bench.seed)
    wall, refused = climb(STEEP_DEG, RELEASE_S + 25.0, bench.seed)
    owners = [one["owner"] for _, one in told["token"] if one["token"] == TOKEN]
    went = {
        "blocked and recovered": bool(told["blocked"]) and bool(told["recovered"]),
        "token went over and came back": ALLOCATION in owners
        and SAFETY in owners[owners.index(ALLOCATION) :],
        "recovery disabled leg safety": stopped_by(told["behaviour"], SAFETY, RECOVERY),
        "and with it the trajectory": stopped_by(told["behaviour"], TRAJECTORY, "nobody enables"),
        "walked on to its goal": slope.now.arrived and not slope.fallen,
        "critical stop disabled all": wall.mind.stack.active == [CRITICAL],
        "released by the operator alone": [at_s for at_s, _ in refused["released"]]
        == [at_s for at_s, _ in refused["released"] if at_s >= RELEASE_S]
        and len(refused["released"]) == 1,
        "stopped again": len(refused["critical stop"]) >= 2 and bool(wall.now.critical),
        "held on": not wall.fallen,
    }
    missed = [what for what, true in went.items() if not true]
    why = told["blocked"][0][1]["why"] if told["blocked"] else "never"
    return Outcome(
        ours=f"{sum(went.values())} of {len(went)} as they should be"
        + (f"; not: {', '.join(missed)}" if missed else ""),
        passed=not missed,
        note=f"Cups of {CUP_N:g} N at {SLOPE_DEG:.0f}° and {STEEP_DEG:.0f}°. Blocked because {why}",
        values={
            "blockings": float(len(told["blocked"])),
            "token_passes": float(len(owners)),
            "critical_stops_at_75": float(len(refused["critical stop"])),
        },
    )
