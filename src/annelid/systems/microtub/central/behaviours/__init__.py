"""The behaviours of the central control (000 §6.1).

================  ===========================================================================
obstacle          ``obstacle_in_pipe``, ``obstacle_in_open_air``
goals             ``reach_place``, ``reach_landmark``, ``find_break``, ``repair``
paths             ``pipe_following``, ``edge_following``, ``stripe_following``
wandering         ``wandering``
posture           ``balance``; looking ``stand_to_look``
walking           ``walking``: move straight, turn, move laterally, rotate
================  ===========================================================================

All derive from ``central_behaviour``.  A new one is a file and a row of :data:`CENTRAL_LAYER`, or a
plugin's; its level says who is above it.
"""

from __future__ import annotations

from typing import Final

from annelid.behaviour import BehaviourLayer
from annelid.systems.microtub.central.behaviours.balance import Balance
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.behaviours.edge_following import EdgeFollowing
from annelid.systems.microtub.central.behaviours.find_break import FindBreak
from annelid.systems.microtub.central.behaviours.obstacle_in_open_air import ObstacleInOpenAir
from annelid.systems.microtub.central.behaviours.obstacle_in_pipe import ObstacleInPipe
from annelid.systems.microtub.central.behaviours.pipe_following import PipeFollowing
from annelid.systems.microtub.central.behaviours.reach_landmark import ReachLandmark
from annelid.systems.microtub.central.behaviours.reach_place import ReachPlace
from annelid.systems.microtub.central.behaviours.repair import Repair, UseTool
from annelid.systems.microtub.central.behaviours.stand_to_look import StandToLook
from annelid.systems.microtub.central.behaviours.stripe_following import StripeFollowing
from annelid.systems.microtub.central.behaviours.walking import (
    MoveLaterally,
    MoveStraight,
    Rotate,
    Turn,
)
from annelid.systems.microtub.central.behaviours.wandering import Wandering

CENTRAL_LAYER: Final = BehaviourLayer.of(
    "central",
    CentralBehaviour,
    ObstacleInPipe,
    ObstacleInOpenAir,
    ReachPlace,
    FindBreak,
    Repair,
    ReachLandmark,
    PipeFollowing,
    EdgeFollowing,
    StripeFollowing,
    Wandering,
    Balance,
    StandToLook,
    MoveStraight,
    Turn,
    MoveLaterally,
    Rotate,
    UseTool,
)
"""Both halves of Fig 17."""
