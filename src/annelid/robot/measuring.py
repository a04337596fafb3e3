"""The converters by which boards measure angle, current and temperature of their motors."""

from __future__ import annotations

from math import pi
from typing import Final

from annelid.robot.body import Body, DriveMount, LinearMount, Mount, ServoMount, mount_joints
from annelid.robot.converter import Converter

THERMOMETER: Final = Converter(low=-40.0, high=150.0, resolution=0.25)
"""Of a winding, °C: a thermistor at a ten-bit converter."""

HEADROOM: Final = 1.25
"""A current is measured up to so many times what the motor draws when it stalls."""

TURNS: Final = 2**20
"""That a drive's counter can count, to either side."""

BEYOND: Final = 0.05
"""Part of a linear servo's travel that its potentiometer can tell beyond either end."""


def position(body: Body, mount: Mount) -> Converter:
    """Servo angle (rad), slide (m), or how far a drive's wheels have turned (rad).

    A potentiometer is mounted with its middle at the middle of what the joint can do.
    """
    match mount:
        case DriveMount():
            step = 2 * pi / mount.angle_steps
            return Converter(low=-TURNS * 2 * pi, high=TURNS * 2 * pi, resolution=step)
        case ServoMount():
            low, high = body.joint(mount_joints(mount)[0]).range or (0.0, 0.0)
            middle, half = (low + high) / 2 * mount.gear, mount.servo.angle_span / 2
            step = mount.servo.angle_resolution
            return Converter(low=middle - half, high=middle + half, resolution=step)
        case LinearMount():
            low, high = body.joint(mount.joint).range or (-1.0, 1.0)
            more = BEYOND * (high - low)
            return Converter.of_steps(low - more, high + more, mount.position_steps)


def current(mount: Mount) -> Converter:
    """Behind the RC filter, A."""
    if isinstance(mount, ServoMount):
        stall = mount.servo.stall_current * mount.servo.draw
    else:
        stall = mount.stall_current
    return Converter.of_steps(0.0, HEADROOM * stall)
