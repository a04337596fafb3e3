"""Servos that jam and weaken, and are mended."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.rigs import STRAIGHT, WEIGHTLESS, simulation

from annelid.errors import InputError, UnknownName
from annelid.physics import damage
from annelid.physics.simulation import Simulation

MOVED = np.radians(40)


def angle(sim: Simulation, name: str = "R1.yaw") -> float:
    return sim.actuators.position_at(sim.actuators.place(name))


def moved(sim: Simulation) -> Simulation:
    sim.actuators.write_one("R1.yaw", MOVED)
    sim.advance(1000)
    return sim


@pytest.mark.parametrize(
    "physics", [{}, {"timestep_ms": 1.0}, {"servo": "quasi-static", "timestep_ms": 2.0}]
)
def test_a_stuck_servo_stays_where_it_is_and_stalls(physics: dict[str, Any]) -> None:
    sim = moved(simulation("RR", WEIGHTLESS, **physics))
    stuck_at = angle(sim)
    damage.stick(sim, "R1.yaw")
    sim.actuators.write_one("R1.yaw", -MOVED)
    sim.advance(1000)
    assert angle(sim) == pytest.approx(stuck_at, abs=np.radians(0.15))
    assert sim.actuators.current()[sim.actuators.place("R1.yaw")] > 0.3  # A: it tries
    damage.heal(sim, "R1.yaw")
    sim.advance(2000)
    assert angle(sim) == pytest.approx(-MOVED, abs=np.radians(2))


def test_damage_survives_a_cut_and_is_mended_after_it() -> None:
    sim = moved(simulation("RR", WEIGHTLESS))
    damage.stick(sim, "R1.yaw")
    damage.weaken(sim, "R2.yaw", 0.25)
    sim.cut("R1.back", "R2.front")
    sim.actuators.write_one("R1.yaw", -MOVED)
    sim.advance(1000)
    assert angle(sim) == pytest.approx(MOVED, abs=np.radians(3))
    assert sim.model.actuator("R2.yaw").gainprm[damage.VOLTAGE] == pytest.approx(1.25)
    damage.heal(sim, "R1.yaw")
    damage.heal(sim, "R2.yaw")
    sim.advance(1000)
    assert angle(sim) == pytest.approx(-MOVED, abs=np.radians(3))
    assert sim.model.actuator("R2.yaw").gainprm[damage.VOLTAGE] == 5.0


@pytest.mark.parametrize("servo", ["dcmotor", "quasi-static"])
def test_a_weak_servo_stalls_at_its_share_of_the_torque(servo: str) -> None:
    efforts = []
    for factor in (1.0, 0.4):
        sim = simulation("R", WEIGHTLESS, servo=servo)
        sim.model.jnt_range[sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
        damage.weaken(sim, "R1.yaw", factor)
        sim.actuators.write_one("R1.yaw", 1.5)
        sim.advance(200)
        efforts.append(sim.actuators.effort()[0])
    assert efforts[1] / efforts[0] == pytest.approx(0.4, rel=0.01)


def test_a_weak_drive_and_a_weak_linear_servo_push_less() -> None:
    sim = simulation("HE", STRAIGHT)
    before = sim.model.actuator("E1.extend").forcerange[1]
    damage.weaken(sim, "E1.extend", 0.5)
    damage.weaken(sim, "H1.drive", 0.5)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(1)
    healthy = simulation("HE", STRAIGHT)
    healthy.actuators.write_one("H1.drive", 1.0)
    healthy.advance(1)
    ratio = sim.actuators.effort()[0] / healthy.actuators.effort()[0]
    assert ratio == pytest.approx(0.5, rel=0.02)
    assert sim.model.actuator("E1.extend").forcerange[1] == pytest.approx(before / 2)


def test_a_supply_that_sags_weakens_all_and_adds_to_a_weak_servo() -> None:
    sim = simulation("R", WEIGHTLESS)
    damage.weaken(sim, "R1.yaw", 0.5)
    damage.starve(sim, 0.8)
    limits = [sim.model.actuator(name).gainprm[damage.VOLTAGE] for name in sim.actuators.names]
    assert limits == pytest.approx([2.0, 4.0])
    damage.starve(sim, 1.0)
    damage.heal(sim, "R1.yaw", "weak")
    limits = [sim.model.actuator(name).gainprm[damage.VOLTAGE] for name in sim.actuators.names]
    assert limits == [5.0, 5.0]


def test_impossible_damage_is_refused() -> None:
    sim = simulation("R", WEIGHTLESS)
    with pytest.raises(UnknownName, match=r"R1\.pitch, R1\.yaw"):
        damage.stick(sim, "R1.jaw")
    with pytest.raises(InputError, match="above 0"):
        damage.weaken(sim, "R1.yaw", 0.0)
