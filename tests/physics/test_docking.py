"""A robot is cut and made whole again while it moves."""

from __future__ import annotations

import numpy as np
import pytest
from tests.rigs import STRAIGHT, WEIGHTLESS, robot_from, simulation

from annelid.errors import InputError, UnknownName


def test_a_cut_changes_nothing_but_the_dock() -> None:
    sim = simulation("TRRHRRP", STRAIGHT, jitter=0.02)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(1000)
    names = [module.name for module in sim.robot.modules]
    places = np.array([sim.placement(name).at for name in names])
    currents, heat = sim.actuators.current(), sim.actuators.temperature()
    sim.cut("R2.back", "H1.front")
    assert np.array([sim.placement(n).at for n in names]) == pytest.approx(places, abs=1e-6)
    assert sim.actuators.current() == pytest.approx(currents)
    assert sim.actuators.temperature() == pytest.approx(heat)
    assert sim.epoch == 1
    assert len(sim.plan.roots) == 2


def test_the_driven_half_goes_on_and_pushes_the_other() -> None:
    sim = simulation("TRRHRRP", STRAIGHT)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(1000)
    sim.cut("R2.back", "H1.front")
    before = sim.placement("H1").at[0]
    sim.advance(2000)
    assert sim.placement("H1").at[0] - before > 0.02


def test_momentum_survives_a_cut_and_a_join() -> None:
    sim = simulation("PPP", WEIGHTLESS)
    sim.data.qvel[:6] = (0.1, 0.05, 0.0, 0.0, 0.0, 0.0)
    sim.advance(10)
    before = sim.centre()
    sim.cut("P1.back", "P2.front")
    sim.advance(200)
    sim.join("P1.back", "P2.front")
    sim.advance(200)
    assert (sim.centre() - before)[:2] == pytest.approx([0.02, 0.01], abs=1e-4)
    assert len(sim.plan.roots) == 1


def test_a_module_can_be_joined_the_other_way_round() -> None:
    """Docked by its back it hangs inverted in the engine's tree, and stays where it is."""
    sim = simulation("RP", WEIGHTLESS)
    sim.cut("R1.back", "P1.front")
    # Turn the passive module about, so that its back meets the rotation module's back.
    joint = sim.model.joint("P1/free").qposadr[0]
    meeting = sim.face("R1.back").at
    sim.data.qpos[joint : joint + 3] = meeting + np.array([-0.030, 0, 0])
    sim.data.qpos[joint + 3 : joint + 7] = (0, 0, 0, 1)
    sim.advance(1)
    front = sim.face("P1.front").at
    sim.join("R1.back", "P1.back")
    assert sim.face("P1.front").at == pytest.approx(front, abs=1e-4)
    sim.advance(100)
    assert sim.face("P1.back").at == pytest.approx(sim.face("R1.back").at, abs=1e-6)


def test_faces_that_are_apart_do_not_dock() -> None:
    sim = simulation("TP", WEIGHTLESS)
    sim.cut("T1.back", "P1.front")
    joint = sim.model.joint("P1/free").qposadr[0]
    sim.data.qpos[joint] -= 0.05
    sim.advance(1)
    with pytest.raises(InputError, match=r"50\.\d mm .* allowed are 10 mm"):
        sim.join("T1.back", "P1.front")


def test_wrong_docks_are_named() -> None:
    sim = simulation("TPP", WEIGHTLESS)
    with pytest.raises(InputError, match=r"not docked.*T1\.back=P1\.front"):
        sim.cut("T1.back", "P2.front")
    with pytest.raises(UnknownName, match="X9"):
        sim.cut("X9.back", "P2.front")
    with pytest.raises(UnknownName, match="side"):
        sim.cut("T1.side", "P2.front")
    with pytest.raises(InputError, match="already docked"):
        sim.join("T1.back", "P2.back")


def test_by_hand_faces_dock_wherever_they_are_and_clear_of_the_ground() -> None:
    table = {
        "modules": [{"type": "C"}, {"type": "C", "at_mm": (0, 300, 0)}],
        "docks": [],
    }
    sim = simulation(robot_from(table), {"kind": "open-air"})
    assert sim.placement("C2").at[1] == pytest.approx(0.3)
    sim.advance(200)
    sim.join("C1.left", "C2.back", angle=0.0)
    assert sim.face("C2.back").at == pytest.approx(sim.face("C1.left").at, abs=1e-6)
    assert sim.robot.pieces() == [["C1", "C2"]]
    sim.cut("C1.left", "C2.back")
    sim.actuators.write_one("C1.pitch", -0.5)  # its nose goes down, and so will what hangs on it
    sim.advance(500)
    sim.join("C2.back", "C1.front", angle=np.pi / 2)
    heights = [sim.placement(name).at[2] for name in ("C1", "C2")]
    assert min(heights) > 0.0
    sim.advance(1000)
    assert np.isfinite(sim.data.qpos).all()
    assert abs(sim.data.qvel).max() < 5.0
