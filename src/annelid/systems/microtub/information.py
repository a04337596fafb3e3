"""What a module knows about itself and its surroundings: SIM and SIE (000, Tables 7 and 8)."""

from __future__ import annotations

from math import degrees
from typing import Final, Literal

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.motion.odometry import advance, steady
from annelid.motion.orientation import pitch_and_roll
from annelid.systems.microtub.protocol import EnvironmentInfo, ModuleInfo
from annelid.systems.microtub.protocol.answers import module_answer
from annelid.systems.microtub.protocol.parameters import Value
from annelid.systems.microtub.translation import Translation
from annelid.systems.microtub.video import VIDEO, pack

CLIMATE: Final = {
    EnvironmentInfo.TEMPERATURE: "thermometer",
    EnvironmentInfo.HUMIDITY: "hygrometer",
}
ENCODERS: Final = ("encoder0", "encoder1", "encoder2")
AXES: Final = ("accelerometer.x", "accelerometer.y", "accelerometer.z")
SAMPLE_EVERY: Final = 7
"""Passes of the loop between two looks at the average current: 10 Hz; peaks are looked for in
every one."""
MEMORY: Final = 0.05
"""Of the running average: the last two seconds count."""
LONGEST_MM: Final = 999_999
"""That an answer can tell, mm."""


class Information:
    """Sampled by :meth:`sample`, told by :meth:`of_module` and :meth:`of_environment`."""

    def __init__(
        self, board: Board, translation: Translation, *, powers: bool, low_v: float
    ) -> None:
        """``low_v``: a supply of less is nearly empty."""
        self.low = False
        """Whether this module's supply is; it stays so, for a battery that rests seems fuller."""
        self._low_v, self._volts = low_v, board.voltage if powers else None
        self._board = board
        self._translation = translation
        self._powers = powers
        self._average_a = self._peak_a = 0.0
        self._distance_m = self._steady_m = 0.0
        """By the largest of the wheels' advances, and by the middle one."""
        sensors = board.sensors
        self._wheels = [sensors[name] for name in ENCODERS if name in sensors]
        self._encoders = self._read_encoders()
        self._passes = 0
        self._pictures = 0

    def sample(self, *, backwards: bool = False) -> None:
        """Once in every pass of the loop; ``backwards`` is where the robot is told to go."""
        if self._wheels:
            now = self._read_encoders()
            direction: Literal[1, -1] = -1 if backwards else 1
            self._steady_m += steady(self._encoders, now)
            self._distance_m = advance(self._distance_m, self._encoders, now, direction=direction)
            self._encoders = now
        self._passes += 1
        drawn = sum(abs(servo.current) for servo in self._board.servos.values())
        self._peak_a = max(self._peak_a, drawn)
        if self._passes % SAMPLE_EVERY:
            return
        if self._volts is not None:
            self._volts += MEMORY * ((self._board.voltage or 0.0) - self._volts)
            self.low = self.low or self._volts < self._low_v
        if self._board.servos:
            self._average_a += MEMORY * (drawn - self._average_a)

    def of_module(self, asked: ModuleInfo, working_motors: int) -> str | None:
        """The String of AIM; None: this module cannot tell."""
        values: tuple[int, ...] | None = None
        if asked is ModuleInfo.AVERAGE_CONSUMPTION:
            values = (round(1000 * self._average_a),)
        elif asked is ModuleInfo.CONSUMPTION_PEAKS:
            values = (round(1000 * self._peak_a),)
        elif asked is ModuleInfo.WORKING_MOTORS:
            values = (working_motors,)
        elif asked is ModuleInfo.ORIENTATION:
            values = self._orientation()
        elif asked is ModuleInfo.DISTANCE and self._encoders:
            both = (self._distance_m, self._steady_m)
            values = tuple(min(max(round(1000 * m), -LONGEST_MM), LONGEST_MM) for m in both)
        elif asked is ModuleInfo.BATTERIES and self._powers:
            volts = self._board.voltage  # the average lags behind a cell that has given up
            values = (int(not self.low and (volts is None or volts >= self._low_v)),)
        elif asked is ModuleInfo.CONTRACTION:
            percent = self._translation.extension_percent(self._board)
            values = None if percent is None else (percent,)
        return None if values is None else module_answer(asked, *values)

    def of_environment(
        self, asked: EnvironmentInfo, *, bore: float | None = None
    ) -> tuple[Value, ...] | None:
        """The parameters of AIE; None: this module cannot tell.  ``bore`` is what a nose has
        learnt, m."""
        if asked is EnvironmentInfo.PICTURE:
            return self._picture()
        if asked is EnvironmentInfo.BORE:
            return None if bore is None else (asked, round(10_000 * bore))
        sensor = CLIMATE[asked]
        if sensor not in self._board.sensors:
            return None
        if not self._board.sensors[sensor].valid:
            return None
        return (asked, round(self._board.sensors[sensor].read()))

    def _picture(self) -> tuple[Value, ...] | None:
        """Its number; the picture itself goes out on the video line."""
        cameras, ports = self._board.cameras, self._board.ports
        if not cameras or VIDEO not in ports:
            return None
        self._pictures = self._pictures % 0xFFFF + 1
        camera = next(iter(cameras.values()))
        ports[VIDEO].send(Frame(pack(self._pictures, camera.picture())))
        return (EnvironmentInfo.PICTURE, self._pictures)

    def _orientation(self) -> tuple[int, int, int] | None:
        """Roll and pitch from gravity; the heading cannot be seen and is told as 0."""
        sensors = self._board.sensors
        if not all(axis in sensors and sensors[axis].valid for axis in AXES):
            return None
        x, y, z = (sensors[axis].read() for axis in AXES)
        pitch, roll = pitch_and_roll(x, y, z)
        return round(degrees(roll)), round(degrees(pitch)), 0

    def _read_encoders(self) -> list[float]:
        return [wheel.read() for wheel in self._wheels]
