"""Undocks and docks modules while the simulation runs.

The robot's data changes, the model is compiled anew, and everything that moves is carried over by
name: poses, velocities, joint angles, currents, temperatures, energy.  Ids of the old model are
worthless afterwards, which is why nothing outside ``physics`` holds one.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from annelid.errors import InputError, UnknownName
from annelid.physics import electrics, tether
from annelid.physics.build import Plan, build
from annelid.physics.frames import Placement, rotate
from annelid.physics.skeleton import OPPOSED
from annelid.robot.robot import Joined, Robot

REACH = 0.010
"""Faces this close can dock, m."""

LEAN = np.radians(20.0)
"""Faces that look at each other within this angle can dock, rad."""


def face_of(text: str, robot: Robot) -> tuple[str, str]:
    """``"R1.back"`` as (module, face), checked."""
    module, _, face = text.partition(".")
    faces = [f.name for f in robot[module].body.faces]
    if face not in faces:
        raise UnknownName("face", text, [f"{module}.{name}" for name in faces])
    return module, face


def without(robot: Robot, a: str, b: str) -> Robot:
    """The robot with the dock between two faces cut."""
    ends = {face_of(a, robot), face_of(b, robot)}
    kept = tuple(dock for dock in robot.docks if {dock.a, dock.b} != ends)
    if len(kept) == len(robot.docks):
        docked = [f"{'.'.join(dock.a)}={'.'.join(dock.b)}" for dock in robot.docks]
        raise InputError(f"{a} and {b} are not docked. Docked: {', '.join(docked) or 'nothing'}")
    return replace(robot, docks=kept)


def require_free(robot: Robot, a: str, b: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """Two faces that can be docked, as far as the robot's data tells."""
    first, second = face_of(a, robot), face_of(b, robot)
    for dock in robot.docks:
        for end in (first, second):
            if end in (dock.a, dock.b):
                raise InputError(f"{'.'.join(end)} is already docked")
    if first[0] == second[0]:
        raise InputError(f"{a} and {b} belong to one module")
    return first, second


def with_dock(robot: Robot, a: str, b: str, angle: float) -> Robot:
    """The robot with two free faces docked."""
    first, second = require_free(robot, a, b)
    return replace(robot, docks=(*robot.docks, Joined(first, second, angle)))


def misfit(a: Placement, b: Placement) -> tuple[float, float]:
    """(distance in metres, angle in radians) by which two faces miss each other."""
    facing = -rotate(b.turn, (1, 0, 0))
    lean = float(np.arccos(np.clip(rotate(a.turn, (1, 0, 0)) @ facing, -1.0, 1.0)))
    return float(np.linalg.norm(a.at - b.at)), lean


def roll_between(a: Placement, b: Placement) -> float:
    """The docking angle at which ``b`` stands against ``a``, rad."""
    relative = (a @ OPPOSED).inverse() @ b
    return float(2 * np.arctan2(relative.turn[1], relative.turn[0]))


def rebuilt(plan: Plan, robot: Robot, data: mujoco.MjData) -> tuple[Plan, mujoco.MjData]:
    """A new model of the changed robot, with the state of the old one."""
    old = plan.model
    starts = {}
    for module in robot.modules:
        body = data.body(f"{module.name}/{module.body.parts[0].name}")
        starts[module.name] = Placement(body.xpos.copy(), body.xquat.copy())
    fresh = build(
        robot, plan.world, plan.physics, starts=starts, scenery=plan.scenery, built=plan.built
    )
    new = fresh.model
    state = mujoco.MjData(new)
    electrics.begin(new, state)
    state.time = data.time
    for joint in range(new.njnt):
        name = mujoco.mj_id2name(new, mujoco.mjtObj.mjOBJ_JOINT, joint)
        if new.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
            _copy_free(new, state, joint, old, data)
            continue
        source = old.joint(name)
        state.qpos[new.jnt_qposadr[joint]] = data.qpos[source.qposadr[0]]
        state.qvel[new.jnt_dofadr[joint]] = data.qvel[source.dofadr[0]]
    for actuator in range(new.nu):
        name = mujoco.mj_id2name(new, mujoco.mjtObj.mjOBJ_ACTUATOR, actuator)
        source = old.actuator(name).id
        state.ctrl[actuator] = data.ctrl[source]
        count = int(new.actuator_actnum[actuator])
        if count:
            here, there = int(new.actuator_actadr[actuator]), int(old.actuator_actadr[source])
            state.act[here : here + count] = data.act[there : there + count]
    state.userdata[: electrics.HEADER] = data.userdata[: electrics.HEADER]
    state.userdata[1] = new.numeric(electrics.NUMERIC).id
    tether.attach(fresh, state)
    mujoco.mj_forward(new, state)
    # Last, because evaluating the forces has made the electronics take a step.
    order = {motor.name: place for place, motor in enumerate(plan.motors)}
    before = electrics.state(data, len(plan.motors))
    after = electrics.state(state, len(fresh.motors))
    for place, motor in enumerate(fresh.motors):
        after[place] = before[order[motor.name]]
    return fresh, state


def _copy_free(
    new: mujoco.MjModel, state: mujoco.MjData, joint: int, old: mujoco.MjModel, data: mujoco.MjData
) -> None:
    """A root's pose and velocity, from wherever that body was in the old tree."""
    name = mujoco.mj_id2name(new, mujoco.mjtObj.mjOBJ_BODY, int(new.jnt_bodyid[joint]))
    body = old.body(name).id
    at, dof = int(new.jnt_qposadr[joint]), int(new.jnt_dofadr[joint])
    state.qpos[at : at + 3] = data.xpos[body]
    state.qpos[at + 3 : at + 7] = data.xquat[body]
    velocity = np.empty(6)
    kind = mujoco.mjtObj.mjOBJ_XBODY
    mujoco.mj_objectVelocity(old, data, kind, body, velocity, 0)
    state.qvel[dof : dof + 3] = velocity[3:]
    mujoco.mj_objectVelocity(old, data, kind, body, velocity, 1)
    state.qvel[dof + 3 : dof + 6] = velocity[:3]
