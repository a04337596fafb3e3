"""The behaviours of the central control (000 §6.1), one file each.

================  ===========================================================================
obstacle          ``obstacle_in_pipe``, ``obstacle_in_open_air``
goals             ``reach_place``, ``reach_landmark``, ``find_break``, ``repair``
paths             ``pipe_following``, ``edge_following``, ``stripe_following``
wandering         ``wandering``
posture           ``balance``; looking ``stand_to_look``
walking           ``move_straight``, ``turn``, ``move_laterally``, ``rotate``
================  ===========================================================================

A new one is a file and a row of :func:`guides` (those that decide where to go) or :func:`walkers`
(those that go); its level says who is above it.
"""

from __future__ import annotations

from annelid.behaviour import Behaviour
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.balance import Balance
from annelid.systems.microtub.central.behaviours.edge_following import EdgeFollowing
from annelid.systems.microtub.central.behaviours.find_break import FindBreak
from annelid.systems.microtub.central.behaviours.move_laterally import MoveLaterally
from annelid.systems.microtub.central.behaviours.move_straight import MoveStraight
from annelid.systems.microtub.central.behaviours.obstacle_in_open_air import ObstacleInOpenAir
from annelid.systems.microtub.central.behaviours.obstacle_in_pipe import ObstacleInPipe
from annelid.systems.microtub.central.behaviours.pipe_following import PipeFollowing
from annelid.systems.microtub.central.behaviours.reach_landmark import ReachLandmark
from annelid.systems.microtub.central.behaviours.reach_place import ReachPlace
from annelid.systems.microtub.central.behaviours.repair import Repair, UseTool
from annelid.systems.microtub.central.behaviours.rotate import Rotate
from annelid.systems.microtub.central.behaviours.stand_to_look import StandToLook
from annelid.systems.microtub.central.behaviours.stripe_following import StripeFollowing
from annelid.systems.microtub.central.behaviours.turn import Turn
from annelid.systems.microtub.central.behaviours.wandering import Wandering
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge


def guides(bifurcations: Bifurcations) -> list[Behaviour[Knowledge]]:
    """The upper half of Fig 17."""
    return [
        ObstacleInPipe(bifurcations),
        ObstacleInOpenAir(),
        ReachPlace(),
        FindBreak(),
        Repair(),
        ReachLandmark(),
        PipeFollowing(bifurcations),
        EdgeFollowing(),
        StripeFollowing(),
        Wandering(),
    ]


def walkers(abilities: Abilities) -> list[Behaviour[Knowledge]]:
    """The lower half."""
    return [
        Balance(abilities),
        StandToLook(),
        MoveStraight(abilities),
        Turn(abilities),
        MoveLaterally(abilities),
        Rotate(abilities),
        UseTool(),
    ]
