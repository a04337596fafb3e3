"""Bodies of CONRO modules for rows that ask for other ones than are shipped: loops, random trees.

In a random tree modules are docked with their female back to a free male face (front, left, right)
of one that is there already, wherever there is room on the floor.  How often a body goes on
straight is drawn too, so that slender trees and bushes come up.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from annelid.robot import Robot
from annelid.systems.conro.lineage import lineage
from annelid.systems.conro.spec import ConroSpec

LENGTH, HALF = 0.100, 0.0225
"""Of a module, m."""
GAP: Final = 0.001
MALE: Final = ("front", "left", "right")
Flat = tuple[float, float]
Rectangle = tuple[float, float, float, float]


def random_tree(modules: int, seed: int) -> dict[str, Any]:
    """``robot.modules`` and ``robot.docks`` of a scenario; C1 is the one whose back is free."""
    draw = np.random.default_rng((2, modules, seed))
    straight = float(draw.uniform(0.2, 0.9))
    front, heading = {1: (0.0, 0.0)}, {1: (1.0, 0.0)}
    taken = [_rectangle(front[1], heading[1])]
    free = [(1, face) for face in MALE]
    docks: list[dict[str, str]] = []
    while len(front) < modules:
        weights = np.array(
            [straight if face == "front" else (1 - straight) / 2 for _, face in free]
        )
        parent, face = free.pop(int(draw.choice(len(free), p=weights / weights.sum())))
        at, ahead = _face(front[parent], heading[parent], face)
        begins = (at[0] + LENGTH * ahead[0], at[1] + LENGTH * ahead[1])
        if any(_overlap(_rectangle(begins, ahead), other) for other in taken):
            continue
        child = len(front) + 1
        front[child], heading[child] = begins, ahead
        taken.append(_rectangle(begins, ahead))
        free += [(child, each) for each in MALE]
        docks.append({"a": f"C{parent}.{face}", "b": f"C{child}.back"})
    return {"robot.chain": None, "robot.modules": [{"type": "C"}] * modules, "robot.docks": docks}


def loop(modules: int) -> dict[str, Any]:
    """A regular polygon that stands on an edge."""
    names = range(1, modules + 1)
    return {
        "robot.chain": None,
        "robot.modules": [{"type": "C", "start": {"pitch": 360 / modules}} for _ in names],
        "robot.docks": [{"a": f"C{k}.back", "b": f"C{k % modules + 1}.front"} for k in names],
    }


def deepest(robot: Robot, spec: ConroSpec) -> tuple[str, int, int]:
    """The module that its root's first signal reaches last, by how many steps of delay, and by how
    many docks."""
    found = lineage(robot, spec.casts(robot))
    (root,) = found.roots(found.pieces[0])
    steps, docks = {root: 0}, {root: 0}
    waiting = [root]
    while waiting:
        parent = waiting.pop()
        for child, (above, connector) in found.parents.items():
            if above == parent:
                steps[child] = steps[parent] + found.roles[parent].delays[connector]
                docks[child] = docks[parent] + 1
                waiting.append(child)
    last = max(steps, key=lambda name: (steps[name], docks[name]))
    return last, steps[last], docks[last]


def reached(robot: Robot, spec: ConroSpec, leader: str) -> int:
    """Steps until the last module has heard of a leader, when signals go both ways: each passes it
    on when its own cycle has come from the delay of the one connector to that of the other."""
    found = lineage(robot, spec.casts(robot), both_ways=True)
    arrived, entered = {leader: 0}, {leader: 0}
    waiting = [leader]
    while waiting:
        name = waiting.pop()
        role = found.roles[name]
        for own, (other, face) in found.neighbours(name):
            if other not in arrived:
                wait = (role.delays.get(own, 0) - entered[name]) % role.period
                arrived[other] = arrived[name] + wait + 1
                entered[other] = found.roles[other].delays.get(face, 0)
                waiting.append(other)
    return max(arrived.values())


def _face(front: Flat, heading: Flat, face: str) -> tuple[Flat, Flat]:
    """Where a face is, and where it looks."""
    if face == "front":
        return front, heading
    side = 1.0 if face == "left" else -1.0
    across = (-side * heading[1], side * heading[0])
    middle = (front[0] - HALF * heading[0], front[1] - HALF * heading[1])
    return (middle[0] + HALF * across[0], middle[1] + HALF * across[1]), across


def _rectangle(front: Flat, heading: Flat) -> Rectangle:
    """Least and most x and y; headings are quarter turns."""
    back = (front[0] - LENGTH * heading[0], front[1] - LENGTH * heading[1])
    wide = (HALF * abs(heading[1]), HALF * abs(heading[0]))
    low, high = np.minimum(front, back) - wide, np.maximum(front, back) + wide
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    apart_x = one[1] - GAP < other[0] or other[1] - GAP < one[0]
    apart_y = one[3] - GAP < other[2] or other[3] - GAP < one[2]
    return not (apart_x or apart_y)
