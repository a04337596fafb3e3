"""The role programs on the bodies of other robots; a scenario says only which servo plays what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.rigs import robot, robot_from
from tests.systems.conro.colonies import Colony, colony

from annelid.errors import InputError
from annelid.trial.load import load
from annelid.trial.run import Trial

CHAIN_OF_EREKOBOTS = """
duration_s = 20

[robot]
modules = [
    {type = "K", latch = true},
    {type = "K", latch = true, angle_deg = 90},
    {type = "K", latch = true, angle_deg = -90},
    {type = "K", latch = true, angle_deg = 90},
    {type = "K", latch = true, angle_deg = -90},
    {type = "K", latch = true, angle_deg = 90},
    {type = "K", latch = true, angle_deg = -90},
    {type = "K", latch = true, angle_deg = 90},
    {type = "K", latch = true, angle_deg = -90},
    {type = "K", latch = true, angle_deg = 90},
]

[world]
kind = "open-air"
heading_deg = 90

[control]
system = "conro"

[control.options]
role = "sidewinder"
delay = 18

[control.options.servos]
"K1,K3,K5,K7,K9" = {pitch = "pitch"}
"K2,K4,K6,K8,K10" = {yaw = "pitch"}

[physics]
timestep_ms = 1
"""
"""Two of them, the second with a quarter turn, are what a CONRO module is alone."""


def way(run: Colony) -> np.ndarray:
    """cm in a cycle, along and across the first heading."""
    run.run(3)
    before = run.rig.sim.centre()[:2].copy()
    run.run(6)
    moved: np.ndarray = (run.rig.sim.centre()[:2] - before) * 100 / 3
    return moved


def test_rotation_modules_crawl_and_go_sideways() -> None:
    rotation = robot("R" * 8, R={"latch": True})
    assert way(colony(rotation, role="caterpillar"))[0] < -5
    assert abs(way(colony(rotation, role="sidewinder"))[1]) > 6


@pytest.mark.parametrize(("letter", "count", "length_cm"), [("R", 10, 3.4), ("K", 8, 5.0)])
def test_loops_of_them_roll_half_of_their_modules_a_cycle(
    letter: str, count: int, length_cm: float
) -> None:
    names = range(1, count + 1)
    wheel = robot_from(
        {
            "modules": [{"type": letter, "start": {"pitch": 360 / count}} for _ in names],
            "docks": [
                {"a": f"{letter}{k}.back", "b": f"{letter}{k % count + 1}.front"} for k in names
            ],
        }
    )
    rolled = way(colony(wheel, role="rolling-track"))
    assert abs(rolled[0]) == pytest.approx(count / 2 * length_cm, rel=0.1)


def test_erekobots_in_pairs_go_sideways_as_a_scenario_says(tmp_path: Path) -> None:
    file = tmp_path / "pairs.toml"
    file.write_text(CHAIN_OF_EREKOBOTS)
    measured = Trial(load(str(file))).measure()
    assert measured.distance_m > 0.5
    assert abs(measured.progress_m) < 0.5 * measured.distance_m


@pytest.mark.parametrize(
    ("servos", "message"),
    [
        ({"K9": {"yaw": "pitch"}}, "unknown module 'K9'"),
        ({"K": {"yaw": "roll"}}, "no module of KK has them"),
    ],
)
def test_servos_that_are_not_there_are_named(
    servos: dict[str, dict[str, str]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        colony(robot("KK", K={"latch": True}), role="sidewinder", servos=servos)
