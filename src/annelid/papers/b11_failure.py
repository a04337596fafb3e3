"""B11: an actuator fails; the robot changes its actions by itself and still gets there (000 §3.4,
§6: indicators "may vary during the development of a task").

T R S E S R H V P is told to explore a pipe (``servo-fails``).  By the rules it inches; then one of
its servos or its drive loses its strength or jams: which, how and when is drawn from the seed,
among all that the chain has.  The module notices, tells its capabilities anew (AMC), the central
control infers anew, and what is left of the robot goes on.  The control is the same robots with the
same failures and ``adapt = false``: they stay with what was inferred for the healthy robot.  How
many of the same robots get there when nothing fails is printed, and not judged.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import movements
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run

SCENARIO: Final = "servo-fails"
HOW: Final[tuple[dict[str, Any], ...]] = (
    {"fault": "weak_servo", "factor": 0.01},
    {"fault": "stuck_servo"},
)
"""1 % of its torque, less than its own friction; or jammed where it is."""
EARLIEST_S, LATEST_S = 5.0, 9.0
"""Between these something breaks."""
RATE_MIN: Final = 0.8
REPEATS: Final = 40
TIME: Final = {"duration_s": 60.0}
"""In the 30 s of the scenario not every sound robot gets there."""


@functools.cache
def actuators() -> tuple[str, ...]:
    """Every servo and drive of the chain, from head to tail."""
    robot, _ = resolve(load(SCENARIO))
    return tuple(
        f"{module.name}.{name}"
        for module in robot.modules
        for name in dict.fromkeys(each.actuator for each in module.type.serves)
    )


def broken(seed: int) -> dict[str, Any]:
    """What fails, how, and when: the same with adaptation and without."""
    draw = RandomStreams(seed)["papers/b11"]
    servo, how = str(draw.choice(actuators())), HOW[int(draw.integers(len(HOW)))]
    at_s = round(float(draw.uniform(EARLIEST_S, LATEST_S)), 2)
    return {"faults": [{**how, "servo": servo, "at_s": at_s}]}


def case(*, adapt: bool) -> Case:
    return Case(SCENARIO, {**TIME, "control.options.adapt": adapt}, varied=broken)


SOUND: Final = Case(SCENARIO, {**TIME, "faults": []})


@dataclass(frozen=True)
class Went:
    failed: str
    """The servo or drive; empty: none."""
    arrived: bool
    pushed: bool
    noticed_s: float
    """From the fault to another movement; NaN: none."""
    path: tuple[tuple[float, float], ...] = ()
    """Time and progress."""


def judge(run: Run) -> Went:
    told = movements(run)
    broke = [event.time_ns * 1e-9 for event in run.events("fault")]
    after = [t - broke[0] for t, name in told if broke and t > broke[0] and name != "stop"]
    time, way = run.time("robot"), run["robot"]["progress"]
    return Went(
        "".join(fault.who for fault in run.scenario.faults),
        run.metrics.success is True,
        "push" in (name for _, name in told),
        after[0] if after else float("nan"),
        tuple(zip(time[::25].tolist(), way[::25].tolist(), strict=True)),
    )


@dataclass(frozen=True)
class Pairs:
    """Of each draw a run with adaptation and one without."""

    adapting: Sequence[Went]
    control: Sequence[Went]

    @property
    def rate(self) -> Rate:
        return Rate.count(went.arrived for went in self.adapting)

    @property
    def without(self) -> Rate:
        return Rate.count(went.arrived for went in self.control)

    @property
    def passed(self) -> bool:
        return self.rate.value >= RATE_MIN and self.rate.above(self.without)

    def of(self, servo: str) -> Pairs:
        """Those in which this one failed."""
        both = (self.adapting, self.control)
        return Pairs(*([went for went in runs if went.failed == servo] for runs in both))

    def told(self) -> str:
        """Of each actuator: how many of its failures, with adaptation and without."""
        each = ((servo, self.of(servo)) for servo in actuators())
        return ", ".join(
            f"{servo} {pairs.rate.good} and {pairs.without.good} of {len(pairs.adapting)}"
            for servo, pairs in each
            if pairs.adapting
        )


def experiment(bench: Bench) -> Outcome:
    cases = {"with": case(adapt=True), "without": case(adapt=False), "sound": SOUND}
    found = bench.trials(cases, judge, repeats=2 if bench.quick else REPEATS)
    pairs = Pairs(found["with"], found["without"])
    sound = Rate.count(went.arrived for went in found["sound"])
    heard = [went.noticed_s for went in pairs.adapting if went.noticed_s == went.noticed_s]
    noticed = float(np.median(heard or [np.nan]))
    shown = next((k for k, went in enumerate(pairs.control) if not went.arrived), 0)
    return Outcome(
        ours=(
            f"{pairs.rate} get there after a failure of any actuator; "
            f"without adaptation {pairs.without}; when nothing fails {sound}"
        ),
        passed=pairs.passed,
        note=(
            f"T R S E S R H V P in a straight pipe.  One of {len(actuators())} servos and drives, "
            "all alike likely, at 1 % of its torque or jammed where it is, "
            f"{EARLIEST_S:g} to {LATEST_S:g} s after the start; there: 0.35 m within 60 s.  "
            f"{len(pairs.adapting)} draws, each with adaptation and without; {RATE_MIN:.0%} are "
            "asked for, and the intervals must not meet.  "
            f"{sum(went.pushed for went in pairs.adapting)} go on by pushing; another movement "
            f"begins {noticed:.1f} s after the failure at the median.  With and without "
            f"adaptation there: {pairs.told()}."
        ),
        values=numbers(
            {"rate": pairs.rate, "rate_without": pairs.without, "rate_sound": sound}
            | {"noticed_s": noticed}
            | {
                f"{servo} {words}": rate.value
                for servo in actuators()
                for words, rate in (
                    ("with", pairs.of(servo).rate),
                    ("without", pairs.of(servo).without),
                )
            }
        ),
        plots=(
            curves(
                f"{pairs.control[shown].failed} fails",
                "time, s",
                "progress, m",
                {
                    "with adaptation": pairs.adapting[shown].path,
                    "without": pairs.control[shown].path,
                },
            ),
        ),
    )
