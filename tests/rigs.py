"""Small robots and worlds that several physics tests stand on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annelid.modules import shelf
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot import Robot, RobotSpec, assemble, chain
from annelid.robot.as_built import NOMINAL, AsBuilt
from annelid.worlds import parse_world, worlds


def robot(letters: str, **each: Mapping[str, Any]) -> Robot:
    return assemble(chain(letters, **each), shelf())


def robot_from(table: Mapping[str, Any]) -> Robot:
    return assemble(RobotSpec.parse(table, where="robot"), shelf())


def simulation(
    who: Robot | str,
    world: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    jitter: float = 0.0,
    built: AsBuilt = NOMINAL,
    **physics: Any,
) -> Simulation:
    made = parse_world(world or {"kind": "pipe"}, worlds())
    return Simulation(
        robot(who) if isinstance(who, str) else who,
        made,
        Physics.parse(physics, where="physics"),
        seed=seed,
        jitter=jitter,
        built=built,
    )


STRAIGHT: Mapping[str, Any] = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 600}]}
WEIGHTLESS: Mapping[str, Any] = {"kind": "open-air", "gravity": 0.0}
