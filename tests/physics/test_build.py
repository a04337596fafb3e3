"""The compiled model is the robot that was written down."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest
from tests.rigs import STRAIGHT, WEIGHTLESS, robot, robot_from, simulation

from annelid.boundary.cost import MODULES_MAX
from annelid.errors import GeometryError
from annelid.modules import shelf


@pytest.mark.parametrize("letter", sorted(shelf()))
def test_every_module_weighs_in_the_engine_what_its_file_says(letter: str) -> None:
    module = robot(letter)
    model = simulation(module, WEIGHTLESS).model
    assert model.body_mass.sum() == pytest.approx(module.modules[0].type.mass, rel=1e-9)


def test_the_longest_chain_that_is_allowed_is_built() -> None:
    """Deeper than Python's stack; it ended in a RecursionError."""
    sim = simulation("R" * MODULES_MAX, WEIGHTLESS)
    sim.advance(1)
    assert np.isfinite(sim.data.qpos).all()
    assert len(sim.poses()) == MODULES_MAX


def test_modules_follow_each_other_at_their_lengths() -> None:
    sim = simulation("TRHP", STRAIGHT)
    faces = [sim.face(f"{name}.front").at[0] for name in ("T1", "R1", "H1", "P1")]
    assert np.diff(faces) == pytest.approx([-0.028, -0.034, -0.032], abs=1e-9)


def test_a_servo_carries_the_constants_of_its_datasheet() -> None:
    """001 Table 1: a wrong constant changes the stall torque or the rotor's inertia."""
    sim = simulation("R", WEIGHTLESS)
    dof = sim.model.joint("R1/yaw").dofadr[0]
    assert sim.model.dof_armature[dof] == pytest.approx(7e-7)
    assert sim.model.dof_damping[dof] == pytest.approx(35e-7)
    sim.model.jnt_range[sim.model.joint("R1/yaw").id] = (-0.001, 0.001)
    sim.actuators.write_one("R1.yaw", np.radians(90))
    sim.advance(400)
    effort = abs(sim.actuators.effort()[sim.actuators.place("R1.yaw")])
    assert effort == pytest.approx(0.0583, rel=0.01)
    assert sim.actuators.current()[0] == pytest.approx(0.417, rel=0.01)


@pytest.mark.parametrize("root", [0, 1, 2])
def test_a_robot_has_one_shape_whichever_module_it_is_rooted_at(root: int) -> None:
    """Docked by its back, a module hangs the other way round in the engine's tree; its joints
    keep their sign and the robot keeps its shape."""
    names = ["A", "B", "C"]
    order = names[root:] + names[:root]
    table = {
        "modules": [
            {"type": "R", "name": name, "start": {"yaw": 30, "pitch": -20}} for name in order
        ],
        "docks": [{"a": "A.back", "b": "B.front"}, {"a": "B.back", "b": "C.front"}],
    }
    sim = simulation(robot_from(table), WEIGHTLESS)
    start = sim.face("A.front")
    corners = [(start.inverse() @ sim.face(f"{n}.back")).at for n in names]
    reference = simulation(robot("RRR", R={"start": {"yaw": 30, "pitch": -20}}), WEIGHTLESS)
    begin = reference.face("R1.front")
    expected = [(begin.inverse() @ reference.face(f"R{k}.back")).at for k in (1, 2, 3)]
    assert np.array(corners) == pytest.approx(np.array(expected), abs=1e-9)


def test_a_docking_angle_rolls_the_rest_of_the_chain() -> None:
    sim = simulation(
        robot_from({"modules": [{"type": "R"}, {"type": "R", "angle_deg": 90}]}), WEIGHTLESS
    )
    relative = sim.placement("R1").inverse() @ sim.placement("R2")
    assert np.abs(relative.turn) == pytest.approx([np.sqrt(0.5), np.sqrt(0.5), 0, 0], abs=1e-9)


def test_positive_yaw_turns_the_front_left_and_positive_pitch_raises_it() -> None:
    for joint, axis in (("yaw", 1), ("pitch", 2)):
        sim = simulation(robot("R", R={"start": {joint: 30}}), WEIGHTLESS)
        front = sim.face("R1.back").inverse() @ sim.face("R1.front")
        # The back face looks backwards, so its y is the module's right.
        sideways = -front.at[1] if axis == 1 else front.at[2]
        assert sideways > 0.003


def test_eight_modules_bent_by_45_degrees_close_to_a_ring_that_holds() -> None:
    ring = {
        "modules": [{"type": "R"} for _ in range(8)],
        "docks": [{"a": f"R{k}.back", "b": f"R{k % 8 + 1}.front"} for k in range(1, 9)],
        "each": {"R": {"start": {"pitch": -45}}},
    }
    sim = simulation(robot_from(ring), {"kind": "open-air"})
    sim.advance(1000)
    gap = np.linalg.norm(sim.face("R1.front").at - sim.face("R8.back").at)
    assert gap < 0.2e-3


def test_a_bore_narrower_than_a_module_is_refused_by_name() -> None:
    thick = robot("TP")
    world = {"kind": "pipe", "bore_mm": 36, "parts": [{"part": "straight", "length_mm": 300}]}
    simulation(thick, world)
    fat = thick.modules[1].body.model_copy(update={"radius": 0.0185})
    modules = (thick.modules[0], dataclasses.replace(thick.modules[1], body=fat))
    with pytest.raises(GeometryError, match=r"bore_mm.*36.*P1.*37"):
        simulation(dataclasses.replace(thick, modules=modules), world)


@pytest.mark.realtime
def test_sixty_modules_are_built_within_two_seconds() -> None:
    many = robot("TRRHRRVPNB" * 6)
    begin = time.process_time()
    simulation(many)
    assert time.process_time() - begin < 2.0
