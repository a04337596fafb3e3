"""Avoid mechanical damage (000 §4.1.3): no forbidden angle reaches a servo.

*Activation*: the central control has ordered a target that the mechanism does not allow.
*Stimuli*: the orders.  *Proposals*: the nearest allowed target in the place of the order, and an
alarm, once for every such order.  *Rate*: every tick.

What gaits come to is kept within the same workspace by the fusion table itself: the limits of the
sum, and for servos that depend on each other :class:`Within`, which has the last word on them.  A
wave cut off at its crest is no mistake that anybody needs to be told of; a refused order is.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isclose
from typing import Any, Self

from annelid.behaviour import Arbiter, Decision, Proposal
from annelid.behaviour.fusion import Fuse, Heard, House, Part
from annelid.systems.microtub.behaviours.embedded import (
    SURVIVAL,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.workspace import Workspace
from annelid.systems.microtub.protocol.enums import Alarm


class AvoidMechanicalDamage(EmbeddedBehaviour):
    name = "avoid mechanical damage"
    level = SURVIVAL

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(module.room) if module.servos else None

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._corrected: dict[str, tuple[float, Proposal]] = {}
        """Per servo: the order, and what stands in its place."""

    def condition(self, stimuli: Stimuli, /) -> bool:
        orders = stimuli.orders
        if not orders and not self._corrected:
            return False
        for name in [name for name in self._corrected if name not in orders]:
            del self._corrected[name]
        for name, order in orders.items():
            allowed = self._workspace.nearest(name, order, orders)
            if isclose(allowed, order, abs_tol=1e-9):
                self._corrected.pop(name, None)
                continue
            before = self._corrected.get(name)
            if before is None or before[0] != order or before[1].value != allowed:
                words = f"{order:.4g} is forbidden here, {allowed:.4g} is the nearest allowed"
                self._corrected[name] = order, self.proposal(name, allowed, reason=words)
                stimuli.warn(Alarm.FORBIDDEN, f"{name}: {words}", stimuli.servos[name])
        return bool(self._corrected)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return [proposal for _, proposal in self._corrected.values()]


class Within(Arbiter):
    """What the part comes to, moved to the nearest place that the other servos allow."""

    __slots__ = ("_servo", "_workspace")
    restless = True

    def __init__(self, part: Part, *, servo: str, workspace: Workspace) -> None:
        super().__init__(part)
        self._servo = servo
        self._workspace = workspace

    def bind(self, house: House) -> Fuse:
        servo, workspace = self._servo, self._workspace

        def fuse(heard: Heard, stimuli: Any) -> Decision:
            (option,) = heard
            if not isinstance(option, Decision):
                option = (
                    Decision(None) if option is None else Decision(*option[1:3], option.winners)
                )
            if option.value is None:
                stimuli.wanted.pop(servo, None)
                return option
            others = {name: one.angle for name, one in stimuli.servos.items()}
            others.update(stimuli.wanted)
            value = workspace.nearest(servo, option.value, others)
            stimuli.wanted[servo] = value
            return option if value == option.value else option._replace(value=value)

        return fuse
