"""What moves a module's servos: commands, gaits, rest (000 §4.1.6 to §4.1.8, §4.2).

===================  ===========================================  ===============================
behaviour            active                                       proposes
===================  ===========================================  ===============================
obey command         there are orders of the central control      each on its servo; they override
                     (LLC1)                                       walking, not survival
vertical sinusoid    a wave for that axis has been commanded,     the angle of the servo that
                     and this joint holds (``elbow``)             serves RotX
horizontal sinusoid  the same                                     of the one that serves RotY
turning              a bend has been commanded and the module is  the bend, there; a horizontal
                     not known to be in a pipe, where a bent      wave is added to it
                     body only jams
worm-like movement   the module has a part in the inchworm (INH)  every servo that its type names
                     and is not known to be in open air, where    for *extend* and *contract*,
                     there is nothing to grip                     between the two
push forward         a push has been commanded (MHE)              the servos that its type names
                                                                  for *push*, at that level
rest pose            the walk that was commanded says so          the pose of least friction,
                                                                  below all others
===================  ===========================================  ===============================

Where a wave runs in both planes (rolling, sidewinding), a module that bends about one axis alone
stays straight: half of the movement would work against the whole.

*Stimuli*: orders, walk, the common time of the gaits, the place in the chain, the situation.
*Rate*: every tick.  Worm-like movement grips on a support, stretches on an extension, and arches on
rotation modules that act as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

from annelid.behaviour import Proposal, Proposals
from annelid.robot.module import Action, ModuleType
from annelid.robot.service import HORIZONTAL, VERTICAL, Service
from annelid.systems.microtub.behaviours.embedded import (
    COMMAND,
    REST,
    WALKING,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.walk import Sinusoid, Walk


class ObeyCommand(EmbeddedBehaviour):
    name = "obey command"
    level = COMMAND

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if module.servos else None

    def condition(self, stimuli: Stimuli, /) -> bool:
        return bool(stimuli.orders)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        orders = tuple(stimuli.orders.items())
        words = "ordered by the central control"
        return self.kept(
            *orders,
            make=lambda: tuple(self.proposal(name, order, reason=words) for name, order in orders),
        )


class SinusoidBehaviour(EmbeddedBehaviour):
    """A wave (eqs 7 and 8) on the servo of one axis."""

    level = WALKING
    axis: ClassVar[str]
    """The capability by which a module bends so."""

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        joint = module.services.get(cls.axis)
        return None if joint is None else cls(joint, both=module.kind.bends_both_ways())

    def __init__(self, joint: Service, *, both: bool) -> None:
        """``both``: whether the module bends about the other axis, too."""
        self._servo, self._factor = joint.actuator, joint.factor
        self._both = both

    def wave(self, walk: Walk) -> Sinusoid | None:
        """Of the axis of this servo."""
        raise NotImplementedError

    def condition(self, stimuli: Stimuli, /) -> bool:
        walk = stimuli.walk
        if not self._both and walk.vertical is not None and walk.horizontal is not None:
            return False
        yields = self._both or self.axis == HORIZONTAL
        across = yields and stimuli.in_pipe and walk.gives_way is not None
        return self.wave(walk) is not None and not across

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        wave = self.wave(stimuli.walk)
        place = stimuli.position
        if wave is None or place is None:
            return ()
        angle = self._factor * wave.at(stimuli.gait_s, place)
        return (Proposal(self._servo, angle, 1.0, self.name),)


class VerticalSinusoid(SinusoidBehaviour):
    name = "vertical sinusoid"
    axis = VERTICAL

    def wave(self, walk: Walk) -> Sinusoid | None:
        return walk.vertical


class HorizontalSinusoid(SinusoidBehaviour):
    name = "horizontal sinusoid"
    axis = HORIZONTAL

    def wave(self, walk: Walk) -> Sinusoid | None:
        return walk.horizontal


class Turning(EmbeddedBehaviour):
    name = "turning"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        joint = module.services.get(HORIZONTAL)
        return None if joint is None else cls(joint)

    def __init__(self, joint: Service) -> None:
        self._joint = joint

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.bend is not None and not stimuli.in_pipe

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        bend, joint, words = stimuli.walk.bend or 0.0, self._joint, "an arc in open space"
        return self.kept(
            bend,
            make=lambda: (self.proposal(joint.actuator, joint.value(bend), reason=words),),
        )


class WormLikeMovement(EmbeddedBehaviour):
    name = "worm-like movement"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        actions = {Action.EXTEND, Action.CONTRACT}
        return cls(module.kind) if actions <= set(module.kind.actions()) else None

    def __init__(self, kind: ModuleType) -> None:
        self._kind = kind
        actions = kind.actions()
        self._short, self._long = actions[Action.CONTRACT], actions[Action.EXTEND]

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.worm is not None and stimuli.in_pipe is not False

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        worm = stimuli.walk.worm
        if worm is None:
            return ()
        stands, place = worm.setpoint(stimuli.gait_s), stimuli.position
        return self.kept(stands, place, make=lambda: self._between(stands, place))

    def _between(self, stands: float, place: int | None) -> Proposals:
        shortest = self._short if place is None else self._kind.in_unit(self._short, place)
        return tuple(
            self.proposal(servo, short + stands * (self._long[servo] - short))
            for servo, short in shortest.items()
        )


class PushForward(EmbeddedBehaviour):
    name = "push forward"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(module.kind) if Action.PUSH in module.kind.actions() else None

    def __init__(self, kind: ModuleType) -> None:
        self._full = kind.actions()[Action.PUSH]

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.push is not None

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        level = stimuli.walk.push or 0.0
        return self.kept(
            level,
            make=lambda: tuple(
                self.proposal(name, level * full) for name, full in self._full.items()
            ),
        )


class RestPose(EmbeddedBehaviour):
    name = "rest pose"
    level = REST

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(module.kind) if module.servos else None

    def __init__(self, kind: ModuleType) -> None:
        pose = kind.rest()
        self._pose = tuple(
            self.proposal(mount.name, pose.get(mount.name, 0.0), reason="nothing else to do")
            for mount in kind.body().mounts
        )

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.rest

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._pose
