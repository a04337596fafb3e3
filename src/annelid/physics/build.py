"""Compiles a robot and a world to a MuJoCo model.

``Plan`` is everything that follows from the specs alone and survives a recompilation: splitting or
joining a robot makes a new ``Plan`` and carries the state over by name (``physics/docking.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from annelid.errors import GeometryError, SimulationError
from annelid.physics import electrics, suction, tether
from annelid.physics.frames import Placement
from annelid.physics.motors import Motor, add_motor
from annelid.physics.scene import SOLIMP, add_light, add_scenery, classes, solref
from annelid.physics.settings import Physics
from annelid.physics.skeleton import HIDDEN_GROUP, Skeleton, meets_modules
from annelid.physics.suction import Cup
from annelid.robot.as_built import NOMINAL, AsBuilt
from annelid.robot.body import Accelerometer, Touch
from annelid.robot.robot import Robot
from annelid.worlds.scenery import Scenery
from annelid.worlds.world import World

FITTING_GAP = 0.5e-3
"""A module must be at least this much thinner than the bore, m."""


TOLERANCE = 1e-6
"""Of the solver.  The engine's 1e-8 costs a long chain a tenth more and changes no speed, creep or
depth in the fourth digit.
"""

MANY = 30
"""Pieces of scenery from which the engine's middle phase pays."""

STOP_SOLREF = (0.002, 1.0)
"""Mechanical stops.  With the engine's 20 ms a stalled servo pushes its light joint 65° past a
stop, with this 0.7°.  A harder impedance as well makes the motor chatter against it at 1 ms."""


@dataclass(frozen=True)
class Plan:
    """A compiled model with the names that lead into it."""

    robot: Robot
    world: World
    scenery: Scenery
    physics: Physics
    spec: mujoco.MjSpec
    model: mujoco.MjModel
    motors: tuple[Motor, ...]
    cups: tuple[Cup, ...]
    roots: tuple[str, ...]
    built: AsBuilt = NOMINAL
    """How the robot in the model differs from ``robot``, its design."""


def build(
    robot: Robot,
    world: World,
    physics: Physics,
    *,
    starts: Mapping[str, Placement] | None = None,
    scenery: Scenery | None = None,
    built: AsBuilt = NOMINAL,
    skeletons: type[Skeleton] = Skeleton,
) -> Plan:
    """Compile; ``starts`` places the pieces of a robot that has come apart, ``skeletons`` says how
    bodies are made of modules."""
    _refuse_misfits(robot, world, built)
    real = built.robot(robot)
    scenery = scenery or world.scenery(robot.length)
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    _options(spec, world, physics, many_pieces=len(scenery.solids) + len(scenery.blocks) > MANY)
    add_light(spec)
    add_scenery(spec, scenery, world.surface)
    skeleton = skeletons(
        spec,
        real,
        grip=world.surface.grip,
        classes=classes(scenery),
        self_contact=scenery.self_contact,
    )
    begin = Placement.of(scenery.start.at, scenery.start.turn)
    fresh = {module.name: begin @ Placement.of(module.at) for module in robot.modules}
    skeleton.grow(starts if starts is not None else fresh)
    _exclude_within_modules(spec, robot)
    _lock_wheels(spec, robot)
    motors = tuple(
        add_motor(spec, module, mount, physics, ambient=world.temperature_c)
        for module in real.modules
        for mount in module.body.mounts
    )
    _sense(spec, robot)
    cups = suction.add_cups(spec, robot)
    cable = 0 if world.tether is None else tether.room_needed(scenery)
    electrics.reserve(spec, motors, cups, scenery.patches, cable=cable)
    try:
        model = spec.compile()
    except ValueError as error:
        why = " ".join(str(error).split())
        raise SimulationError(f"the engine refuses the model: {why}") from None
    electrics.fill(model, motors)
    after = electrics.rows_needed(motors) * electrics.COLUMNS + 1
    suction.fill(model, cups, scenery.patches, after=after)
    roots = tuple(skeleton.roots)
    return Plan(robot, world, scenery, physics, spec, model, motors, cups, roots, built)


def _refuse_misfits(robot: Robot, world: World, built: AsBuilt) -> None:
    bore = world.bore
    if bore is None:
        return
    drawn = f" (drawn {100 * (built.bore - 1):+.2f} % off)" if built.drawn else ""
    for module in robot.modules:
        thick = 2 * module.body.radius
        if thick + FITTING_GAP > bore:
            raise GeometryError(
                f"world.bore_mm: the narrowest bore is {bore * 1000:.1f} mm{drawn}, but "
                f"{module.name} ({module.type.title}) is {1000 * thick:.1f} mm thick; it needs at "
                f"least {1000 * (thick + FITTING_GAP):.1f} mm"
            )


def _options(spec: mujoco.MjSpec, world: World, physics: Physics, *, many_pieces: bool) -> None:
    option = spec.option
    option.timestep = physics.timestep_ms / 1000
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = physics.impratio
    option.noslip_iterations = physics.noslip
    # The engine would choose dense below 60 degrees of freedom; a chain is sparse from two modules.
    option.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
    option.gravity = [0, 0, -world.gravity]
    option.tolerance = TOLERANCE
    # Softness is the world's, for robot and scenery.
    spec.default.geom.solref[:] = solref(world.surface)
    spec.default.geom.solimp[:] = SOLIMP
    spec.default.joint.solref_limit[:] = STOP_SOLREF
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    # A robot is one island, and its bodies have few geoms each: sorting either costs more than it
    # saves.  A world of many pieces needs the tree of its boxes.
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND
    if not many_pieces:
        option.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE
    spec.memory = 64 * 2**20


def _exclude_within_modules(spec: mujoco.MjSpec, robot: Robot) -> None:
    """Parts of one module are built to pass each other; parent and child never collide anyway."""
    for module in robot.modules:
        solid = [p for p in module.body.parts if any(meets_modules(g) for g in p.geoms)]
        names = [f"{module.name}/{part.name}" for part in solid]
        for place, first in enumerate(names):
            for second in names[place + 1 :]:
                spec.add_exclude(bodyname1=first, bodyname2=second)


def _lock_wheels(spec: mujoco.MjSpec, robot: Robot) -> None:
    for module in robot.modules:
        for group in module.body.locked:
            for other in group[1:]:
                lock = spec.add_equality(
                    type=mujoco.mjtEq.mjEQ_JOINT,
                    objtype=mujoco.mjtObj.mjOBJ_JOINT,
                    name1=f"{module.name}/{other}",
                    name2=f"{module.name}/{group[0]}",
                )
                lock.data[:5] = [0, 1, 0, 0, 0]


def _sense(spec: mujoco.MjSpec, robot: Robot) -> None:
    """Native sensors for what the engine measures itself; rays and cameras are cast on demand."""
    for module in robot.modules:
        for sensor in module.body.sensors:
            if not isinstance(sensor, Touch | Accelerometer):
                continue
            name = f"{module.name}.{sensor.name}"
            touch = isinstance(sensor, Touch)
            spec.body(f"{module.name}/{sensor.part}").add_site(
                name=name,
                pos=sensor.at,
                type=mujoco.mjtGeom.mjGEOM_BOX,
                size=sensor.zone if isinstance(sensor, Touch) else [0.001] * 3,
                group=HIDDEN_GROUP,
            )
            kind = mujoco.mjtSensor
            spec.add_sensor(
                name=name,
                type=kind.mjSENS_TOUCH if touch else kind.mjSENS_ACCELEROMETER,
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                objname=name,
            )


def name_ids(model: mujoco.MjModel, kind: mujoco.mjtObj, names: list[str]) -> np.ndarray:
    return np.array([mujoco.mj_name2id(model, kind, name) for name in names], dtype=np.int64)
