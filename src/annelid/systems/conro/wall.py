"""Feedback: side sensors steer a caterpillar along a wall (002 §8).

The loop of ``tree.py``, and once a cycle, when it is as it was a cycle before, a module looks how
far the wall is, and bends towards or away from it until it looks again.  Each goes by its own
sensor: that makes the chain turn, and lie along the wall.  One whose sensor says that it is broken
goes straight.
"""

from __future__ import annotations

from annelid.electronics.board import Board
from annelid.kernel import Program, Receive
from annelid.motion.roles import Role
from annelid.motion.steering import Steering
from annelid.systems.conro.tree import SIGNAL


def wall(board: Board, role: Role, step_s: float, steering: Steering) -> Program:
    parent = board.ports[role.parent].received
    if board.latches[role.parent].closed:
        yield Receive(parent)
    eye = board.sensors[steering.sensor]
    t, seen, turn = 0, eye.read(), 0.0
    while True:
        for connector, delay in role.delays.items():
            if t == delay:
                board.ports[connector].send(SIGNAL)
        if parent.drain():
            t = 0
        if t == 0:
            seen, before = eye.read(), seen
            turn = steering.turn(seen, before) if eye.valid else 0.0
        for servo, angle in role.action(t).items():
            board.servos[servo].target = angle + (turn if servo == steering.servo else 0.0)
        t = (t + 1) % role.period
        yield board.tick(step_s)
