"""Computes the centre of mass (003 §4.4.4), and the joint torques that the links' weight needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.kinematics import Legs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Masses:
    """Of the body and of each leg's parts, kg; where their centres are."""

    body: float
    body_at: Floats
    coxae: Floats
    """(n,)"""
    coxae_at: Floats
    """Lateral, outward, up from the coxa's axis, (n, 3)."""
    links: Floats
    """(n, links)"""
    links_along: Floats
    """From the link's joint along it, m, (n, links)."""

    @property
    def total(self) -> float:
        return self.body + float(self.coxae.sum() + self.links.sum())


class MassModel:
    """Centre of mass and gravity's torques, for all legs at once."""

    def __init__(self, legs: Legs, masses: Masses) -> None:
        self.legs = legs
        self.masses = masses
        self.total = masses.total

    def centres(self, q: Floats) -> Floats:
        """Of every leg's coxa and links, in the body, (..., 1 + links, n, 3)."""
        legs, masses = self.legs, self.masses
        a = legs.angles(q)
        cos, sin = np.cos(a), np.sin(a)
        ends_r = np.cumsum(legs.links * cos, axis=-1) - legs.links * cos
        ends_z = np.cumsum(legs.links * sin, axis=-1) - legs.links * sin
        r = legs.coxae[:, 1, None] + ends_r + masses.links_along * cos
        z = legs.coxae[:, 2, None] + ends_z + masses.links_along * sin
        first = legs.place(
            q[..., 0], masses.coxae_at[:, 0], masses.coxae_at[:, 1] + 0 * q[..., 0],
            masses.coxae_at[:, 2] + 0 * q[..., 0],
        )  # fmt: skip
        rest = [
            legs.place(q[..., 0], legs.coxae[:, 0], r[..., k], z[..., k])
            for k in range(legs.links.shape[1])
        ]
        return np.stack([first, *rest], axis=-3)

    def centre(self, q: Floats) -> Floats:
        """Of the whole robot, in the body, (..., 3)."""
        masses = self.masses
        weights = np.concatenate([masses.coxae[None], masses.links.T])
        legs = np.einsum("kn,...kni->...i", weights, self.centres(q))
        centre: Floats = (masses.body * masses.body_at + legs) / self.total
        return centre

    def torques(self, q: Floats, gravity: Floats) -> Floats:
        """What ``gravity`` (m/s², in the body) does to each joint, N·m, (..., n, joints)."""
        legs, masses = self.legs, self.masses
        a = legs.angles(q)
        along, up = legs.links * np.cos(a), legs.links * np.sin(a)
        pull = np.einsum("nij,j->ni", legs.frames, gravity)  # in each leg's own frame
        cos, sin = np.cos(q[..., 0]), np.sin(q[..., 0])
        outward = pull[:, 0] * sin + pull[:, 1] * cos
        aside = pull[:, 0] * cos - pull[:, 1] * sin
        share = masses.links_along / legs.links
        # The moment arm of link k about joint j: whole links between, and its own share.
        torques = np.zeros((*q.shape[:-1], legs.joints))
        r = np.broadcast_to(legs.coxae[:, 1], q.shape[:-1]).copy()
        lateral = legs.coxae[:, 0]
        coxa = masses.coxae_at
        torques[..., 0] = masses.coxae * (coxa[:, 1] * aside - coxa[:, 0] * outward)
        for k in range(legs.links.shape[1]):
            mass = masses.links[:, k]
            reach = r + share[:, k] * along[..., k]
            torques[..., 0] += mass * (reach * aside - lateral * outward)
            arm_r = np.zeros(q.shape[:-1])
            arm_z = np.zeros(q.shape[:-1])
            for j in range(k, -1, -1):
                part = share[:, k] if j == k else 1.0
                arm_r = arm_r + part * along[..., j]
                arm_z = arm_z + part * up[..., j]
                torques[..., 1 + j] += mass * (arm_r * pull[:, 2] - arm_z * outward)
            r = r + along[..., k]
        return torques
