"""B22: the worm-like robot of the real experiment, at 0° and 30° and round an elbow (000 Fig 24).

The picture is lost and the text names no modules but "worm-like".  Ours is T S R E R S: between
supports and extension it has a joint, because S E S as one piece fits no bend under 90 mm.  The
operator says EXP; nothing else comes from outside.  In the elbow the inchworm goes on and its
joints give way to the wall.
"""

from __future__ import annotations

from math import radians
from typing import Any, Final, NamedTuple

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import along
from annelid.papers.curves import numbers
from annelid.papers.interval import Interval, Rate
from annelid.trial.load import resolve
from annelid.trial.replay import Run

SCENARIO: Final = "b22-worm"
REPEATS: Final = 20
ENOUGH: Final = 0.8
"""Least lower bound of a rate, with 95 % confidence."""
STRAIGHT_MM: Final = 900.0
WAY_M: Final = {0: 0.25, 30: 0.06}
"""To be covered in ``STRAIGHT_S``, by slope: half of what the same inchworm makes as a gait."""
STRAIGHT_S: Final = 20.0


class Went(NamedTuple):
    there: bool
    speed_cm_s: float
    """Of the nose, from the order to the end of the run."""
    false: int
    """Statements to the operator that were not so."""


def straight(slope_deg: int, scenario: str = SCENARIO, *, way_m: float | None = None) -> Case:
    """In a straight pipe; uphill the launch tube is closed, for nobody holds the robot at first."""
    fields = {
        "world.parts": [{"part": "straight", "length_mm": STRAIGHT_MM}],
        "world.slope_deg": slope_deg,
        "world.launch": "closed" if slope_deg else "open",
        "success.progress_m": WAY_M[slope_deg] if way_m is None else way_m,
        "duration_s": STRAIGHT_S,
        "stop_at_goal": False,
    }
    return Case(scenario, fields)


def elbow(scenario: str = SCENARIO) -> Case:
    return Case(scenario, varied=bent)


def bent(seed: int) -> dict[str, Any]:
    """Radius, angle and side of the bend, within 10° of level, and where it begins; there is when
    the tail has left it."""
    draw = RandomStreams(seed)["papers/b22"]
    radius, angle = float(draw.uniform(45, 120)), float(draw.uniform(45, 90))
    entry = float(draw.uniform(80, 200))
    return {
        "world.parts.0.length_mm": round(entry, 1),
        "world.parts.1.radius_mm": round(radius, 1),
        "world.parts.1.angle_deg": round(angle, 1),
        "world.parts.1.roll_deg": round(
            float(draw.choice((0.0, 180.0)) + draw.uniform(-10, 10)), 1
        ),
        "success.progress_m": round((entry + radius * radians(angle)) / 1000, 4) + LENGTH_M,
    }


LENGTH_M: Final = 0.24
"""Longer than either robot: with its nose so far behind the bend the last module is out of it."""


def judge(run: Run) -> Went:
    robot, _ = resolve(run.scenario)
    nose, time = along(run, robot.modules[0].name), run.time("modules")
    begun = int((time < START_S).sum())
    wanted = run.scenario.success.progress_m or 0.0
    last = int(nose[begun:].argmax()) + begun
    speed = 100 * (nose[last] - nose[begun]) / max(time[last] - time[begun], 1e-9)
    false = len(run.metrics.statements_false)
    return Went(bool(nose.max() >= wanted), float(speed), false)


START_S: Final = 2.0
"""When the operator says EXP."""


def experiment(bench: Bench) -> Outcome:
    cases = {"0 deg": straight(0), "30 deg": straight(30), "elbow": elbow()}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    rates = {name: Rate.count(went.there for went in runs) for name, runs in found.items()}
    speeds = {
        name: Interval.mean([went.speed_cm_s for went in found[name]])
        for name in ("0 deg", "30 deg")
    }
    false = sum(went.false for runs in found.values() for went in runs)
    return Outcome(
        ours=(
            f"level {rates['0 deg']} at {speeds['0 deg'].told()} cm/s, 30° {rates['30 deg']} at "
            f"{speeds['30 deg'].told()} cm/s, elbows {rates['elbow']}; false statements {false}"
        ),
        passed=false == 0 and all(rate.low >= ENOUGH for rate in rates.values()),
        note=(
            "T S R E R S, told EXP, on boards, robot and bore drawn.  Straights: the nose "
            f"{1000 * WAY_M[0]:.0f} mm on after {STRAIGHT_S:.0f} s on the level, "
            f"{1000 * WAY_M[30]:.0f} mm at 30°.  Elbows: 45 to 120 mm, 45 to 90°, to either side, "
            "within 10° of level, the tail out of it in 60 s.  Judged: a lower 95 % bound of "
            f"{ENOUGH:.0%} each, nothing false.  S E S in one piece fits bends from 90 mm only."
        ),
        values=numbers({**rates, **{f"{name} cm/s": each for name, each in speeds.items()}}),
    )
