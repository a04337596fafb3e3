"""Turns servo mounts into engine actuators, and into the table of the servo electronics.

A servo is the engine's ``dcmotor``.  Its on-board controller compensates back-EMF, which the servo
of 001 does not: a derivative gain ``K²/R`` cancels that (LAB).  A mount that moves several joints
is split into parallel fractions of the motor, one actuator each; currents add up per mount.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import mujoco

from annelid.errors import SpecError
from annelid.physics.settings import Physics
from annelid.robot.body import DriveMount, LinearMount, Mount, ServoMount
from annelid.robot.robot import Placed
from annelid.robot.servo import Servo

POSITION_INPUT, VOLTAGE_INPUT = 1, 8
"""mjtCtrlInput bits of a dcmotor."""

_NO_TRIP = 1e9


@dataclass(frozen=True)
class Fraction:
    """One actuator of a mount, as the electronics see it."""

    actuator: str
    joint: str
    share: float
    gear: float


@dataclass(frozen=True)
class Brake:
    """Dry friction on a drive's wheels while it stands: a worm or a helix does not run backwards.

    It is a constraint, not a damper: the contact solver sees it, so that it neither creeps nor
    throws a rolling chain back, whatever the timestep.
    """

    tendon: str
    torque: float
    """Most that it holds, N·m."""


@dataclass(frozen=True)
class Motor:
    """One mount in the model: what is commanded and measured as one thing."""

    name: str
    """``module.mount``"""
    mount: Mount
    fractions: tuple[Fraction, ...]
    brake: Brake | None = None
    """What holds a drive at level 0."""
    filter_factor: float = 0.0
    trip: float = _NO_TRIP

    @property
    def voltage(self) -> float:
        return (
            self.mount.servo.voltage if isinstance(self.mount, ServoMount) else self.mount.voltage
        )


def add_motor(
    spec: mujoco.MjSpec, module: Placed, mount: Mount, physics: Physics, *, ambient: float
) -> Motor:
    """Add the actuators of one mount."""
    name = f"{module.name}.{mount.name}"
    match mount:
        case ServoMount():
            return _servo(spec, module.name, name, mount, physics, ambient)
        case LinearMount():
            return _linear(spec, module.name, name, mount, physics)
        case DriveMount():
            return _drive(spec, module.name, name, mount, physics, ambient)


def _actuator(spec: mujoco.MjSpec, name: str, joint: str, gear: float) -> mujoco.MjsActuator:
    return spec.add_actuator(
        name=name,
        target=joint,
        trntype=mujoco.mjtTrn.mjTRN_JOINT,
        gear=[gear, 0, 0, 0, 0, 0],
    )


def _servo(
    spec: mujoco.MjSpec, module: str, name: str, mount: ServoMount, physics: Physics, ambient: float
) -> Motor:
    servo = mount.servo
    fractions = []
    for place, (joint, share) in enumerate(zip(mount.joints, mount.shares, strict=True)):
        whole = len(mount.joints) == 1
        actuator = _actuator(
            spec, name if whole else f"{name}/{place}", f"{module}/{joint}", mount.gear
        )
        engine_joint = spec.joint(f"{module}/{joint}")
        engine_joint.armature += servo.inertia * share * mount.gear**2
        damping = servo.friction * share * mount.gear**2
        if physics.servo == "dcmotor":
            _dcmotor(actuator, servo, share, ambient)
        else:
            actuator.set_to_position(kp=servo.stiffness * share)
            limit = servo.stall_torque * share
            actuator.forcelimited = True
            actuator.forcerange = [-limit, limit]
            damping += servo.motor_constant**2 / servo.resistance * share * mount.gear**2
        joint_damping = list(engine_joint.damping)
        joint_damping[0] += damping
        engine_joint.damping = joint_damping
        fractions.append(Fraction(actuator.name, f"{module}/{joint}", share, mount.gear))
    return Motor(
        name,
        mount,
        tuple(fractions),
        filter_factor=1 - exp(-physics.timestep_ms / 1000 / servo.filter_time),
        trip=servo.trip if physics.trip and servo.trip is not None else _NO_TRIP,
    )


def _dcmotor(actuator: mujoco.MjsActuator, servo: Servo, share: float, ambient: float) -> None:
    constant, resistance = servo.motor_constant, servo.resistance / share
    actuator.set_to_dcmotor(
        motorconst=[constant, constant],
        resistance=resistance,
        inductance=[servo.inductance / share, 0],
        controller=[
            servo.gain * constant / resistance,
            0,
            constant**2 / resistance,
            servo.slew,
            0,
            servo.voltage,
        ],
        thermal=[
            servo.thermal_resistance / share,
            servo.thermal_capacity * share,
            0,
            0,
            ambient,
            ambient,
        ],
        ctrlspec=POSITION_INPUT,
    )


def _linear(
    spec: mujoco.MjSpec, module: str, name: str, mount: LinearMount, physics: Physics
) -> Motor:
    joint = f"{module}/{mount.joint}"
    actuator = _actuator(spec, name, joint, 1.0)
    actuator.set_to_position(kp=mount.force_max / mount.proportional_length)
    actuator.forcelimited = True
    actuator.forcerange = [-mount.force_max, mount.force_max]
    engine_joint = spec.joint(joint)
    damping = list(engine_joint.damping)
    damping[0] += mount.damping
    engine_joint.damping = damping
    return Motor(
        name,
        mount,
        (Fraction(name, joint, 1.0, 1.0),),
        filter_factor=1 - exp(-physics.timestep_ms / 10.0),
    )


BRAKE_SOLREF, BRAKE_SOLIMP = (0.004, 1.0), (0.99, 0.999, 0.001, 0.5, 2.0)
"""Hard enough that a braked wheel turns less than its contact creeps."""


def _drive(
    spec: mujoco.MjSpec, module: str, name: str, mount: DriveMount, physics: Physics, ambient: float
) -> Motor:
    """A motor on the first of the locked wheels, and a brake beside it.

    A constant voltage gives just the straight line ``F_stall·(u - v/v0)``.  The engine's motor is
    the one that would do this without losses; the real one draws ``losses`` times its current, and
    its winding is heated accordingly.
    """
    if not mount.joints:
        raise SpecError(f"{name}: a drive needs at least one wheel")
    joint = f"{module}/{mount.joints[0]}"
    free = mount.free_speed / mount.wheel_radius
    stall = mount.stall_force * mount.wheel_radius
    constant = mount.voltage / free
    losses = mount.stall_current * constant / stall
    spec.joint(joint).armature += mount.inertia
    actuator = _actuator(spec, name, joint, 1.0)
    actuator.set_to_dcmotor(
        motorconst=[constant, constant],
        resistance=constant * mount.voltage / stall,
        thermal=[
            mount.thermal_resistance * losses,
            mount.thermal_capacity / losses,
            0,
            0,
            ambient,
            ambient,
        ],
        ctrlspec=VOLTAGE_INPUT,
    )
    tendon = spec.add_tendon(name=f"{name}/brake")
    tendon.wrap_joint(joint, 1.0)
    tendon.solref_friction, tendon.solimp_friction = BRAKE_SOLREF, BRAKE_SOLIMP
    return Motor(
        name,
        mount,
        (Fraction(name, joint, 1.0, 1.0),),
        brake=Brake(tendon.name, mount.holding * stall),
        filter_factor=1 - exp(-physics.timestep_ms / 10.0),
    )
