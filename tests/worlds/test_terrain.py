"""Waves of the height and length that were asked for, between walls, with the robot above them."""

from __future__ import annotations

import numpy as np
import pytest

from annelid.errors import SpecError
from annelid.worlds.scenery import Heights
from annelid.worlds.terrain import Terrain


def heights(world: Terrain, robot_length: float = 0.3) -> Heights:
    found = world.scenery(robot_length).heights
    assert found is not None
    return found


def test_the_ground_is_the_wave_of_the_formula():
    world = Terrain(amplitude_mm=15, wavelength_mm=250)
    ground = heights(world)
    x = np.linspace(-ground.half_x, ground.half_x, ground.grid.shape[1])
    assert ground.grid[0] == pytest.approx(0.015 * (1 + np.sin(2 * np.pi * x / 0.25)))
    assert ground.grid.min() == pytest.approx(0, abs=1e-4)
    assert ground.grid.max() == pytest.approx(0.030, abs=1e-4)
    assert (ground.grid == ground.grid[0]).all()


def test_the_grid_is_within_a_hundredth_of_the_wave():
    world = Terrain(amplitude_mm=10, wavelength_mm=200)
    ground = heights(world)
    x = np.linspace(-ground.half_x, ground.half_x, ground.grid.shape[1])
    between = np.linspace(-1, 1, 5000)
    wave = [world.height(float(place)) for place in between]
    assert np.interp(between, x, ground.grid[0]) == pytest.approx(wave, abs=1e-4)


def test_walls_stand_as_wide_apart_as_asked_and_above_the_crests():
    world = Terrain(width_mm=120, amplitude_mm=10, walls_mm=80)
    left, right = world.scenery(0.3).blocks
    assert left.at[1] - left.size[1] == pytest.approx(0.060)
    assert right.at[1] + right.size[1] == pytest.approx(-0.060)
    assert left.at[2] + left.size[2] == pytest.approx(0.020 + 0.080)
    assert Terrain(walls_mm=0).scenery(0.3).blocks == ()


@pytest.mark.parametrize("robot_length", [0.1, 3.0])
def test_the_robot_starts_above_ground_along_its_whole_length(robot_length):
    world = Terrain(amplitude_mm=30)
    scenery = world.scenery(robot_length)
    assert scenery.start.at[2] - 0.0135 > heights(world, robot_length).grid.max()
    assert heights(world, robot_length).half_x > robot_length
    assert world.progress(scenery.start.at) == 0
    assert world.goal == 2.0


def test_level_ground_is_allowed():
    assert (heights(Terrain(amplitude_mm=0)).grid == 0).all()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"wavelength_mm": 0}, "wavelength_mm"),
        ({"amplitude_mm": -1}, "amplitude_mm"),
        ({"length_mm": 50_000, "wavelength_mm": 20}, r"length_mm: expected at most .* mm"),
        ({"wavelenght_mm": 100}, "wavelenght_mm"),
    ],
)
def test_nonsense_is_refused_with_the_field(fields, message):
    with pytest.raises(SpecError, match=message):
        Terrain.parse(fields, where="world")
