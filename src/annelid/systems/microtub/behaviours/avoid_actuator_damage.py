"""Avoid actuator damage (000 §4.1.2): release a servo that draws 100 mA or more.

*Activation*: the comparator of a servo has tripped, or its filtered current is at the limit, within
the last two seconds.  *Stimuli*: trips, currents.  *Proposals*: nothing on that servo's channel,
which blanks it, and an alarm.  *Rate*: every tick.

The current of a blocked servo climbs from 100 to 120 mA within milliseconds, less than a tick, so
the comparator is the one that is in time; the behaviour learns of it, keeps the servo released,
says so, and lets it try again.  Where the comparator is off, or none is fitted, it compares by
itself and is up to a tick late.  A servo that is made to stall, as a support's that grips, has no
limit.  Nor has any where a study switches the trip off: Table 1's servo draws more than 100 mA in a
healthy step of 90° (FACTS §3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.robot.body import ServoMount
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.embedded import (
    SURVIVAL,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.protocol.enums import Alarm

RETRY_NS: Final = seconds(2.0)
"""How long a servo stays released before it may try again: ours; the paper gives no time."""


def trips(kind: ModuleType) -> dict[str, float]:
    """Servo to the current at which it is to be released, as the type's own servos say."""
    return {
        mount.name: mount.servo.trip
        for mount in kind.body().mounts
        if isinstance(mount, ServoMount) and mount.servo.trip is not None
    }


class AvoidActuatorDamage(EmbeddedBehaviour):
    name = "avoid actuator damage"
    level = SURVIVAL

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        if not module.servos:
            return None
        return cls(trips(module.kind) if module.trip else {})

    def __init__(self, limits: Mapping[str, float], *, retry_ns: int = RETRY_NS) -> None:
        """``limits``: servo to current, A; one that is not named may draw what it likes."""
        self._limits = limits
        self._retry_ns = retry_ns
        self._released: dict[str, Proposal] = {}
        self._until_ns: dict[str, int] = {}

    def condition(self, stimuli: Stimuli, /) -> bool:
        for name, limit_a in self._limits.items():
            servo = stimuli.servos[name]
            if name in self._released:
                if stimuli.now_ns >= self._until_ns[name]:
                    del self._released[name]
            elif servo.tripped or servo.current >= limit_a:
                by = "its comparator has tripped" if servo.tripped else "it is blocked"
                words = f"{by}, {1000 * servo.current:.0f} mA measured"
                self._released[name] = self.proposal(name, None, reason=words)
                self._until_ns[name] = stimuli.now_ns + self._retry_ns
                stimuli.warn(Alarm.OVERLOADED, f"{name}: {words}", servo)
        return bool(self._released)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._released.values()
