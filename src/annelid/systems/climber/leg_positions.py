"""Rates a stance: how far it walks, and what load it puts on the cups (003 §3.1, eqs 1-2).

Thirteen genes for six legs: x and y of every foot, and one z, all from the trunk's centre.  The
walk is the cyclic movement (``executive/cyclic.py``): the body goes forward by a stride, then the
legs follow one at a time.  Every moment of it must be within reach and joint limits and free of
collisions; the stance's stride is the longest for which that is so, and the distance is that of a
given number of cycles.

Forces are those of the force model at every moment.  A leg's is counted with the sign of its normal
part (eq 2), and the cost (eq 1) is ``-min(f(max F), f(min F))·D``.  The paper's f is a figure that
is lost.  Two are offered (``FORCE_SHAPES``), both 0 at the robot's weight (pressing) and at the
cup's suction (pulling): ours falls from 1 at no force; that of FACTS §4 has a flat top, below which
forces grow for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.systems.climber.executive.cyclic import order
from annelid.systems.climber.model import Climber

Floats = NDArray[np.float64]

CYCLES: Final = 5
STRIDES: Final = np.linspace(0.01, 0.20, 20)
"""Tried, m."""
APART: Final = 0.004
"""Between legs, m."""


@dataclass(frozen=True)
class ForceShape:
    """f(x) of eq 1: 1 up to a share of each limit, and straight from there to 0 at the limit."""

    push: float = 0.0
    """Of the robot's weight."""
    pull: float = 0.0
    """Of a cup's suction."""

    def __call__(self, push: float, pull: float) -> float:
        """The lesser of both tails; ``push`` and ``pull`` as shares of their limits."""
        tails = (1.0 - push) / (1.0 - self.push), (1.0 - pull) / (1.0 - self.pull)
        return min(1.0, max(0.0, min(tails)))


FALLING, FLAT = "falling", "flat"
FORCE_SHAPES: Final[Mapping[str, ForceShape]] = {
    FALLING: ForceShape(),
    FLAT: ForceShape(push=0.4, pull=0.3),
}
"""Ours, and that of FACTS §4."""


@dataclass(frozen=True)
class Worth:
    """Of one stance."""

    distance: float
    """Walked in ``CYCLES`` cycles, m; 0: it cannot walk at all."""
    push: float
    pull: float
    """Largest forces on a foot, N, by the sign of their normal part; both positive."""
    costs: Mapping[str, float]
    """Eq 1, by the f(x) of ``FORCE_SHAPES``."""

    @property
    def force(self) -> float:
        """The larger of the two, N."""
        return max(self.push, self.pull)


NOTHING: Final = Worth(0.0, float("inf"), float("inf"), dict.fromkeys(FORCE_SHAPES, 0.0))


class LegPositions:
    """Evaluates stances of one robot on a plane of some inclination."""

    def __init__(self, climber: Climber, *, slope_deg: float = 0.0) -> None:
        self._climber = climber
        slope = np.radians(slope_deg)
        self._gravity = 9.81 * np.array([-np.sin(slope), 0.0, -np.cos(slope)])
        self._weight = climber.masses.total * 9.81
        count = climber.count
        self._grips = np.vstack([np.ones(count), 1.0 - np.eye(count)])

    def genes(self, stance: Floats) -> Floats:
        """x and y of every foot, then z."""
        return np.concatenate([stance[:, :2].ravel(), [float(stance[:, 2].mean())]])

    def stance(self, genes: Floats) -> Floats:
        count = self._climber.count
        if len(genes) != 2 * count + 1:
            raise InputError(
                f"leg positions: expected {2 * count + 1} genes for {count} legs, got {len(genes)}"
            )
        return np.column_stack([genes[:-1].reshape(count, 2), np.full(count, genes[-1])])

    def worth(self, genes: Floats) -> Worth:
        """Of the stance, by its longest possible stride."""
        stance = self.stance(genes)
        moments = self._moments(stance)
        q = self._climber.legs.inverse(moments)
        within = (self._climber.legs.margin(q) >= 0.0).all(axis=(1, 2))
        possible = int(np.argmin(within)) if not within.all() else len(STRIDES)
        for number in range(possible - 1, -1, -1):
            if self._free(q[number]):
                return self._judge(q[number], float(STRIDES[number]))
        return NOTHING

    def _moments(self, stance: Floats) -> Floats:
        """Feet in the body at every moment of a cycle, for every stride, (strides, moments, n, 3):
        the stance, the body gone forward, and after each leg."""
        count = self._climber.count
        back = np.zeros((count + 2, count))
        back[1:] = 1.0
        for number, leg in enumerate(order(stance, np.array([1.0, 0.0, 0.0]))):
            back[2 + number :, leg] = 0.0
        feet = np.broadcast_to(stance, (len(STRIDES), *back.shape, 3)).copy()
        feet[..., 0] -= STRIDES[:, None, None] * back
        return feet

    def _free(self, q: Floats) -> bool:
        return not self._climber.collision.meetings(q, apart=APART).any()

    def _judge(self, q: Floats, stride: float) -> Worth:
        climber = self._climber
        legs = order(climber.legs.forward(q[0]), np.array([1.0, 0.0, 0.0]))
        # Standing before and after the body moves, then each leg lifted on its way.
        rows = np.concatenate([q[:2], q[1:-1]])
        grips = np.concatenate([self._grips[[0, 0]], self._grips[[1 + leg for leg in legs]]])
        loads = climber.forces.loads(rows, self._gravity, grips)
        signed = np.linalg.norm(loads.forces, axis=-1) * np.where(loads.normal < 0, -1.0, 1.0)
        push, pull = max(float(signed.max()), 0.0), max(-float(signed.min()), 0.0)
        shares = push / self._weight, pull / climber.forces.grip.suction
        distance = CYCLES * stride
        costs = {name: -shape(*shares) * distance for name, shape in FORCE_SHAPES.items()}
        return Worth(distance, push, pull, costs)
