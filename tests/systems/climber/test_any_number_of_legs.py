"""Four to ten legs, one program: each on a wall, with the cups that its number needs."""

from __future__ import annotations

import pytest
from tests.systems.climber.climbs import ClimbRun

from annelid.modules import shelf
from annelid.robot import RobotSpec, assemble
from annelid.systems.climber.front.footing import evenly

NEEDED_N = {7: 26.0, 9: 22.0, 10: 21.0}
"""By the handbook's table for 90°; four, five, six and eight are row D10's."""


@pytest.mark.slow
@pytest.mark.parametrize("legs", list(NEEDED_N))
def test_it_walks_up_a_wall_with_the_cups_that_its_legs_need(legs: int) -> None:
    table = {**evenly(legs), "each": {"L": {"suction_n": NEEDED_N[legs]}}}
    run = ClimbRun(
        {"way": [{"x_mm": 120}]},
        robot=assemble(RobotSpec.parse(table, where="robot"), shelf()),
        slope_deg=90,
    )
    run.walk(80.0)
    assert run.now.arrived, run.now.critical or run.now.blocked
    assert len(set(run.pattern)) > legs / 2, "most legs have stepped"
    assert not run.fallen
