"""All sensors of a robot, as one row of numbers per physics step.

What the physics is, with its noise, passes a fault if there is one and then the sensor's converter
(:class:`~annelid.physics.channel.AnalogInput`): boards, conditions and the recorder read the same.

A reading is made once per step, however often it is read.  Its noise belongs to the sensor
and the step and to nothing else (:class:`Noise`): who else looks, and how often, changes nothing
for a program, so a run that is recorded is the run that is not.  What nobody asks for is not
measured: a board that looks at its touch sensor casts no rays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.errors import UnknownName
from annelid.kernel import RandomStreams
from annelid.physics import camera as cameras
from annelid.physics.broken_sensors import BrokenSensor, DeadCamera
from annelid.physics.build import Plan
from annelid.physics.channel import AnalogInput
from annelid.physics.damage import Damage
from annelid.physics.rays import Rays
from annelid.physics.sensor_row import Noise, SensorRow, Shown
from annelid.physics.wall import PipeWall
from annelid.robot.body import (
    Accelerometer,
    Camera,
    Climate,
    Encoder,
    Pressure,
    Ray,
    Sensor,
    Touch,
)
from annelid.robot.converter import Converter
from annelid.worlds.world import World

Floats = NDArray[np.float64]

AXES = ("x", "y", "z")
"""Of the accelerometer, in 001's frame: lateral (right), along the chain, up."""

Reader = Callable[[int], tuple[float, ...]]
"""The quantities of a sensor's channels at a step, with noise, before any converter."""


class Sensors:
    """Bound to one model; a recompiled simulation makes a new one with the same streams."""

    def __init__(
        self,
        plan: Plan,
        data: mujoco.MjData,
        streams: RandomStreams,
        clock: Callable[[], int],
        *,
        damage: Damage | None = None,
        wall: PipeWall | None = None,
    ) -> None:
        self._model, self._data, self._clock = plan.model, data, clock
        self._streams = streams.child("sensors")
        self._world, self._built = plan.world, plan.built
        self._damage = damage or Damage()
        self._cups = {cup.name: cup.mount for cup in plan.cups}
        self._rays = Rays(plan, data, wall or PipeWall(plan.scenery.tubes))
        self._pictures: dict[str, tuple[int, cameras.Picture]] = {}
        self._looking: dict[str, Floats] = {}
        self._cameras: dict[str, tuple[str, Camera]] = {}
        names: list[str] = []
        units: list[str] = []
        self._parts: list[_SensorInputs] = []
        self._places: dict[str, tuple[_SensorInputs, int]] = {}
        self._converters: dict[str, Converter] = {}
        for module in plan.robot.modules:
            for sensor in module.body.sensors:
                name = f"{module.name}.{sensor.name}"
                if isinstance(sensor, Camera):
                    self._cameras[name] = (f"{module.name}/{sensor.part}", sensor)
                    continue
                own, unit = _channels(name, sensor)
                offsets = self._built.sensor(name).offsets(len(own), sensor.converter)
                channels = tuple(
                    AnalogInput(channel, sensor.converter, offset)
                    for channel, offset in zip(own, offsets, strict=True)
                )
                places = range(len(names), len(names) + len(own))
                reader = self._reader(module.name, name, sensor)
                if isinstance(reader, Shown):
                    part = _SensorInputs(places, channels, _one_by_one(reader), reader)
                else:
                    part = _SensorInputs(places, channels, reader)
                self._parts.append(part)
                self._places.update({c: (part, k) for c, k in zip(own, places, strict=True)})
                self._converters.update(dict.fromkeys(own, sensor.converter))
                names += own
                units += [unit] * len(own)
        self.names = tuple(names)
        self.units = tuple(units)
        self.cameras = tuple(self._cameras)
        self._values = [0.0] * len(names)
        self._row = SensorRow([(p.places, p.channels, p.shown) for p in self._parts if p.shown])
        self._apart = [part for part in self._parts if part.shown is None]

    def read(self) -> Floats:
        """All scalar readings at this step, in the order of ``names``."""
        now, whole = self._clock(), not self._damage.sensors
        for part in self._apart if whole else self._parts:
            if part.read_at != now:
                self._measure(part, now)
        row = np.array(self._values)
        if whole:
            self._row.read_into(row, now)
        return row

    def _measure(self, part: _SensorInputs, now: int) -> None:
        part.read_at = now
        values, broken = self._values, self._damage.sensors
        for place, channel, value in zip(part.places, part.channels, part.reader(now), strict=True):
            fault = broken.get(channel.name) if broken else None
            values[place] = channel.read(value if fault is None else fault.tamper(value, now))

    def read_one(self, name: str) -> float:
        """One channel, ``R1.accelerometer.x``."""
        try:
            part, place = self._places[name]
        except KeyError:
            raise UnknownName("sensor", name, self.names) from None
        now = self._clock()
        if part.read_at != now:
            self._measure(part, now)
        return self._values[place]

    def valid(self, name: str) -> bool:
        """False where the electronics of a channel say that its reading means nothing."""
        broken = self._damage.sensors
        return not broken or name not in broken or broken[name].valid

    def converter(self, name: str) -> Converter:
        """Of a channel."""
        try:
            return self._converters[name]
        except KeyError:
            raise UnknownName("sensor", name, self.names) from None

    def noise(self, name: str, deviation: float) -> Callable[[int], float]:
        """More noise for a channel, as a function of the step: a fault's."""
        noise = Noise(self._streams.child("fault"), name, deviation)
        return noise.first

    def break_one(self, name: str, broken: BrokenSensor | None) -> None:
        """Let a fault change a channel from this step on; None mends it."""
        part, _ = self._places[name]
        part.read_at = -1
        if broken is None:
            self._damage.sensors.pop(name, None)
        else:
            self._damage.sensors[name] = broken

    def break_camera(self, name: str, shows: DeadCamera | None) -> None:
        """Let a camera show nothing or noise from this step on; None mends it."""
        self._pictures.pop(name, None)
        if shows is None:
            self._damage.cameras.pop(name, None)
        else:
            self._damage.cameras[name] = shows

    def picture(self, name: str) -> cameras.Picture:
        """What a camera (``T1.camera``) sees at this step: grey, rows from the top."""
        if name not in self._cameras:
            raise UnknownName("camera", name, self._cameras)
        taken, picture = self._pictures.get(name, (-1, None))
        if taken != self._clock() or picture is None:
            picture = self._take(name)
            self._pictures[name] = (self._clock(), picture)
        return picture

    def _take(self, name: str) -> cameras.Picture:
        part, camera = self._cameras[name]
        draw = self._streams.block(name, self._clock())
        match self._damage.cameras.get(name):
            case "black":
                return np.zeros((camera.height, camera.width), np.uint8)
            case "noise":
                return draw.integers(0, 256, (camera.height, camera.width), np.uint8)
        if name not in self._looking:
            self._looking[name] = cameras.directions(camera)
        body = self._data.body(part)
        matrix = body.xmat.reshape(3, 3)
        return cameras.take(
            self._rays,
            body.xpos + matrix @ camera.at,
            self._looking[name] @ matrix.T,
            camera.noise * self._built.sensor(name).noise,
            draw,
        )

    def _reader(self, module: str, name: str, sensor: Sensor) -> Reader | Shown:
        data = self._data
        match sensor:
            case Touch():
                return Shown(data.sensordata, (int(self._model.sensor(name).adr[0]),), (1.0,))
            case Accelerometer():
                forward = int(self._model.sensor(name).adr[0])  # then left, then up
                places, factors = (forward + 1, forward, forward + 2), (-1.0, 1.0, 1.0)
                return Shown(data.sensordata, places, factors, self._noise(name, sensor, 3))
            case Ray():
                part = self._model.body(f"{module}/{sensor.part}").id
                towards = np.array(sensor.direction) / np.linalg.norm(sensor.direction)
                own = np.array((sensor.at, towards))  # both turned at once, for half the price
                reach, noise = sensor.range, self._noise(name, sensor)
                place, turn = data.xpos[part], data.xmat[part].reshape(3, 3).T  # views that last

                def distance(step: int) -> tuple[float, ...]:
                    turned = own.dot(turn)
                    start = turned[0]
                    start += place
                    found = self._rays.distance(start, turned[1], reach)
                    return (min(found + noise.first(step), reach),)

                return distance
            case Encoder():
                address = int(self._model.joint(f"{module}/{sensor.joint}").qposadr[0])
                return Shown(data.qpos, (address,), (sensor.wheel_radius,))
            case Climate():
                value = _ambient(self._world, sensor)
                noise = self._noise(name, sensor)
                return lambda step: (value + noise.first(step),)
            case Pressure():
                cup = f"{module}.{sensor.cup}"
                vacuum = int(self._model.actuator_actadr[self._model.actuator(cup).id])
                full = self._cups[cup].suction / self._cups[cup].area
                return Shown(data.act, (vacuum,), (full,), self._noise(name, sensor))
            case Camera():
                raise TypeError("cameras give pictures, not numbers")

    def _noise(self, name: str, sensor: Noisy, channels: int = 1) -> Noise:
        factor = self._built.sensor(name).noise
        return Noise(self._streams, name, sensor.noise * factor, channels)


Noisy = Accelerometer | Ray | Climate | Pressure
"""Sensors that measure an amount."""


@dataclass(slots=True)
class _SensorInputs:
    """One sensor: the places of its channels in the row, what they measure at a step, and when that
    was last done."""

    places: range
    channels: tuple[AnalogInput, ...]
    reader: Reader
    shown: Shown | None = None
    """What it shows of the engine, if it is of that kind."""
    read_at: int = -1


def _one_by_one(shown: Shown) -> Reader:
    """For a board, which asks for one sensor: plain numbers cost less than short arrays."""
    source, noise = shown.source, shown.noise
    pairs = tuple(zip(shown.places, shown.factors, strict=True))
    if noise is None:
        return lambda _: tuple(float(source[k]) * factor for k, factor in pairs)
    if len(pairs) == 1:
        ((only, scale),) = pairs
        return lambda step: (scale * float(source[only]) + noise.first(step),)
    lowest, above = min(shown.places), max(shown.places) + 1
    order = tuple((k - lowest, factor) for k, factor in pairs)

    def read(step: int) -> tuple[float, ...]:
        values = source[lowest:above].tolist()
        off = noise.at(step)
        return tuple(
            factor * values[k] + each for (k, factor), each in zip(order, off, strict=True)
        )

    return read


def _ambient(world: World, sensor: Climate) -> float:
    return world.temperature_c if sensor.quantity == "temperature" else world.humidity_percent


def _channels(name: str, sensor: Sensor) -> tuple[list[str], str]:
    match sensor:
        case Accelerometer():
            return [f"{name}.{axis}" for axis in AXES], "m/s²"
        case Touch():
            return [name], "N"
        case Ray() | Encoder():
            return [name], "m"
        case Pressure():
            return [name], "Pa"
        case Climate(quantity="temperature"):
            return [name], "°C"
        case _:
            return [name], "%"
