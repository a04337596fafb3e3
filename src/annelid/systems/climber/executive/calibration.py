"""Finds the zeros of the joints from feet that do not move.

A servo's horn is off by a degree; the board reads the shaft and believes it.  Feet are then some
millimetres from where they are reckoned, the body goes astray, and feet strain against each other.
But attached feet stay where they are while the body moves, so ``P + R·u_k(q_k + e_k) = a_k`` must
hold at all times with the same zeros ``e`` and anchors ``a`` (eq 5 of 003, read the other way).
An extended Kalman filter estimates both.  The body's pose is taken as unknown at every look, so it
costs six of the equations; what no movement shows stays unknown.  All coxae off to the same side
show only when the body turns, so a body that is to go straight should sway before.  On a plane all
anchors have one height, which shows the rest.

Encoders have steps: looks at a body that stands still say the same thing again, and count once.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.kinematics import Legs
from annelid.systems.climber.executive.pose import BodyPose

Floats = NDArray[np.float64]

FREE: Final = np.diag([0.05**2] * 3 + [0.2**2] * 3)
"""Of a pose that nothing is known of, m² and rad²."""
BEGUN: Final = np.diag([0.0, 0.0, 0.003**2, 0.005**2, 0.005**2, 0.0])
"""Of the first pose: its height and its level are not known well."""
FLAT: Final = 0.0007
"""How flat a plane is, m."""
CREEP: Final = 0.0002
"""What cups and model leave open at every look, m."""
MOVED: Final = 0.001
"""Of any foot in the body, from which a look is a new one, m."""
POSE: Final = slice(0, 6)


class Calibration:
    """``step``: of the joints' encoders, ``zero``: how far zeros may be off, both rad."""

    def __init__(self, legs: Legs, *, step: float, zero: float) -> None:
        self._legs = legs
        self._noise = step**2 / 12
        count, joints = legs.count, legs.joints
        self._joint = [slice(6 + k * joints, 6 + (k + 1) * joints) for k in range(count)]
        begin = 6 + count * joints
        self._anchor = [slice(begin + 3 * k, begin + 3 * (k + 1)) for k in range(count)]
        self._spread = np.zeros((begin + 3 * count,) * 2)
        at = np.arange(6, begin)
        self._spread[at, at] = zero**2
        self.zeros = np.zeros((count, joints))
        """To be added to what a joint reports, rad."""
        self._looked: Floats | None = None

    def begin(self, pose: BodyPose, q: Floats, anchors: Floats, standing: list[int]) -> None:
        """The first feet stand; place and heading of the body are what the world is laid by."""
        self._spread[POSE, POSE] = BEGUN
        for leg in standing:
            self.put_down(leg, pose, q)
        self._looked = self._legs.forward(q)

    def put_down(self, leg: int, pose: BodyPose, q: Floats) -> None:
        """A foot has been attached, and its place is reckoned from here: what the place owes to
        pose and zeros is known."""
        turns = pose.turn @ self._legs.jacobian(q)
        row = self._row(leg, pose, self._legs.forward(q), turns)
        row[:, self._anchor[leg]] = 0.0
        at = self._anchor[leg]
        self._spread[at, :] = row @ self._spread
        self._spread[:, at] = self._spread[at, :].T
        self._spread[at, at] = row @ self._spread[:, at] + self._error(turns[leg])

    def flatten(self, leg: int, anchors: Floats) -> None:
        """The foot stands on the plane z = 0."""
        row = np.zeros((1, len(self._spread)))
        row[0, self._anchor[leg].start + 2] = 1.0
        self._learn(row, anchors[leg, 2:], np.array([[FLAT**2]]), anchors)

    def look(self, pose: BodyPose, q: Floats, anchors: Floats, standing: list[int]) -> None:
        """Learn from standing feet; ``anchors`` (world) and :attr:`zeros` are changed.  ``q`` are
        the joints with the zeros of before."""
        feet = self._legs.forward(q)
        seen = self._looked
        if seen is not None and np.abs((feet - seen)[standing]).max() < MOVED:
            return
        self._looked = feet
        self._spread[POSE, :] = self._spread[:, POSE] = 0.0
        self._spread[POSE, POSE] = FREE
        turns = pose.turn @ self._legs.jacobian(q)
        rows = np.concatenate([self._row(k, pose, feet, turns) for k in standing])
        noise = np.zeros((len(rows),) * 2)
        for number, leg in enumerate(standing):
            at = slice(3 * number, 3 * number + 3)
            noise[at, at] = self._error(turns[leg])
        off = (pose.out(feet[standing]) - anchors[standing]).ravel()
        self._learn(rows, off, noise, anchors)

    def roll(self, turn: Floats) -> None:
        """The world is turned."""
        whole = np.eye(len(self._spread))
        for at in (slice(0, 3), slice(3, 6), *self._anchor):
            whole[at, at] = turn
        self._spread = whole @ self._spread @ whole.T

    def _learn(self, rows: Floats, off: Floats, noise: Floats, anchors: Floats) -> None:
        """One update of the filter: ``rows @ state`` is off by ``off``."""
        reach = self._spread @ rows.T
        gain = np.linalg.solve(rows @ reach + noise, reach.T).T
        change = -gain @ off
        spread = self._spread - gain @ reach.T
        self._spread = (spread + spread.T) / 2
        for leg in range(self._legs.count):
            self.zeros[leg] += change[self._joint[leg]]
            anchors[leg] += change[self._anchor[leg]]

    def _row(self, leg: int, pose: BodyPose, feet: Floats, turns: Floats) -> Floats:
        """How a foot's distance from its anchor follows from everything, (3, state)."""
        row = np.zeros((3, len(self._spread)))
        x, y, z = pose.turn @ feet[leg]
        row[:, :3] = np.eye(3)
        row[:, 3:6] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        row[:, self._joint[leg]] = turns[leg]
        row[:, self._anchor[leg]] = -np.eye(3)
        return row

    def _error(self, turns: Floats) -> Floats:
        """Of one look at a foot that its joints turn so, m²."""
        error: Floats = self._noise * turns @ turns.T + CREEP**2 * np.eye(3)
        return error
