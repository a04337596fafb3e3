"""Time, determinism, tether, contact: what a whole run stands on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from tests.rigs import STRAIGHT, robot, simulation

from annelid.errors import InputError
from annelid.physics import tether


def travelled(world: Mapping[str, Any], seconds: float = 4.0) -> float:
    sim = simulation("THP", world)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(round(seconds / 0.0005))
    return sim.progress()


def test_the_same_seed_gives_the_same_run_bit_for_bit() -> None:
    runs = []
    for seed in (3, 3, 4):
        sim = simulation("TRRH", seed=seed, jitter=0.03)
        sim.actuators.write_one("H1.drive", 1.0)
        sim.advance(500)
        runs.append((sim.data.qpos.copy(), sim.sensors.read()))
    assert (runs[0][0] == runs[1][0]).all()
    assert (runs[0][1] == runs[1][1]).all()
    assert (runs[0][0] != runs[2][0]).any()


def test_many_small_advances_are_one_large_one() -> None:
    ends = []
    for slices in (1, 50):
        sim = simulation("TRRH", jitter=0.03)
        sim.actuators.write_one("H1.drive", 1.0)
        for _ in range(slices):
            sim.advance(500 // slices)
        ends.append(sim.data.qpos.copy())
    assert (ends[0] == ends[1]).all()


def test_a_command_of_a_coming_step_takes_effect_at_that_step() -> None:
    ahead, stopping = (simulation("RRR", {"kind": "open-air"}, jitter=0.03) for _ in range(2))
    yaw, pitch = (ahead.actuators.place(f"R2.{servo}") for servo in ("yaw", "pitch"))
    for step, place, value in ((0, yaw, 0.4), (30, pitch, -0.3), (30, yaw, np.nan), (70, yaw, 0.1)):
        ahead.command(step, place, value)
        stopping.advance(step - stopping.steps)
        stopping.actuators.write_at(place, value)
    for sim in (ahead, stopping):
        sim.advance(100 - sim.steps)
    assert (ahead.data.qpos == stopping.data.qpos).all()
    assert ahead.steps == 100


def test_a_command_under_way_finds_its_servo_after_a_cut() -> None:
    sim = simulation("RRRR", {"kind": "open-air"})
    sim.command(40, sim.actuators.place("R4.yaw"), 0.5)
    sim.advance(10)
    sim.cut("R2.back", "R3.front")
    sim.advance(40)
    assert sim.actuators.targets[sim.actuators.place("R4.yaw")] == 0.5


def test_time_lands_on_the_grid_and_never_turns_back() -> None:
    sim = simulation("T", STRAIGHT)
    sim.advance_to(10_300_000)
    assert sim.now_ns == 10_000_000
    with pytest.raises(InputError, match="forward only"):
        sim.advance(-1)


def test_a_helicoidal_goes_at_three_centimetres_a_second_and_holds_when_stopped() -> None:
    assert travelled(STRAIGHT) == pytest.approx(0.12, rel=0.05)
    steep = simulation("H", {**STRAIGHT, "slope_deg": 90})
    steep.advance(4000)
    before = steep.progress()
    steep.advance(2000)
    assert abs(steep.progress() - before) < 0.8e-3


def test_a_helicoidal_pushes_backwards_too() -> None:
    sim = simulation("TH", STRAIGHT)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(4000)
    sim.actuators.write_one("H1.drive", -1.0)
    sim.advance(4000)
    assert abs(sim.progress()) < 0.005


def test_a_tether_slows_the_robot_and_ends() -> None:
    free = travelled(STRAIGHT)
    dragged = travelled({**STRAIGHT, "tether": {"drag_n_per_m": 3.0}})
    assert dragged < 0.97 * free
    sim = simulation("THP", {**STRAIGHT, "tether": {"drag_n_per_m": 0.0, "length_m": 0.05}})
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(8000)
    assert tether.paid_out(sim.data) == pytest.approx(0.05, abs=0.006)


def test_a_wet_pipe_slows_a_climb() -> None:
    steep = {**STRAIGHT, "slope_deg": 90, "launch": "closed"}
    assert travelled({**steep, "surface": {"grip": 0.25}}, 2.0) < travelled(steep, 2.0) - 0.005


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_module_bounces_as_the_surface_says(restitution: float) -> None:
    world = {"kind": "open-air", "surface": {"friction": 0.6, "restitution": restitution}}
    sim = simulation("P", world)
    address = sim.model.joint("P1/free").qposadr[0] + 2
    rest = sim.data.qpos[address]
    sim.data.qpos[address] += 0.05
    heights = []
    for _ in range(600):
        sim.advance(1)
        heights.append(sim.data.qpos[address] - rest)
    fallen = int(np.argmin(heights[:300]))
    rebound = max(heights[fallen:])
    assert rebound == pytest.approx(0.05 * restitution**2, abs=0.006)


def test_a_chain_starts_on_the_ground_and_not_in_it() -> None:
    sim = simulation(robot("RRR", R={"start": {"pitch": -60}}), {"kind": "open-air"})
    assert sim.data.contact.dist.min(initial=0.0) > -0.001
    sim.advance(100)
    assert np.abs(sim.data.qvel).max() < 20


def test_an_explosion_is_reported_not_recorded() -> None:
    from annelid.errors import SimulationError

    sim = simulation("TR", STRAIGHT)
    sim.data.qvel[:] = 1e12
    with pytest.raises(SimulationError, match="unstable"):
        sim.advance(50)


@pytest.mark.parametrize("step_ms", [0.25, 1.0, 2.0])
def test_a_drive_goes_as_fast_and_creeps_as_little_at_every_timestep(step_ms):
    """With a rotor of next to no inertia it lost 5 % at 1 ms, and a damper for a brake threw it
    about."""
    level = {**STRAIGHT, "launch": "closed"}
    fast = simulation("TRRHP", level, timestep_ms=step_ms, servo="quasi-static")
    fast.actuators.write_one("H1.drive", 1.0)
    fast.advance_to(2_000_000_000)
    before = fast.progress()
    fast.advance_to(4_000_000_000)
    assert (fast.progress() - before) / 2 == pytest.approx(0.0241, rel=0.02)
    steep = simulation("H", {**level, "slope_deg": 90}, timestep_ms=step_ms, servo="quasi-static")
    steep.advance_to(2_000_000_000)
    before = steep.progress()
    steep.advance_to(4_000_000_000)
    assert 0 < before - steep.progress() < 2 * 0.8e-3


def test_a_drive_that_is_stopped_stands_and_one_that_is_let_go_rolls_back():
    """The brake is the gear's: it holds without power, and is off when the motor is let go."""
    gone = {}
    for what, value in (("held", 0.0), ("released", float("nan"))):
        sim = simulation("H", {**STRAIGHT, "slope_deg": 60, "launch": "closed"})
        sim.actuators.write_one("H1.drive", 1.0)
        sim.advance_to(1_000_000_000)
        before = sim.progress()
        sim.actuators.write_one("H1.drive", value)
        sim.advance_to(1_500_000_000)
        gone[what] = before - sim.progress()
    assert gone["held"] < 0.001
    assert gone["released"] > 0.005


def test_a_servo_that_was_let_go_gives_way_beside_a_drive():
    """A drive brings a tendon, its brake, into the model: native code must still find the fields
    behind it."""
    sim = simulation("RH", {"kind": "open-air", "gravity": 0.0}, servo="quasi-static")
    sim.actuators.write(np.array([float("nan"), 0.0, 0.0]))
    sim.data.joint("R1/yaw").qpos[0] = 0.5
    sim.advance(400)
    assert sim.data.actuator("R1.yaw").force[0] == pytest.approx(0.0, abs=1e-6)
    assert abs(sim.data.actuator("R1.pitch").force[0]) < 0.06
    assert sim.data.joint("R1/yaw").qpos[0] == pytest.approx(0.5, abs=0.05)
