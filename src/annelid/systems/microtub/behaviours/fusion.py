"""Fig 13 of 000 as a table, and the behaviours of one module as a stack.

::

    servo      Inhibit(avoid overheating, avoid actuator damage,
                 over Suppress(avoid mechanical damage, obey command, Sum(walking), rest pose))
    situation  Suppress(perception)

Survival has the last word in two ways: a servo that must not be driven is blanked, which releases
it; a target that the mechanism forbids is replaced.  Below, an order of the central control
overrides walking, and walking outputs add up per servo (a wave and the constant of a turn), within
the limits of the servo.  Perception decides on no servo.
"""

from __future__ import annotations

from annelid.behaviour import (
    Behaviour,
    BehaviourStack,
    Fusion,
    Inhibit,
    Level,
    Log,
    Sum,
    Suppress,
)
from annelid.behaviour.tree import Part
from annelid.robot.body import Accelerometer, Camera
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.avoid_actuator_damage import AvoidActuatorDamage, trips
from annelid.systems.microtub.behaviours.avoid_mechanical_damage import (
    AvoidMechanicalDamage,
    Within,
)
from annelid.systems.microtub.behaviours.avoid_overheating import AvoidOverheating, windings
from annelid.systems.microtub.behaviours.elbow import ElbowTurning, FeelAhead
from annelid.systems.microtub.behaviours.environment_diagnostic import EnvironmentDiagnostic
from annelid.systems.microtub.behaviours.levels import PERCEPTION, REST, SITUATION, WALKING
from annelid.systems.microtub.behaviours.obey import ObeyCommand
from annelid.systems.microtub.behaviours.push_forward import PushForward
from annelid.systems.microtub.behaviours.rest_pose import RestPose
from annelid.systems.microtub.behaviours.self_diagnostic import SelfDiagnostic, watched
from annelid.systems.microtub.behaviours.sinusoids import (
    HORIZONTAL,
    VERTICAL,
    HorizontalSinusoid,
    VerticalSinusoid,
)
from annelid.systems.microtub.behaviours.situation_awareness import (
    RAYS,
    TOUCH,
    SituationAwareness,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.turning import Turning
from annelid.systems.microtub.behaviours.workspace import Workspace, workspace
from annelid.systems.microtub.behaviours.worm_like import WormLikeMovement

INHIBITORS = (AvoidOverheating.name, AvoidActuatorDamage.name)


def servo_tree(servo: str, room: Workspace) -> Part:
    """Fig 13 for one servo."""
    limits = room.range(servo, {})
    wanted: Part = Suppress(
        AvoidMechanicalDamage.name,
        ObeyCommand.name,
        Sum(Level(WALKING), limits=limits),
        Level(REST),
    )
    if room.coupled:
        wanted = Within(wanted, servo=servo, workspace=room)
    return Inhibit(*INHIBITORS, over=wanted)


def fig_13(kind: ModuleType, room: Workspace) -> Fusion:
    """All channels of a module; servos that depend on others are decided after them."""
    servos = sorted(
        (mount.name for mount in kind.body().mounts), key=lambda name: name in room.coupled
    )
    table: dict[str, Part] = {name: servo_tree(name, room) for name in servos}
    return Fusion({**table, SITUATION: Suppress(Level(PERCEPTION))})


def behaviours(kind: ModuleType, room: Workspace, *, trip: bool = True) -> list[Behaviour[Stimuli]]:
    """Those a module of this type has (000 §4.1)."""
    body = kind.body()
    servos = [mount.name for mount in body.mounts]
    sensors: list[str] = []
    for sensor in body.sensors:
        if isinstance(sensor, Accelerometer):
            sensors.append(f"{sensor.name}.x")
        elif not isinstance(sensor, Camera):
            sensors.append(sensor.name)
    members: list[Behaviour[Stimuli]] = [SelfDiagnostic(servos=watched(kind), sensors=sensors)]
    if EnvironmentDiagnostic.suits(sensors):
        members.append(EnvironmentDiagnostic(sensors))
    if servos:
        members += [
            AvoidOverheating(windings(kind)),
            AvoidActuatorDamage(trips(kind) if trip else {}),
            AvoidMechanicalDamage(room),
            ObeyCommand(),
            RestPose(kind),
        ]
    if set(RAYS) <= {sensor.name for sensor in body.sensors}:
        members.append(SituationAwareness())
        if TOUCH in sensors:
            members.append(FeelAhead())
    if VERTICAL in servos:
        members.append(VerticalSinusoid())
    if HORIZONTAL in servos:
        members += [HorizontalSinusoid(), Turning()]
    if {VERTICAL, HORIZONTAL} <= set(servos):
        members.append(ElbowTurning())
    if WormLikeMovement.suits(kind):
        members.append(WormLikeMovement(kind))
    if PushForward.suits(kind):
        members.append(PushForward(kind))
    return members


def module_stack(
    kind: ModuleType, *, record: Log | None = None, trip: bool = True
) -> BehaviourStack[Stimuli]:
    """The behaviours of a module with their fusion.

    ``trip``: whether it releases servos that draw too much; a study that switches it off says so.
    """
    room = workspace(kind)
    return BehaviourStack(behaviours(kind, room, trip=trip), fig_13(kind, room), record=record)


def step(stack: BehaviourStack[Stimuli], stimuli: Stimuli, now_ns: int) -> None:
    """One tick of a module: look, decide, act.

    A channel that is blanked releases its servo; one on which nobody speaks leaves it as it is.
    """
    stimuli.look(now_ns)
    values = stack.step(now_ns, stimuli)
    for name, servo in stimuli.servos.items():
        value = values[name]
        if value is not None or stack.decision(name).blank:
            stimuli.act(value, servo)
