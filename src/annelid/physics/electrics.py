"""What happens in the servos' electronics at every physics step, compiled.

A control loop of 15 ms would miss all of it: the dead band of the motor (001 §3.2), the RC filter
in front of the current measurement, the comparator that trips at 100 mA (000 §4.1.2), and the
energy drawn.  So it runs inside the engine's step, as its ``passive`` callback.

Everything it needs travels with the model and its data: a table of fractions (``numeric``
``electrics``) and, per motor, the state in ``userdata``.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from math import expm1
from typing import Any, Final

import mujoco
import numpy as np
from numba import cfunc
from numpy.typing import NDArray

from annelid.physics import suction, tether
from annelid.physics.motors import Motor
from annelid.physics.native import (
    GENERIC,
    StructLayout,
    field,
    float_field,
    floats,
    ints,
    layout,
    set_callback,
    stamp,
)
from annelid.robot.body import DriveMount, LinearMount, ServoMount
from annelid.worlds import tube_kernels, tube_table
from annelid.worlds.scenery import Patch

Floats = NDArray[np.float64]

MAGIC: Final = 5.0117e8
NUMERIC: Final = "electrics"

TETHER: Final = tether.USERDATA
HEADER: Final = TETHER + tether.SIZE
"""userdata before the motors: magic, numeric id, then the tether (``physics/tether.py``), whose
lay in a pipe stands at the very end."""

STATE: Final = 6
"""userdata per motor: current, filtered, tripped, released, energy, peak of filtered."""
CURRENT, FILTERED, TRIPPED, RELEASED, ENERGY, PEAK = range(STATE)

COLUMNS: Final = 17
(
    KIND, ACTUATOR, ACT, DOF, GEAR, CONSTANT, RESISTANCE, THRESHOLD,
    FACTOR, TRIP, DRAW, SCALE, VOLTAGE, MOTOR, LAST, INDUCED, PAST,
) = range(COLUMNS)  # fmt: skip
"""The table, a row per fraction.  INDUCED: current per rad/s gained during a step; PAST: place in
userdata of the joint's speed at the step before, NaN at first."""

WINDING, PROPORTIONAL, VOLTAGE_DRIVEN = 0.0, 1.0, 2.0
"""Kinds: the current is an engine state, or follows from the force; the last is commanded by its
voltage, the others by a position."""


def rows_needed(motors: Sequence[Motor]) -> int:
    return sum(len(motor.fractions) for motor in motors)


def reserve(
    spec: mujoco.MjSpec,
    motors: Sequence[Motor],
    cups: Sequence[suction.Cup],
    patches: Sequence[Patch] = (),
    *,
    cable: int = 0,
) -> None:
    """Room in the model for the tables and the state; filled in after compiling.  ``cable`` is what
    the tether's lay needs."""
    size = rows_needed(motors) * COLUMNS + 1 + suction.room_needed(cups, patches)
    spec.add_numeric(name=NUMERIC, data=[0.0] * size, size=size)
    spec.nuserdata = HEADER + STATE * max(1, len(motors)) + rows_needed(motors) + len(cups) + cable


def fill(model: mujoco.MjModel, motors: Sequence[Motor]) -> None:
    """Write the table: every id is known only once the model is compiled."""
    numeric = model.numeric(NUMERIC)
    table = np.zeros((rows_needed(motors), COLUMNS))
    row = 0
    for number, motor in enumerate(motors):
        for place, fraction in enumerate(motor.fractions):
            actuator = model.actuator(fraction.actuator)
            joint = model.joint(fraction.joint)
            entry = table[row]
            entry[ACTUATOR] = actuator.id
            entry[DOF] = joint.dofadr[0]
            entry[GEAR] = fraction.gear
            entry[FACTOR] = motor.filter_factor
            entry[TRIP] = motor.trip
            entry[VOLTAGE] = motor.voltage
            entry[MOTOR] = number
            entry[LAST] = float(place == len(motor.fractions) - 1)
            entry[DRAW] = 1.0
            entry[PAST] = HEADER + STATE * max(1, len(motors)) + row
            mount = motor.mount
            if isinstance(mount, ServoMount):
                servo = mount.servo
                entry[CONSTANT] = servo.motor_constant
                entry[RESISTANCE] = servo.resistance / fraction.share
                entry[DRAW] = servo.draw
                states = int(model.actuator_actnum[actuator.id])
                if states:
                    entry[KIND] = WINDING
                    entry[ACT] = model.actuator_actadr[actuator.id] + states - 1
                    entry[THRESHOLD] = servo.threshold * fraction.share
                    lag = induced_lag(model.opt.timestep * servo.resistance / servo.inductance)
                    entry[INDUCED] = servo.motor_constant / entry[RESISTANCE] * lag
                else:
                    entry[KIND] = PROPORTIONAL
                    entry[SCALE] = 1 / servo.motor_constant
            elif isinstance(mount, LinearMount):
                entry[KIND], entry[SCALE] = PROPORTIONAL, mount.stall_current / mount.force_max
            elif isinstance(mount, DriveMount):
                stall = mount.stall_force * mount.wheel_radius
                entry[KIND], entry[SCALE] = VOLTAGE_DRIVEN, mount.stall_current / stall
            row += 1
    start = int(numeric.id)
    address = int(model.numeric_adr[start])
    model.numeric_data[address] = row
    model.numeric_data[address + 1 : address + 1 + table.size] = table.ravel()


def induced_lag(step: float) -> float:
    """How much of a change of speed during a step the winding has felt at its end.

    The engine integrates the current with the speed at the step's beginning.  With a speed that
    changes evenly, ``L·di/dt = e - R·i - K·ω`` gives ``-K/R·Δω·(1 - (1 - exp(-a))/a)`` more, where
    a is the ``step`` in electrical time constants (0.8 at 0.5 ms for 001's servo; claim A1).
    """
    return 1 + expm1(-step) / step


def begin(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Mark the state as ours; an unmarked one is left alone by the callback."""
    data.userdata[:] = 0.0
    data.userdata[0] = MAGIC
    data.userdata[1] = model.numeric(NUMERIC).id
    data.userdata[TETHER] = -1.0
    address = int(model.numeric_adr[model.numeric(NUMERIC).id])
    rows = int(model.numeric_data[address])
    table = model.numeric_data[address + 1 : address + 1 + rows * COLUMNS].reshape(rows, COLUMNS)
    data.userdata[table[:, PAST].astype(int)] = np.nan


def state(data: mujoco.MjData, motors: int) -> Floats:
    """Per motor: current, filtered, tripped, released, energy, peak (a view, not a copy)."""
    view: Floats = data.userdata[HEADER : HEADER + STATE * motors].reshape(motors, STATE)
    return view


def install() -> None:
    """Connect the electronics to this process's engine; calling it again does nothing."""
    set_callback("passive", _compiled())


@functools.cache
def _compiled() -> Any:
    return _make(layout())


def _make(places: StructLayout) -> Any:
    timestep = places["model.opt.timestep"]
    nuserdata = places["model.nuserdata"]
    numeric_data, numeric_adr = places["model.numeric_data"], places["model.numeric_adr"]
    userdata, act, ctrl = places["data.userdata"], places["data.act"], places["data.ctrl"]
    qvel, passive = places["data.qvel"], places["data.qfrc_passive"]
    force, length = places["data.actuator_force"], places["data.actuator_length"]

    xpos, xmat, xfrc = places["data.xpos"], places["data.xmat"], places["data.xfrc_applied"]
    sensed = places["data.sensordata"]
    sources = (tether, suction, tube_kernels, tube_table)
    edition = stamp(__file__, *(str(source.__file__) for source in sources))

    @cfunc(GENERIC, cache=True)
    def electrics(m: int, d: int) -> None:
        if field(m, nuserdata) < HEADER:
            return
        user = floats(field(d, userdata))
        if user[0] != MAGIC:
            return
        h = float_field(m, timestep)
        table = floats(field(m, numeric_data))
        at = ints(field(m, numeric_adr))[int(user[1])]
        acts, ctrls = floats(field(d, act)), floats(field(d, ctrl))
        vel, push = floats(field(d, qvel)), floats(field(d, passive))
        forces, lengths = floats(field(d, force)), floats(field(d, length))
        total = 0.0
        power = 0.0
        for row in range(int(table[at])):
            k = at + 1 + row * COLUMNS
            s = HEADER + int(table[k + MOTOR]) * STATE
            released = user[s + TRIPPED] != 0.0 or user[s + RELEASED] != 0.0
            dof = int(table[k + DOF])
            if table[k + KIND] == WINDING:
                a, past = int(table[k + ACT]), int(table[k + PAST])
                gained = table[k + GEAR] * (vel[dof] - user[past])
                user[past] = vel[dof]
                if gained == gained:  # not NaN
                    acts[a] -= table[k + INDUCED] * gained
                if released:
                    acts[a] = 0.0
                    ctrls[int(table[k + ACTUATOR])] = lengths[int(table[k + ACTUATOR])]
                current = acts[a]
                dead = table[k + THRESHOLD]
                lost = min(max(current, -dead), dead)
                push[dof] -= table[k + GEAR] * table[k + CONSTANT] * lost
                back = table[k + CONSTANT] * table[k + GEAR] * vel[dof]
                drawn = (table[k + RESISTANCE] * current + back) * current
            else:
                if released:
                    moving = table[k + KIND] == VOLTAGE_DRIVEN
                    there = 0.0 if moving else lengths[int(table[k + ACTUATOR])]
                    ctrls[int(table[k + ACTUATOR])] = there
                current = forces[int(table[k + ACTUATOR])] * table[k + SCALE]
                drawn = table[k + VOLTAGE] * abs(current)
            total += abs(current) * table[k + DRAW]
            power += max(drawn, 0.0) * table[k + DRAW]
            if table[k + LAST] != 0.0:
                filtered = user[s + FILTERED] + (total - user[s + FILTERED]) * table[k + FACTOR]
                user[s + CURRENT] = total
                user[s + FILTERED] = filtered
                user[s + PEAK] = max(user[s + PEAK], filtered)
                if filtered >= table[k + TRIP]:
                    user[s + TRIPPED] = 1.0
                user[s + ENERGY] += power * h
                total = 0.0
                power = 0.0
        cups = at + 1 + int(table[at]) * COLUMNS
        if table[cups] > 0.0:
            suction.pump(
                table, cups, user, acts, ctrls, floats(field(d, sensed)), floats(field(d, xpos)), h
            )
        if user[TETHER] >= 0.0:
            net = floats(field(m, numeric_data) + 8 * max(int(user[TETHER + tether.NET]), 0))
            tether.drag(
                user, TETHER, net, floats(field(d, xpos)), floats(field(d, xmat)),
                floats(field(d, xfrc)), h,
            )  # fmt: skip
        if edition < 0:
            return

    return electrics
