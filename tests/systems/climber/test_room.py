"""Legs step before they run out of room, and are never put where the body cannot stop."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun, hexapod

from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.blocking_recovery import easiest_place
from annelid.systems.climber.planner.leg_safety import AHEAD_S, BOLD, LegSafety
from annelid.systems.climber.planner.lifting import strain_of_lifting, strain_of_standing
from annelid.systems.climber.planner.situation import Allocation, ClimberSituation, Twist
from annelid.systems.climber.planner.steps import STEP_S
from annelid.systems.climber.planner.strides import LEAST_MARGIN, longest
from annelid.systems.climber.planner.urgency import urgency
from annelid.systems.climber.spec import ClimberSpec

SPEED = 0.005
"""Of the body, m/s."""


@pytest.fixture
def now() -> ClimberSituation:
    return ClimbRun({"way": []}).now


def gone(now: ClimberSituation, direction_deg: float, way: float) -> None:
    """The body has gone so far in that direction, and goes on; its feet stand where they stood."""
    angle = np.radians(direction_deg)
    ahead = np.array([np.cos(angle), np.sin(angle), 0.0])
    now.twist = Twist(SPEED * ahead, np.zeros(3))
    now.wish = Twist(ahead, np.zeros(3)).later(now.wish, way)


def test_a_leg_that_is_nearly_stretched_steps_before_the_body_has_to_stop(
    now: ClimberSituation,
) -> None:
    """A knee gives its last angle for a few millimetres: the joints of leg 3 are far from their
    limits until just before it is straight."""
    leg = 2
    gone(now, 0.0, 0.0)
    soon = now.twist.later(now.wish, STEP_S)
    while urgency(now.climber, now.stance_joints(soon))[leg] < 1.0:
        now.anchors[leg, 0] -= 0.001
    assert urgency(now.climber, now.stance_joints(now.wish)).max() < 0.3
    place = longest(now, leg, reach=0.06, lift=0.025)
    assert place is not None
    rule = ClimberSpec(stride_mm=2000 * place.gain).rule()
    list(LegSafety(rule, 0.02, lambda kind, detail: None).propose(now))
    assert now.step is not None
    assert now.step.leg == leg


@pytest.mark.parametrize("direction", range(0, 360, 45))
def test_a_body_that_stops_still_reaches_where_a_foot_is_put(
    now: ClimberSituation, direction: float
) -> None:
    gone(now, direction, 0.0)
    for leg, reach in product(range(now.climber.count), np.linspace(0.05, 0.08, 31)):
        stride = longest(now, leg, reach=float(reach), lift=0.025)
        if stride is not None:
            legs = now.climber.legs.alone[leg]
            q = legs.inverse(now.wish.into(stride.place)[None])
            assert legs.margin(q)[0] >= LEAST_MARGIN


def test_with_no_other_leg_to_move_the_evened_load_decides() -> None:
    """On a wall at 31° leg 3 takes a little more than may be borne; evened out, the load is well
    below that, and a robot that would be blocked lifts it."""
    run = ClimbRun({"way": []}, slope_deg=90, heading_deg=31)
    now, leg = run.now, 2
    gone(now, 0.0, 0.0)
    soon = now.twist.later(now.wish, AHEAD_S)
    while strain_of_standing(now, soon) <= 1.0:
        now.anchors[leg, 0] -= 0.001
    now.arrived = False
    assert strain_of_lifting(now, moving=False)[leg] > 1.0
    assert strain_of_lifting(now, moving=False, even=True)[leg] < BOLD
    place = longest(now, leg, reach=0.06, lift=0.025)
    assert place is not None
    rule = ClimberSpec(least_step_mm=1000 * place.gain - 1, stride_mm=300).rule()
    safety = LegSafety(rule, 0.02, lambda kind, detail: None)
    for _ in range(20):
        list(safety.propose(now))
        now.time_s += 0.1
    assert now.step is not None
    assert now.step.leg == leg


def test_a_blocked_body_goes_lower_where_that_makes_a_leg_easier_to_lift() -> None:
    """With weak cups on a slope of 45° the lower legs take nearly all that may be borne; what pulls
    at the upper cups has a shorter lever when the body is nearer to the surface."""
    run = ClimbRun({"way": []}, robot=hexapod(leg={"suction_n": 13}), slope_deg=45)
    now = run.now
    legs = {2, 3}
    now.anchors[sorted(legs), 0] -= 0.07  # so far behind that the body cannot go ahead
    place, strain = easiest_place(now, Allocation(now.wish, {0, 1, *legs}, legs))
    high = BodyPose(np.array([*place[:2], now.wish.at[2]]), now.wish.turn)
    q = now.stance_joints(high)
    cases = now.climber.forces.without(now.grips)[sorted(legs)]
    loads = now.climber.forces.loads(
        np.broadcast_to(q, (2, *q.shape)),
        now.gravity_at(high),
        cases,
        normal=now.normal_at(high),
    )
    assert place[2] < now.wish.at[2] - 0.01
    assert strain < loads.strain(now.climber.forces.grip).min() - 0.01
