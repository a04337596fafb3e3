"""The servo of 001 §3.2 in the engine: speed, current, heat, trip, release, and its fast twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.rigs import WEIGHTLESS, robot, simulation

from annelid.modules.servos import MICROTUB
from annelid.robot.body import LinearMount


def step_response(**physics: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times (s) and angles (rad) of one rotation module's pitch, asked for 90°."""
    sim = simulation("R", WEIGHTLESS, **physics)
    sim.actuators.write_one("R1.pitch", np.radians(80))
    times, angles = [], []
    place = sim.actuators.place("R1.pitch")
    for _ in range(150):
        sim.advance(1)
        times.append(sim.now_ns / 1e9)
        angles.append(sim.actuators.position()[place])
    return np.array(times), np.array(angles)


def test_the_quasi_static_twin_follows_the_motor() -> None:
    """LAB: the same torque curve without the inrush."""
    _, motor = step_response()
    _, twin = step_response(servo="quasi-static")
    assert np.degrees(np.abs(motor - twin).max()) < 2.5


def test_a_stalled_winding_reaches_50_degrees_after_12_seconds() -> None:
    """FACTS §3: Rth 120 K/W, Cth 1 J/K from 25 °C: stall to 50 °C in 12.6 s."""
    sim = simulation(robot("R"), {**WEIGHTLESS, "temperature_c": 25.0}, timestep_ms=1.0)
    sim.model.jnt_range[sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
    sim.actuators.write_one("R1.yaw", np.radians(90))
    while sim.actuators.temperature()[0] < 50.0 and sim.now_ns < 20e9:
        sim.advance(100)
    assert sim.now_ns / 1e9 == pytest.approx(12.6, abs=0.3)


def test_one_winding_heats_by_all_that_its_arms_draw() -> None:
    """A support's servo drives three arms.  Where the two weak ones alone press, the winding is as
    hot as their current makes it, and not as cold as the lead arm's share; alike, all are one."""
    sim = simulation("S", {**WEIGHTLESS, "temperature_c": 25.0})
    fractions = sim.actuators._shared[0]
    assert sum(share for _, share in fractions) == pytest.approx(1.0)
    for rises, expected in (((16, 16, 16), 16.0), ((0, 16, 16), 4.0), ((16, 0, 0), 4.0)):
        for (state, _), rise in zip(fractions, rises, strict=True):
            sim.data.act[state] = rise
        assert sim.actuators.temperature()[0] == pytest.approx(25.0 + expected)
        assert sim.actuators.temperature_at(0) == pytest.approx(25.0 + expected)


def test_the_comparator_releases_a_blocked_servo_before_120_milliamperes() -> None:
    """000 §4.1.2: trips at 100 mA, and then the joint gives way."""
    sim = simulation("R", WEIGHTLESS, trip=True)
    sim.model.jnt_range[sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
    place = sim.actuators.place("R1.yaw")
    for degree in np.arange(0, 60, 0.25):
        sim.actuators.write_one("R1.yaw", np.radians(degree))
        sim.advance(20)
    assert sim.actuators.tripped()[place]
    assert MICROTUB.trip is not None
    assert MICROTUB.trip <= sim.actuators.peak()[place] < 0.120
    assert abs(sim.actuators.effort()[place]) < 0.002
    sim.actuators.reset_trip("R1.yaw")
    sim.advance(6)
    assert abs(sim.actuators.effort()[place]) > 0.01


def test_without_the_comparator_nothing_trips() -> None:
    sim = simulation("R", WEIGHTLESS)
    sim.actuators.write_one("R1.yaw", np.radians(90))
    sim.advance(400)
    assert not sim.actuators.tripped().any()


def test_a_released_servo_lets_the_module_hang() -> None:
    held, limp = (simulation("TRP", {"kind": "open-air", "gravity": 0.0}) for _ in range(2))
    for sim, value in ((held, 0.0), (limp, np.nan)):
        sim.actuators.write(np.full(len(sim.actuators), value))
        for body, force in (("T1/front", -0.2), ("R1/middle", 0.4), ("P1/front", -0.2)):
            sim.data.xfrc_applied[sim.model.body(body).id, 1] = force
        sim.advance(400)
    yaw = held.actuators.place("R1.yaw")
    assert abs(held.actuators.position()[yaw]) < np.radians(15)
    assert abs(limp.actuators.position()[yaw]) > np.radians(30)


def test_the_measured_current_lags_by_the_filter_time() -> None:
    sim = simulation("R", WEIGHTLESS)
    sim.model.jnt_range[sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
    sim.actuators.write_one("R1.yaw", np.radians(90))
    sim.advance(round(0.010 / 0.0005) + 3)
    ratio = sim.actuators.filtered()[0] / sim.actuators.current()[0]
    assert ratio == pytest.approx(1 - np.exp(-1), abs=0.06)


def test_a_linear_servo_saturates_at_its_force() -> None:
    """001 eqs 4-5: F = Fmax·clip(e/l0)."""
    sim = simulation("E", WEIGHTLESS)
    mount = sim.robot["E1"].body.mounts[0]
    assert isinstance(mount, LinearMount)
    place = sim.actuators.place("E1.extend")
    sim.model.jnt_range[sim.model.joint("E1/slide").id] = (0.0, 1e-5)
    for error, share in ((mount.proportional_length / 2, 0.5), (0.02, 1.0)):
        sim.actuators.write_one("E1.extend", error)
        sim.advance(100)
        assert sim.actuators.effort()[place] == pytest.approx(share * mount.force_max, rel=0.02)


def test_energy_is_what_a_stalled_motor_burns() -> None:
    sim = simulation("R", WEIGHTLESS)
    sim.model.jnt_range[sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
    sim.actuators.write_one("R1.yaw", np.radians(90))
    sim.advance(2000)
    watts = MICROTUB.voltage * MICROTUB.stall_current
    assert sim.actuators.energy()[0] == pytest.approx(watts, rel=0.02)


def test_a_blocked_drive_heats_its_winding_as_its_current_says() -> None:
    """12 Ω at 0.417 A are 2.08 W: 120 K/W and 1 J/K give 10.0 K in 5 s."""
    capped = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 20}, {"part": "cap"}]}
    sim = simulation("TH", capped, timestep_ms=1.0)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(2000)
    before = sim.actuators.temperature()[0]
    sim.advance(5000)
    assert sim.actuators.current()[0] == pytest.approx(0.417, rel=0.05)
    assert sim.actuators.temperature()[0] - before == pytest.approx(10.0, rel=0.15)


def test_a_released_drive_coasts_to_a_stop() -> None:
    sim = simulation("TH", {"kind": "pipe"})
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(2000)
    sim.actuators.write_one("H1.drive", np.nan)
    sim.advance(2000)
    before = sim.progress()
    sim.advance(2000)
    assert sim.progress() - before < 0.001
