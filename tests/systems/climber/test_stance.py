"""The shipped climbers stand, and recover, in the stance that the study of leg positions found."""

from __future__ import annotations

import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun

from annelid.systems.climber.leg_positions import CYCLES, FALLING, LegPositions
from annelid.systems.climber.model import Climber, read_robot
from annelid.systems.climber.spec import ClimberSpec
from annelid.trial.load import load, resolve, shipped
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Scenario

CLIMBERS = sorted(name for name in shipped() if name.split("-")[0] == "climber")


def options(scenario: Scenario) -> ClimberSpec:
    found = scenario.control.options
    assert isinstance(found, ClimberSpec)
    return found


def climber(name: str) -> tuple[Climber, Climber]:
    """As it is shipped, and as it would stand without the study."""
    scenario = load(name)
    robot, _ = resolve(scenario, Plugins())
    return read_robot(robot, stance_mm=options(scenario).stance_mm), read_robot(robot)


@pytest.mark.parametrize("name", CLIMBERS)
def test_it_walks_twice_as_far_with_less_force(name: str) -> None:
    """003 §3.1: 355 to 735 mm, force -10 %."""
    found, built = climber(name)
    # The paper's walk begins with the feet ahead; the planner's stance is its middle.
    positions = LegPositions(found)
    strides = np.linspace(0.0, 0.2, 41)
    ahead = [positions.genes(found.stance + np.array([s / 2, 0, 0])) for s in strides]
    best = min((positions.worth(genes) for genes in ahead), key=lambda worth: worth.costs[FALLING])
    before = LegPositions(built).worth(positions.genes(built.stance))
    assert best.distance > 1.7 * before.distance
    assert best.force < before.force
    assert best.distance / CYCLES > 0.14


@pytest.mark.slow
def test_a_blocked_robot_recovers_in_that_stance() -> None:
    scenario = load("climber")
    robot, _ = resolve(scenario, Plugins())
    run = ClimbRun(
        {"way": [{"x_mm": 60}], "stance_mm": options(scenario).stance_mm}, robot=robot, slope_deg=90
    )
    while run.now.step is not None or not run.now.standing.all():
        run.run(run.time_s + 0.05)
    apart = np.linalg.norm(run.now.wish.into(run.now.anchors) - run.now.climber.stance, axis=1)
    assert apart.max() > 0.03, "it stands there already"
    run.now.blocked = "said by the test"
    while not run.told("recovered"):
        run.run(run.time_s + 0.5)
        assert run.time_s < 60
        assert not run.fallen
    feet = run.now.wish.into(run.now.anchors)
    stance = np.array(options(scenario).stance_mm) / 1000
    assert np.linalg.norm(feet[:, :2] - stance, axis=1).max() < 0.014
    assert feet[:, 2] == pytest.approx(np.full(6, -0.1085), abs=0.003)
