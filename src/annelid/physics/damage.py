"""Damage while the robot runs: servos jam or weaken, cups leak, sensors die; all can be mended.

A *stuck* servo is a jammed gear: its joints are held where they are, whatever is commanded, and
the motor stalls against them, so that it draws its current, heats and trips as a real one does.
A *weak* servo gives a fraction of its torque at every error, a *short* one is stopped by its gear
before its end, a *limp* one gives way whatever is
commanded.  A *leaky* cup loses its vacuum to a
torn lip or a porous surface although its impeller runs.  All of it is written into the compiled
model, at no cost per step, and kept by name, so that a robot that is cut or joined (and compiled
anew) stays as damaged as it was.  Broken sensors are kept here for the same reason;
``broken_sensors.py`` says what they read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import mujoco
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.physics import suction
from annelid.physics.broken_sensors import BrokenSensor, DeadCamera
from annelid.robot.body import DriveMount

if TYPE_CHECKING:
    from annelid.physics.build import Plan
    from annelid.physics.motors import Motor
    from annelid.physics.simulation import Simulation

Harm = Literal["stuck", "weak", "short", "limp"]

RESISTANCE, STIFFNESS, VOLTAGE = 0, 4, 7
"""Places in the engine's ``gainprm`` of a dcmotor."""

JAM = 100.0
"""Dry friction of a jammed gear, N·m or N: more than any servo can overcome."""

JAM_SOLREF, JAM_SOLIMP = (0.002, 1.0), (0.99, 0.999, 0.001, 0.5, 2.0)
"""Friction takes the blow and a stop of no width the load, both this hard: a stalled servo moves
the joint by 0.05° at 0.5 and 1 ms, 0.11° at 2 ms; with the stop alone by 0.7°, 1.6° and 7°."""


@dataclass
class Damage:
    """What is broken in one simulation, by motor name (``R1.yaw``)."""

    stuck: dict[str, dict[str, float]] = field(default_factory=dict)
    """Per motor: its joints and where they jammed, rad or m."""
    weak: dict[str, float] = field(default_factory=dict)
    """Per motor: what is left of its torque, 1 being all."""
    short: dict[str, float] = field(default_factory=dict)
    """Per motor: what is left of its range, 1 being all."""
    limp: set[str] = field(default_factory=set)
    """Motors that give way."""
    leaks: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Per cup (``L1.cup``): the vacuum it still keeps, 1 being all, and how fast a full one goes,
    s."""
    sensors: dict[str, BrokenSensor] = field(default_factory=dict)
    """Per channel (``R1.accelerometer.x``)."""
    cameras: dict[str, DeadCamera] = field(default_factory=dict)
    supply: float = 1.0
    """What the supply gives of the servos' voltage; it weakens all motors alike."""
    _healthy: _Healthy | None = None

    def reapply(self, plan: Plan) -> None:
        """After a recompilation: the new model is healthy and must not be."""
        self._healthy = None
        if self.stuck or self.weak or self.short or self.supply != 1.0:
            self.apply(plan, plan.motors)
        for number, cup in enumerate(plan.cups):
            if cup.name in self.leaks:
                self.tear(plan, number)

    def tear(self, plan: Plan, cup: int) -> None:
        """Write the state of a cup into the model."""
        holds, falls_s = self.leaks.get(plan.cups[cup].name, (1.0, 1.0))
        suction.leak(plan.model, cup, len(plan.cups), holds=holds, falls_s=falls_s)

    def apply(self, plan: Plan, motors: Iterable[Motor]) -> None:
        """Write the state of ``motors`` into the model, starting from the healthy one."""
        if self._healthy is None:
            self._healthy = _Healthy.of(plan.model)
        for motor in motors:
            self._healthy.restore(plan.model, motor)
            factor = self.weak.get(motor.name, 1.0) * self.supply
            if factor != 1.0:
                _weaken(plan.model, motor, factor)
            if motor.name in self.short:
                _shorten(plan.model, motor, self.short[motor.name])
            for joint, place in self.stuck.get(motor.name, {}).items():
                _jam(plan.model, joint, place)


def stick(sim: Simulation, actuator: str) -> None:
    """Jam a servo where it is."""
    motor = _motor(sim, actuator)
    sim.damage.stuck[actuator] = {
        fraction.joint: float(sim.data.joint(fraction.joint).qpos[0])
        for fraction in motor.fractions
    }
    sim.damage.apply(sim.plan, [motor])


def weaken(sim: Simulation, actuator: str, factor: float) -> None:
    """Leave a servo ``factor`` of its torque.

    A servo with a winding gets that fraction of its voltage (so it is slower as well), a drive
    the higher resistance that gives it (its speed without load stays).  A drive that stands is held
    by its gear, not by its motor, and holds as before.
    """
    if not 0 < factor <= 1:
        raise InputError(f"{actuator}: torque factor: expected above 0, up to 1, got {factor!r}")
    motor = _motor(sim, actuator)
    sim.damage.weak[actuator] = factor
    sim.damage.apply(sim.plan, [motor])


def shorten(sim: Simulation, actuator: str, share: float) -> None:
    """Leave a servo ``share`` of its range, on both sides of where it stands straight."""
    if not 0 < share <= 1:
        raise InputError(f"{actuator}: share of its range: expected above 0, up to 1, got {share}")
    require_range(sim, actuator)
    sim.damage.short[actuator] = share
    sim.damage.apply(sim.plan, [_motor(sim, actuator)])


def require_range(sim: Simulation, actuator: str) -> None:
    """Refuse a drive, which turns round and round."""
    if isinstance(_motor(sim, actuator).mount, DriveMount):
        raise InputError(f"{actuator}: a drive has no range that it could keep a part of")


def let_go(sim: Simulation, actuator: str) -> None:
    """Let a servo give way, whatever it is commanded."""
    sim.actuators.place(actuator)
    sim.damage.limp.add(actuator)
    sim.actuators.let_go(sim.damage.limp)


def heal(sim: Simulation, actuator: str, harm: Harm | None = None) -> None:
    """Mend one kind of damage of a servo, or all of it."""
    motor = _motor(sim, actuator)
    if harm in (None, "stuck"):
        sim.damage.stuck.pop(actuator, None)
    if harm in (None, "weak"):
        sim.damage.weak.pop(actuator, None)
    if harm in (None, "short"):
        sim.damage.short.pop(actuator, None)
    if harm in (None, "limp"):
        sim.damage.limp.discard(actuator)
        sim.actuators.let_go(sim.damage.limp)
    sim.damage.apply(sim.plan, [motor])


def leak(sim: Simulation, cup: str, *, holds: float, falls_s: float) -> None:
    """Let a cup keep no more than ``holds`` of its vacuum, falling as fast as a full one is gone
    in ``falls_s``."""
    if not 0 <= holds < 1 or falls_s <= 0:
        raise InputError(
            f"{cup}: expected to hold 0 to less than 1 of a vacuum that falls in more than 0 s, "
            f"got {holds!r} and {falls_s!r}"
        )
    place = sim.cups.place(cup)
    sim.damage.leaks[cup] = (holds, falls_s)
    sim.damage.tear(sim.plan, place)


def seal(sim: Simulation, cup: str) -> None:
    """Mend a leak."""
    place = sim.cups.place(cup)
    sim.damage.leaks.pop(cup, None)
    sim.damage.tear(sim.plan, place)


def starve(sim: Simulation, factor: float) -> None:
    """Let the supply give all motors ``factor`` of their voltage (a rail that sags)."""
    if not 0 < factor <= 1:
        raise InputError(f"supply: expected above 0, up to 1, got {factor!r}")
    if factor != sim.damage.supply:
        sim.damage.supply = factor
        sim.damage.apply(sim.plan, sim.plan.motors)


def _motor(sim: Simulation, actuator: str) -> Motor:
    return sim.plan.motors[sim.actuators.place(actuator)]


def _jam(model: mujoco.MjModel, name: str, place: float) -> None:
    joint = model.joint(name).id
    dof = model.jnt_dofadr[joint]
    model.jnt_limited[joint] = True
    model.jnt_range[joint] = place
    model.jnt_solref[joint] = model.dof_solref[dof] = JAM_SOLREF
    model.jnt_solimp[joint] = model.dof_solimp[dof] = JAM_SOLIMP
    model.dof_frictionloss[dof] = JAM


def _shorten(model: mujoco.MjModel, motor: Motor, share: float) -> None:
    """Its joints stop at a part of their range; a joint that is beyond is pushed back there."""
    for fraction in motor.fractions:
        joint = model.joint(fraction.joint).id
        model.jnt_range[joint] *= share
        model.jnt_solref[joint] = JAM_SOLREF


def _weaken(model: mujoco.MjModel, motor: Motor, factor: float) -> None:
    for name in (fraction.actuator for fraction in motor.fractions):
        number = model.actuator(name).id
        gain = model.actuator_gainprm[number]
        if isinstance(motor.mount, DriveMount):
            gain[RESISTANCE] /= factor
        elif model.actuator_gaintype[number] == mujoco.mjtGain.mjGAIN_DCMOTOR:
            gain[STIFFNESS] *= factor
            gain[VOLTAGE] *= factor
        else:
            gain[0] *= factor
            model.actuator_biasprm[number, 1] *= factor
            model.actuator_forcerange[number] *= factor


@dataclass(frozen=True)
class _Healthy:
    """The model's numbers before anything broke."""

    joints: Mapping[str, NDArray[Any]]
    dofs: Mapping[str, NDArray[Any]]
    actuators: Mapping[str, NDArray[Any]]

    @classmethod
    def of(cls, model: mujoco.MjModel) -> _Healthy:
        def kept(*fields: str) -> dict[str, NDArray[Any]]:
            return {field: getattr(model, field).copy() for field in fields}

        return cls(
            kept("jnt_limited", "jnt_range", "jnt_solref", "jnt_solimp"),
            kept("dof_frictionloss", "dof_solref", "dof_solimp"),
            kept("actuator_gainprm", "actuator_biasprm", "actuator_forcerange"),
        )

    def restore(self, model: mujoco.MjModel, motor: Motor) -> None:
        joints = [model.joint(fraction.joint).id for fraction in motor.fractions]
        actuators = [model.actuator(fraction.actuator).id for fraction in motor.fractions]
        for fields, rows in (
            (self.joints, joints),
            (self.dofs, model.jnt_dofadr[joints]),
            (self.actuators, actuators),
        ):
            for name, healthy in fields.items():
                getattr(model, name)[rows] = healthy[rows]
