"""How one robot that was built differs from its design.

``annelid.robot.drawing`` draws it from tolerances and a seed; a run folder keeps it as
``as_built.json``.  The physics builds with :meth:`AsBuilt.robot`; firmware goes on reading the
design, as on a real board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pydantic import Field

from annelid.robot.body import DriveMount, LinearMount, Mount, Part, ServoMount
from annelid.robot.converter import Converter
from annelid.robot.robot import Placed, Robot
from annelid.spec import Spec, Vec3


class ModuleAsBuilt(Spec):
    mass: float = 1.0
    """Factor."""
    friction: float = 1.0
    """Factor on all friction of its skin and wheels."""
    clock_ppm: float = 0.0
    """Of its board's clock, besides what its system sets."""


class MotorAsBuilt(Spec):
    torque: float = 1.0
    """Factor on the stall torque or force."""
    speed: float = 1.0
    """Factor on the no-load speed."""
    zero: float = 0.0
    """The joint stands this much further than the motor believes, in the motor's unit (rad, m)."""
    play: float = 0.0
    """Width of the lost motion on reversal, in the motor's unit."""


class SensorAsBuilt(Spec):
    offset: tuple[float, ...] = (0.0,)
    """Zero error of each channel, as a share of the sensor's range; a camera has none."""
    noise: float = 1.0
    """Factor on its noise."""

    def offsets(self, channels: int, converter: Converter) -> tuple[float, ...]:
        """Zero error of each channel, in the sensor's unit."""
        reach = converter.high - converter.low
        shares = self.offset if len(self.offset) == channels else self.offset[:1] * channels
        return tuple(share * reach for share in shares)


class StartOffsets(Spec):
    """How a robot was put down."""

    joints: Mapping[str, float] = Field(default_factory=dict)
    """Per joint (``R1.yaw``): off its first angle, rad."""
    turns: Mapping[str, Vec3] = Field(default_factory=dict)
    """Per piece, by its first module: turned about its own axes, rad."""
    shifts: Mapping[str, tuple[float, float]] = Field(default_factory=dict)
    """Per piece: ahead, and to the left on open ground, m."""


class AsBuilt(Spec):
    """Without arguments the design itself."""

    drawn: bool = False
    modules: Mapping[str, ModuleAsBuilt] = Field(default_factory=dict)
    motors: Mapping[str, MotorAsBuilt] = Field(default_factory=dict)
    """By ``module.mount``."""
    sensors: Mapping[str, SensorAsBuilt] = Field(default_factory=dict)
    """By ``module.sensor``; those that only switch or count have neither offset nor noise."""
    bore: float = 1.0
    """Factor on every bore of the world."""
    ground: float = 1.0
    """Factor on the friction of the world's surface."""
    start: StartOffsets = StartOffsets()

    def module(self, name: str) -> ModuleAsBuilt:
        return self.modules.get(name, _MODULE)

    def motor(self, name: str) -> MotorAsBuilt:
        return self.motors.get(name, _MOTOR)

    def sensor(self, name: str) -> SensorAsBuilt:
        return self.sensors.get(name, _SENSOR)

    def robot(self, design: Robot) -> Robot:
        """The robot that stands on the bench: other masses, frictions and motors."""
        if not self.drawn:
            return design
        return replace(design, modules=tuple(self._placed(module) for module in design.modules))

    def mass(self, design: Robot) -> float:
        """Of the whole robot, kg."""
        return sum(module.body.mass * self.module(module.name).mass for module in design.modules)

    def _placed(self, module: Placed) -> Placed:
        name, body, mine = module.name, module.body, self.module(module.name)
        parts = tuple(_part(part, mine) for part in body.parts)
        mounts = tuple(as_built(m, self.motor(f"{name}.{m.name}")) for m in body.mounts)
        friction = body.friction * mine.friction
        update = {"parts": parts, "mounts": mounts, "friction": friction}
        return replace(module, body=body.model_copy(update=update))


_MODULE, _MOTOR, _SENSOR = ModuleAsBuilt(), MotorAsBuilt(), SensorAsBuilt()
NOMINAL = AsBuilt()


def _part(part: Part, mine: ModuleAsBuilt) -> Part:
    geoms = tuple(
        geom.model_copy(
            update={
                "mass": geom.mass * mine.mass,
                "friction": None if geom.friction is None else geom.friction * mine.friction,
            }
        )
        for geom in part.geoms
    )
    return part.model_copy(update={"geoms": geoms})


def as_built(mount: Mount, motor: MotorAsBuilt) -> Mount:
    """A mount with the torque and speed of one motor.  Its current follows from both: what it
    loses on the way from the supply to the shaft stays the same."""
    torque, speed = motor.torque, motor.speed
    match mount:
        case ServoMount():
            return mount.model_copy(update={"servo": mount.servo.as_built(torque, speed)})
        case LinearMount():
            update = {
                "force_max": mount.force_max * torque,
                "damping": mount.damping * torque / speed,
                "stall_current": mount.stall_current * torque * speed,
            }
        case DriveMount():
            update = {
                "stall_force": mount.stall_force * torque,
                "free_speed": mount.free_speed * speed,
                "stall_current": mount.stall_current * torque * speed,
            }
    return mount.model_copy(update=update)
