"""All motors of a model, written and read as arrays in the order of their names.

Values are in the mount's own unit: radians at the servo, metres on a linear servo, a level from
-1 to 1 on a drive.  ``NaN`` releases a motor: no voltage, the joint gives way.

A motor that was drawn (:class:`~annelid.robot.as_built.MotorAsBuilt`) may have its horn mounted off
and play in its gears.  Targets and positions are those of its shaft, as its board sees them; the
joint is ``zero`` further.  Play is lost motion on reversal: what arrives at the joint follows the
target only once that has passed it by half the ``play`` (the play operator of hysteresis theory).

``position``, ``filtered`` and ``temperature`` are what is; ``read_…`` is what a board reads of it,
through its potentiometer and its converter.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.errors import UnknownName
from annelid.physics import electrics
from annelid.physics.build import Plan
from annelid.physics.channel import AnalogInput
from annelid.physics.motors import Motor
from annelid.robot import measuring
from annelid.robot.body import DriveMount, ServoMount

Floats = NDArray[np.float64]


class Actuators:
    """Bound to one model; a recompiled simulation makes a new one."""

    def __init__(self, plan: Plan, data: mujoco.MjData) -> None:
        model, motors = plan.model, plan.motors
        self.names = tuple(motor.name for motor in motors)
        self._place = {name: place for place, name in enumerate(self.names)}
        self._data = data
        self._ambient = plan.world.temperature_c
        self._state = electrics.state(data, len(motors))
        self._tripped = self._state[:, electrics.TRIPPED]
        fractions = [
            (place, fraction) for place, motor in enumerate(motors) for fraction in motor.fractions
        ]
        self._motor_of = np.array([place for place, _ in fractions], dtype=np.intp)
        self._ctrl_of = np.array(
            [model.actuator(fraction.actuator).id for _, fraction in fractions], dtype=np.intp
        )
        self._is_drive = np.array([isinstance(m.mount, DriveMount) for m in motors], dtype=bool)
        self._factor = np.where(self._is_drive, [motor.voltage for motor in motors], 1.0)
        brakes = [(place, motor.brake) for place, motor in enumerate(motors) if motor.brake]
        self._drive_of = np.array([place for place, _ in brakes], dtype=np.intp)
        self._brake_of = np.array([model.tendon(b.tendon).id for _, b in brakes], dtype=np.intp)
        self._holding = np.array([brake.torque for _, brake in brakes])
        self._friction = model.tendon_frictionloss
        lead = [motor.fractions[0] for motor in motors]
        self._lead_ctrl = np.array([model.actuator(f.actuator).id for f in lead], dtype=np.intp)
        self._lead_qpos = np.array([model.joint(f.joint).qposadr[0] for f in lead], dtype=np.intp)
        self._gear = np.array([f.gear for f in lead])
        built = [plan.built.motor(motor.name) for motor in motors]
        self._zero = np.array([motor.zero for motor in built])
        self._slack = np.array([motor.play / 2 for motor in built])
        self._exact = not (self._zero.any() or self._slack.any())
        windings = [_windings(model, motor) for motor in motors]
        self._heat = np.array([lead.state for lead, *_ in windings], dtype=np.intp)
        self._has_heat = self._heat >= 0
        self._shared = {
            place: each
            for place, each in enumerate(windings)
            if len(each) > 1 and self._has_heat[place]
        }
        """Of motors that drive several joints."""
        self.warm_up = bool(self._has_heat.any())
        """Whether the engine models the temperature of any winding."""
        self._qpos, self._ctrl, self._act = data.qpos, data.ctrl, data.act
        self._ones = tuple(
            _One(
                qpos=int(self._lead_qpos[place]),
                gear=float(self._gear[place]),
                heat=int(self._heat[place]),
                ctrl=tuple(int(k) for k in self._ctrl_of[self._motor_of == place]),
                factor=float(self._factor[place]),
                brake=model.tendon(motor.brake.tendon).id if motor.brake else -1,
                holding=motor.brake.torque if motor.brake else 0.0,
                zero=float(self._zero[place]),
                slack=float(self._slack[place]),
            )
            for place, motor in enumerate(motors)
        )
        bodies = {module.name: module.body for module in plan.robot.modules}
        self._angles = tuple(
            AnalogInput(
                motor.name, measuring.position(bodies[motor.name.partition(".")[0]], motor.mount)
            )
            for motor in motors
        )
        ends = [(each.bottom, each.top, each.resolution) for each in self._angles]
        self._converters = np.array(ends, float).reshape(-1, 3).T.copy()
        self._currents = tuple(AnalogInput(m.name, measuring.current(m.mount)) for m in motors)
        self._thermometer = AnalogInput("temperature", measuring.THERMOMETER)
        self.targets: Floats = np.zeros(len(motors))
        self._arrived: Floats = np.zeros(len(motors))
        """What of the targets has come through the gears' play."""
        self._limp: set[int] = set()
        self.hold()

    def __len__(self) -> int:
        return len(self.names)

    def place(self, name: str) -> int:
        """Index of a motor in every array here."""
        try:
            return self._place[name]
        except KeyError:
            raise UnknownName("actuator", name, self.names) from None

    def hold(self) -> None:
        """Keep every motor where it is."""
        values = np.where(self._is_drive, 0.0, self.position())
        self._arrived[:] = values
        self.write(values)

    def take_over(self, before: Actuators) -> None:
        """Go on with the commands of the model before, by name."""
        order = [before.place(name) for name in self.names]
        self._arrived[:] = before._arrived[order]
        self._limp = {self.place(before.names[place]) for place in before._limp}
        self.write(before.targets[order])

    def let_go(self, limp: Collection[str]) -> None:
        """These motors and no others give way, whatever they are commanded."""
        self._limp = {self.place(name) for name in limp}
        self.write(self.targets.copy())

    def write(self, values: Floats) -> None:
        """Command all motors; takes effect from the next physics step."""
        released = np.isnan(values)
        self.targets[:] = values
        if self._limp:
            released[list(self._limp)] = True
        self._state[:, electrics.RELEASED] = released
        if released.any():
            values = np.where(released, 0.0, values)
        ctrl = self._data.ctrl
        felt = values if self._exact else self._through_play(values, released)
        ctrl[self._ctrl_of] = (felt * self._factor)[self._motor_of]
        if len(self._brake_of):
            held = (values[self._drive_of] == 0.0) & ~released[self._drive_of]
            self._friction[self._brake_of] = held * self._holding

    def _through_play(self, values: Floats, released: NDArray[np.bool_] | None = None) -> Floats:
        """Where the joints are sent to; a released motor's gears stay as they lie."""
        arrived = np.clip(self._arrived, values - self._slack, values + self._slack)
        self._arrived = arrived if released is None else np.where(released, self._arrived, arrived)
        felt: Floats = self._arrived + self._zero
        return felt

    def controls(self, values: Floats) -> Floats:
        """Rows of values as the control vectors that ``write`` would make of them; for runs whose
        commands are known before, none of them NaN and no drive among them, whose brake is not a
        control."""
        rows: Floats = np.zeros((len(values), len(self._data.ctrl)))
        felt = values if self._exact else np.array([self._through_play(row) for row in values])
        rows[:, self._ctrl_of] = (felt * self._factor)[:, self._motor_of]
        return rows

    @property
    def brakes(self) -> bool:
        """Whether there is a drive, whose brake only ``write`` sets."""
        return len(self._brake_of) > 0

    def write_one(self, name: str, value: float) -> None:
        self.write_at(self.place(name), value)

    def position(self) -> Floats:
        """Where motors are: servo angle, slide, or how far a drive's wheels have turned (rad)."""
        position: Floats = self._data.qpos[self._lead_qpos] * self._gear - self._zero
        return position

    def current(self) -> Floats:
        """Through the supply, A, at the last step."""
        return self._state[:, electrics.CURRENT].copy()

    def filtered(self) -> Floats:
        """As the board measures it, behind the RC filter, A."""
        return self._state[:, electrics.FILTERED].copy()

    def peak(self) -> Floats:
        """Highest filtered current so far, A."""
        return self._state[:, electrics.PEAK].copy()

    def tripped(self) -> NDArray[np.bool_]:
        tripped: NDArray[np.bool_] = self._state[:, electrics.TRIPPED] != 0.0
        return tripped

    @property
    def any_tripped(self) -> bool:
        return bool(self._tripped.any())

    def reset_trip(self, name: str) -> None:
        """Power a tripped servo again; it resumes its last target."""
        place = self.place(name)
        self._state[place, electrics.TRIPPED] = 0.0
        self.write_at(place, float(self.targets[place]))

    def temperature(self) -> Floats:
        """Of the windings, °C; ambient where the engine models none."""
        heat = np.full(len(self.names), self._ambient)
        heat[self._has_heat] += self._data.act[self._heat[self._has_heat]]
        for place in self._shared:
            heat[place] = self.temperature_at(place)
        return heat

    def energy(self) -> Floats:
        """Drawn from the supply since the start, J."""
        return self._state[:, electrics.ENERGY].copy()

    def effort(self) -> Floats:
        """Torque or force of each motor's lead fraction at its shaft, N·m or N."""
        effort: Floats = self._data.actuator_force[self._lead_ctrl]
        return effort

    # -- one motor, by its place: what a board does, at a tenth of the price of an array ----------

    def write_at(self, place: int, value: float) -> None:
        """Command one motor; the others stay as they are."""
        one = self._ones[place]
        released = value != value or place in self._limp  # the first: NaN
        self.targets[place] = value
        self._state[place, electrics.RELEASED] = released
        if not (released or self._exact):
            arrived = min(max(float(self._arrived[place]), value - one.slack), value + one.slack)
            self._arrived[place] = arrived
            level = (arrived + one.zero) * one.factor
        else:
            level = 0.0 if released else value * one.factor
        for ctrl in one.ctrl:
            self._ctrl[ctrl] = level
        if one.brake >= 0:
            held = value == 0.0 and not released
            self._friction[one.brake] = one.holding if held else 0.0

    def position_at(self, place: int) -> float:
        one = self._ones[place]
        return float(self._qpos[one.qpos]) * one.gear - one.zero

    def filtered_at(self, place: int) -> float:
        return float(self._state[place, electrics.FILTERED])

    def tripped_at(self, place: int) -> bool:
        return bool(self._state[place, electrics.TRIPPED])

    def temperature_at(self, place: int) -> float:
        if place in self._shared:
            return self._ambient + self._shared_rise(place)
        heat = self._ones[place].heat
        return self._ambient + float(self._act[heat]) if heat >= 0 else self._ambient

    def _shared_rise(self, place: int) -> float:
        """Of the one winding that drives several joints, °C.  The engine has a motor for each, as
        hot as if all drew alike; heat goes with the square of the current, and currents add up."""
        rises = ((max(float(self._act[w.state]), 0.0), w.share) for w in self._shared[place])
        current = sum(share * sqrt(rise) for rise, share in rises)
        return current * current

    # -- what its board reads ---------------------------------------------------------------------

    def read_angle_at(self, place: int) -> float:
        """In the mount's own unit; on a drive, how far its wheels have turned (rad)."""
        one = self._ones[place]
        return self._angles[place].read(float(self._qpos[one.qpos]) * one.gear - one.zero)

    def read_angles(self) -> Floats:
        """``read_angle_at`` of all motors, at a fraction of the price."""
        low, high, step = self._converters
        steps: Floats = np.rint(self.position() / step)
        read: Floats = np.minimum(np.maximum(steps * step, low), high)
        return read

    def read_current_at(self, place: int) -> float:
        """Behind the RC filter, A."""
        return self._currents[place].read(float(self._state[place, electrics.FILTERED]))

    def read_temperature_at(self, place: int) -> float:
        """Of the winding, °C."""
        return self._thermometer.read(self.temperature_at(place))

    def measured_at(self, place: int) -> tuple[float, float, bool]:
        """Angle, current, and whether it has tripped."""
        one, state = self._ones[place], self._state
        return (
            self._angles[place].read(float(self._qpos[one.qpos]) * one.gear - one.zero),
            self._currents[place].read(float(state[place, electrics.FILTERED])),
            bool(state[place, electrics.TRIPPED]),
        )


class _Winding(NamedTuple):
    """What the engine has for one fraction of a motor."""

    state: int
    """Of its temperature, among the engine's activations; -1: it models none."""
    share: float
    """Of the motor's effort."""


def _windings(model: mujoco.MjModel, motor: Motor) -> list[_Winding]:
    """Of all fractions, the leading one first.  A temperature is the last state of its actuator, or
    the one before its current, where that is a state."""
    from_end = 2 if isinstance(motor.mount, ServoMount) else 1
    found = []
    for fraction in motor.fractions:
        which = model.actuator(fraction.actuator).id
        begin, count = int(model.actuator_actadr[which]), int(model.actuator_actnum[which])
        found.append(_Winding(begin + count - from_end if count else -1, fraction.share))
    return found


@dataclass(frozen=True, slots=True)
class _One:
    """Where one motor is in the engine's arrays; -1: it has none of that."""

    qpos: int
    gear: float
    heat: int
    ctrl: tuple[int, ...]
    factor: float
    brake: int
    holding: float
    zero: float
    slack: float
