"""A robot in a world: stepped on a time grid, read and written by name.

Time is whole nanoseconds and moves only forward; ``advance_to`` makes as many steps as fit before
the moment asked for, in as few calls of the engine as commands allow.  Everything that samples the
physics therefore samples the same grid; a program that only writes need not wait for it
(``command``).
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError, SimulationError, UnknownName
from annelid.kernel import RandomStreams, to_seconds
from annelid.physics import docking, electrics, pipe_contact, suction, tether
from annelid.physics.actuators import Actuators
from annelid.physics.build import Plan, build, name_ids
from annelid.physics.compiling import watched
from annelid.physics.damage import Damage
from annelid.physics.frames import Placement, about, rotate, tilt
from annelid.physics.sensors import Sensors
from annelid.physics.settings import Physics
from annelid.physics.start import press_in_wheels, put_down
from annelid.physics.wall import PipeWall
from annelid.robot.as_built import NOMINAL, AsBuilt
from annelid.robot.robot import Robot
from annelid.worlds.world import World

Floats = NDArray[np.float64]

FREE = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""Parts of a free joint's place, as the engine orders them."""

LIFTS, SUNK, STEEP = 200, 0.0005, 0.2
"""How often a start is raised out of the ground, how deep it may stand in it (m), and how much a
contact may push down before we are inside something."""


class Simulation:
    """Built from specs; the same specs and seed give the same run bit for bit."""

    def __init__(
        self,
        robot: Robot,
        world: World,
        physics: Physics | None = None,
        *,
        seed: int = 0,
        jitter: float = 0.0,
        built: AsBuilt = NOMINAL,
    ) -> None:
        """``jitter``: standard deviation of the first joint angles (rad), so that no run is
        balanced on an edge that no real robot would stay on.  ``built``: how this robot, and the
        piece of world it is in, differ from their design; one that was drawn has its own start, and
        needs no jitter."""
        watched()
        electrics.install()
        pipe_contact.install()
        # The engine would print and write a log file; what matters becomes a SimulationError.
        mujoco.set_mju_user_warning(_hush)
        self.streams = RandomStreams(seed)
        self.epoch = 0
        """Counts recompilations: a handle made in another epoch is stale."""
        self.steps = 0
        self._coming: list[tuple[int, int, float]] = []
        """Commands of steps that have not been made: (step, place of the motor, value)."""
        self.damage = Damage()
        self.redocked: list[Callable[[], None]] = []
        """Called after every cut and join: wires run through the docks."""
        if built.drawn:
            world = world.as_built(bore=built.bore, friction=built.ground)
        plan = build(robot, world, physics or Physics(), built=built)
        self.step_ns = plan.physics.step_ns
        self.wall = PipeWall(plan.scenery.tubes)
        """Of the pipes, as tools have left it."""
        data = mujoco.MjData(plan.model)
        electrics.begin(plan.model, data)
        suction.begin(plan, data)
        self._adopt(plan, data)
        self._start(jitter)

    @property
    def undamaged(self) -> bool:
        """Whether nothing has been broken, or all of it mended."""
        return self.damage == Damage()

    def restart(self, *, seed: int, jitter: float = 0.0) -> None:
        """Begin again as if built with this seed, without compiling: a search does it thousands of
        times.  Not after a cut, a join or damage, which change the model, and not with a robot that
        was drawn: another seed is another one."""
        if self.epoch or not self.undamaged:
            raise InputError("this model has been changed and cannot begin again; build another")
        if self.built.drawn:
            raise InputError("this robot was drawn, and another seed is another one; build it")
        self.streams = RandomStreams(seed)
        self.steps = 0
        self._coming.clear()
        mujoco.mj_resetData(self.model, self.data)
        electrics.begin(self.model, self.data)
        suction.begin(self.plan, self.data)
        self.wall = PipeWall(self.plan.scenery.tubes)
        self._adopt(self.plan, self.data)
        self._start(jitter)

    def _start(self, jitter: float) -> None:
        mujoco.mj_kinematics(self.model, self.data)
        rolled = Placement.of(turn=about((1.0, 0.0, 0.0), self.robot.roll))
        begin = {piece[0]: self.placement(piece[0]) @ rolled for piece in self.robot.pieces()}
        self._pose()
        press_in_wheels(self.plan, self.data)
        if self.built.drawn:
            put_down(self.plan, self.data, begin)
        elif jitter:
            self._shake(jitter, begin)
        for first, place in begin.items():
            self.put(first, place)
        if self.world.bore is None:
            for root in self.plan.roots:
                self._lift_clear(root.split("/")[0])
        mujoco.mj_forward(self.model, self.data)
        tether.attach(self.plan, self.data)
        self.actuators.hold()

    def _adopt(self, plan: Plan, data: mujoco.MjData) -> None:
        pipe_contact.require_installed(plan.model)
        self.plan, self.model, self.data = plan, plan.model, data
        self._where, self._unstable = data.qpos, data.warning[mujoco.mjtWarning.mjWARN_BADQACC]
        """Looked at after every advance, so looked up once."""
        self.actuators = Actuators(plan, data)
        self.cups = suction.Cups(plan, data)
        self.sensors = Sensors(
            plan,
            data,
            self.streams,
            lambda: self.steps,
            damage=self.damage,
            wall=self.wall,
        )
        firsts = [f"{m.name}/{m.body.parts[0].name}" for m in plan.robot.modules]
        self._firsts = name_ids(plan.model, mujoco.mjtObj.mjOBJ_BODY, firsts)
        self._head_at, self._head_turn = data.xpos[self._firsts[0]], data.xquat[self._firsts[0]]

    def _pose(self) -> None:
        """Joints that do not begin at 0."""
        for module in self.robot.modules:
            for name, value in module.type.start.items():
                slide = module.body.joint(name).kind == "slide"
                address = self.model.joint(f"{module.name}/{name}").qposadr[0]
                self.data.qpos[address] = value / 1000 if slide else np.radians(value)

    def _lift_clear(self, module: str) -> None:
        """Raise the piece of a module until it no longer stands in the ground; not inside a tube,
        where sprung wheels begin in the wall on all sides."""
        first = f"{module}/{self.robot[module].body.parts[0].name}"
        root = self.model.body_rootid[self.model.body(first).id]
        address = self.model.jnt_qposadr[self.model.body_jntadr[root]]
        up = self._upwards()
        for _ in range(LIFTS):
            mujoco.mj_fwdPosition(self.model, self.data)
            contact = self.data.contact
            roots = self.model.body_rootid[self.model.geom_bodyid[contact.geom]]
            fixed = roots == 0
            # The normal points from the first geom to the second; away from the world is out.
            lift = contact.frame[:, :3] @ up * np.where(fixed[:, 0], 1.0, -1.0)
            ours = fixed.any(axis=1) & (roots == root).any(axis=1)
            deep = ours & (contact.dist < -SUNK)
            if not deep.any() or (lift[deep] < -STEEP).any():
                return
            self.data.qpos[address : address + 3] -= contact.dist[deep].min() * up

    def _upwards(self) -> Floats:
        """Away from what the robot stands on: its own up at the start."""
        return rotate(np.asarray(self.plan.scenery.start.turn), (0, 0, 1))

    def _shake(self, jitter: float, begin: dict[str, Placement]) -> None:
        """Turn joints and the pieces' first modules (``begin``) by chance."""
        draw = self.streams["physics/start"]
        for motor in self.plan.motors:
            for fraction in motor.fractions:
                joint = self.model.joint(fraction.joint)
                if joint.type[0] == mujoco.mjtJoint.mjJNT_HINGE and joint.range[1] > 0:
                    self.data.qpos[joint.qposadr[0]] += draw.normal(0.0, jitter)
        for place in begin.values():
            lean = draw.normal(0.0, jitter, 3) * (1.0, 0.2, 0.2)
            mujoco.mju_quatIntegrate(place.turn, lean, 1.0)

    @property
    def robot(self) -> Robot:
        return self.plan.robot

    @property
    def world(self) -> World:
        return self.plan.world

    @property
    def built(self) -> AsBuilt:
        return self.plan.built

    @property
    def mass(self) -> float:
        """Of the robot as it was built, kg."""
        return self.built.mass(self.robot)

    @property
    def now_ns(self) -> int:
        return self.steps * self.step_ns

    def advance(self, steps: int) -> None:
        """Make ``steps`` physics steps in one call."""
        if steps < 0:
            raise InputError(f"time moves forward only; asked for {steps} steps")
        if not steps:
            return
        if self._coming:
            steps = self._make_commanded(self.steps + steps)
        mujoco.mj_step(self.model, self.data, steps)
        self.steps += steps
        where = self._where
        if not isfinite(where @ where) or self._unstable.number:
            raise SimulationError(
                f"the simulation became unstable near {to_seconds(self.now_ns):.3f} s; a smaller "
                "physics.timestep_ms or gentler commands may help"
            )

    def advance_to(self, time_ns: int) -> None:
        """Step to the last grid point not after ``time_ns``."""
        self.advance(time_ns // self.step_ns - self.steps)

    def command(self, step: int, place: int, value: float) -> None:
        """Command one motor from grid step ``step`` on, which may not have been made yet: modules
        that only command their servos, each at its own moment, do not stop the engine for it.
        Steps of successive commands do not fall."""
        if step <= self.steps:
            self.actuators.write_at(place, value)
        else:
            self._coming.append((step, place, value))

    def _make_commanded(self, end: int) -> int:
        """Up to the last command before ``end``, or at it; how many steps are left."""
        coming, write_at = self._coming, self.actuators.write_at
        done = 0
        for step, place, value in coming:
            if step > end:
                break
            if step > self.steps:
                mujoco.mj_step(self.model, self.data, step - self.steps)
                self.steps = step
            write_at(place, value)
            done += 1
        del coming[:done]
        return end - self.steps

    def cut(self, a: str, b: str) -> None:
        """Undock two faces (``cut("R1.back", "R2.front")``); both pieces go on as they were."""
        self._recompile(docking.without(self.robot, a, b))

    def join(self, a: str, b: str, *, angle: float | None = None) -> None:
        """Dock two free faces that have come together; the gap between them is closed.

        With an ``angle`` (rad) somebody docks them by hand, wherever they are: the piece that
        stands later in the robot's list is brought, and both are held clear of the ground.
        """
        docking.require_free(self.robot, a, b)
        if angle is not None:
            self._recompile(docking.with_dock(self.robot, a, b, angle))
            if self.world.bore is None:
                self._lift_clear(a.partition(".")[0])
                mujoco.mj_forward(self.model, self.data)
            return
        first, second = self.face(a), self.face(b)
        gap, lean = docking.misfit(first, second)
        if gap > docking.REACH or lean > docking.LEAN:
            raise InputError(
                f"{a} and {b} cannot dock: {gap * 1000:.1f} mm and {np.degrees(lean):.0f}° apart, "
                f"allowed are {docking.REACH * 1000:.0f} mm and {np.degrees(docking.LEAN):.0f}°"
            )
        angle = docking.roll_between(first, second)
        self._recompile(docking.with_dock(self.robot, a, b, angle))

    def _recompile(self, robot: Robot) -> None:
        before = self.actuators
        plan, data = docking.rebuilt(self.plan, robot, self.data)
        self.epoch += 1
        self._adopt(plan, data)
        self.damage.reapply(plan)
        self.actuators.take_over(before)
        place = self.actuators.place
        self._coming = [(step, place(before.names[k]), value) for step, k, value in self._coming]
        for tell in self.redocked:
            tell()

    def placement(self, module: str) -> Placement:
        """Where a module's first part is."""
        body = self.data.body(f"{module}/{self.robot[module].body.parts[0].name}")
        return Placement(body.xpos.copy(), body.xquat.copy())

    def put(self, module: str, place: Placement) -> None:
        """Move the piece of a module as a whole, so that the module stands at ``place``; call
        ``mj_forward`` afterwards.  A piece is rooted in its middle, whichever module is given."""
        mujoco.mj_kinematics(self.model, self.data)
        first = self.model.body(f"{module}/{self.robot[module].body.parts[0].name}").id
        root = self.model.body_rootid[first]
        body = self.data.body(root)
        moved = place @ self.placement(module).inverse() @ Placement(body.xpos, body.xquat)
        address = self.model.jnt_qposadr[self.model.body_jntadr[root]]
        self.data.qpos[address : address + 3] = moved.at
        self.data.qpos[address + 3 : address + 7] = moved.turn

    def poses(self) -> Floats:
        """Where the first part of every module is: a row x y z qw qx qy qz each."""
        return np.concatenate((self.data.xpos[self._firsts], self.data.xquat[self._firsts]), axis=1)

    def face(self, face: str) -> Placement:
        """Where a face (``R1.back``) is, its x pointing outwards."""
        site = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_SITE, face)
        if site < 0:
            raise UnknownName("face", face, self._faces())
        turn = np.empty(4)
        mujoco.mju_mat2Quat(turn, self.data.site_xmat[site])
        return Placement(self.data.site_xpos[site].copy(), turn)

    def _faces(self) -> list[str]:
        return [f"{m.name}.{face.name}" for m in self.robot.modules for face in m.body.faces]

    def head(self) -> Floats:
        """The front of the first module, m."""
        at: Floats = self._head_at.copy()
        return at

    def head_pose(self) -> tuple[list[float], list[float]]:
        """Where it is, and how it is turned (w x y z), as plain numbers: asked at every tick."""
        return self._head_at.tolist(), self._head_turn.tolist()

    def centre(self) -> Floats:
        """Centre of mass of the whole robot, m."""
        masses = self.model.body_mass
        centre: Floats = masses @ self.data.xipos / masses.sum()
        return centre

    def coordinates(self) -> list[str]:
        """A name for each number of the state: ``R1/yaw``, ``R3/free.x`` of a piece's root."""
        names: list[str] = []
        for number in range(self.model.njnt):
            joint = self.model.joint(number)
            free = joint.type[0] == mujoco.mjtJoint.mjJNT_FREE
            names += [f"{joint.name}.{part}" for part in FREE] if free else [joint.name]
        return names

    def progress(self) -> float:
        """How far along the world's way the head is, m."""
        x, y, z = self.head().tolist()
        return self.world.progress((x, y, z))

    def tilt(self, module: str) -> float:
        """How far a module leans from upright, rad."""
        return tilt(self.placement(module).turn)


def _hush(_message: str) -> None:
    return
