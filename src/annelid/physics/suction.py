"""Suction cups: the engine's adhesion, with a vacuum that needs time and a seal.

The engine pulls a body onto what it touches with a given force.  How much of a cup's full pull
there is at a moment is the cup's *vacuum*, a state of its actuator from 0 to 1: it grows while the
impeller runs and the seal is closed, falls while the impeller stands, and is lost at once where
there is no contact (003 §5: 0.5 s to attach, 1.5 s to detach).  That happens inside the engine's
step, beside the servos' electronics (``electrics.py``), from a table that follows theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import mujoco
import numpy as np
from numba import njit
from numpy.typing import NDArray

from annelid.errors import UnknownName
from annelid.robot.body import CupMount
from annelid.robot.robot import Robot
from annelid.worlds.scenery import Patch

if TYPE_CHECKING:
    from annelid.physics.build import Plan

Floats = NDArray[np.float64]

COLUMNS: Final = 10
ACT, CTRL, TOUCH, UP, DOWN, LOST, OFF, HOLDS, LEAK, BODY = range(COLUMNS)
"""The table, a row per cup: its vacuum, command and seal in the engine's arrays, its rates (1/s),
the place in ``userdata`` of the time since it last touched (s), and what a leak leaves: the vacuum
that the impeller still keeps up, and the rate at which the rest goes (1/s); the body that it is."""
PATCH: Final = 4
"""Between the number of cups and their rows: the number of patches on which none seals, and for
each its centre and radius, m."""

LIP: Final = 0.03
"""A lip that is off its surface for less than this stays sealed, s: a foot that is set down
trembles by hundredths of a millimetre, and rubber follows it."""

NUMERIC: Final = "electrics"


@dataclass(frozen=True)
class Cup:
    """One cup in the model."""

    name: str
    """``module.cup``"""
    mount: CupMount
    seal: str
    """The touch sensor in it."""


def add_cups(spec: mujoco.MjSpec, robot: Robot) -> tuple[Cup, ...]:
    cups = []
    for module in robot.modules:
        for mount in module.body.cups:
            name = f"{module.name}.{mount.name}"
            actuator = spec.add_actuator(
                name=name,
                target=f"{module.name}/{mount.part}",
                trntype=mujoco.mjtTrn.mjTRN_BODY,
            )
            actuator.set_to_adhesion(gain=mount.suction)
            actuator.ctrllimited = True
            actuator.ctrlrange = [0, 1]
            actuator.dyntype = mujoco.mjtDyn.mjDYN_USER
            actuator.actdim = 1
            cups.append(Cup(name, mount, f"{module.name}.{mount.touch}"))
    return tuple(cups)


def room_needed(cups: Sequence[Cup], patches: Sequence[Patch]) -> int:
    return 2 + COLUMNS * len(cups) + PATCH * len(patches)


def fill(
    model: mujoco.MjModel, cups: Sequence[Cup], patches: Sequence[Patch], *, after: int
) -> None:
    """Write the table behind the servos'; its state is the last of ``userdata``."""
    state = int(model.nuserdata) - len(cups)
    table = np.zeros((len(cups), COLUMNS))
    for number, (row, cup) in enumerate(zip(table, cups, strict=True)):
        row[OFF] = state + number
        actuator = model.actuator(cup.name)
        row[ACT] = model.actuator_actadr[actuator.id]
        row[CTRL] = actuator.id
        row[TOUCH] = model.sensor(cup.seal).adr[0]
        row[UP] = 1 / cup.mount.attach_time
        row[DOWN] = 1 / cup.mount.detach_time
        row[LOST] = 1 / cup.mount.leak_time
        row[HOLDS] = 1.0
        row[BODY] = model.actuator_trnid[actuator.id, 0]
    start = int(model.numeric_adr[model.numeric(NUMERIC).id]) + after
    spots = [value for patch in patches for value in (*patch.at, patch.radius)]
    model.numeric_data[start : start + 2 + len(spots)] = (len(cups), len(patches), *spots)
    _table(model, len(cups))[:] = table


def leak(model: mujoco.MjModel, cup: int, cups: int, *, holds: float, falls_s: float) -> None:
    """Let one of ``cups`` cups keep no more than ``holds`` of its vacuum, which falls there at the
    rate that empties a full one in ``falls_s``; ``holds`` 1: it is tight."""
    row = _table(model, cups)[cup]
    row[HOLDS], row[LEAK] = holds, 1 / falls_s


def _table(model: mujoco.MjModel, cups: int) -> Floats:
    """The last of the numbers that the electronics have in the model, (cups, columns)."""
    numeric = model.numeric(NUMERIC).id
    end = int(model.numeric_adr[numeric] + model.numeric_size[numeric])
    rows: Floats = model.numeric_data[end - cups * COLUMNS : end].reshape(cups, COLUMNS)
    return rows


def begin(plan: Plan, data: mujoco.MjData) -> None:
    """Cups that begin attached."""
    for cup in plan.cups:
        if cup.mount.attached:
            actuator = plan.model.actuator(cup.name).id
            data.ctrl[actuator] = 1.0
            data.act[plan.model.actuator_actadr[actuator]] = 1.0


@njit(error_model="numpy")
def on_patch(table: Any, at: int, places: Any, body: int) -> bool:
    """Whether a body is on one of the patches whose number stands at ``at``."""
    for patch in range(int(table[at])):
        k = at + 1 + patch * PATCH
        far = 0.0
        for axis in range(3):
            far += (places[3 * body + axis] - table[k + axis]) ** 2
        if far < table[k + 3] ** 2:
            return True
    return False


@njit(error_model="numpy")
def pump(
    table: Any, at: int, user: Any, acts: Any, ctrls: Any, touched: Any, places: Any, h: float
) -> None:
    """One step of every cup's vacuum; the seal is as it was at the step before."""
    rows = at + 2 + int(table[at + 1]) * PATCH
    for cup in range(int(table[at])):
        k = rows + cup * COLUMNS
        place = int(table[k + ACT])
        rate = table[k + UP] if ctrls[int(table[k + CTRL])] > 0.5 else -table[k + DOWN]
        off = int(table[k + OFF])
        user[off] = 0.0 if touched[int(table[k + TOUCH])] > 0.0 else user[off] + h
        if user[off] > LIP or on_patch(table, at + 1, places, int(table[k + BODY])):
            rate = -table[k + LOST]
        elif rate > 0.0 and acts[place] > table[k + HOLDS]:
            rate = -min(table[k + LEAK], (acts[place] - table[k + HOLDS]) / h)
        elif rate > 0.0:
            rate = min(rate, (table[k + HOLDS] - acts[place]) / h)
        acts[place] = min(max(acts[place] + rate * h, 0.0), 1.0)


class Cups:
    """All cups of a model; a recompiled simulation makes a new one."""

    def __init__(self, plan: Plan, data: mujoco.MjData) -> None:
        model = plan.model
        self.names = tuple(cup.name for cup in plan.cups)
        self._place = {name: place for place, name in enumerate(self.names)}
        actuators = [model.actuator(name).id for name in self.names]
        self._ctrl_of = np.array(actuators, dtype=np.intp)
        self._act_of = np.array([model.actuator_actadr[k] for k in actuators], dtype=np.intp)
        self._ctrl, self._act = data.ctrl, data.act
        self._seal_of = np.array([model.sensor(c.seal).adr[0] for c in plan.cups], dtype=np.intp)
        self._sensed = data.sensordata

    def place(self, name: str) -> int:
        try:
            return self._place[name]
        except KeyError:
            raise UnknownName("cup", name, self.names) from None

    def run(self, place: int, on: bool) -> None:
        """Switch the impeller."""
        self._ctrl[self._ctrl_of[place]] = 1.0 if on else 0.0

    def run_all(self, places: Sequence[int], on: NDArray[np.bool_]) -> None:
        """Switch several."""
        self._ctrl[self._ctrl_of[places]] = on

    def running(self, place: int) -> bool:
        return bool(self._ctrl[self._ctrl_of[place]] > 0.5)

    def vacuum(self, place: int) -> float:
        """0 to 1."""
        return float(self._act[self._act_of[place]])

    def vacuums(self) -> Floats:
        vacuums: Floats = self._act[self._act_of]
        return vacuums

    def touching(self) -> NDArray[np.bool_]:
        """Which cups are on something."""
        touching: NDArray[np.bool_] = self._sensed[self._seal_of] > 0.0
        return touching
