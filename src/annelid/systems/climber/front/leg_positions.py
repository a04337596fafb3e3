"""A measure for studies: the cost of a stance, from the paper's thirteen genes (003 §3.1).

Genes are ``control.options.stance_mm.LEG.AXIS``, x and y of every foot, and
``robot.each.L.height_mm``, the one z.  The paper's walk begins in the stance and leaves the feet a
stride behind; the planner's stance is what feet return to and go ahead and back from, so the best
is written with its feet in the middle of their stride.

``worth_m`` is by our f(x) of eq 1, ``worth_flat_m`` by that of FACTS §4; a study's term chooses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from annelid.errors import InputError
from annelid.offline.measures import MeasureKind
from annelid.systems.climber.leg_positions import CYCLES, FALLING, FLAT, LegPositions
from annelid.systems.climber.model import read_robot
from annelid.systems.climber.spec import ClimberSpec
from annelid.trial.load import resolve
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Scenario
from annelid.worlds.plane import Plane

FOOT: Final = re.compile(r"control\.options\.stance_mm\.(\d+)\.([01])")
HEIGHT: Final = "robot.each.L.height_mm"
WORTHS: Final = {"worth_m": FALLING, "worth_flat_m": FLAT}
"""To the f(x) of eq 1."""


class LegPositionMeasure:
    """Of one robot, on the slope of the scenario's plane."""

    names = (*WORTHS, "distance_m", "stride_m", "force_n", "push_n", "pull_n")

    def __init__(self, scenario: Scenario, plugins: Plugins, fields: Sequence[str]) -> None:
        options = scenario.control.options
        if not isinstance(options, ClimberSpec):
            raise InputError(
                f'leg-positions: expected control.system = "climber", got {scenario.control.system}'
            )
        robot, world = resolve(scenario, plugins)
        if not isinstance(world, Plane):
            raise InputError(f'leg-positions: expected a world of kind "plane", got {world.kind!r}')
        climber = read_robot(robot, stance_mm=options.stance_mm)
        self._positions = LegPositions(climber, slope_deg=world.slope_deg)
        self._stance = climber.stance
        self._feet: dict[str, tuple[int, int]] = {}
        for field in fields:
            if field == HEIGHT:
                continue
            found = FOOT.fullmatch(field)
            if found is None or int(found[1]) >= climber.count:
                raise InputError(
                    f"leg-positions: {field} is no part of a stance; expected {HEIGHT} or "
                    f"control.options.stance_mm.LEG.AXIS, LEG 0 to {climber.count - 1}, AXIS 0 or 1"
                )
            self._feet[field] = (int(found[1]), int(found[2]))

    def __call__(self, fields: Mapping[str, Any]) -> Mapping[str, float]:
        stance = self._stance.copy()
        for field, place in self._feet.items():
            stance[place] = fields[field] / 1000
        if HEIGHT in fields:
            stance[:, 2] = -fields[HEIGHT] / 1000
        worth = self._positions.worth(self._positions.genes(stance))
        found = {
            **{name: -worth.costs[shape] for name, shape in WORTHS.items()},
            "distance_m": worth.distance,
            "stride_m": worth.distance / CYCLES,
        }
        if np.isfinite(worth.force):  # else it cannot walk, and no force is known
            found |= {"force_n": worth.force, "push_n": worth.push, "pull_n": worth.pull}
        return found

    def scenario(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        middle = 1000 * self(fields)["stride_m"] / 2
        feet = {field for field, (_, axis) in self._feet.items() if axis == 0}
        return {name: at - middle if name in feet else at for name, at in fields.items()}


def build(scenario: Scenario, plugins: Plugins, fields: Sequence[str]) -> LegPositionMeasure:
    return LegPositionMeasure(scenario, plugins, fields)


LEG_POSITIONS: Final = MeasureKind(
    name="leg-positions",
    title="how good a climber's stance is: way, strides and forces of a walk (003 §3.1)",
    build=build,
)
