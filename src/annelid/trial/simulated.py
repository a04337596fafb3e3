"""Builds the simulation of a scenario, with the robot that its seed draws."""

from __future__ import annotations

from math import radians

from annelid.physics.simulation import Simulation
from annelid.robot import AsBuilt, Robot
from annelid.robot.drawing import draw
from annelid.trial.load import resolve
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Scenario


def simulation_of(
    scenario: Scenario,
    plugins: Plugins = Plugins(),  # noqa: B008
    *,
    seed: int | None = None,
) -> Simulation:
    """At its start; ``seed`` stands in place of the scenario's."""
    chosen = scenario.seed if seed is None else seed
    robot, world = resolve(scenario, plugins)
    return Simulation(
        robot,
        world,
        scenario.physics,
        seed=chosen,
        jitter=radians(scenario.jitter_deg),
        built=built_of(scenario, robot, seed=chosen),
    )


def built_of(scenario: Scenario, robot: Robot, *, seed: int) -> AsBuilt:
    """The robot that is drawn; a scenario that gives ``jitter_deg`` has its spread of the start."""
    tolerances = scenario.tolerances
    if scenario.jitter_deg:
        tolerances = tolerances.model_copy(update={"start_deg": scenario.jitter_deg})
    return draw(tolerances, robot, seed)
