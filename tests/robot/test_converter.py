"""Converters that make sense, and one line for those that do not."""

from __future__ import annotations

from math import radians
from typing import Any

import pytest
from pydantic import ValidationError

from annelid.errors import SpecError
from annelid.modules import shelf
from annelid.modules.servos import A1_16, SERVOS
from annelid.robot import assemble, chain, measuring
from annelid.robot.body import Ray, Touch
from annelid.robot.converter import Converter
from annelid.robot.servo import Servo


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"low": 0, "high": 1, "resolution": 0}, "resolution: expected more than 0, got 0"),
        ({"low": 0, "high": 1, "resolution": -0.1}, "resolution: expected more than 0, got -0.1"),
        ({"low": 1, "high": 1, "resolution": 0.1}, "expected low below high, got 1 and 1"),
        ({"low": 2, "high": 1, "resolution": 0.1}, "expected low below high, got 2 and 1"),
        ({"low": 0, "high": 1, "resolution": 3}, "3 is too coarse for 0 to 1"),
        ({"low": 0, "high": 1, "resolution": 1e-300}, "1e-300 is too fine for 0 to 1"),
        ({"low": 0, "high": float("inf"), "resolution": 1}, "finite"),
        ({"low": float("nan"), "high": 1, "resolution": 1}, "finite"),
        ({"low": 0, "high": 1, "resolution": float("nan")}, "finite"),
    ],
)
def test_converters_that_make_no_sense_are_refused_in_one_line(
    table: dict[str, Any], says: str
) -> None:
    with pytest.raises(SpecError, match=says) as refused:
        Converter.parse(table, where="converter")
    assert "\n" not in str(refused.value)


def test_the_ends_are_on_the_grid_and_within_the_range() -> None:
    converter = Converter(low=-1.05, high=0.95, resolution=0.1)
    assert (converter.lowest, converter.highest) == pytest.approx((-1.0, 0.9))


def test_a_sensor_has_a_converter_of_its_kind_or_its_own() -> None:
    own = Converter(low=0.0, high=2.0, resolution=0.5)
    touch = Touch(name="t", part="front", at=(0, 0, 0), zone=(1, 1, 1), converter=own)
    assert touch.converter is own
    ray = Ray(name="r", part="front", at=(0, 0, 0), direction=(1, 0, 0), range=0.2)
    assert (ray.converter.low, ray.converter.high) == (0.0, 0.2)
    assert ray.converter.resolution == pytest.approx(0.2 / 1024)
    with pytest.raises(ValidationError, match="range"):
        Ray(name="r", part="front", at=(0, 0, 0), direction=(1, 0, 0), range=-1)


def test_the_climbers_servo_tells_its_angle_in_1024_steps_of_330_degrees() -> None:
    assert A1_16.angle_resolution == pytest.approx(radians(330) / 1024)


@pytest.mark.parametrize("servo", SERVOS.table().values(), ids=lambda servo: servo.name)
def test_a_servo_senses_all_of_its_travel(servo: Servo) -> None:
    assert servo.angle_span >= servo.travel
    assert radians(0.1) < servo.angle_resolution < radians(0.4)


def test_a_potentiometer_that_ends_before_the_travel_is_refused() -> None:
    with pytest.raises(ValidationError, match="sensed: expected at least its travel"):
        Servo.from_datasheet(
            "short", voltage=5, stall_torque=0.1, no_load_speed=5, sensed=radians(90)
        )


@pytest.mark.parametrize("letter", sorted(shelf()))
def test_every_joint_is_within_what_its_board_can_read(letter: str) -> None:
    body = assemble(chain(letter), shelf()).modules[0].body
    for mount in body.mounts:
        converter = measuring.position(body, mount)
        gear = getattr(mount, "gear", 1.0)
        joints = mount.joints if hasattr(mount, "joints") else (mount.joint,)
        for name in joints:
            for end in body.joint(name).range or ():
                assert converter.low <= end * gear <= converter.high
        assert measuring.current(mount).low == 0.0
