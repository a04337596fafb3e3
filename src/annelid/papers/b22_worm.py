"""B22: the worm-like robot of the real experiment, at 0° and 30° and round an elbow (000 Fig 24).

The picture is lost and the text names no modules but "worm-like".  Ours is T S R E R S: between
supports and extension it has a joint, because S E S as one piece fits no bend under 90 mm.  The
operator says EXP; nothing else comes from outside.  In the elbow the inchworm goes on and its
joints give way to the wall.  The control has the same joints jammed straight: it must not get round
the same elbows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import radians
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import along
from annelid.papers.curves import numbers
from annelid.papers.interval import Interval, Rate
from annelid.trial.load import resolve
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

SCENARIO: Final = "b22-worm"
REPEATS, CONTROLS = 20, 10
ENOUGH: Final = 0.8
"""Least lower bound of a rate, with 95 % confidence."""
STRAIGHT_MM: Final = 900.0
WAY_M: Final = {0: 0.25, 30: 0.06}
"""To be covered in ``STRAIGHT_S``, by slope: half of what the same inchworm made as a gait when the
row was written, for the paper prints no speed of this robot."""
STRAIGHT_S: Final = 20.0
STAYS_S: Final = 1.0
"""A robot that is out of the bend has to stay out so long."""
JOINTS: Final = ("R1.yaw", "R1.pitch", "E1.yaw", "R2.yaw", "R2.pitch")
"""That give way."""


class Went(NamedTuple):
    there: bool
    """At the end of the run: a nose that slides back has not arrived."""
    speed_cm_s: float
    """Of the nose, from the order to the end of the run."""


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


def elbow(scenario: str = SCENARIO, *, jammed: Sequence[str] = ()) -> Case:
    """``jammed``: joints that stand as they are from the beginning."""
    faults = [{"fault": "stuck_servo", "servo": joint, "at_s": 0.0} for joint in jammed]
    fields = {"linger_s": STAYS_S, **({"faults": faults} if faults else {})}
    return Case(scenario, fields, varied=bent)


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
    wanted = run.scenario.success.progress_m or 0.0
    return went(nose, time, wanted)


def went(nose: Floats, time: Floats, wanted_m: float) -> Went:
    """``nose``: how far it was along the pipe, m, at each time, s."""
    begun = int((time < START_S).sum())
    speed = 100 * (nose[-1] - nose[begun]) / max(time[-1] - time[begun], 1e-9)
    return Went(bool(nose[-1] >= wanted_m), float(speed))


START_S: Final = 2.0
"""When the operator says EXP."""


def held_straight(bench: Bench, case: Case) -> Rate:
    """How many of the control get round."""
    runs = bench.trials({"jammed": case}, judge, repeats=1 if bench.quick else CONTROLS)["jammed"]
    return Rate.count(each.there for each in runs)


def bars(rates: Mapping[str, Rate], control: Rate) -> bool:
    """Every rate surely high enough, and elbows surely passed more often than by the control."""
    return all(rate.low >= ENOUGH for rate in rates.values()) and rates["elbow"].above(control)


def experiment(bench: Bench) -> Outcome:
    cases = {"0 deg": straight(0), "30 deg": straight(30), "elbow": elbow()}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    control = held_straight(bench, elbow(jammed=JOINTS))
    rates = {name: Rate.count(went.there for went in runs) for name, runs in found.items()}
    speeds = {
        name: Interval.mean([went.speed_cm_s for went in found[name]])
        for name in ("0 deg", "30 deg")
    }
    return Outcome(
        ours=(
            f"level {rates['0 deg']} at {speeds['0 deg'].told()} cm/s, 30° {rates['30 deg']} at "
            f"{speeds['30 deg'].told()} cm/s, elbows {rates['elbow']}, with joints that "
            f"cannot give way {control}"
        ),
        passed=bars(rates, control),
        note=(
            "T S R E R S, told EXP, on boards, robot and bore drawn.  Straights: the nose "
            f"{1000 * WAY_M[0]:.0f} mm on after {STRAIGHT_S:.0f} s on the level, "
            f"{1000 * WAY_M[30]:.0f} mm at 30°: half of what the same inchworm made as a gait, for "
            "the paper prints no speed.  Elbows: 45 to 120 mm, 45 to 90°, to either side, within "
            f"10° of level, the tail out in 60 s and still out {STAYS_S:g} s later.  Control: "
            "the same elbows, all joints jammed straight.  Judged: a lower 95 % bound of "
            f"{ENOUGH:.0%} each, the control's interval below that of the elbows.  "
            "S E S in one piece fits bends from 90 mm only."
        ),
        values=numbers(
            {
                **rates,
                "elbow jammed": control,
                **{f"{name} cm/s": each for name, each in speeds.items()},
            }
        ),
    )
