"""What is left of a servo, from what its board measures: of its torque, and of its range.

**Torque.**  A motor's current follows from the voltage on it and its speed: ``i = (e_a - K·ω)/R``
with ``e_a = sat(Kp·error)`` (001 eqs 1-3).  A motor that gives a part of its torque draws that part
of the current.  Every look at a servo that drives towards its target gives such a part; the median
of ``LOOKS`` counts (of a drive its best fifth), and a spread of builds (5 % of the torque, three
deviations) is no damage.

**Range.**  A servo that stands at one angle far from its target, with the current of that error,
and again at the same angle when it comes back to it, has met its end.  (In a healthy gait servos
turn back at the same angle every time, too, but a few degrees from their targets.)  Walls stop
joints as well, so this is judged only where there are none, in open air.

A linear servo, and one that moves several joints, are not weighed: their current does not belong
to one angle.
"""

from __future__ import annotations

from collections import deque
from math import inf, radians
from statistics import median
from typing import Final

from annelid.robot.body import DriveMount, LinearMount, Mount
from annelid.systems.microtub.behaviours.stimuli import ServoState

LOOKS: Final = 15
"""That a judgement of the torque rests on: a few seconds of walking."""
DRIVE_LOOKS, DRIVE_SHARE = 40, 0.8
"""The same of a drive, of which the best fifth counts: wheels that hang in the mouth of a branch or
over an edge for some seconds take their part of its force and of its current with them."""
ERROR: Final = radians(4.0)
"""A target nearer than this says little: the potentiometer's step is a twentieth of it."""
SLOW: Final = 2.0
"""rad/s: faster, and the filtered current lags behind the speed.  With both, the medians of healthy
servos in six gaits were 0.93 to 1.12, of servos with half of their torque 0.44 to 0.51."""
LOADED: Final = 0.4
"""A drive that goes faster is not weighed: near its free speed, which is built to 5 %, a sound one
would seem to give 0.8 of its torque."""
BUILT: Final = 0.8
"""A servo that gives more than this part of its torque counts as whole."""
HIGHEST: Final = 1.3
"""More than that is a look that went wrong."""

STOPS: Final = 3
"""Times that a servo has to be stopped at the same angle."""
SAME: Final = radians(1.5)
STOPPED: Final = 2
"""Looks in a row, 0.1 s apart, in which it stands there."""
BEYOND: Final = radians(12.0)
"""So far beyond the stop its target has to be: a healthy sidewinder lags by up to 8°."""
PUSHES_A: Final = 0.15
"""With less current it does not try."""


class Torque:
    """Of one motor with a winding; ``left`` is 0 to 1."""

    def __init__(self, mount: Mount) -> None:
        self.left = 1.0
        self._drive = isinstance(mount, DriveMount)
        self._looks: deque[float] = deque(maxlen=DRIVE_LOOKS if self._drive else LOOKS)
        if isinstance(mount, DriveMount):
            self._volts, self._gain = mount.voltage, 0.0
            self._ohms = mount.resistance
            self._constant = mount.voltage * mount.wheel_radius / mount.free_speed
        elif not isinstance(mount, LinearMount):
            servo = mount.servo
            self._volts, self._gain = servo.voltage, servo.gain
            self._ohms = servo.resistance / servo.draw
            self._constant = servo.motor_constant

    def look(self, servo: ServoState) -> None:
        """At every look of self-diagnostic."""
        part = self._part(servo)
        if part is None or part > HIGHEST:
            return
        self._looks.append(part)
        if len(self._looks) == self._looks.maxlen:
            best = sorted(self._looks)[int(DRIVE_SHARE * DRIVE_LOOKS)] if self._drive else 0.0
            found = best if self._drive else median(self._looks)
            self.left = 1.0 if found >= BUILT else found

    def _part(self, servo: ServoState) -> float | None:
        off, speed = servo.target - servo.angle, servo.speed
        if self._drive:
            off = servo.target
        if off != off or off * speed < 0.0:
            return None
        speed = abs(speed)
        if self._drive:
            free = abs(off) * self._volts - self._constant * speed
            return servo.current * self._ohms / free if free > LOADED * self._volts else None
        if abs(off) < ERROR or speed > SLOW:
            return None
        volts = min(self._gain * abs(off), self._volts)
        return (servo.current * self._ohms + self._constant * speed) / volts


class Range:
    """Of one servo that turns from ``low`` to ``high``; ``left`` is 0 to 1."""

    def __init__(self, low: float, high: float) -> None:
        self.left = 1.0
        self._low, self._high = low, high
        self._stops: dict[int, list[float]] = {-1: [], 1: []}
        self._angle = inf
        self._held = 0
        """Side on which it is stopped at the moment; 0: on none."""
        self._looks = 0

    def look(self, servo: ServoState) -> None:
        """At every look of self-diagnostic, in open air."""
        off, angle = servo.target - servo.angle, servo.angle
        pushes = abs(off) > BEYOND and servo.current > PUSHES_A
        side = 0 if not pushes else (1 if off > 0 else -1)
        stands = side != 0 and abs(angle - self._angle) < SAME / 3
        self._looks = self._looks + 1 if stands else 0
        if self._looks >= STOPPED and self._held != side:
            self._held = side
            self._meet(side, angle)
        elif side != self._held:
            self._held = 0
        if side and angle * side > (self._end(side) + SAME * side) * side:
            self._stops[side].clear()
            self._judge()
        self._angle = angle

    def _meet(self, side: int, angle: float) -> None:
        stops = self._stops[side]
        if stops and abs(stops[-1] - angle) > SAME:
            stops.clear()
        stops.append(angle)
        self._judge()

    def _end(self, side: int) -> float:
        """Where it can go on that side, as far as is known."""
        stops = self._stops[side]
        if len(stops) < STOPS:
            return self._high if side > 0 else self._low
        return stops[-1]

    def _judge(self) -> None:
        whole = self._high - self._low
        part = (self._end(1) - self._end(-1)) / whole if 0 < whole < inf else 1.0
        self.left = 1.0 if part >= BUILT else max(part, 0.0)
