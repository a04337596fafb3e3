"""Exported robots are read by other tools, and are the same robots there."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
import trimesh
from yourdfpy import URDF  # type: ignore[import-untyped]

from annelid.export.mjcf import mjcf
from annelid.export.shapes import write_stl
from annelid.export.urdf import write_urdf
from annelid.physics.simulation import Simulation
from annelid.trial.load import load
from annelid.trial.simulated import simulation_of


def made(scenario: str, **fields: object) -> Simulation:
    given = {name.replace("__", "."): value for name, value in fields.items()}
    return simulation_of(load(scenario, overrides=given))


def plain(sim: Simulation) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """As somebody without Annelid loads it."""
    model = mujoco.MjModel.from_xml_string(mjcf(sim))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data


def test_mjcf_is_the_same_robot_in_the_same_place() -> None:
    sim = made("snake")
    model, data = plain(sim)
    ours = {sim.model.body(k).name: sim.model.body_mass[k] for k in range(sim.model.nbody)}
    for k in range(model.nbody):
        assert model.body_mass[k] == pytest.approx(ours[model.body(k).name], rel=1e-6)
    assert data.body("R1/front").xpos == pytest.approx(sim.placement("R1").at, abs=1e-6)
    assert "Not in this file: dead band" in mjcf(sim)


def test_mjcf_crawls_as_it_does_here() -> None:
    sim = made("snake", physics__timestep_ms=1.0)
    model, data = plain(sim)
    assert model.nuserdata == 0  # nothing of our electronics can act
    places = [sim.actuators.place(model.actuator(k).name) for k in range(model.nu)]
    start = data.qpos[:3].copy()
    begin = sim.centre()
    for tick in range(150):
        phases = np.array([4.0 * tick * 0.02 + 1.26 * (place // 2) for place in places])
        pitch = np.array([place % 2 for place in places])  # yaw, pitch, yaw, pitch …
        wave = 0.8 * np.sin(phases) * pitch
        values = np.zeros(len(places))
        values[places] = wave
        data.ctrl[:] = wave
        sim.actuators.write(values)
        mujoco.mj_step(model, data, 20)
        sim.advance(20)
    there, here = data.qpos[:3] - start, sim.centre() - begin
    assert np.linalg.norm(here) > 0.05
    assert np.linalg.norm(there) == pytest.approx(np.linalg.norm(here), rel=0.3)


def test_mjcf_in_a_pipe_drives_and_stays_inside() -> None:
    parts = [{"part": "straight", "length_mm": 200}]
    gaits = [{"gait": "push"}]
    sim = made("push", robot__chain="TH", world__parts=parts, control__gaits=gaits)
    text = mjcf(sim)
    assert "convex pieces" in text
    model, data = plain(sim)
    before = data.body("T1/front").xpos.copy()
    data.ctrl[model.actuator("H1.drive").id] = 5.0
    mujoco.mj_step(model, data, round(1.5 / model.opt.timestep))
    moved = data.body("T1/front").xpos - before
    assert moved[0] > 0.02
    assert np.abs(moved[1:]).max() < 0.007  # 40 mm bore, 27 mm robot


def test_a_suction_cup_holds_in_plain_mujoco() -> None:
    sim = made("climber-wall")
    for level, falls in ((1.0, False), (0.0, True)):
        model, data = plain(sim)
        for k in range(model.nu):
            if model.actuator(k).name.endswith(".cup"):
                data.ctrl[k] = level
        before = float(data.qpos[2])  # of the body's free joint
        mujoco.mj_step(model, data, 400)
        assert (before - float(data.qpos[2]) > 0.1) is falls


@pytest.mark.parametrize("scenario", ["snake", "push", "climber", "walker", "inchworm"])
def test_urdf_has_the_masses_limits_and_places(scenario: str, tmp_path: Path) -> None:
    sim = made(scenario)
    read = URDF.load(str(write_urdf(sim, tmp_path / "robot.urdf")))
    total = sum(link.inertial.mass for link in read.link_map.values())
    assert total == pytest.approx(sim.mass, rel=1e-6)
    limited = 0
    for k in range(sim.model.njnt):
        joint = sim.model.joint(k)
        if joint.type[0] == mujoco.mjtJoint.mjJNT_FREE:
            continue
        found = read.joint_map[joint.name.replace("/", "_")]
        if sim.model.jnt_limited[k]:
            limited += 1
            assert (found.limit.lower, found.limit.upper) == pytest.approx(tuple(joint.range))
    assert limited > 0
    _same_places(sim, read)


def _same_places(sim: Simulation, read: URDF) -> None:
    """Bodies stand to each other as in the engine, with every joint turned."""
    model, data = sim.model, mujoco.MjData(sim.model)
    values = {}
    draw = np.random.default_rng(3)
    for k in range(model.njnt):
        joint = model.joint(k)
        if joint.type[0] == mujoco.mjtJoint.mjJNT_FREE:
            continue
        value = float(draw.uniform(0.1, 0.9))
        if model.jnt_limited[k]:
            low, high = joint.range
            value = float(low + value * (high - low))
        data.qpos[joint.qposadr[0]] = value
        values[joint.name.replace("/", "_")] = value
    for child, parent in _mimics(read).items():
        data.qpos[model.joint(_engine(model, child)).qposadr[0]] = values[parent]
        values.pop(child)
    data.qpos[3] = 1.0
    mujoco.mj_kinematics(model, data)
    read.update_cfg(values)
    root = read.base_link
    for k in range(1, model.nbody):
        name = model.body(k).name.replace("/", "_")
        there = read.get_transform(name, root)
        turn = data.xmat[k].reshape(3, 3)
        joint = int(model.body_jntadr[k])
        free = joint < 0 or model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
        shift = np.zeros(3) if free else model.jnt_pos[joint]
        base = next(b for b in range(1, model.nbody) if not model.body_parentid[b])
        seen = data.xmat[base].reshape(3, 3).T @ (data.xpos[k] + turn @ shift - data.xpos[base])
        assert there[:3, 3] == pytest.approx(seen, abs=1e-6), name


def _mimics(read: URDF) -> dict[str, str]:
    return {j.name: j.mimic.joint for j in read.joint_map.values() if j.mimic is not None}


def _engine(model: mujoco.MjModel, name: str) -> str:
    names = [model.joint(k).name for k in range(model.njnt)]
    return str(next(each for each in names if each.replace("/", "_") == name))


def test_stl_has_each_kind_of_module_in_millimetres(tmp_path: Path) -> None:
    out = write_stl(made("push"), tmp_path / "stl")
    assert {path.stem for path in out.iterdir()} == {"T1", "R1", "H1", "V1", "P1"}
    module = trimesh.load(out / "R1.stl")
    assert module.extents[0] == pytest.approx(34, abs=6)
    assert module.extents[1] == pytest.approx(27, abs=4)
