"""The behaviours of the central control (000 §6.1).

================  ===========================================================================
obstacle          ``obstacles`` in pipes, ``going_round`` in the open
goals             ``reach_place``, ``breaks``, ``tools``; by the camera ``by_sight``
paths             ``exploring``; by the camera ``by_sight``
wandering         ``exploring``
posture           ``balance``; looking ``by_sight``, ``pipe_mouth``
walking           ``walking``: move straight, turn, move laterally, rotate
================  ===========================================================================

All derive from ``base``.  A new one is a class and a row of :data:`CENTRAL_LAYER`, or a plugin's;
its level says who is above it.
"""

from __future__ import annotations

from typing import Final

from annelid.behaviour import BehaviourLayer
from annelid.systems.microtub.central.behaviours.balance import Balance
from annelid.systems.microtub.central.behaviours.base import (
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.behaviours.breaks import FindBreak
from annelid.systems.microtub.central.behaviours.by_sight import (
    EdgeFollowing,
    ReachLandmark,
    StandToLook,
    StripeFollowing,
)
from annelid.systems.microtub.central.behaviours.exploring import PipeFollowing, Wandering
from annelid.systems.microtub.central.behaviours.going_round import GoRound
from annelid.systems.microtub.central.behaviours.obstacles import ObstacleInPipe
from annelid.systems.microtub.central.behaviours.pipe_mouth import LookOut
from annelid.systems.microtub.central.behaviours.reach_place import ReachPlace
from annelid.systems.microtub.central.behaviours.tools import BringTool, UseTool
from annelid.systems.microtub.central.behaviours.walking import (
    MoveLaterally,
    MoveStraight,
    Rotate,
    Turn,
)

CENTRAL_LAYER: Final = BehaviourLayer.of(
    "central",
    CentralBehaviour,
    ObstacleInPipe,
    GoRound,
    ReachPlace,
    FindBreak,
    BringTool,
    ReachLandmark,
    PipeFollowing,
    EdgeFollowing,
    StripeFollowing,
    Wandering,
    Balance,
    StandToLook,
    LookOut,
    MoveStraight,
    Turn,
    MoveLaterally,
    Rotate,
    UseTool,
)
"""Both halves of Fig 17."""
