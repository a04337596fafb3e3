"""A6 and A8: how runs are counted, and when a robot counts as stuck."""

from __future__ import annotations

from math import inf

import pytest

from annelid.motion.bifurcation import Junction
from annelid.papers import a06_minimal, a08_bifurcation
from annelid.papers.drive import robot, simulation

U = a06_minimal.Bend("U", 33.0, second_deg=0.0)


def test_two_elbows_give_twice_the_time():
    cell = a06_minimal.Cell(U, {"TRRH": [89.0] * 20, "TRH": [91.0] * 20})
    assert (cell.passed("TRRH"), cell.passed("TRH")) == (20, 0)
    assert cell.passed("TRH", a06_minimal.LIMIT_S) == 20
    assert cell.better() == "TRRH"


def test_one_joint_may_be_the_better_one():
    cell = a06_minimal.Cell(U, {"TRRH": [50.0] * 13 + [inf] * 7, "TRH": [20.0] * 20})
    assert cell.better() == "TRH"


def test_a_difference_that_may_be_chance_does_not_count():
    cell = a06_minimal.Cell(U, {"TRRH": [50.0] * 15 + [inf] * 5, "TRH": [50.0] * 10 + [inf] * 10})
    assert cell.better() is None


def climb() -> a08_bifurcation.Climb:
    world, towards = a08_bifurcation.pipe(a08_bifurcation.Try(holds=True, seed=0))
    sim = simulation(robot(a08_bifurcation.CHAIN), world, timestep_ms=1.0)
    junction = Junction(a08_bifurcation.CORNER, towards, into=True)
    return a08_bifurcation.Climb(sim, junction, holds=True)


def test_a_robot_that_gets_on_is_not_stuck(monkeypatch):
    monkeypatch.setattr(a08_bifurcation, "LIMIT_S", 3.0)
    monkeypatch.setattr(a08_bifurcation, "STUCK_S", 0.5)
    run = climb()
    assert run.run() == inf
    assert run.sim.now_ns == pytest.approx(3e9, rel=0.01)


def test_joints_turn_when_the_robot_slips_or_stands_and_not_while_it_gets_on():
    run = climb()
    assert not any(run._turns(0.1 * k, 0.002 * k) for k in range(20))
    assert not run._turns(2.0, 0.030)
    assert run._turns(2.1, 0.030), "slipped back by 8 mm"
    assert not any(run._turns(now_s, 0.030) for now_s in (2.65, 2.75, 2.85))
    assert run._turns(2.9, 0.030), "stood"
