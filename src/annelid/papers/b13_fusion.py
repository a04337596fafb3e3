"""B13: obstacle negotiation over goal over path over wandering, and balance over all walking
(000 §6.2, Fig 17), as traces of runs.

Four situations, each of which calls one level up while the one below speaks: a stripe on the floor
while wandering, a break in the wall while following a pipe, an elbow while reaching for the end of
the pipe, a robot on its side that wants to walk.  A take-over counts when the trace has the change
of the winner, names the one below among the suppressed, and has a reason in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.told_run import Event, ToldRun
from annelid.worlds import World, parse_world, worlds

SAY_S, END_S = 2.0, 25.0
RATE_MIN: Final = 0.8


@dataclass(frozen=True)
class Situation:
    """What is set up, and who is to take over from whom."""

    chain: str
    world: Mapping[str, Any]
    say: str
    channel: str
    above: str
    below: str
    options: Mapping[str, Any] = field(default_factory=dict)
    roll_deg: float = 0.0

    def made(self) -> World:
        return parse_world(self.world, worlds())


_BROKEN: Final = {
    "kind": "pipe",
    "parts": [{"part": "straight", "length_mm": 400}],
    "breaks": [{"part": "straight1", "along_mm": 220, "clock_deg": 50, "size_mm": 12}],
}
_ELBOW: Final = {
    "kind": "pipe",
    "parts": [
        {"part": "straight", "length_mm": 150},
        {"part": "elbow"},
        {"part": "straight", "length_mm": 400},
    ],
}
_STRIPE: Final = {
    "kind": "open-air",
    "stripes": [{"points_mm": [[-300, 0], [900, 0]], "width_mm": 20, "grey": 0.05}],
}

SITUATIONS: Final[Mapping[str, Situation]] = MappingProxyType(
    {
        "path over wandering": Situation(
            "TRRRRRRP", _STRIPE, "EXP", "destination", "stripe following", "wandering"
        ),
        "goal over path": Situation(
            "TRRHRRVP", _BROKEN, "EXP", "destination", "find a pipe break", "pipe following"
        ),
        "obstacle over goal": Situation(
            "TRRHRRVP", _ELBOW, "RPL end", "destination", "obstacle negotiation", "reach a place"
        ),
        "balance over walking": Situation(
            "RRRRRR",
            {"kind": "open-air"},
            "EXP",
            "action",
            "balance",
            "move straight",
            options={"environment": "open-air"},
            roll_deg=90.0,
        ),
    }
)


def takes_over(given: tuple[str, int]) -> tuple[float, str] | None:
    """When, s after the command, and why; None: never."""
    name, seed = given
    case = SITUATIONS[name]
    run = ToldRun(
        case.chain,
        case.made(),
        [(SAY_S, case.say)],
        seed=seed,
        options=case.options,
        roll_deg=case.roll_deg,
    )
    for second in range(3, int(END_S) + 1):
        run.run(second)
        for event in run.told("decision"):
            if _is_that(event, case):
                return event[0] * 1e-9 - SAY_S, str(event[3]["reason"])
    return None


def _is_that(event: Event, case: Situation) -> bool:
    detail = event[3]
    suppressed = any(words.startswith(f"{case.below} was suppressed") for words in detail["losers"])
    return (
        detail["channel"] == case.channel
        and detail["winners"] == [case.above]
        and suppressed
        and bool(detail["reason"])
    )


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    given = [(name, seed) for name in SITUATIONS for seed in seeds]
    found = dict(zip(given, bench.map(takes_over, given, what="take-overs"), strict=True))
    counts = {name: sum(found[name, s] is not None for s in seeds) for name in SITUATIONS}
    reasons = {
        name: next((f[1] for s in seeds if (f := found[name, s]) is not None), "–")
        for name in SITUATIONS
    }
    told = "; ".join(f"{name} {counts[name]}/{len(seeds)}" for name in SITUATIONS)
    return Outcome(
        ours=f"take-overs in the trace: {told}",
        passed=all(count / len(seeds) >= RATE_MIN for count in counts.values()),
        note="Reasons: " + "; ".join(f"{name}: {why}" for name, why in reasons.items()) + ".",
        values={name.replace(" ", "_"): counts[name] / len(seeds) for name in SITUATIONS},
        plots=(
            Figure(
                "From the command to the take-over",
                "run",
                "time, s",
                tuple(
                    Series.of(
                        name,
                        [s for s in seeds if found[name, s] is not None],
                        [f[0] for s in seeds if (f := found[name, s]) is not None],
                        style="points",
                    )
                    for name in SITUATIONS
                ),
            ),
        ),
    )
