"""Where a climber walks, stands or refuses, and what it says where it only stands."""

from __future__ import annotations

import pytest
from tests.systems.climber.climbs import ClimbRun, hexapod
from typer.testing import CliRunner

from annelid.errors import InputError
from annelid.modules import shelf
from annelid.robot import RobotSpec, assemble
from annelid.systems.climber.footing import Footing, footing, suction_needed, with_cups
from annelid.systems.climber.front.commands import app
from annelid.systems.climber.front.footing import MapCell, climber_of, evenly, happens
from annelid.systems.climber.model import read_robot


def test_stronger_cups_never_hold_less() -> None:
    climber = read_robot(hexapod())
    ranks = [Footing.REFUSES, Footing.STANDS, Footing.BARELY, Footing.WALKS]
    for slope, heading in ((45, 10), (90, 70), (120, 200), (180, 0)):
        found = [footing(with_cups(climber, cups), slope, heading) for cups in (6, 13, 30, 60)]
        assert [ranks.index(one) for one in found] == sorted(ranks.index(one) for one in found)
        needed = suction_needed(climber, slope, heading)
        assert needed is not None
        assert footing(with_cups(climber, needed + 1), slope, heading) is Footing.WALKS
        assert footing(with_cups(climber, needed - 1), slope, heading) is not Footing.WALKS


def test_the_slope_between_wall_and_ceiling_is_the_hardest() -> None:
    """Finding P4: 30 N walk at 90° and at 180°, and not between."""
    climber = read_robot(hexapod())
    assert footing(climber, 90, 0) is Footing.WALKS
    assert footing(climber, 120, 0) is Footing.STANDS
    assert footing(climber, 180, 0) is Footing.WALKS


def test_where_no_leg_can_be_lifted_it_says_so_at_once() -> None:
    run = ClimbRun({"way": [{"x_mm": 60}]}, slope_deg=120, begun_s=1.0)
    assert "cups of 30 N hold here and do not walk" in run.now.critical
    assert not run.pattern
    strong = ClimbRun(
        {"way": [{"x_mm": 60}]}, robot=hexapod(leg={"suction_n": 60}), slope_deg=120, begun_s=1.0
    )
    assert not strong.now.critical


def test_fewer_legs_need_stronger_cups() -> None:
    robots = (assemble(RobotSpec.parse(evenly(legs), where="robot"), shelf()) for legs in (4, 8))
    four, eight = (suction_needed(read_robot(robot), 90, 0) for robot in robots)
    assert four is not None
    assert eight is not None
    assert four > eight + 5


def test_a_scenario_without_a_climber_is_refused() -> None:
    with pytest.raises(InputError, match="expected a climber on a plane"):
        climber_of("push")
    assert CliRunner().invoke(app, ["range", "push"]).exit_code != 0


def test_the_check_of_the_map_sees_a_refusal() -> None:
    cell = MapCell(3, 6.0, 150.0, 0.0, Footing.REFUSES)
    assert happens(cell, scenario="d04-inclines") == Footing.REFUSES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slope_deg", "does"), [(60.0, Footing.WALKS), (120.0, Footing.STANDS)], ids=["60", "120"]
)
def test_the_check_of_the_map_sees_what_a_robot_does(slope_deg: float, does: Footing) -> None:
    cell = MapCell(3, 30.0, slope_deg, 0.0, does)
    assert happens(cell, scenario="d04-inclines") == does


@pytest.mark.slow
def test_range_checks_its_map_by_runs() -> None:
    told = ["range", "d04-inclines", "--suction", "30", "--check", "2", "--workers", "1"]
    found = CliRunner().invoke(app, told)
    assert found.exit_code == 0, found.output
    *_, head, rule, first, second, last = found.output.splitlines()
    assert head == "| seed | cups | slope | heading | map | run |"
    assert set(rule) == {"|", "-"}
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in (first, second)]
    assert [row[0] for row in rows] == ["0", "1"]
    assert all(row[-2] == row[-1] for row in rows), "the map is right"
    assert last == "2 of 2 as the map says (34% to 100%); 0 fell"
    same = CliRunner().invoke(app, [*told[:5], "0"])
    assert same.output.splitlines()[-1] == "", "the map alone"
