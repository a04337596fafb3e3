"""The limits of a chain: monotone, and what is known of the robot of 000."""

from __future__ import annotations

from math import degrees

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.modules import shelf
from annelid.robot.hauling import Hauling
from annelid.robot.robot import assemble, chain
from annelid.worlds.limits import bends, steepest, turns


def hauling(letters: str) -> Hauling:
    return Hauling.of([module.type for module in assemble(chain(letters), shelf()).modules])


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


def test_the_command_prints_a_row_a_bore() -> None:
    told = CliRunner().invoke(app, ["range", "TH", "--bore", "40"])
    assert "| 40 mm | 0.83 N | to" in told.stdout
