"""The collision model (003 §4.4.2): legs are segments and cups circles, seen along the body's z.

What meets in space meets in this projection, so nothing is missed; that legs which pass above each
other count as meeting is the price of the simplification, and errs on the safe side.  A segment has
a half width, which the paper leaves out: real links have one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.kinematics import Legs

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def point_to_segment(point: Floats, start: Floats, end: Floats) -> Floats:
    """Distances, over all leading dimensions."""
    way = end - start
    length2 = np.maximum((way * way).sum(axis=-1), 1e-18)
    share = np.clip(((point - start) * way).sum(axis=-1) / length2, 0.0, 1.0)
    distance: Floats = np.linalg.norm(point - start - share[..., None] * way, axis=-1)
    return distance


def segment_to_segment(a0: Floats, a1: Floats, b0: Floats, b1: Floats) -> Floats:
    """0 where they cross, else the distance of the nearest end."""
    ends = np.minimum(
        np.minimum(point_to_segment(a0, b0, b1), point_to_segment(a1, b0, b1)),
        np.minimum(point_to_segment(b0, a0, a1), point_to_segment(b1, a0, a1)),
    )
    crossing = (_side(a0, a1, b0) * _side(a0, a1, b1) < 0) & (
        _side(b0, b1, a0) * _side(b0, b1, a1) < 0
    )
    return np.where(crossing, 0.0, ends)


def _side(start: Floats, end: Floats, point: Floats) -> Floats:
    way, there = end - start, point - start
    side: Floats = way[..., 0] * there[..., 1] - way[..., 1] * there[..., 0]
    return side


@dataclass(frozen=True)
class Figures:
    """Legs as they are seen: (..., n, 2) each."""

    start: Floats
    end: Floats
    cup: Floats


@dataclass(frozen=True)
class CollisionModel:
    legs: Legs
    cup_radius: float
    half_width: float
    """Of a leg."""

    def figures(self, q: Floats, legs: Legs | None = None) -> Figures:
        """A leg reaches from its axis to whatever of it is farthest out, knee or foot."""
        legs = legs or self.legs
        a = legs.angles(q)
        ends = legs.coxae[:, 1, None] + np.cumsum(legs.links * np.cos(a), axis=-1)
        near = np.minimum(ends.min(axis=-1), 0.0)
        far = np.maximum(ends.max(axis=-1), legs.coxae[:, 1])
        nothing = np.zeros_like(near)
        lateral = legs.coxae[:, 0]
        start, end, cup = (
            legs.place(q[..., 0], lateral, r, nothing)[..., :2] for r in (near, far, ends[..., -1])
        )
        return Figures(start, end, cup)

    def clearance(self, one: Figures, other: Figures) -> Floats:
        """Between legs, m; negative where they meet."""
        cups, width = self.cup_radius, self.half_width
        nearest: Floats = np.minimum.reduce(
            [
                np.linalg.norm(one.cup - other.cup, axis=-1) - 2 * cups,
                point_to_segment(one.cup, other.start, other.end) - cups - width,
                point_to_segment(other.cup, one.start, one.end) - cups - width,
                segment_to_segment(one.start, one.end, other.start, other.end) - 2 * width,
            ]
        )
        return nearest

    def meetings(self, q: Floats, *, apart: float = 0.0) -> Bools:
        """Which legs are nearer to each other than ``apart``, (..., n, n)."""
        seen = self.figures(q)
        rows = Figures(*(p[..., :, None, :] for p in (seen.start, seen.end, seen.cup)))
        columns = Figures(*(p[..., None, :, :] for p in (seen.start, seen.end, seen.cup)))
        met = self.clearance(rows, columns) < apart
        met[..., range(self.legs.count), range(self.legs.count)] = False
        return met

    def free(self, leg: int, cases: Floats, others: Floats, *, apart: float = 0.0) -> Bools:
        """For each case (c, joints) of one leg, whether it stays clear of the others (n, joints);
        legs whose joints are NaN are not there."""
        rest = [k for k in range(self.legs.count) if k != leg and not np.isnan(others[k]).any()]
        if not rest:
            return np.ones(len(cases), dtype=bool)
        alone = self.figures(cases[:, None, :], self.legs.alone[leg])
        there = self.figures(others[rest], self.legs.only(rest))
        return np.asarray((self.clearance(alone, there) >= apart).all(axis=-1))
