"""Tools change the wall of a pipe, and sensors see it as it then is."""

from __future__ import annotations

from math import radians

import mujoco
import numpy as np
import pytest
from tests.rigs import simulation

from annelid.physics.simulation import Simulation
from annelid.physics.wall import WallWork
from annelid.worlds.pipe import BreakSpec

OUT = radians(90)


def tool_in_pipe(*breaks: BreakSpec, bore_mm: float = 40.0) -> Simulation:
    world = {"kind": "pipe", "bore_mm": bore_mm, "parts": [{"part": "straight", "length_mm": 300}]}
    sim = simulation("G", {**world, "breaks": [each.model_dump() for each in breaks]})
    place = sim.placement("G1")
    place.at[0] += 0.15
    sim.put("G1", place)
    mujoco.mj_forward(sim.model, sim.data)
    return sim


def stroke(sim: Simulation, *, turret_deg: float, bar: float) -> list[WallWork]:
    """Aim, push out, draw back; what was done to the wall."""
    done: list[WallWork] = []
    for turret, out in ((turret_deg, 0.0), (turret_deg, bar), (turret_deg, 0.0)):
        sim.actuators.write(np.array([radians(turret) / 2, out]))
        for _ in range(150):
            sim.advance(20)
            done += sim.wall.look(sim)
    return done


def place(sim: Simulation) -> tuple[str, float]:
    """Part of the pipe and way in it where the tool is, mm."""
    network = sim.wall.network
    assert network is not None
    at = sim.placement("G1").at - np.array([0.0175, 0.0, 0.0])
    found = network.locate(at)
    return found.tube.part, 1000 * (found.along - found.tube.along)


@pytest.mark.parametrize("turret_deg", [0, 100, -170])
def test_a_drill_makes_a_hole_where_it_points(turret_deg: float) -> None:
    sim = tool_in_pipe()
    (work,) = stroke(sim, turret_deg=turret_deg, bar=OUT)
    part, along_mm = place(sim)
    assert (work.tool, work.what, work.part) == ("G1.drill", "hole made", part)
    assert 1000 * work.along == pytest.approx(along_mm, abs=2)
    network = sim.wall.network
    assert network is not None
    assert len(network.breaks) == 1
    assert np.cos(work.clock - radians(turret_deg)) > np.cos(radians(15)), "0 is up, 90 right"


def test_it_works_once_for_each_time_it_is_pushed_out() -> None:
    sim = tool_in_pipe()
    assert len(stroke(sim, turret_deg=0, bar=OUT)) == 1
    assert len(stroke(sim, turret_deg=0, bar=OUT)) == 1
    assert stroke(sim, turret_deg=0, bar=0.0) == []


def test_a_wall_out_of_reach_stays_whole() -> None:
    sim = tool_in_pipe(bore_mm=55)
    assert stroke(sim, turret_deg=0, bar=OUT) == []


@pytest.mark.parametrize(
    ("aside_mm", "clock_deg", "what"),
    [
        (0, 180, "break closed"),
        (8, 190, "break closed"),
        (14, 180, "patch on sound wall"),
        (0, 215, "patch on sound wall"),
    ],
)
def test_a_patch_closes_what_it_covers(aside_mm: float, clock_deg: float, what: str) -> None:
    part, along_mm = place(tool_in_pipe())
    there = BreakSpec(part=part, along_mm=along_mm + aside_mm, clock_deg=clock_deg, size_mm=10)
    sim = tool_in_pipe(there)
    (work,) = stroke(sim, turret_deg=0, bar=-OUT)
    assert (work.tool, work.what) == ("G1.stamp", what)
    network = sim.wall.network
    assert network is not None
    assert (len(network.breaks) == 0) is (what == "break closed")


def test_sensors_see_the_wall_as_it_is_now() -> None:
    sim = tool_in_pipe()
    before = sim.wall.table
    stroke(sim, turret_deg=0, bar=OUT)
    assert before is not None
    assert sim.wall.table is not None
    assert len(sim.wall.table) > len(before)
