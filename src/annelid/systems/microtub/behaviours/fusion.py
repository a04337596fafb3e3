"""Fig 13 of 000 as a table, and the behaviours of one module as a stack.

::

    servo      Inhibit(survival that objects,
                 over Suppress(survival, command, Sum(walking), rest))
    situation  Suppress(perception)

Survival has the last word in two ways: a servo that must not be driven is blanked, which releases
it; a target that the mechanism forbids is replaced.  Below, an order of the central control
overrides walking, and walking outputs add up per servo (a wave and the constant of a turn), within
the limits of the servo.  Perception decides on no servo.  A behaviour that a plugin adds to the
layer is heard by its level.
"""

from __future__ import annotations

from typing import Final

from annelid.behaviour import (
    BehaviourLayer,
    BehaviourStack,
    Fusion,
    Inhibit,
    Level,
    Log,
    Sum,
    Suppress,
)
from annelid.behaviour.fusion import Part
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.drive_test import DriveTest
from annelid.systems.microtub.behaviours.elbow import ElbowTurning, FeelAhead, GiveWay
from annelid.systems.microtub.behaviours.embedded import (
    COMMAND,
    PERCEPTION,
    REST,
    SITUATION,
    SURVIVAL,
    WALKING,
    EmbeddedBehaviour,
    EmbeddedContext,
    Overload,
)
from annelid.systems.microtub.behaviours.held import FeelArms, FeelHeld
from annelid.systems.microtub.behaviours.self_diagnostic import SelfDiagnostic
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.surroundings import (
    EnvironmentDiagnostic,
    SituationAwareness,
)
from annelid.systems.microtub.behaviours.survival import (
    AvoidActuatorDamage,
    AvoidMechanicalDamage,
    AvoidOverheating,
    Within,
)
from annelid.systems.microtub.behaviours.touch import FeelSides, FeelTouch
from annelid.systems.microtub.behaviours.walking import (
    HorizontalSinusoid,
    ObeyCommand,
    PushForward,
    RestPose,
    Turning,
    VerticalSinusoid,
    WormLikeMovement,
)
from annelid.systems.microtub.behaviours.workspace import Workspace, workspace

PAPERS_LIMIT: Final = Overload()

EMBEDDED_LAYER: Final = BehaviourLayer.of(
    "embedded",
    EmbeddedBehaviour,
    SelfDiagnostic,
    EnvironmentDiagnostic,
    AvoidOverheating,
    AvoidActuatorDamage,
    AvoidMechanicalDamage,
    DriveTest,
    ObeyCommand,
    RestPose,
    SituationAwareness,
    FeelAhead,
    FeelTouch,
    FeelSides,
    FeelHeld,
    FeelArms,
    VerticalSinusoid,
    HorizontalSinusoid,
    Turning,
    ElbowTurning,
    GiveWay,
    WormLikeMovement,
    PushForward,
)
"""Those of 000 §4.1; each knows which modules it suits."""


def servo_tree(servo: str, room: Workspace) -> Part:
    """Fig 13 for one servo."""
    limits = room.range(servo, {})
    wanted: Part = Suppress(
        Level(SURVIVAL),
        Level(COMMAND),
        Sum(Level(WALKING), limits=limits),
        Level(REST),
    )
    if room.coupled:
        wanted = Within(wanted, servo=servo, workspace=room)
    return Inhibit(Level(SURVIVAL), over=wanted, objecting=True)


def fig_13(kind: ModuleType, room: Workspace) -> Fusion:
    """All channels of a module; servos that depend on others are decided after them."""
    servos = sorted(
        (mount.name for mount in kind.body().mounts), key=lambda name: name in room.coupled
    )
    table: dict[str, Part] = {name: servo_tree(name, room) for name in servos}
    return Fusion({**table, SITUATION: Suppress(Level(PERCEPTION))})


def module_stack(
    kind: ModuleType,
    *,
    behaviours: BehaviourLayer = EMBEDDED_LAYER,
    record: Log | None = None,
    overload: Overload | None = PAPERS_LIMIT,
) -> BehaviourStack[Stimuli]:
    """The behaviours of a module with their fusion.

    ``overload``: when it releases servos that draw too much; None: never.
    """
    room = workspace(kind)
    members = behaviours.made(EmbeddedContext(kind, room, overload))
    return BehaviourStack(members, fig_13(kind, room), record=record)
