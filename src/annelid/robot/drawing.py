"""Draws one robot from its tolerances and a seed.

Every quantity of every module, motor and sensor has a stream of its own (``mass/R1``,
``zero/R1.yaw``): a module or a quantity that is added changes nobody else's draw, and two robots of
the same seed have the same ``R1``.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, inf, radians

from annelid.errors import SpecError
from annelid.kernel import RandomStreams
from annelid.robot.as_built import (
    NOMINAL,
    AsBuilt,
    ModuleAsBuilt,
    MotorAsBuilt,
    SensorAsBuilt,
    StartOffsets,
)
from annelid.robot.body import (
    Accelerometer,
    Body,
    Camera,
    DriveMount,
    Encoder,
    LinearMount,
    Mount,
    Sensor,
    ServoMount,
    Touch,
    mount_joints,
)
from annelid.robot.robot import Placed, Robot
from annelid.robot.tolerances import CUT, Tolerances

SIDEWAYS = 0.2
"""How far a robot is turned about its other axes, of what it is turned about its own: a launch tube
or a flat floor guides it there."""


def draw(tolerances: Tolerances, robot: Robot, seed: int) -> AsBuilt:
    """The robot of this seed; the design where nothing is to be drawn."""
    if not tolerances.draw:
        return NOMINAL
    require_possible(tolerances, robot)
    chance, by = _Chance(seed), tolerances
    modules = {
        module.name: ModuleAsBuilt(
            mass=chance.factor("mass", module.name, by.mass_percent),
            friction=chance.factor("friction", module.name, by.friction_percent),
            clock_ppm=chance.normal("clock", module.name, by.clock_ppm),
        )
        for module in robot.modules
    }
    motors = {name: _motor(chance, by, name, mount) for name, _, mount in _mounts(robot)}
    sensors = {
        f"{module.name}.{sensor.name}": _sensor(chance, by, f"{module.name}.{sensor.name}", sensor)
        for module in robot.modules
        for sensor in module.body.sensors
        if not isinstance(sensor, Touch | Encoder)
    }
    return AsBuilt(
        drawn=True,
        modules=modules,
        motors=motors,
        sensors=sensors,
        bore=chance.factor("bore", "world", by.bore_percent),
        ground=chance.factor("ground", "world", by.friction_percent),
        start=_start(chance, by, robot),
    )


def _motor(chance: _Chance, by: Tolerances, name: str, mount: Mount) -> MotorAsBuilt:
    zero, play = _errors(by, mount)
    return MotorAsBuilt(
        torque=chance.factor("torque", name, by.torque_percent),
        speed=chance.factor("speed", name, by.speed_percent),
        zero=chance.normal("zero", name, zero),
        play=abs(chance.normal("play", name, play)),
    )


def _sensor(chance: _Chance, by: Tolerances, name: str, sensor: Sensor) -> SensorAsBuilt:
    axes = 3 if isinstance(sensor, Accelerometer) else int(not isinstance(sensor, Camera))
    offset = (chance.normal("offset", f"{name}/{k}", by.sensor_offset_percent) for k in range(axes))
    return SensorAsBuilt(
        offset=tuple(share / 100 for share in offset),
        noise=chance.factor("noise", name, by.sensor_noise_percent),
    )


def _start(chance: _Chance, by: Tolerances, robot: Robot) -> StartOffsets:
    """Legs whose cups are sealed stand where they hold; the joints of a loop of modules hold each
    other, but it can be put down a little turned."""
    pieces = robot.pieces()
    if any(cup.attached for module in robot.modules for cup in module.body.cups):
        return StartOffsets()
    deviation, loops = radians(by.start_deg), len(robot.docks) > len(robot.modules) - len(pieces)
    joints = {
        f"{module.name}.{joint}": chance.normal("start", f"{module.name}.{joint}", deviation)
        for _, module, mount in _mounts(robot)
        if not isinstance(mount, DriveMount) and not loops
        for joint in mount_joints(mount)
        if _free(module, joint)
    }
    turns, shifts = {}, {}
    for first, *_ in pieces:
        roll, pitch, yaw = (chance.normal("turn", f"{first}/{k}", deviation) for k in "xyz")
        turns[first] = (roll, SIDEWAYS * pitch, SIDEWAYS * yaw)
        ahead, left = (chance.normal("shift", f"{first}/{k}", by.start_mm / 1000) for k in "xy")
        shifts[first] = (ahead, left)
    return StartOffsets(joints=joints, turns=turns, shifts=shifts)


def _free(module: Placed, name: str) -> bool:
    """A hinge that begins inside its range; at a stop it can only be where the stop is."""
    joint = module.body.joint(name)
    begins = radians(module.type.start.get(name, 0.0))
    return (
        joint.kind == "hinge"
        and joint.range is not None
        and (joint.range[0] < begins < joint.range[1])
    )


def require_possible(tolerances: Tolerances, robot: Robot) -> None:
    """Refuse play or a zero that is more than a joint can move."""
    for name, module, mount in _mounts(robot):
        travel = _travel(module.body, mount)
        linear = isinstance(mount, LinearMount)
        unit, scale = ("mm", 1000.0) if linear else ("deg", degrees(1.0))
        for field, deviation in zip(("zero", "play"), _errors(tolerances, mount), strict=True):
            if CUT * deviation >= travel:
                raise SpecError(
                    f"tolerances.{field}_{unit}: expected less than "
                    f"{travel * scale / CUT:.3g}, a third of what {name} can move "
                    f"({travel * scale:.3g}), got {deviation * scale:g}"
                )


def _errors(by: Tolerances, mount: Mount) -> tuple[float, float]:
    """Deviations of zero and play, in the motor's unit; a drive has neither."""
    match mount:
        case ServoMount():
            return radians(by.zero_deg), radians(by.play_deg)
        case LinearMount():
            return by.zero_mm / 1000, by.play_mm / 1000
        case DriveMount():
            return 0.0, 0.0


def _travel(body: Body, mount: Mount) -> float:
    """How far the motor can move, in its own unit."""
    match mount:
        case ServoMount():
            return mount.servo.travel
        case LinearMount():
            edges = body.joint(mount.joint).range
            return inf if edges is None else edges[1] - edges[0]
        case DriveMount():
            return inf


def _mounts(robot: Robot) -> Iterator[tuple[str, Placed, Mount]]:
    for module in robot.modules:
        for mount in module.body.mounts:
            yield f"{module.name}.{mount.name}", module, mount


class _Chance:
    """Draws by quantity and name."""

    def __init__(self, seed: int) -> None:
        self._streams = RandomStreams(seed).child("tolerances")

    def normal(self, quantity: str, name: str, deviation: float) -> float:
        """Cut at ``CUT`` deviations by drawing again; the stream is nobody else's."""
        stream = self._streams[f"{quantity}/{name}"]
        while abs(z := float(stream.normal())) > CUT:
            pass
        return deviation * z

    def factor(self, quantity: str, name: str, percent: float) -> float:
        return 1.0 + self.normal(quantity, name, percent / 100)
