"""A climber that is held near a surface feels for it, holds on, and is let go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun

from annelid.errors import InputError
from annelid.systems.climber.executive.pose import BodyPose, turned
from annelid.systems.climber.planner.landing import above
from annelid.systems.climber.planner.program import HAND

LANDED_S = 4.5


def drawn(seed: int) -> dict[str, Any]:
    """A start near a wall or a ceiling: height and pose of chance."""
    chance = np.random.default_rng(seed)
    return {
        "slope_deg": float(chance.choice([90.0, 180.0])),
        "heading_deg": float(chance.uniform(0, 360)),
        "height_mm": float(chance.uniform(78, 115)),
        "pitch_deg": float(chance.uniform(-6, 6)),
        "roll_deg": float(chance.uniform(-6, 6)),
    }


def landed(start: dict[str, Any]) -> ClimbRun:
    run = ClimbRun({"way": [{"x_mm": 0}]}, begun_s=LANDED_S, **start)
    assert run.told("holds"), "nobody was told to let go"
    assert run.circuit.nodes["Y1"].board.ports[HAND].share == 0.0
    assert [one["attached"] for _, one in run.told("ready")] == [6]
    assert not run.fallen
    return run


def levels(run: ClimbRun) -> None:
    run.walk(LANDED_S + 14.0)
    assert run.now.arrived, "it did not level its body"
    assert not run.now.critical
    high, lean = run.now.pose.at[2], np.degrees(np.arccos(run.now.pose.turn[2, 2]))
    assert high == pytest.approx(0.090, abs=0.003)
    assert lean < 1.0
    assert not run.fallen


@pytest.mark.parametrize("seed", [701])
def test_feet_find_the_surface_from_a_start_of_chance(seed: int) -> None:
    landed(drawn(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(702, 706))
def test_feet_find_the_surface_from_more_starts_and_level_the_body(seed: int) -> None:
    levels(landed(drawn(seed)))


def test_three_millimetres_off_a_wall_without_a_hand_it_falls() -> None:
    """The start of finding P4, and the control: nobody is there to hold it."""
    run = ClimbRun(slope_deg=90, height_mm=93.8, begun_s=LANDED_S)
    assert [one["attached"] for _, one in run.told("ready")] == [6]
    alone = ClimbRun(slope_deg=90, height_mm=93.8, begun_s=0.0)
    alone.circuit.nodes["Y1"].board.ports[HAND].bear(0.0)
    high = alone.sim.centre()[2]
    alone.run(0.6)
    assert alone.sim.centre()[2] < high - 0.3


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"height_mm": 230}, r"the surface is 229 mm below the body .* reaches \d+ to \d+ mm"),
        ({"height_mm": 95, "pitch_deg": 30}, "put the body nearer or more level"),
    ],
)
def test_a_start_out_of_reach_is_refused(start: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ClimbRun(slope_deg=90, **start)


def test_the_plane_through_the_feet_gives_height_and_lean() -> None:
    body = BodyPose(np.array([0.0, 0.0, 0.1]), turned(np.array([0.1, -0.05, 0.0])))
    chance = np.random.default_rng(1)
    ground = np.column_stack([chance.uniform(-0.2, 0.2, (5, 2)), np.zeros(5)])
    found = above(body.into(ground))
    assert found.at == pytest.approx([0.0, 0.0, 0.1])
    assert found.turn[2] == pytest.approx(body.turn[2])
