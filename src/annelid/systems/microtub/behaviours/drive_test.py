"""Drive test: does a drive that stands still turn at all? (part of self-diagnostic, 000 §4.1.4)

*Activation*: a drive is told to push, draws what a motor draws that stands, and its encoder has not
moved for a second and a half.  *Stimuli*: its encoder, its current, what it is told.  *Proposals*:
full speed the other way, for a tenth of a second.  *Rate*: 10 Hz.

From inside, a jammed gear and a robot that stands before a wall look alike: both draw the current
of a stall.  But a wall holds the robot on one side only.  A drive that does not turn back either,
twice, has jammed; one that does has moved the robot by 3 mm at most.  It is mended when it turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import copysign
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.robot import measuring
from annelid.robot.body import DriveMount
from annelid.systems.microtub.behaviours.embedded import (
    SURVIVAL,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import ServoState, Stimuli
from annelid.systems.microtub.protocol.enums import Alarm

PUSHES: Final = 0.25
"""Of full speed: told less, a drive may stand for its own friction."""
STALLS: Final = 0.6
"""Of the current that a motor draws that stands; a weak one draws less, and is weighed
(``strength``)."""
STANDS_NS: Final = seconds(1.5)
STEPS: Final = 2.0
"""Of its encoder: less is no movement.  On a wheel of 4 mm that is a twentieth of a millimetre; a
drive that spins or creeps before a wall turns more."""
TESTS: Final = 2
"""In a row, in which a drive did not turn back."""
MENDED: Final = 10.0
"""Steps that a broken drive has to turn to count again; a jammed gear lets nobody turn it."""


@dataclass(frozen=True, slots=True)
class WatchedDrive:
    stall_current: float
    """A, at full speed."""
    step: float
    """Of its encoder, rad."""


@dataclass(slots=True)
class _Stand:
    """Where a drive stands, and since when."""

    angle: float
    since_ns: int
    failed: int = 0
    """Tests in a row in which it did not turn."""
    tested: bool = False
    """Whether a test is under way."""


class DriveTest(EmbeddedBehaviour):
    name = "drive test"
    level = SURVIVAL
    period_ns = seconds(0.1)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        body = module.kind.body()
        drives = {
            mount.name: WatchedDrive(
                mount.stall_current, measuring.position(body, mount).resolution
            )
            for mount in body.mounts
            if isinstance(mount, DriveMount)
        }
        return cls(drives) if drives else None

    def __init__(self, drives: Mapping[str, WatchedDrive]) -> None:
        self._drives = drives
        self._stands: dict[str, _Stand] = {}
        self._tests: dict[str, Proposal] = {}

    def condition(self, stimuli: Stimuli, /) -> bool:
        for name, drive in self._drives.items():
            self._watch(stimuli.servos[name], drive, stimuli)
        return bool(self._tests)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._tests.values()

    def _watch(self, servo: ServoState, drive: WatchedDrive, stimuli: Stimuli) -> None:
        self._tests.pop(servo.name, None)
        pushes = abs(servo.target) >= PUSHES  # not of one that is released
        tries = pushes and servo.current >= STALLS * abs(servo.target) * drive.stall_current
        stand = self._stands.get(servo.name)
        least = (MENDED if servo.broken else STEPS) * drive.step
        if stand is None or abs(servo.angle - stand.angle) > least:
            stimuli.judge(servo, broken=False)
            self._stands[servo.name] = _Stand(servo.angle, stimuli.now_ns)
        elif stand.tested:
            stand.tested, stand.since_ns = False, stimuli.now_ns
            stand.failed += tries
            if stand.failed >= TESTS:
                stimuli.judge(servo, broken=True)
                words = (
                    f"{servo.name}: stands at {1000 * servo.current:.0f} mA and turns neither way"
                )
                stimuli.warn(Alarm.STUCK, words, servo)
        elif not tries:
            stand.since_ns = stimuli.now_ns
        elif not servo.broken and stimuli.now_ns - stand.since_ns >= STANDS_NS:
            stand.tested = True
            back = copysign(1.0, -servo.target)
            words = "stands still: does it turn the other way?"
            self._tests[servo.name] = self.proposal(servo.name, back, reason=words)
