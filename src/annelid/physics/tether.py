"""The cable the tail drags: friction that grows with the length paid out and with every bend it
lies in, and an end to it.

It pulls the last module back along its own axis, at every step.  A cable that is drawn along a way
of curvature κ has the tension ``dT/ds = drag + µ·κ·T``: a bend of angle θ multiplies what hangs
behind it by ``exp(µ·θ)`` (the capstan's formula).  Where friction is the same all along, that is
``T = drag·E`` with an *effective length* E, which is what is computed here.

In a pipe the cable lies on the centre line between the inlet and the tail.  A network is a tree,
so there is one such way to every place: E at the beginning of each tube is computed once, and at a
step it follows from the tube that the tail is in and how far along it is.  Nothing is remembered,
so a robot that has been in a branch and has come back pays for the branch no longer, and swaying
does not wind the cable up.  The corner of a branch is counted over its first bore's width.

In the open and in a user's mesh nobody knows how the cable lies: there it is taken to be straight,
and E is what the tail has pulled in.  Bends round obstacles are left out.

A robot that goes back finds the cable slack: somebody takes it in, and it does not push.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import mujoco
import numpy as np
from numba import njit
from numpy.typing import NDArray

from annelid.worlds.scenery import Scenery
from annelid.worlds.tube_kernels import along_radial
from annelid.worlds.tube_table import H_TUBES, HEAD, ROW, T_LENGTH, T_MATE, T_RADIUS, T_TAPER
from annelid.worlds.tubes import Tube, TubeNetwork

if TYPE_CHECKING:
    from annelid.physics.build import Plan

Floats = NDArray[np.float64]

USERDATA: Final = 2
"""Where the tether's values start in ``userdata`` (see ``electrics.HEADER``)."""

SIZE: Final = 16
BODY, DRAG, PAID, LENGTH, LAST, STIFFNESS = 0, 1, 2, 3, 4, 7
FRICTION, NET, ORIGIN, TUBE, BEGUN, LAY = 8, 9, 10, 13, 14, 15
"""Body that drags it (-1: none), drag, paid out, length, last place (3), stiffness; friction in
bends, address of the network's table (-1: no pipe), its origin (3), the tube the tail is in, way of
the tail from the first tube's start when it was attached, place of the lay in userdata."""

LAID: Final = 4
EFFECTIVE, WAY, CURVED, TURNED = range(LAID)
"""The lay, a row per tube: effective length and way at its start (m), curvature (1/m), and the
length from the start that has it (m)."""

TAUT: Final = 300.0
"""Stiffness of the cable at its end, N/m."""

CREEP: Final = 0.002
"""Speed above which the friction is fully there, m/s."""

LIGHT: Final = 0.02
"""Mass for which the friction is still stable at any timestep, kg."""


def room_needed(scenery: Scenery) -> int:
    """Of the lay, in userdata."""
    return 0 if scenery.tubes is None else LAID * len(scenery.tubes.tubes)


def attach(plan: Plan, data: mujoco.MjData) -> None:
    """Tie the world's tether, if it has one, to the back of the last module.  After a cut or a join
    it is as far paid out as it was."""
    cable = plan.world.tether
    if cable is None:
        return
    mujoco.mj_kinematics(plan.model, data)
    tail = plan.robot.modules[-1]
    body = plan.model.body(f"{tail.name}/{tail.body.face('back').part}").id
    user = data.userdata[USERDATA:]
    begun = None if user[BODY] < 0 else float(user[BEGUN])
    user[BODY] = body
    user[DRAG], user[LENGTH], user[STIFFNESS] = cable.drag_n_per_m, cable.length_m, TAUT
    user[LAST : LAST + 3] = data.xpos[body]
    user[FRICTION], user[NET] = cable.bend_friction, -1.0
    network = plan.scenery.tubes
    if network is None:
        return
    if begun is None:
        begun = max(float(network.tubes[0].coordinates(data.xpos[body])[0][0]), 0.0)
    user[NET] = plan.model.numeric_adr[plan.model.numeric("pipe_tubes").id]
    user[ORIGIN : ORIGIN + 3] = plan.model.geom("pipe").pos
    user[BEGUN], user[LAY] = begun, plan.model.nuserdata - room_needed(plan.scenery)
    rows = lay(network, begun, cable.bend_friction)
    data.userdata[int(user[LAY]) : int(user[LAY]) + rows.size] = rows.ravel()


def paid_out(data: mujoco.MjData) -> float:
    """Cable pulled in behind the robot so far, m."""
    return float(data.userdata[USERDATA + PAID])


def lay(network: TubeNetwork, begun: float, friction: float) -> Floats:
    """How a cable lies in every tube on the way to it, the tail having ``begun`` so far from the
    start of the first one (m)."""
    rows = np.zeros((len(network.tubes), LAID))
    for index, tube in enumerate(network.tubes):
        row = rows[index]
        row[EFFECTIVE] = row[WAY] = -begun
        if tube.parent >= 0:
            parent = network.tubes[tube.parent]
            before = rows[tube.parent]
            off = tube.along - parent.along if tube.branch else parent.length
            row[EFFECTIVE] = effective(before, 0, off, friction)
            row[WAY] = before[WAY] + off
        row[CURVED], row[TURNED] = _bend(tube, network)
    return rows


def _bend(tube: Tube, network: TubeNetwork) -> tuple[float, float]:
    """(curvature, over which length) of the centre line behind the tube's start."""
    if tube.bent:
        return 1 / tube.bend_radius, tube.length
    if not tube.branch:
        return 0.0, 0.0
    corner = min(2 * tube.radius_start, tube.length)
    along = float(np.dot(tube.tangent, network.tubes[tube.parent].tangent))
    return math.acos(min(max(along, -1.0), 1.0)) / corner, corner


@njit(error_model="numpy")
def effective(rows: Any, at: int, along: float, friction: float) -> float:
    """Effective length of a cable whose end is ``along`` metres from the start of the tube whose
    row begins at ``at``."""
    turned = min(max(along, 0.0), rows[at + TURNED])
    angle = friction * rows[at + CURVED] * turned
    grown = turned * math.expm1(angle) / angle if angle > 1e-9 else turned
    return float(max(rows[at + EFFECTIVE] * math.exp(angle) + grown + along - turned, 0.0))


@njit(error_model="numpy")
def tube_at(net: Any, tube: int, x: float, y: float, z: float) -> int:
    """The tube that a point is deepest in, ``tube`` having been it before."""
    row = HEAD + tube * ROW
    along, radial, _, _, _ = along_radial(net, row, x, y, z)
    length, radius = net[row + T_LENGTH], net[row + T_RADIUS] + net[row + T_TAPER] * along
    if net[row + T_MATE] < 0.0 and 0.0 <= along <= length and radial <= radius:
        return tube
    best, found = -math.inf, tube
    for k in range(int(net[H_TUBES])):
        row = HEAD + k * ROW
        along, radial, _, _, _ = along_radial(net, row, x, y, z)
        inside = min(max(along, 0.0), net[row + T_LENGTH])
        radius = net[row + T_RADIUS] + net[row + T_TAPER] * inside
        depth = radius - radial - 2.0 * abs(along - inside)
        if depth > best:
            best, found = depth, k
    return found


@njit(error_model="numpy")
def drag(user: Any, at: int, net: Any, places: Any, turns: Any, forces: Any, h: float) -> None:
    """Set the cable's pull as the tail's external force."""
    body = int(user[at + BODY])
    forward = 0.0
    for axis in range(3):
        here = places[3 * body + axis]
        forward += (here - user[at + LAST + axis]) * turns[9 * body + 3 * axis]
        user[at + LAST + axis] = here
    if user[at + NET] < 0.0:
        paid = max(user[at + PAID] + forward, 0.0)
        tension = user[at + DRAG] * paid
    else:
        x = places[3 * body] - user[at + ORIGIN]
        y = places[3 * body + 1] - user[at + ORIGIN + 1]
        z = places[3 * body + 2] - user[at + ORIGIN + 2]
        tube = tube_at(net, int(user[at + TUBE]), x, y, z)
        user[at + TUBE] = float(tube)
        row = HEAD + tube * ROW
        along, _, _, _, _ = along_radial(net, row, x, y, z)
        along = min(max(along, 0.0), net[row + T_LENGTH])
        laid = int(user[at + LAY]) + LAID * tube
        paid = max(user[laid + WAY] + along, 0.0)
        tension = user[at + DRAG] * effective(user, laid, along, user[at + FRICTION])
    user[at + PAID] = paid
    pull = tension * max(math.tanh(forward / h / (CREEP + tension * h / LIGHT)), 0.0)
    if paid > user[at + LENGTH]:
        pull += user[at + STIFFNESS] * (paid - user[at + LENGTH])
    for axis in range(3):
        forces[6 * body + axis] = -pull * turns[9 * body + 3 * axis]
