"""Computes feet from joints and joints from feet (003 §4.4.3), for all legs at once.

The paper's equations are corrected (FACTS §4): (6)-(7) turn coxa and femur the same way, (11) is
an angle, and the knee's two branches hold above and below the hip alike.  In a leg's own frame y
points outward, z up, and q1 turns clockwise seen from above; a leg is then a plane that turns about
the coxa's axis, and in that plane a chain of links whose angles add up::

    r  = Lcy + Σ Lk cos ak          Px =  Lcx cos q1 + r sin q1
    Pz = Lcz + Σ Lk sin ak          Py = -Lcx sin q1 + r cos q1       ak = q2 + … + qk

**The seam.**  Everything but :meth:`Legs.inverse` holds for any number of links.  Two links are
the paper's leg; with three (an ankle) the last one is kept across the body's floor, so that a cup
stands square on a surface the body is parallel to, and the two before it are solved for the ankle.

What cannot be reached is NaN, never clipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

KNEE_UP, KNEE_DOWN = 1.0, -1.0


@dataclass(frozen=True)
class Legs:
    """The geometry of a robot's legs, a row each."""

    mounts: Floats
    """Where the coxae turn, in the body, (n, 3)."""
    yaws: Floats
    """Direction of "outward" from the body's x, to the left, (n,)."""
    coxae: Floats
    """Lcx, Lcy, Lcz: from the coxa's axis to the femur's, (n, 3)."""
    links: Floats
    """Lengths from the femur on, (n, 2 or 3)."""
    low: Floats
    high: Floats
    """Limits of the joints, (n, joints)."""

    def __post_init__(self) -> None:
        if self.links.shape[1] not in (2, 3):
            raise InputError(
                f"legs: expected 2 links after the coxa, or 3 with an ankle, "
                f"got {self.links.shape[1]}"
            )

    @property
    def count(self) -> int:
        return len(self.yaws)

    @property
    def joints(self) -> int:
        """Of one leg."""
        return 1 + int(self.links.shape[1])

    def only(self, legs: Sequence[int]) -> Legs:
        """Some of them, in this order; one may be there several times."""
        k = np.asarray(legs, dtype=np.intp)
        return Legs(
            self.mounts[k], self.yaws[k], self.coxae[k], self.links[k], self.low[k], self.high[k]
        )

    @cached_property
    def alone(self) -> tuple[Legs, ...]:
        """Each leg by itself, for many cases of one leg."""
        return tuple(self.only([k]) for k in range(self.count))

    @cached_property
    def frames(self) -> Floats:
        """Rows: the leg's x, y (outward), z in the body, (n, 3, 3)."""
        cos, sin, zero = np.cos(self.yaws), np.sin(self.yaws), np.zeros(self.count)
        return np.stack(
            [
                np.stack([sin, -cos, zero], axis=1),
                np.stack([cos, sin, zero], axis=1),
                np.stack([zero, zero, zero + 1], axis=1),
            ],
            axis=1,
        )

    # -- forward -------------------------------------------------------------------------------

    def angles(self, q: Floats) -> Floats:
        """Of the links against the body's floor, (..., n, links)."""
        return np.cumsum(q[..., 1:], axis=-1)

    def forward(self, q: Floats) -> Floats:
        """Feet in the body, (..., n, 3)."""
        a = self.angles(q)
        r = self.coxae[:, 1] + (self.links * np.cos(a)).sum(axis=-1)
        z = self.coxae[:, 2] + (self.links * np.sin(a)).sum(axis=-1)
        return self.place(q[..., 0], self.coxae[:, 0], r, z)

    def place(self, q1: Floats, lateral: Floats, r: Floats, z: Floats) -> Floats:
        """A point of the turning plane, in the body."""
        cos, sin = np.cos(q1), np.sin(q1)
        own = np.stack([lateral * cos + r * sin, r * cos - lateral * sin, z], axis=-1)
        placed: Floats = self.mounts + np.einsum("...ni,nij->...nj", own, self.frames)
        return placed

    def jacobian(self, q: Floats) -> Floats:
        """How feet move in the body with their joints, (..., n, 3, joints)."""
        a = self.angles(q)
        along, up = self.links * np.cos(a), self.links * np.sin(a)
        r = self.coxae[:, 1] + along.sum(axis=-1)
        # A joint of the plane moves all that comes after it.
        dz = np.cumsum(along[..., ::-1], axis=-1)[..., ::-1]
        dr = -np.cumsum(up[..., ::-1], axis=-1)[..., ::-1]
        return self.columns(q[..., 0], self.coxae[:, 0], r, dr, dz)

    def columns(self, q1: Floats, lateral: Floats, r: Floats, dr: Floats, dz: Floats) -> Floats:
        """The Jacobian of a point at (lateral, r) whose r and z change by dr, dz a joint."""
        cos, sin = np.cos(q1), np.sin(q1)
        first = np.stack(
            [r * cos - lateral * sin, -lateral * cos - r * sin, np.zeros_like(r)], axis=-1
        )[..., None]
        rest = np.stack([dr * sin[..., None], dr * cos[..., None], dz], axis=-2)
        own = np.concatenate([first, rest], axis=-1)
        turned: Floats = np.einsum("...nik,nij->...njk", own, self.frames)
        return turned

    # -- inverse -------------------------------------------------------------------------------

    def inverse(self, feet: Floats, knee: float = KNEE_UP) -> Floats:
        """Joints that put the feet there, (..., n, joints); NaN where there are none."""
        own = np.einsum("...nj,nij->...ni", feet - self.mounts, self.frames)
        x, y, z = own[..., 0], own[..., 1], own[..., 2] - self.coxae[:, 2]
        lcx, lcy = self.coxae[:, 0], self.coxae[:, 1]
        femur, tibia = self.links[:, 0], self.links[:, 1]
        ankle = self.links.shape[1] == 3
        if ankle:
            z = z + self.links[:, 2]
        with np.errstate(invalid="ignore", divide="ignore"):
            reach = np.sqrt(x**2 + y**2 - lcx**2)
            out = reach - lcy
            span = np.hypot(out, z)
            b = np.arccos((femur**2 + tibia**2 - span**2) / (2 * femur * tibia))
            a2 = np.arccos((femur**2 + span**2 - tibia**2) / (2 * femur * span))
            q1 = np.arctan2(x, y) - np.arctan2(lcx, reach)
            q1 = _wrapped(q1)
            q2 = _wrapped(np.arctan2(z, out) + knee * a2)
            q3 = -knee * (np.pi - b)
        q = [q1, q2, q3]
        if ankle:
            q.append(-np.pi / 2 - q2 - q3)
        solved = np.stack(q, axis=-1)
        solved[~np.isfinite(solved).all(axis=-1)] = np.nan
        return solved

    def margin(self, q: Floats) -> Floats:
        """How far each leg's nearest joint is from its limit, rad; negative beyond it, and for
        what cannot be reached at all."""
        room = np.minimum(q - self.low, self.high - q).min(axis=-1)
        return np.where(np.isnan(room), -np.inf, room)

    def reachable(self, feet: Floats, *, margin: float = 0.0, knee: float = KNEE_UP) -> Bools:
        """Whether a foot can stand there with its joints so far within their limits."""
        return self.margin(self.inverse(feet, knee)) >= margin


def _wrapped(angle: Floats) -> Floats:
    """Within half a turn of zero; a sum of two such angles is at most one turn off."""
    return np.where(
        angle > np.pi, angle - 2 * np.pi, np.where(angle < -np.pi, angle + 2 * np.pi, angle)
    )
