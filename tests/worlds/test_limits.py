"""The limits of a chain: monotone, and what is known of the robot of 000."""

from __future__ import annotations

from math import degrees
from typing import Any

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.modules import shelf
from annelid.robot.hauling import Hauling
from annelid.robot.robot import assemble, chain
from annelid.worlds.limits import bends, steepest, turns


def hauling(letters: str, **each: Any) -> Hauling:
    robot = assemble(chain(letters, **each), shelf())
    return Hauling.of([module.type for module in robot.modules])


def test_slope_falls_with_the_bore_and_rises_with_a_second_drive() -> None:
    one, two = hauling("TRRHRRVP"), hauling("TRRHRRHVP")
    slopes = [steepest(one, bore) for bore in (0.040, 0.043, 0.044)]
    assert all(slope is not None for slope in slopes)
    known = [degrees(slope or 0.0) for slope in slopes]
    assert known == sorted(known, reverse=True)
    assert known[0] == pytest.approx(23, abs=1.5)  # held straight it climbs 25° and not 27°
    assert (steepest(two, 0.040) or 0.0) > (steepest(one, 0.040) or 0.0)
    assert steepest(hauling("TRRV"), 0.040) is None  # nothing pushes it


def test_a_wider_bore_lets_through_what_a_narrow_one_does_not() -> None:
    survey = hauling("TRRHRRVP")
    assert turns(survey, 40, 45)
    assert not turns(survey, 40, 75)
    assert bends(survey, 42, 45)
    assert bends(survey, 40, 150)
    assert not bends(survey, 38.5, 40)


def test_springs_that_are_pressed_already_press_in_wide_bores_too() -> None:
    """As long as the wheels touch: beyond their reach of 22.5 mm only the weight presses them."""
    strong = {"stall_weight": 5.0, "spring_n_m": 100.0}
    soft, pressed = hauling("TRHV", H=strong), hauling("TRHV", H={**strong, "preload_mm": 7.0})
    for bore in (0.0385, 0.044):
        more = 3 * 0.8 * 100.0 * 0.007  # three driven wheels, friction, stiffness and way
        springs = 3 * 0.8 * 100.0 * (0.0225 - bore / 2)
        assert pressed.thrust(bore) == pytest.approx(min(springs + more, 5.0 * 0.050 * 9.81))
        assert pressed.thrust(bore) > soft.thrust(bore)
    assert pressed.thrust(0.046) == pytest.approx(soft.thrust(0.046))


def test_the_command_takes_the_robot_of_a_shipped_scenario_with_its_parameters() -> None:
    told = CliRunner().invoke(app, ["range", "survey", "--bore", "40"]).stdout
    plain = CliRunner().invoke(app, ["range", "TRRHRVRH", "--bore", "40"]).stdout
    assert told.startswith("TRRHRVRH: 2.11 N")
    assert told.splitlines()[-1] != plain.splitlines()[-1]


def test_the_command_prints_a_row_a_bore() -> None:
    told = CliRunner().invoke(app, ["range", "TH", "--bore", "40"])
    assert "| 40 mm | 0.83 N | to" in told.stdout
