"""Spots on which no cup seals: the foot is tried elsewhere."""

from __future__ import annotations

import pytest
from tests.systems.climber.climbs import ClimbRun

AHEAD = [{"x_mm": 335, "y_mm": y, "radius_mm": 35} for y in (-205, 205)]
"""Under the places where the front feet of the first steps are sent."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patches", "misses"), [(AHEAD, True), ([], False)], ids=["patches", "bare"]
)
def test_a_foot_that_finds_no_hold_is_put_elsewhere(patches: list[object], misses: bool) -> None:
    run = ClimbRun({"way": [{"x_mm": 30}]}, slope_deg=90, patches=patches)
    run.walk(16.0)
    assert bool(run.told("no hold")) is misses
    assert not run.told("leg failed"), "the leg is well, the place is not"
    assert run.now.arrived
    assert not run.fallen
