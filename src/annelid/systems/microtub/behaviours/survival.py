"""Survival: what keeps a module from being damaged (000 §4.1.1 to §4.1.3).

``AvoidOverheating`` stops a servo whose winding is estimated at 50 °C.  *Activation*: a motor has
reached its limit (a servo's is 50 °C) and has not cooled by 5 °C since (the hysteresis is ours: the
paper stops and does not say when it goes on).  *Stimuli*: measured currents, the temperature of the
surroundings.  *Proposals*: nothing on that motor's channel, which blanks it; of a drive, that it
stops, since its gear then holds the robot where a pipe is steep.  *Rate*: 10 Hz, the T of eq 6;
heat is slow.  Drives are watched like servos, up to the limit that is theirs: a pusher
that stalls in a bend heats more than any servo.

Eq 6: ``Tm[n] = (T·Te + T·Rth·R·I² + Rth·Cth·Tm[n-1]) / (T + Rth·Cth)``, with the mean of I² since
the last estimate, since one sample of a moving servo's current in 100 ms says little.  R is the
type's until the servo presses against something with all its voltage; then it follows from the
current: motors of one type differ by some per cent, and so does their heat.

``AvoidActuatorDamage`` releases a servo that draws too much.  *Activation*: the comparator of a
servo has tripped, or its filtered current has been at the limit for as long as is allowed, within
the last two seconds.
*Stimuli*: trips, currents.  *Proposals*: nothing on that servo's channel, which blanks it, and an
alarm. *Rate*: every tick.

The current of a blocked servo climbs from 100 to 120 mA within milliseconds, less than a tick, so
the comparator is the one that is in time; the behaviour learns of it, keeps the servo released,
says so, and lets it try again.  Where the comparator is off, or none is fitted, it compares by
itself and is up to a tick late.  A servo that is made to stall, as a support's that grips, has no
limit.

The paper's limit is 100 mA, at once.  Table 1's servo draws more than that in a healthy step of 90°
(FACTS §3), so by default it is 250 mA for 1.5 s: no healthy gait holds that (peaks of 0.1 to 0.4 A
last a fraction of a wave), a servo that presses against something does, and self-diagnostic, which
takes a second, has had its say by then (``Overload``).

``AvoidMechanicalDamage`` lets no forbidden angle reach a servo.  *Activation*: the central control
has ordered a target that the mechanism does not allow.  *Stimuli*: the orders.  *Proposals*: the
nearest allowed target in the place of the order, and an alarm, once for every such order.  *Rate*:
every tick.

What gaits come to is kept within the same workspace by the fusion table itself: the limits of the
sum, and for servos that depend on each other :class:`Within`, which has the last word on them.  A
wave cut off at its crest is no mistake that anybody needs to be told of; a refused order is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, isclose
from typing import Any, Final, Self

from annelid.behaviour import Arbiter, Decision, Proposal
from annelid.behaviour.fusion import Fuse, Heard, House, Part
from annelid.kernel import seconds, to_seconds
from annelid.robot.body import DriveMount, LinearMount, ServoMount
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.embedded import (
    SURVIVAL,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import AMBIENT_C, ServoState, Stimuli
from annelid.systems.microtub.behaviours.workspace import Workspace
from annelid.systems.microtub.protocol.enums import Alarm

COOLER_C: Final = 5.0
"""Below its limit a motor goes on again."""

THERMOMETER: Final = "thermometer"
STILL: Final = 0.05
"""A servo that turns by less in a second (rad, m) stands."""
LEAST, MOST = 0.8, 1.25
"""A stall with less or more than this part of the type's current is no other winding: it is
damage, or a supply that sags."""
LOOK: Final = 0.3
"""Weight of one look, of ten in a second."""


@dataclass(frozen=True, slots=True)
class Winding:
    """The constants of eq 6 (FACTS §3 for those that the paper does not print)."""

    resistance: float
    """RΩ, Ω"""
    thermal_resistance: float
    """Rth, °C/W"""
    thermal_capacity: float
    """Cth, W·s/°C"""
    hottest_c: float
    """Limit, °C"""
    full: float = inf
    """From this far off its target it has all its voltage, in its own unit; a drive never tells."""
    stall_current: float = inf
    """With all its voltage, standing still, A."""
    holds: bool = False
    """Whether its gear holds when it is stopped, without current: a drive's."""

    def next(self, before_c: float, air_c: float, mean_square: float, step_s: float) -> float:
        """Eq 6."""
        lag = self.thermal_resistance * self.thermal_capacity
        rise = self.thermal_resistance * self.resistance * mean_square
        return (step_s * (air_c + rise) + lag * before_c) / (step_s + lag)

    def stalls(self, servo: ServoState) -> bool:
        """Whether its current now tells its resistance."""
        built = LEAST * self.stall_current < servo.current < MOST * self.stall_current
        presses = abs(servo.target - servo.angle) > self.full
        return built and presses and abs(servo.speed) < STILL

    def learnt(self, design: Winding, current: float) -> Winding:
        """After a look at the current of a stall; ``design``: as its type has it."""
        ohms = design.resistance * design.stall_current / current
        ohms = self.resistance + LOOK * (ohms - self.resistance)
        return replace(self, resistance=ohms)


def windings(kind: ModuleType) -> dict[str, Winding]:
    """Of the module's motors; one of which no winding is known, a linear servo, is not watched."""
    return {
        mount.name: _winding(mount)
        for mount in kind.body().mounts
        if not isinstance(mount, LinearMount)
    }


def _winding(mount: ServoMount | DriveMount) -> Winding:
    motor = mount.servo if isinstance(mount, ServoMount) else mount
    design = Winding(
        motor.resistance, motor.thermal_resistance, motor.thermal_capacity, motor.hottest_c
    )
    if isinstance(mount, DriveMount):
        return replace(design, holds=True)
    servo = mount.servo
    full, stall = servo.voltage / servo.gain, servo.draw * servo.stall_current
    return replace(design, full=full, stall_current=stall)


class AvoidOverheating(EmbeddedBehaviour):
    name = "avoid overheating"
    level = SURVIVAL
    period_ns = seconds(0.1)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(windings(module.kind)) if module.servos else None

    def __init__(self, of: Mapping[str, Winding], *, air_c: float = AMBIENT_C) -> None:
        self._design = of
        self._windings = dict(of)
        """As learnt so far."""
        self._air_c = air_c
        self._hot: dict[str, Proposal] = {}
        self._before_ns: int | None = None

    def condition(self, stimuli: Stimuli, /) -> bool:
        before_ns, self._before_ns = self._before_ns, stimuli.now_ns
        if before_ns is None:
            return False
        step_s = to_seconds(stimuli.now_ns - before_ns)
        air_c = self._air_c
        if THERMOMETER in stimuli.sensors:
            measured = stimuli.read(THERMOMETER)
            air_c = measured if measured == measured else air_c
        for name, winding in self._windings.items():
            servo = stimuli.servos[name]
            if winding.stalls(servo):
                self._windings[name] = winding.learnt(self._design[name], servo.current)
            mean_square = servo.squares / max(servo.samples, 1)
            servo.squares, servo.samples = 0.0, 0
            now_c = servo.temperature = winding.next(servo.temperature, air_c, mean_square, step_s)
            if now_c >= winding.hottest_c and name not in self._hot:
                words = f"its winding is at {now_c:.1f} °C, the limit is {winding.hottest_c:.0f}"
                stopped = 0.0 if winding.holds else None
                self._hot[name] = self.proposal(name, stopped, reason=words)
                stimuli.warn(Alarm.HOT, f"{name}: {words}", servo)
            elif now_c <= winding.hottest_c - COOLER_C:
                self._hot.pop(name, None)
        return bool(self._hot)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._hot.values()


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
        overload = module.overload
        if overload is None:
            return cls({})
        limits = trips(module.kind)
        if overload.limit_a is not None:
            limits = dict.fromkeys(limits, overload.limit_a)
        return cls(limits, allowed_ns=overload.allowed_ns)

    def __init__(
        self, limits: Mapping[str, float], *, allowed_ns: int = 0, retry_ns: int = RETRY_NS
    ) -> None:
        """``limits``: servo to current, A; one that is not named may draw what it likes."""
        self._limits = limits
        self._allowed_ns = allowed_ns
        self._since_ns: dict[str, int] = {}
        """Since when a servo has been at its limit."""
        self._retry_ns = retry_ns
        self._released: dict[str, Proposal] = {}
        self._until_ns: dict[str, int] = {}

    def condition(self, stimuli: Stimuli, /) -> bool:
        for name, limit_a in self._limits.items():
            servo = stimuli.servos[name]
            if name in self._released:
                if stimuli.now_ns >= self._until_ns[name]:
                    del self._released[name]
            elif servo.tripped or self._over(servo, limit_a, stimuli.now_ns):
                by = "its comparator has tripped" if servo.tripped else "it is blocked"
                words = f"{by}, {1000 * servo.current:.0f} mA measured"
                self._released[name] = self.proposal(name, None, reason=words)
                self._until_ns[name] = stimuli.now_ns + self._retry_ns
                stimuli.warn(Alarm.OVERLOADED, f"{name}: {words}", servo)
        return bool(self._released)

    def _over(self, servo: ServoState, limit_a: float, now_ns: int) -> bool:
        if servo.current < limit_a:
            self._since_ns.pop(servo.name, None)
            return False
        since_ns = self._since_ns.setdefault(servo.name, now_ns)
        if now_ns - since_ns < self._allowed_ns:
            return False
        del self._since_ns[servo.name]
        return True

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._released.values()


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
