"""Sets a bend right by how steep the pipe behind it is.

Joints tell angle and side of a bend within several degrees: a nose leans in its pipe, and a chain
that is pushed does so more.  Accelerometers tell how a pipe lies within one or two, once they have
been in it for a while.  What fits both best is on the map.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

import numpy as np

from annelid.systems.microtub.mapping.frame import PipeFrame, Vector
from annelid.systems.microtub.mapping.graph import Graph, PipeBranch, PipeStretch

ANGLE_SURE, SIDE_SURE, SLOPE_SURE = radians(6), radians(6), radians(1.5)
"""Standard deviations of what joints and accelerometers tell."""
LEAST_M: Final = 0.03
"""Of a way on which gravity was felt."""
ROUNDS: Final = 4
"""Of Gauss's and Newton's method; two would do."""


def set_right(graph: Graph) -> None:
    """Every bend before a stretch that was felt, in order from the start."""
    first = slope(graph.stretches[0])
    if first is None:
        return
    origin = graph.origin
    vertical = cos(first) * origin.up + sin(first) * origin.heading
    for stretch in graph.stretches.values():
        lies = slope(stretch)
        if lies is not None and stretch.felt.angle > 0:
            stretch.way = likeliest(graph.before_bend(stretch), stretch.felt, lies, vertical)


def slope(stretch: PipeStretch) -> float | None:
    """Mean over the way on which it was felt; None: too short a one."""
    over = stretch.leaned_over
    return stretch.leaned / over if over >= LEAST_M else None


def likeliest(frame: PipeFrame, felt: PipeBranch, lies: float, vertical: Vector) -> PipeBranch:
    """The bend after ``frame`` that fits best what joints felt, and that the pipe behind it rises
    by ``lies``; ``vertical`` points up in the world."""
    left, up = frame.side(0.0), frame.up
    meant = np.array([felt.direction, felt.angle])
    sure = np.array([SIDE_SURE / max(sin(felt.angle), 0.1), ANGLE_SURE])
    found = meant.copy()
    for _ in range(ROUNDS):
        direction, angle = found
        side = cos(direction) * left + sin(direction) * up
        across = cos(direction) * up - sin(direction) * left
        heading = cos(angle) * frame.heading + sin(angle) * side
        turned = sin(angle) * across, cos(angle) * side - sin(angle) * frame.heading
        rises = [float(each @ vertical) for each in turned]
        jacobian = np.vstack([np.diag(1 / sure), np.array(rises) / SLOPE_SURE])
        off = np.append((found - meant) / sure, (heading @ vertical - sin(lies)) / SLOPE_SURE)
        found -= np.linalg.lstsq(jacobian, off, rcond=None)[0]
    direction, angle = found.tolist()
    return PipeBranch(direction, max(angle, 0.0))
