"""Surfaces that bend: the world rolls along under the robot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun

from annelid.errors import SpecError
from annelid.systems.climber.executive.pose import turned
from annelid.systems.climber.planner.ground import Ground
from annelid.worlds.plane import Plane

RADIUS = 0.6


def feet_on_drum(turn: float) -> np.ndarray:
    """Footholds on a drum along y, seen where it is inclined by ``turn`` rad."""
    flat = np.array([[x, y] for x in (-0.2, 0.0, 0.2) for y in (-0.25, 0.25)])
    high = np.sqrt(RADIUS**2 - flat[:, 0] ** 2) - RADIUS
    return np.column_stack([flat, high]) @ turned(np.array([0.0, turn, 0.0])).T


def test_feet_show_how_a_drum_bends_and_is_inclined() -> None:
    ground = Ground(curved=True)
    feet = feet_on_drum(0.1)
    for foot in feet:
        ground.found(foot)
    normal = ground.normals(np.zeros((1, 3)))[0]
    assert np.arctan2(normal[0], normal[2]) == pytest.approx(0.1, abs=0.02)
    by = ground.levelling(np.zeros(3), feet)
    ground.roll(by)
    level = ground.normals(by.out(np.zeros((1, 3))))[0]
    assert level == pytest.approx([0.0, 0.0, 1.0], abs=0.02)
    assert by.out(feet)[:, 2].mean() == pytest.approx(0.0, abs=1e-9)
    ahead, behind = ground.normals(np.array([[0.2, 0.0, 0.0], [-0.2, 0.0, 0.0]]))[:, 0]
    assert ahead - behind == pytest.approx(0.4 / RADIUS, rel=0.25)


def test_a_drum_with_patches_is_refused() -> None:
    spots = [{"x_mm": 0, "y_mm": 0, "radius_mm": 20}]
    with pytest.raises(SpecError, match="expected a flat shape, got a drum"):
        Plane.parse({"kind": "plane", "shape": "drum", "patches": spots}, where="world")


def drawn(seed: int) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    return {
        "shape": "drum",
        "radius_mm": float(chance.uniform(500, 1500)),
        "slope_deg": float(chance.uniform(0, 90)),
        "heading_deg": float(chance.uniform(0, 360)),
        "height_mm": 72.0,
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", [811, 812])
def test_it_walks_on_drums_of_chance(seed: int) -> None:
    run = ClimbRun({"way": [{"x_mm": 60}], "surface": "curved"}, begun_s=4.5, **drawn(seed))
    before = run.sim.placement("Y1").at.copy()
    while run.time_s < 40.0 and not run.now.arrived:
        run.run(run.time_s + 0.5)
        assert not run.now.critical
    assert run.now.arrived
    moved = float(np.linalg.norm(run.sim.placement("Y1").at - before))
    assert 0.04 < moved < 0.09
