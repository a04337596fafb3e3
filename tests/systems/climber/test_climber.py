"""The whole climber: boards, bus, planner, cups, plane.  A fall is a failed test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun, hexapod, tracking_error

from annelid.errors import InputError
from annelid.systems.climber.leg_positions import FALLING, FLAT, FORCE_SHAPES, LegPositions
from annelid.systems.climber.model import read_robot
from annelid.systems.climber.planner.leg_safety import LegSafety
from annelid.systems.climber.planner.situation import Twist
from annelid.trial.load import load, resolve


@pytest.mark.parametrize("slope", [0.0, 90.0, 180.0])
def test_walks_on_floor_wall_and_ceiling(slope: float) -> None:
    run = ClimbRun({"way": [{"x_mm": 30, "yaw_deg": 4}]}, slope_deg=slope)
    seen = run.walk(14.0)
    assert run.now.arrived
    assert len(run.told("arrived")) == 1
    assert not run.fallen
    assert not run.now.critical
    assert tracking_error(seen)[0] < 2.0
    assert run.pattern, "nobody stepped"
    assert max(look.uses.max() for look in seen) < 0.8


def test_a_dead_leg_is_found_out_and_the_rest_walk_on() -> None:
    run = ClimbRun({"way": [{"x_mm": 45}]})
    run.fault(fault="dead_board", board="L5", at_s=3.0)
    run.walk(20.0)
    assert [one["leg"] for _, one in run.told("leg failed")] == [5]
    assert run.now.arrived
    assert not run.fallen
    assert 5 not in run.pattern[1:]


def test_a_stuck_leg_is_tucked_up() -> None:
    run = ClimbRun({"way": [{"x_mm": 60}]})
    run.fault(fault="stuck_servo", servo="L2.coxa", at_s=1.0)
    run.walk(22.0)
    assert [one["leg"] for _, one in run.told("tuck")] == [2]
    assert not run.fallen
    cup, knee = (run.sim.data.body(f"L2/{part}").xpos[2] for part in ("tip", "tibia"))
    assert cup > knee, "its cup does not point up"


def test_three_legs_stand_still_until_the_operator_says_otherwise() -> None:
    run = ClimbRun({"way": [{"x_mm": 60}], "operator": [{"at_s": 9.0, "do": "release"}]})
    for leg in ("L1", "L3", "L5"):
        run.fault(fault="dead_board", board=leg, at_s=2.0, servos="freeze")
    run.run(4.0)
    assert run.now.critical.startswith("3 legs left: they can stand, not walk")
    before = run.true_pose().at
    run.run(8.9)
    assert not run.told("released")
    run.run(11.0)
    assert len(run.told("released")) == 1
    assert run.now.critical, "three legs must not walk on"
    assert np.linalg.norm(run.true_pose().at - before) < 0.005
    assert not run.fallen


def test_cups_that_never_attach_end_in_a_safe_stop() -> None:
    slow = load("d10-four-legs", overrides={"robot.each.L.attach_s": 60.0})
    robot, _ = resolve(slow)
    run = ClimbRun({"way": [{"x_mm": 200}]}, robot=robot)
    run.walk(30.0)
    assert not run.fallen
    assert "its cup does not hold" in run.now.critical
    assert run.now.critical.startswith("3 legs left")


@pytest.mark.slow
def test_a_free_wrist_droops_on_a_wall_and_the_papers_holds() -> None:
    """003 §5: three free joints let the cup look down; one less and one limited do not.  Feet
    search for the wall, so it attaches all the same, and takes longer."""

    def steps(**wrist: Any) -> ClimbRun:
        run = ClimbRun({"way": [{"x_mm": 60}]}, robot=hexapod(leg=wrist), slope_deg=90)
        run.walk(12.0)
        assert not run.fallen
        return run

    held, free = steps(wrist=2), steps(wrist=3, wrist_free=True)
    assert held.told("miss") == []
    assert len(free.pattern) < len(held.pattern)


def test_too_few_legs_are_refused() -> None:
    for legs in (0, 1, 2):
        with pytest.raises(InputError, match=rf"{legs} legs: three can stand still and four walk"):
            ClimbRun(robot=hexapod(legs))


def test_a_plane_that_the_cups_do_not_hold_is_refused_with_the_numbers() -> None:
    with pytest.raises(InputError, match=r"cups of 8 N \(µ 0.5\) do not hold 3.00 kg at 90°"):
        ClimbRun(robot=hexapod(leg={"suction_n": 8}), slope_deg=90)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({"z_mm": 150}, r"way\[0\]: at 240 mm above .* cannot be reached"),
        ({"roll_deg": 40}, r"way\[0\]: .* urgency 1.00"),
    ],
)
def test_poses_out_of_reach_are_refused(place: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ClimbRun({"way": [place]})


def test_a_tick_too_short_for_the_bus_is_refused() -> None:
    with pytest.raises(InputError, match=r"6 legs need .* ms on a bus of 115200 baud"):
        ClimbRun({"tick_ms": 10})


def test_a_stance_is_judged_quickly_and_a_bad_one_is_worth_nothing() -> None:
    climber = read_robot(hexapod())
    positions = LegPositions(climber)
    good = positions.genes(climber.stance)
    assert positions.worth(good).distance == pytest.approx(0.4)
    far = good.copy()
    far[0] += 0.2
    assert positions.worth(far).distance == 0.0
    with pytest.raises(InputError, match="expected 13 genes for 6 legs, got 12"):
        positions.worth(good[:-1])


def test_a_flat_top_asks_nothing_of_small_forces() -> None:
    """f(x) of FACTS §4: 1 up to 0.4 of the weight and 0.3 of a cup, 0 at the limits."""
    falling, flat = FORCE_SHAPES[FALLING], FORCE_SHAPES[FLAT]
    assert flat(0.4, 0.3) == pytest.approx(1.0)
    assert flat(0.7, 0.0) == pytest.approx(0.5)
    assert flat(0.0, 0.65) == pytest.approx(0.5)
    assert falling(0.4, 0.3) == pytest.approx(0.6)
    assert falling(0.0, 0.0) == 1.0
    for shape in FORCE_SHAPES.values():
        assert shape(1.2, 0.0) == shape(0.0, 1.0) == 0.0
    climber = read_robot(hexapod())
    positions = LegPositions(climber)
    costs = positions.worth(positions.genes(climber.stance)).costs
    assert costs[FLAT] == pytest.approx(-0.4)
    assert costs[FALLING] > costs[FLAT]


def test_the_body_waits_for_a_foot_that_it_would_leave_behind() -> None:
    """The way may turn at a corner while a foot is on its way to where the body was to be."""
    run = ClimbRun({"way": [{"x_mm": 300}]})
    while run.now.step is None:
        run.run(run.time_s + 0.1)
    now, safety = run.now, run.mind.stack.activations["leg safety"].behaviour
    assert isinstance(safety, LegSafety)
    assert not safety._leaves_behind(now)
    straight = now.twist
    now.twist = Twist(-20 * straight.speed, straight.turn)
    assert safety._leaves_behind(now)
