"""Everything a robot's boards can sense, as one row of numbers per physics step.

A reading is made once per step, whoever asks and however often.  Its noise belongs to the sensor
and the step and to nothing else (:class:`Noise`): who else looks, and how often, changes nothing
for a program, so a run that is recorded is the run that is not.  What nobody asks for is not
measured: a board that looks at its touch sensor casts no rays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.errors import UnknownName
from annelid.kernel import RandomStreams
from annelid.physics import camera as cameras
from annelid.physics.build import Plan
from annelid.physics.rays import Rays
from annelid.physics.sensor_errors import error_of
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
from annelid.worlds.world import World

Floats = NDArray[np.float64]

AXES = ("x", "y", "z")
"""Of the accelerometer, in 001's frame: lateral (right), along the chain, up."""

BLOCK = 256
"""Steps whose noise is drawn at once."""


class Sensors:
    """Bound to one model; a recompiled simulation makes a new one with the same streams."""

    def __init__(
        self, plan: Plan, data: mujoco.MjData, streams: RandomStreams, clock: Callable[[], int]
    ) -> None:
        self._model, self._data, self._clock = plan.model, data, clock
        self._streams = streams.child("sensors")
        self._plan, self._world = plan, plan.world
        self._cups = {cup.name: cup.mount for cup in plan.cups}
        self._rays = Rays(plan, data)
        self._pictures: dict[str, tuple[int, cameras.Picture]] = {}
        self._looking: dict[str, Floats] = {}
        self._cameras: dict[str, tuple[str, Camera]] = {}
        names: list[str] = []
        units: list[str] = []
        self._parts: dict[str, _Part] = {}
        self._places: dict[str, tuple[_Part, int]] = {}
        for module in plan.robot.modules:
            for sensor in module.body.sensors:
                name = f"{module.name}.{sensor.name}"
                if isinstance(sensor, Camera):
                    self._cameras[name] = (f"{module.name}/{sensor.part}", sensor)
                    continue
                channels, unit = _channels(name, sensor)
                place = slice(len(names), len(names) + len(channels))
                part = _Part(place, self._reader(module.name, name, sensor))
                self._parts[name] = part
                self._places.update({c: (part, len(names) + k) for k, c in enumerate(channels)})
                names += channels
                units += [unit] * len(channels)
        self.names = tuple(names)
        self.units = tuple(units)
        self.cameras = tuple(self._cameras)
        self._values = np.zeros(len(names))

    def read(self) -> Floats:
        """All scalar readings at this step, in the order of ``names``."""
        now = self._clock()
        for part in self._parts.values():
            if part.read_at != now:
                self._measure(part, now)
        return self._values.copy()

    def _measure(self, part: _Part, now: int) -> None:
        part.read_at = now
        self._values[part.place] = part.reader()

    def read_one(self, name: str) -> float:
        """One channel, ``R1.accelerometer.x``."""
        try:
            part, place = self._places[name]
        except KeyError:
            raise UnknownName("sensor", name, self.names) from None
        now = self._clock()
        if part.read_at != now:
            self._measure(part, now)
        return float(self._values[place])

    def picture(self, name: str) -> cameras.Picture:
        """What a camera (``T1.camera``) sees at this step: grey, rows from the top."""
        if name not in self._cameras:
            raise UnknownName("camera", name, self._cameras)
        taken, picture = self._pictures.get(name, (-1, None))
        if taken != self._clock() or picture is None:
            part, camera = self._cameras[name]
            if name not in self._looking:
                self._looking[name] = cameras.directions(camera)
            body = self._data.body(part)
            matrix = body.xmat.reshape(3, 3)
            picture = cameras.take(
                self._rays,
                body.xpos + matrix @ camera.at,
                self._looking[name] @ matrix.T,
                camera.noise * error_of(self._plan, name, camera)[1],
                self._streams.block(name, self._clock()),
            )
            self._pictures[name] = (self._clock(), picture)
        return picture

    def _reader(self, module: str, name: str, sensor: Sensor) -> Callable[[], Floats | float]:
        data, clock = self._data, self._clock
        match sensor:
            case Touch():
                address = int(self._model.sensor(name).adr[0])
                return lambda: np.array(data.sensordata[address])
            case Accelerometer():
                start = int(self._model.sensor(name).adr[0])
                noise = self._noise(name, sensor, 3)

                def acceleration() -> Floats:
                    forward, left, up = data.sensordata[start : start + 3]
                    clean: Floats = np.array((-left, forward, up))
                    return clean + noise.at(clock())

                return acceleration
            case Ray():
                part = self._model.body(f"{module}/{sensor.part}").id
                at, towards = np.array(sensor.at), np.array(sensor.direction)
                towards = towards / np.linalg.norm(towards)
                reach, noise = sensor.range, self._noise(name, sensor)

                def distance() -> float:
                    matrix = data.xmat[part].reshape(3, 3)
                    origin = data.xpos[part] + matrix @ at
                    found = self._rays.distance(origin, matrix @ towards, reach)
                    return min(max(found + noise.at(clock()).item(), 0.0), reach)

                return distance
            case Encoder():
                address = int(self._model.joint(f"{module}/{sensor.joint}").qposadr[0])
                radius, resolution = sensor.wheel_radius, sensor.resolution
                return lambda: floor(float(data.qpos[address]) * radius / resolution) * resolution
            case Climate():
                value = _ambient(self._world, sensor)
                noise = self._noise(name, sensor)
                return lambda: value + noise.at(clock())
            case Pressure():
                cup = f"{module}.{sensor.cup}"
                vacuum = int(self._model.actuator_actadr[self._model.actuator(cup).id])
                full = self._cups[cup].suction / self._cups[cup].area
                noise = self._noise(name, sensor)
                return lambda: full * data.act[vacuum] + noise.at(clock())
            case Camera():
                raise TypeError("cameras give pictures, not numbers")

    def _noise(self, name: str, sensor: Noisy, channels: int = 1) -> Noise:
        """Of one sensor, with the zero error it was built with."""
        offset, factor = error_of(self._plan, name, sensor)
        return Noise(self._streams, name, sensor.noise * factor, channels, offset)


Noisy = Accelerometer | Ray | Climate | Pressure
"""Sensors that measure an amount."""


class Noise:
    """Normal noise of one sensor as a function of the step, about its zero error.

    A generator for every step would cost 20 µs; one for ``BLOCK`` steps costs less than reading
    the sensor.
    """

    __slots__ = ("_block", "_deviation", "_name", "_number", "_offset", "_shape", "_streams")

    def __init__(
        self,
        streams: RandomStreams,
        name: str,
        deviation: float,
        channels: int = 1,
        offset: Floats | float = 0.0,
    ) -> None:
        self._streams, self._name, self._deviation = streams, name, deviation
        self._offset = offset
        self._shape = (BLOCK, channels)
        self._number = -1
        self._block: Floats = np.zeros(self._shape) + offset

    def at(self, step: int) -> Floats:
        """A number per channel."""
        number, place = divmod(step, BLOCK)
        if number != self._number and self._deviation:
            draw = self._streams.block(self._name, number)
            self._block = draw.normal(0.0, self._deviation, self._shape) + self._offset
            self._number = number
        row: Floats = self._block[place]
        return row


@dataclass(slots=True)
class _Part:
    """One sensor's place in the row, how it is measured, and at which step it last was."""

    place: slice
    reader: Callable[[], Floats | float]
    read_at: int = -1


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
