"""The levels of Fig 17 of 000, and the names of its two channels.

The upper half decides on a *destination*: a direction and distance as the robot sees it, forward
and left, m.  The lower half decides on an *action*: one movement of the whole robot.
"""

from __future__ import annotations

from typing import Final

WANDERING: Final = 10
PATH: Final = 20
GOAL: Final = 30
OBSTACLE: Final = 40
"""Obstacle negotiation, the highest (000 §6.2)."""

WALKING: Final = 1
LOOKING: Final = 2
POSTURE: Final = 3
"""Balance; all below :data:`WANDERING` decide on the action."""

DESTINATION: Final = "destination"
ACTION: Final = "action"
