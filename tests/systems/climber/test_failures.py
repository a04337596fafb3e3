"""What breaks while it climbs: cups that leak, legs that hang limp, a second loss in mid-swing.

Whatever breaks, the robot finds out by itself, and stays where it is rather than fall.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun

from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.limp import AWAY, BEYOND, may_be
from annelid.systems.climber.planner.steps import DETACH_S, StepPhase


def whole(run: ClimbRun) -> None:
    assert not run.fallen
    assert int((run.sim.cups.vacuums() > 0.8).sum()) >= 3


def test_a_fall_is_seen() -> None:
    """What all the others rely on."""
    run = ClimbRun({"way": [{"x_mm": 60}]}, slope_deg=90)
    assert not run.fallen
    for leg in range(1, 7):
        run.fault(fault="leaky_cup", cup=f"L{leg}.cup", falls_s=0.1, at_s=0.6)
    run.run(1.5)
    assert run.fallen


def test_a_leaking_cup_is_found_by_its_pressure_tried_again_and_tucked_up() -> None:
    run = ClimbRun({"way": [{"x_mm": 60}]})
    run.fault(fault="leaky_cup", cup="L3.cup", holds=0.3, falls_s=2.0, at_s=1.0)
    run.run(1.9)
    assert run.told("miss") == [], "55 % of a vacuum hold yet"
    run.run(17.0)
    first, *more = run.told("miss")
    assert first[0] > 1.9
    assert first[1]["why"] == "its cup has lost its vacuum"
    assert [each["why"] for _, each in more] == ["its cup does not hold (30% of its vacuum)"] * 2
    assert len(run.told("no hold")) == 2, "it was tried elsewhere"
    assert [one["leg"] for _, one in run.told("leg failed")] == [3]
    assert [one["leg"] for _, one in run.told("tuck")] == [3]
    whole(run)


def test_a_leak_that_no_pressure_tells_of_is_not_known() -> None:
    """The planner reads its sensors and nobody else."""
    run = ClimbRun({"way": [{"x_mm": 60}]})
    full = run.net.climber.full_pressure
    run.fault(fault="dead_sensor", sensor="L3.pressure", reading=full, at_s=0.9)
    run.fault(fault="leaky_cup", cup="L3.cup", holds=0.3, falls_s=0.5, at_s=1.0)
    run.run(3.0)
    assert run.sim.cups.vacuum(2) < 0.4
    assert run.told("miss") == []
    assert run.now.usable.all()


def test_a_cup_whose_pressure_sensor_says_it_is_broken_holds_nobody() -> None:
    run = ClimbRun({"way": [{"x_mm": 60}]})
    run.fault(fault="dead_sensor", sensor="L3.pressure", mode="flagged", at_s=0.9)
    run.run(1.2)
    assert run.now.vacuum[2] == 0.0
    assert run.told("miss")[0][1]["why"] == "its cup has lost its vacuum"


def test_a_limp_leg_does_not_lever_its_neighbour_off_the_wall() -> None:
    """It swings down to where the leg below was about to be put."""
    run = ClimbRun({"way": [{"x_mm": 400}]}, slope_deg=90, seed=1)
    run.fault(fault="dead_board", board="L1", at_s=4.7, servos="release")
    run.run(4.6)
    assert run.now.step is not None
    run.walk(11.0, every_s=0.1)
    assert run.time_s > 10.9
    whole(run)
    assert run.now.usable.sum() == 5


def test_a_second_cup_lost_in_mid_swing_breaks_the_step_off() -> None:
    """Four cups in a row hold on a wall; the fifth is wanted back all the same."""
    run = ClimbRun({"way": [{"x_mm": 100}]}, slope_deg=90)
    while run.now.step is None or run.now.step.phase is not StepPhase.LIFT:
        run.run(run.time_s + 0.05)
    swinging = run.now.step.leg
    lost = {0: 1, 1: 0, 2: 1, 3: 4, 4: 3, 5: 4}[swinging]
    run.fault(fault="leaky_cup", cup=f"L{lost + 1}.cup", falls_s=0.3, at_s=run.time_s)
    aim = run.now.step.place.copy()
    run.walk(run.time_s + 3.0, every_s=0.1)
    assert [one["leg"] for _, one in run.told("put down")] == [swinging + 1]
    assert run.now.standing[swinging]
    assert np.linalg.norm(run.now.anchors[swinging] - aim) > 0.02, "it went all the way"
    whole(run)


def test_a_leg_that_dies_while_another_lets_go_has_it_hold_on() -> None:
    """The step had been allowed before anybody knew."""
    run = ClimbRun({"way": [{"x_mm": 400}]}, slope_deg=180, seed=1)
    while run.now.step is None or run.now.step.leg not in (1, 5):  # a neighbour of the first
        run.run(run.time_s + 0.02)
    died_s = run.time_s + 0.02
    run.fault(fault="dead_board", board="L1", at_s=died_s, servos="release")
    run.walk(died_s + 4.0, every_s=0.1)
    assert run.time_s > died_s + 3.8
    assert died_s < run.told("put down")[0][0] < died_s + 0.6
    whole(run)


def test_a_foot_that_seems_not_to_hold_is_not_let_go_while_everything_stands() -> None:
    """It was put down when the third leg died, told 60 % of its vacuum, and was switched off: two
    cups had to hold the wall, and did not."""
    run = ClimbRun({"way": [{"x_mm": 60}]})
    while run.now.step is None or run.now.step.phase is not StepPhase.LIFT:
        run.run(run.time_s + 0.05)
    swinging = run.now.step.leg
    run.fault(fault="leaky_cup", cup=f"L{swinging + 1}.cup", holds=0.6, at_s=run.time_s)
    for leg in [leg for leg in range(6) if leg != swinging][:3]:
        run.fault(fault="dead_board", board=f"L{leg + 1}", at_s=run.time_s, servos="freeze")
    run.run(run.time_s + 6.0)
    assert "its cup does not hold (60% of its vacuum)" in run.told("miss")[0][1]["why"]
    assert run.sim.cups.vacuum(swinging) > 0.5


@pytest.mark.parametrize("phase", [StepPhase.LIFT, StepPhase.DETACH])
def test_a_foot_that_is_put_down_early_is_not_misled_by_its_open_cup(phase: StepPhase) -> None:
    """A sensor that tells 5 % of the open cup was believed to have touched, in the air: the foot
    was pressed on no more and never held."""
    run = ClimbRun({"way": [{"x_mm": 60}]}, slope_deg=180)
    while run.now.step is None:
        run.run(run.time_s + 0.05)
    step = run.now.step
    run.now.open_vacuum[step.leg] = -0.05
    if phase is StepPhase.DETACH:
        run.run(run.time_s + DETACH_S + 0.3)
    while step.phase is not phase:
        run.run(run.time_s + 0.02)
    run.run(run.time_s + 0.1)
    assert step.phase is phase
    step.put_down(run.now)
    while not step.over:
        run.run(run.time_s + 0.1)
    assert step.phase is StepPhase.DONE
    assert run.sim.cups.vacuum(step.leg) > 0.75


def coxae_of_dead_leg(run: ClimbRun, leg: int, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    """Where the planner thinks that its coxa may be, with the body ``x`` and ``y`` further, m."""
    now = run.now
    now.wish = now.wish @ BodyPose.of((x, y, 0.0))
    return np.array([case[leg, 0] for case in may_be(now, now.q)])


def test_on_the_floor_a_dead_leg_lies_where_its_foot_was() -> None:
    """It was kept clear of to its coxa's limit, and four legs found no place to go on to."""
    run = ClimbRun({"way": [{"x_mm": 60}]})
    run.fault(fault="dead_board", board="L5", at_s=0.6)
    run.run(1.2)
    assert list(run.now.lost) == [4]
    known = run.now.q[4, 0]
    assert np.ptp(coxae_of_dead_leg(run, 4)) < 2 * BEYOND + 0.05
    # Its foot is 0.2 m out of the coxa's axis, and stays behind: it points back.
    swept = coxae_of_dead_leg(run, 4, 0.2, 0.0) - known
    assert np.abs(swept).max() == pytest.approx(np.pi / 4, abs=0.2)
    assert np.abs(swept).min() < BEYOND
    # A body that goes to its side pushes it, and it may give way to either.
    swept = coxae_of_dead_leg(run, 4, -0.2, -0.15) - known
    assert (swept.min(), swept.max()) == pytest.approx((-AWAY, AWAY))


def test_on_a_wall_a_dead_leg_may_swing_to_its_limit() -> None:
    run = ClimbRun({"way": [{"x_mm": 60}]}, slope_deg=90)
    run.fault(fault="dead_board", board="L5", at_s=0.6)
    run.run(1.2)
    legs = run.now.climber.legs
    ends = coxae_of_dead_leg(run, 4)
    assert min(abs(ends[-1] - legs.low[4, 0]), abs(ends[-1] - legs.high[4, 0])) < 1e-9
