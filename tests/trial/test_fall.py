"""A fall ends a run, and nothing else is taken for one."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

from annelid.report.recording import Recording
from annelid.report.summary import badge, headline, story
from annelid.trial.fall import FallWatch
from annelid.trial.load import parse
from annelid.trial.metrics import Metrics
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial

CLIMBER = {
    "name": "climber",
    "duration_s": 20.0,
    "robot": {
        "modules": [{"type": "Y"}, *({"type": "L"},) * 6],
        "docks": [{"a": f"Y1.leg{k}", "b": f"L{k}.front"} for k in range(1, 7)],
    },
    "physics": {"timestep_ms": 2, "servo": "quasi-static", "impratio": 100, "noslip": 3},
    "control": {"system": "climber", "options": {"way": [{"x_mm": 100}]}},
    "success": {"progress_m": 0.09},
}


def plane(slope_deg: float) -> dict[str, Any]:
    return {
        "kind": "plane",
        "slope_deg": slope_deg,
        "height_mm": 90.8,
        "surface": {"friction": 0.5},
    }


def leaking(at_s: float) -> list[dict[str, Any]]:
    """All cups lose their vacuum."""
    return [
        {"fault": "leaky_cup", "cup": f"L{k}.cup", "at_s": at_s, "falls_s": 0.1}
        for k in range(1, 7)
    ]


def snake(world: dict[str, Any], **fields: Any) -> Trial:
    table = {
        "name": "snake",
        "duration_s": 4.0,
        "robot": {"chain": "RRRR"},
        "world": world,
        "physics": {"timestep_ms": 2, "servo": "quasi-static"},
        **fields,
    }
    return Trial(parse(table))


@pytest.mark.parametrize("slope_deg", [90.0, 180.0])
def test_a_climber_whose_cups_let_go_falls_off_walls_and_ceilings(slope_deg: float):
    given = {**CLIMBER, "world": plane(slope_deg), "faults": leaking(0.5)}
    fell = Trial(parse(given)).measure()
    assert fell.stopped == "fell"
    assert fell.success is False
    assert fell.fell_s is not None
    assert 0.5 < fell.fell_s < 1.0
    assert fell.time_s < 1.7
    assert abs(fell.progress_m) < 0.05
    assert fell.fell_who == ("Y1", "L1", "L2", "L3", "L4", "L5", "L6")
    assert "no ground below" in (fell.fell_why or "")


@pytest.mark.parametrize("slope_deg", [90.0, 180.0])
def test_one_that_holds_does_not(slope_deg: float):
    held = Trial(parse({**CLIMBER, "duration_s": 1.7, "world": plane(slope_deg)})).measure()
    assert (held.stopped, held.fell_s) == ("duration", None)


def test_on_a_floor_cups_may_let_go():
    given = {**CLIMBER, "duration_s": 1.7, "world": plane(0.0), "faults": leaking(0.5)}
    assert Trial(parse(given)).measure().fell_s is None


def thrown(trial: Trial, *velocity: float) -> Metrics:
    trial.sim.data.qvel[:3] = velocity
    return trial.measure()


def test_a_hop_or_a_throw_on_to_ground_is_no_fall():
    for world in ({"kind": "open-air"}, {"kind": "terrain"}, {"kind": "plane", "slope_deg": 20}):
        metrics = thrown(snake(world), 0.0, 0.0, 8.0)
        assert (metrics.stopped, metrics.fell_s) == ("duration", None), world


def test_a_drop_on_to_ground_is_no_fall():
    """Terrain with waves of a metre: the robot begins above the crests."""
    world = {"kind": "terrain", "amplitude_mm": 500, "wavelength_mm": 4000, "length_mm": 4000}
    trial = snake(world)
    watch, heights = FallWatch(trial.sim), []
    for _ in range(150):
        trial.sim.advance(10)
        watch.look(trial.sim)
        heights.append(trial.sim.centre()[2])
    assert heights[0] - min(heights) > 0.5
    assert watch.fall is None


def test_off_the_edge_of_a_terrain_it_falls_and_progress_is_that_before():
    world = {"kind": "terrain", "length_mm": 300, "wavelength_mm": 200, "walls_mm": 0}
    fell = thrown(snake(world, success={"progress_m": 3.0}), 2.5, 0.0, 1.0)
    assert fell.stopped == "fell"
    assert fell.progress_m < 1.2
    assert fell.progress_max_m < 1.2
    assert fell.distance_m < 1.2
    assert fell.time_s < 2.0
    side = thrown(snake(world), 0.0, 1.0, 1.0)
    assert side.stopped == "fell"
    assert side.success is False


def test_a_goal_that_is_passed_in_falling_is_not_reached():
    down = {"kind": "plane", "slope_deg": 90, "heading_deg": 180, "height_mm": 20}
    fell = snake(down, success={"progress_m": 0.1}, stop_at_goal=True).measure()
    assert (fell.stopped, fell.success, fell.time_to_goal_s) == ("fell", False, None)


def test_sliding_down_a_steep_plane_is_a_fall_and_a_gentle_one_is_not():
    slippery = {"friction": 0.0, "grip": 0.01}
    steep = snake({"kind": "plane", "slope_deg": 60, "surface": slippery}).measure()
    assert steep.stopped == "fell"
    gentle = snake({"kind": "plane", "slope_deg": 20, "surface": slippery}).measure()
    assert gentle.stopped == "duration"


def test_without_weight_nothing_falls():
    away = thrown(snake({"kind": "open-air", "gravity": 0.0}), 0.0, 0.0, -0.3)
    assert away.fell_s is None


def backing(launch: str, *, chain: str = "TRRHRRP", **world: Any) -> Trial:
    table = {
        "name": "backing",
        "duration_s": 12.0,
        "robot": {"chain": chain},
        "world": {"kind": "pipe", "launch": launch, **world},
        "physics": {"timestep_ms": 1},
        "control": {"gaits": [{"gait": "push", "level": -1.0}] if "H" in chain else []},
        "success": {"progress_m": 0.5},
    }
    return Trial(parse(table))


def test_who_backs_out_of_an_open_launch_tube_falls_when_enough_of_it_is_out():
    trial = backing("open")
    fastest = []
    trial.every(20_000_000, lambda: fastest.append(float(np.abs(trial.sim.data.qvel[:3]).max())))
    fell = trial.measure()
    assert fell.stopped == "fell"
    assert "has left the pipe" in (fell.fell_why or "")
    assert fell.fell_s is not None
    assert 2.0 < fell.fell_s < 10.0, "the tail may hang out; the whole must have left"
    assert -0.3 < fell.progress_m < -0.1
    assert fell.progress_max_m < 0.01
    assert max(fastest) < 6.0, "nothing has thrown it"


def test_a_closed_one_stops_it():
    stood = backing("closed").measure()
    assert (stood.stopped, stood.fell_s) == ("duration", None)
    assert stood.progress_m == pytest.approx(-0.02, abs=0.004)


def test_sliding_down_inside_a_pipe_is_no_fall_until_it_is_left():
    """An upright pipe, capped below or open: the module rests on the cap, or leaves."""
    pipe = {"slope_deg": -90, "surface": {"grip": 0.01}}
    straight = {"part": "straight", "length_mm": 900}
    capped = backing("open", chain="T", **pipe, parts=[straight, {"part": "cap"}]).measure()
    assert (capped.stopped, capped.fell_s) == ("duration", None)
    assert capped.progress_m > 0.85
    opened = backing("open", chain="T", **pipe, parts=[straight]).measure()
    assert opened.stopped == "fell"
    assert opened.progress_m < 1.0


def test_a_piece_that_was_cut_off_may_fall_alone():
    """The first module stays on the terrain; the piece behind is pushed over the side."""
    events = [{"do": "cut", "at_s": 0.2, "a": "R2.back", "b": "R3.front"}]
    world = {"kind": "terrain", "walls_mm": 0, "amplitude_mm": 0}
    trial = snake(world, events=events)

    def push() -> None:
        sim = trial.sim
        if sim.epoch and sim.now_ns < 3e8:
            dof = sim.model.joint("R3/free").dofadr[0]
            sim.data.qvel[dof : dof + 3] = (0.0, 2.0, 1.0)

    trial.every(20_000_000, push)
    metrics = trial.measure()
    assert trial.sim.placement("R4").at[2] < -1.0
    assert (metrics.stopped, metrics.fell_s) == ("duration", None)


def test_it_is_told_recorded_and_replayed(tmp_path: Path):
    falls = parse({**CLIMBER, "world": plane(90.0), "faults": leaking(0.1)})
    done = Trial(falls).run(tmp_path / "run")
    run = Run(done.folder)
    assert [event.kind for event in run.events()][-2:] == ["fell", "stop"]
    assert run.events("stop")[0].detail == {"reason": "fell"}
    assert run["robot"]["time_ns"][-1] <= done.metrics.time_s * 1e9
    assert np.abs(run["robot"]["z"]).max() < 1.0
    assert replay(run).same
    recording = Recording(done.folder)
    assert badge(recording.metrics) == ("bad", "fell")
    assert "fell after 0." in headline(recording)
    assert "It fell at 0." in story(recording)
    assert any(name == "fell" for _, name in recording.marks)


def test_recorded_or_not_it_ends_at_the_same_step(tmp_path: Path):
    fine = {"record": {"rate_hz": 333.0}}
    falls = parse({**CLIMBER, **fine, "world": plane(90.0), "faults": leaking(0.1)})
    measured = Trial(falls).measure()
    assert measured.stopped == "fell"
    assert Trial(falls).run(tmp_path / "run").metrics.steps == measured.steps


def test_looking_costs_microseconds():
    run = snake({"kind": "open-air"}).sim
    watch = FallWatch(run)
    begun = process_time()
    for _ in range(1000):
        watch.look(run)
    assert (process_time() - begun) / 1000 < 50e-6
