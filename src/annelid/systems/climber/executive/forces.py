"""Computes the load of every cup and joint (003 §3; the model of its [28] is not known).

A robot on more than three cups is hyperstatic: statics alone do not say who carries what.  The body
is rigid and hangs on its legs' springs, and of all forces that balance the weight it takes those
that strain the springs least::

    f = K·Gᵀ·(G·K·Gᵀ)⁻¹·(-w)

*Sprung*, a robot whose servos are told positions and no more: a leg's spring follows from its
servos, ``K = J⁻ᵀ·Kq·J⁻¹`` (LAB).  Hanging from a ceiling, its feet strain sideways with more than
their share of the weight.

*Led*, a robot whose servos are told to bear a load as well (``links.py``): any forces that balance
the weight can be asked for, and those are asked for that are easiest on cups and servos together.
That is a bed of springs again, with ``K⁻¹ = C + J·Jᵀ/τ²``: C for a cup's limits, τ for a servo's.

*Evened out*, the load is shared once more, each leg the softer the more of its limits it would use
up.  On walls shear is the limit; it depends on how much each cup is pressed on or pulled, which the
first sharing does not know.  The worst cup then bears a fifth to a third less.  Servos are asked
for this; which legs may be lifted the planner decides by the first sharing, and by this one only
where the robot would be blocked.

A cup that is losing or gaining its vacuum counts by that share, so load moves on as smoothly.

A cup's limits: it is torn off when the pull exceeds its suction, and slides when the shear exceeds
``µ·(suction + compression)``.  *Use* is the share of a limit that is used up; 1 is failure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.kinematics import Legs
from annelid.systems.climber.executive.mass import MassModel

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

UP: Floats = np.array([0.0, 0.0, 1.0])

SLACK = 2e-5
"""Compliance of a cup against its surface, m/N; keeps a stretched leg's stiffness finite."""

LIFTED = 1e-6
"""Share of its stiffness that a leg keeps which is off the ground, so that matrices stay regular;
what it then carries is nothing."""

EASY, MOST = 0.1, 2.0
"""Where loads are evened out: what a leg gives that bears nothing, and the largest strain that
still makes one softer."""


@dataclass(frozen=True)
class Grip:
    """What cups hold, and how much of it may be planned with."""

    suction: float
    """Of a full vacuum, N."""
    friction: float
    """µ of the cups on the surface."""
    torque: float
    """Of a servo at stall, N·m."""
    pull_use: float = 0.5
    shear_use: float = 0.65
    """Shares that may be used: the model is up to 19 % off (LAB)."""
    torque_use: float = 0.85


@dataclass(frozen=True)
class Loads:
    """For every case: (..., n) and what follows it."""

    forces: Floats
    """Of the surface on the feet, in the body, N, (..., n, 3)."""
    normal: Floats
    """Compression positive, N."""
    shear: Floats
    torques: Floats
    """Of the servos, N·m, (..., n, joints)."""
    pull_use: Floats
    shear_use: Floats
    torque_use: Floats

    def holds(self, grip: Grip) -> Bools:
        """Whether all cups and servos stay within what may be used, (...)."""
        return np.asarray(self.strain(grip) <= 1.0)

    def strain(self, grip: Grip) -> Floats:
        """The largest share of what may be used, over all legs; above 1 it does not hold, (...)."""
        worst: Floats = self.strains(grip).max(axis=-1)
        return worst

    def strains(self, grip: Grip) -> Floats:
        """The largest share of what may be used, of every leg, (..., n)."""
        worst: Floats = np.maximum.reduce(
            [
                self.pull_use / grip.pull_use,
                self.shear_use / grip.shear_use,
                self.torque_use / grip.torque_use,
            ]
        )
        return worst


class ForceModel:
    """The bed of springs of one robot."""

    def __init__(self, legs: Legs, masses: MassModel, stiffness: float, grip: Grip) -> None:
        self.legs = legs
        self.masses = masses
        self.stiffness = stiffness
        """Of a servo, N·m/rad."""
        self.grip = grip

    def loads(
        self,
        q: Floats,
        gravity: Floats,
        vacuum: Floats,
        *,
        normal: Floats = UP,
        led: bool = True,
        even: bool = False,
    ) -> Loads:
        """Joints (..., n, joints), gravity in the body (m/s²), vacuum of each cup 0 to 1 (..., n).

        ``normal``: of the surface, in the body; one, or one for each foot.  ``led``: the servos are
        told to bear these loads; else their springs alone decide.  ``even``: loads are evened out.
        """
        jacobian = self.legs.jacobian(q)
        arms = self.legs.forward(q) - self.masses.centre(q)[..., None, :]
        springs = self._asked(jacobian, normal) if led else self.springs(jacobian)
        own = self.masses.torques(q, gravity)
        forces = self._share(arms, springs, gravity, vacuum)
        loads = self._borne(forces, jacobian, own, vacuum, normal)
        if not even:
            return loads
        give = EASY + np.minimum(loads.strains(self.grip), MOST)
        forces = self._share(arms, springs / give[..., None, None], gravity, vacuum)
        return self._borne(forces, jacobian, own, vacuum, normal)

    def _borne(
        self, forces: Floats, jacobian: Floats, own: Floats, vacuum: Floats, normal: Floats
    ) -> Loads:
        """What these forces ask of cups and servos; ``own``: torques of the legs' own weight."""
        grip = self.grip
        compression = (forces * normal).sum(axis=-1)
        aside = forces - compression[..., None] * normal
        shear = np.linalg.norm(aside, axis=-1)
        torques = -np.einsum("...nij,...ni->...nj", jacobian, forces) - own
        held = vacuum > LIFTED
        suction = grip.suction * vacuum
        room = np.maximum(suction + compression, 1e-9)
        return Loads(
            forces,
            compression,
            shear,
            torques,
            pull_use=np.where(held, -np.minimum(compression, 0.0) / np.maximum(suction, 1e-9), 0.0),
            shear_use=np.where(held, shear / (grip.friction * room), 0.0),
            torque_use=np.abs(torques).max(axis=-1) / grip.torque,
        )

    def without(self, vacuum: Floats) -> Floats:
        """The cases of each leg lifted in turn, (n, n)."""
        return np.where(np.eye(self.legs.count, dtype=bool), 0.0, vacuum)

    def springs(self, jacobian: Floats) -> Floats:
        """``K = J⁻ᵀ·Kq·J⁻¹`` of every leg, by its compliance, (..., n, 3, 3)."""
        compliance = jacobian @ np.swapaxes(jacobian, -1, -2) / self.stiffness
        compliance[..., range(3), range(3)] += SLACK
        return np.asarray(np.linalg.inv(compliance), dtype=np.float64)

    def _asked(self, jacobian: Floats, normal: Floats) -> Floats:
        """Springs whose strain is the sum of squares of what cups and servos have to bear, each as
        a share of its limit."""
        grip = self.grip
        along = normal[..., :, None] * normal[..., None, :]
        cups = (along + (np.eye(3) - along) / grip.friction**2) / grip.suction**2
        servos = jacobian @ np.swapaxes(jacobian, -1, -2) / grip.torque**2
        return np.asarray(np.linalg.inv(cups + servos), dtype=np.float64)

    def _share(self, arms: Floats, springs: Floats, gravity: Floats, vacuum: Floats) -> Floats:
        """The forces at ``arms`` from the centre of mass that hold the robot."""
        springs = springs * np.maximum(vacuum, LIFTED)[..., None, None]
        cross = _cross(arms)
        turned = cross @ springs  # moments of what the springs hold
        bed = np.empty((*turned.shape[:-3], 6, 6))
        bed[..., :3, :3] = springs.sum(axis=-3)
        bed[..., 3:, :3] = turned.sum(axis=-3)
        bed[..., :3, 3:] = np.swapaxes(bed[..., 3:, :3], -1, -2)
        bed[..., 3:, 3:] = (turned @ np.swapaxes(cross, -1, -2)).sum(axis=-3)
        weight = np.zeros((*bed.shape[:-2], 6, 1))
        weight[..., :3, 0] = -self.masses.total * gravity
        give = np.linalg.solve(bed, weight)[..., 0]
        moved = give[..., None, :3] + np.einsum("...nji,...j->...ni", cross, give[..., 3:])
        forces: Floats = np.einsum("...nij,...nj->...ni", springs, moved)
        return forces


def _cross(arms: Floats) -> Floats:
    """The matrices of ``arm ×``."""
    cross = np.zeros((*arms.shape, 3))
    x, y, z = arms[..., 0], arms[..., 1], arms[..., 2]
    cross[..., 0, 1], cross[..., 0, 2] = -z, y
    cross[..., 1, 0], cross[..., 1, 2] = z, -x
    cross[..., 2, 0], cross[..., 2, 1] = -y, x
    return cross
