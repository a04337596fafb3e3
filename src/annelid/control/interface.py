"""The interface between a robot and a function that controls it: named numbers in and out.

A function sees what boards could tell it: readings pass through the converters of their sensors.
Speeds are the change of an angle since the last tick.  Values are SI units: servo angles in rad,
linear servos in m, drives from -1 to 1, cups 1 (on) or 0 (off).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, isfinite, pi, sin
from typing import Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PositiveFloat, model_validator

from annelid.errors import InputError, UnknownName
from annelid.motion import select
from annelid.motion.selector import Selector
from annelid.physics.simulation import Simulation
from annelid.robot import Placed, Robot, measuring
from annelid.robot.body import DriveMount, LinearMount, Mount
from annelid.robot.service import travel
from annelid.spec import Spec

Floats = NDArray[np.float64]
Reals = NDArray[np.float32]

FASTEST: Final = 50.0
"""Speeds beyond it read as this: rad/s or m/s; no servo on the shelf is a third as fast."""

ON: Final = 0.5
"""A cup runs above this."""

TOLERATED: Final = 1e-4
"""Of the width of a range: rounding to 32 bits is no mistake of the caller's."""


class InterfaceSpec(Spec):
    """What a function sees and commands."""

    modules: Selector = "all"
    """Whose motors and cups it commands; the others follow the gaits."""
    adds: bool = False
    """Whether a command is added to what the gaits say, instead of taking its place; it then also
    sees what they say."""
    scales: bool = False
    """Whether a command multiplies what the gaits say, instead; 1 leaves it as it is, and the
    function sees what they say.  It sets how far each joint swings."""
    every: int = Field(default=1, ge=1, le=1000)
    """Control ticks from one decision to the next.  In between the command stays, and the gaits
    go on below it."""
    reach: float = Field(default=1.0, gt=0, le=1)
    """Part of a motor's range that a command may use: about its middle, or about what the gaits
    say (``adds``), there as a part of half the range; with ``scales`` the factor is at most this
    much more or less than 1."""
    sensors: bool = True
    """Whether it sees the sensors; angles and speeds it always sees."""
    clock_s: PositiveFloat | None = None
    """It sees sine and cosine of a clock with this period; None: no clock."""

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if self.adds and self.scales:
            raise ValueError("expected adds or scales, got both")
        return self

    @property
    def stands_on_gaits(self) -> bool:
        """Whether it changes what the gaits say."""
        return self.adds or self.scales


@dataclass(frozen=True)
class Signal:
    """One number that is seen or commanded."""

    name: str
    """``R1.yaw``, ``speed[R1.yaw]``, ``T1.nose``."""
    unit: str
    low: float
    high: float


class Interface:
    """Of one robot; reads and commands its simulation."""

    def __init__(self, sim: Simulation, spec: InterfaceSpec, *, tick_s: float) -> None:
        self.spec = spec
        self._sim = sim
        self._tick_s = tick_s * spec.every
        self._ticks = 0
        names = {module.name for module in select(sim.robot, spec.modules, where="modules")}
        motors = sim.plan.motors
        self._driven = np.array(
            [k for k, motor in enumerate(motors) if _module(motor.name) in names], dtype=np.intp
        )
        turning = [k for k, m in enumerate(motors) if not isinstance(m.mount, DriveMount)]
        self._read = np.array(turning, dtype=np.intp)
        owners = [sim.robot[_module(motor.name)] for motor in motors]
        ranges = [_range(owner, motor.mount) for owner, motor in zip(owners, motors, strict=True)]
        self._low, self._high = np.array(ranges, float).reshape(-1, 2).T
        self._least, self._most = self._low[self._driven], self._high[self._driven]
        cups = [(m.name, cup) for m in sim.robot.modules for cup in m.body.cups]
        self._cups = [sim.cups.place(f"{m}.{cup.name}") for m, cup in cups if m in names]
        self.actions = (
            *(self._motor_signal(k) for k in self._driven.tolist()),
            *(Signal(f"{m}.{cup.name}", "on", 0.0, 1.0) for m, cup in cups if m in names),
        )
        """What is commanded, in order."""
        self._places = {each.name: place for place, each in enumerate(self.actions)}
        if not self.actions:
            told = spec.modules if isinstance(spec.modules, str) else ",".join(spec.modules)
            raise InputError(f"{told!r} of {sim.robot.letters} has no motor: nothing to command")
        self.observations = (*self._motion_signals(owners), *self._more_signals())
        """What is seen, in order."""
        ends = np.array([(each.low, each.high) for each in self.actions]).T
        self._middle, self._half = ends.mean(axis=0), (ends[1] - ends[0]) / 2
        self._floor = np.array([each.low for each in self.observations], np.float32)
        self._ceiling = np.array([each.high for each in self.observations], np.float32)
        self._before: Floats | None = None
        """Angles at the last tick."""

    @property
    def robot(self) -> Robot:
        """Its modules, by name."""
        return self._sim.robot

    def decides(self) -> bool:
        """Whether a decision is due at this control tick; to be asked once a tick."""
        due = self._ticks % self.spec.every == 0
        self._ticks += 1
        return due

    def observe(self, time_s: float, told: Floats) -> Reals:
        """What is seen at this step; ``told`` is what the gaits command at this time."""
        angles = self._sim.actuators.read_angles()
        before = angles if self._before is None else self._before
        self._before = angles
        seen = [angles[self._read], (angles - before) / self._tick_s]
        if self.spec.stands_on_gaits:
            gaits = told[self._driven]
            seen.append(np.where(np.isnan(gaits), 0.0, gaits))
        if self.spec.clock_s is not None:
            turn = 2 * pi * time_s / self.spec.clock_s
            seen.append(np.array((sin(turn), cos(turn))))
        if self.spec.sensors:
            seen.append(self._sim.sensors.read())
        row: Reals = np.concatenate(seen, dtype=np.float32, casting="same_kind")
        np.maximum(row, self._floor, out=row)
        return np.minimum(row, self._ceiling, out=row)

    def commands(self, action: object) -> Floats:
        """What ``action``, a number from -1 to 1 for each of ``actions``, means in their units; or
        one line that says what is wrong."""
        try:
            given = np.asarray(action).astype(float, casting="same_kind")
        except (TypeError, ValueError):
            raise InputError(f"action: expected {self._wanted}, got {action!r:.60}") from None
        if given.shape != self._middle.shape:
            raise InputError(f"action: expected {self._wanted}, got an array of {given.shape}")
        if not np.abs(given).max() <= 1.0:  # beyond, or NaN
            given = self._rounded(given)
        within: Floats = self._middle + self._half * given
        return within

    def _rounded(self, given: Floats) -> Floats:
        """Within -1 to 1, where only rounding has led beyond."""
        inside = np.abs(given) <= 1 + TOLERATED  # NaN is not
        if not inside.all():
            k = int(np.argmin(inside))
            one = self.actions[k]
            raise InputError(
                f"action: {one.name}: expected -1 to 1 ({one.low:.4g} to {one.high:.4g} "
                f"{one.unit}), got {given[k]:.4g}"
            )
        return np.clip(given, -1.0, 1.0)

    def lay(self, commands: Floats, told: Floats) -> None:
        """Put commands, in the order of ``actions``, over what the gaits say, in place, and switch
        the cups."""
        motors, driven = commands[: len(self._driven)], self._driven
        if self.spec.stands_on_gaits:  # a motor that the gaits release stays so
            both = told[driven] * motors if self.spec.scales else told[driven] + motors
            told[driven] = np.minimum(np.maximum(both, self._least), self._most)
        else:
            told[driven] = motors
        if self._cups:
            self._sim.cups.run_all(self._cups, commands[len(motors) :] > ON)

    def command(self, commands: Mapping[str, float], told: Floats) -> None:
        """Put commands by name over what the gaits say, in place; NaN releases a motor."""
        for name, value in commands.items():
            place = self._places.get(name)
            if place is None:
                raise UnknownName("actuator", str(name), self._places)
            if not isinstance(value, int | float | np.number):
                raise InputError(f"{name}: expected a number, got {value!r:.60}")
            motor = place < len(self._driven)
            one = self.actions[place]
            slack = TOLERATED * (one.high - one.low)
            if not (one.low - slack <= value <= one.high + slack or (motor and value != value)):
                raise InputError(
                    f"{name}: expected {one.low:.4g} to {one.high:.4g} {one.unit}, got {value:.4g}"
                )
            if motor:
                told[self._driven[place]] = value
            else:
                self._sim.cups.run(self._cups[place - len(self._driven)], bool(value > ON))

    @property
    def _wanted(self) -> str:
        names = _few([each.name for each in self.actions])
        return f"{len(self.actions)} numbers from -1 to 1 ({names})"

    def _motor_signal(self, place: int) -> Signal:
        motor = self._sim.plan.motors[place]
        low, high = float(self._low[place]), float(self._high[place])
        middle, half = (low + high) / 2, (high - low) / 2 * self.spec.reach
        if self.spec.scales:
            return Signal(motor.name, "times", 1 - self.spec.reach, 1 + self.spec.reach)
        if self.spec.adds:
            middle = 0.0
        return Signal(motor.name, _unit(motor.mount), middle - half, middle + half)

    def _motion_signals(self, owners: Sequence[Placed]) -> list[Signal]:
        motors = self._sim.plan.motors
        angles = []
        for place in self._read.tolist():
            motor = motors[place]
            converter = measuring.position(owners[place].body, motor.mount)
            angles.append(
                Signal(motor.name, _unit(motor.mount), converter.lowest, converter.highest)
            )
        speeds = [
            Signal(
                f"speed[{motor.name}]",
                "m/s" if isinstance(motor.mount, LinearMount) else "rad/s",
                -FASTEST,
                FASTEST,
            )
            for motor in motors
        ]
        return angles + speeds

    def _more_signals(self) -> list[Signal]:
        more: list[Signal] = []
        if self.spec.stands_on_gaits:
            motors = self._sim.plan.motors
            for k in self._driven.tolist():
                low, high = float(self._low[k]), float(self._high[k])
                more.append(Signal(f"gait[{motors[k].name}]", _unit(motors[k].mount), low, high))
        if self.spec.clock_s is not None:
            more += [Signal(f"clock.{part}", "1", -1.0, 1.0) for part in ("sin", "cos")]
        if self.spec.sensors:
            sensors = self._sim.sensors
            for name, unit in zip(sensors.names, sensors.units, strict=True):
                converter = sensors.converter(name)
                more.append(Signal(name, unit, converter.lowest, converter.highest))
        return more


def _module(motor: str) -> str:
    return motor.partition(".")[0]


def _unit(mount: Mount) -> Literal["rad", "m", "level"]:
    if isinstance(mount, LinearMount):
        return "m"
    return "level" if isinstance(mount, DriveMount) else "rad"


def _range(module: Placed, mount: Mount) -> tuple[float, float]:
    """What a motor can be told: as far as its joints go."""
    if isinstance(mount, DriveMount):
        return -1.0, 1.0
    low, high = travel(module.body, mount)
    if isfinite(low) and isfinite(high):
        return low, high
    converter = measuring.position(module.body, mount)
    return converter.lowest, converter.highest


def _few(names: Sequence[str], most: int = 4) -> str:
    return ", ".join(names) if len(names) <= most else f"{', '.join(names[:most])} …"
