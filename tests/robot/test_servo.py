"""Servos: 001 Table 1, and from a datasheet to the motor model and back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError, SpecError
from annelid.modules.rotation import Rotation
from annelid.modules.servos import A1_16, MICROTUB
from annelid.robot import Servo

positive = st.floats(0.01, 100.0)


def test_the_constants_of_table_1() -> None:
    assert (MICROTUB.voltage, MICROTUB.gain, MICROTUB.motor_constant) == (5.0, 12.0, 0.14)
    assert (MICROTUB.resistance, MICROTUB.inductance) == (12.0, 7.5e-3)
    assert (MICROTUB.friction, MICROTUB.inertia) == (35e-7, 7e-7)
    assert (MICROTUB.threshold, MICROTUB.filter_time, MICROTUB.trip) == (0.010, 0.010, 0.100)


def test_what_follows_from_table_1() -> None:
    assert MICROTUB.stall_current == pytest.approx(0.417, abs=5e-4)
    assert MICROTUB.stall_torque == pytest.approx(0.0583, abs=5e-5)
    assert MICROTUB.no_load_speed == pytest.approx(35.6, abs=0.05)
    assert MICROTUB.stiffness == pytest.approx(0.14)
    assert MICROTUB.inductance / MICROTUB.resistance == pytest.approx(0.625e-3)


def test_the_trip_lies_below_the_120_ma_of_a_blocked_servo() -> None:
    """000 §4.1.2."""
    assert MICROTUB.trip is not None
    assert MICROTUB.trip < 0.120


@given(positive, positive, positive, st.floats(0, 0.9))
def test_a_datasheet_comes_back_from_the_motor(
    voltage: float, torque: float, speed: float, lost: float
) -> None:
    friction = lost * torque / speed
    servo = Servo.from_datasheet(
        "own", voltage=voltage, stall_torque=torque, no_load_speed=speed, friction=friction
    )
    assert servo.stall_torque == pytest.approx(torque)
    assert servo.no_load_speed == pytest.approx(speed)
    assert servo.voltage == voltage


def test_a_stall_current_above_the_lossless_one_is_drawn_from_the_supply() -> None:
    servo = Servo.from_datasheet(
        "own", voltage=6.0, stall_torque=0.2, no_load_speed=10.0, stall_current=0.5
    )
    assert servo.stall_current * servo.draw == pytest.approx(0.5)


def test_a_stall_current_that_cannot_give_the_torque_is_refused() -> None:
    with pytest.raises(SpecError, match=r"stall_current 0\.1 A cannot give.*at least 0\.333 A"):
        Servo.from_datasheet(
            "own", voltage=6.0, stall_torque=0.2, no_load_speed=10.0, stall_current=0.1
        )


@pytest.mark.parametrize(
    "field", ["voltage", "stall_torque", "no_load_speed", "full_drive_error", "travel", "inertia"]
)
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan])
def test_impossible_values_are_refused_by_name(field: str, value: float) -> None:
    sheet: dict[str, Any] = {"voltage": 6.0, "stall_torque": 0.2, "no_load_speed": 10.0}
    sheet[field] = value
    with pytest.raises(SpecError, match=f"servo own: .*{field}"):
        Servo.from_datasheet("own", **sheet)


def test_friction_that_eats_all_the_torque_is_refused() -> None:
    with pytest.raises(SpecError, match="friction"):
        Servo.from_datasheet(
            "own", voltage=6.0, stall_torque=0.2, no_load_speed=10.0, friction=0.02
        )


def test_a_module_takes_a_servo_by_name_by_datasheet_or_in_full() -> None:
    by_name = Rotation.parse({"servo": "a1-16"}, where="R")
    assert by_name.servo is A1_16
    sheet = {"voltage": 6, "stall_torque": 0.2, "no_load_speed": 8}
    assert Rotation.parse({"servo": sheet}, where="R").servo.stall_torque == pytest.approx(0.2)
    assert Rotation.parse({"servo": MICROTUB.model_dump()}, where="R").servo == MICROTUB


@pytest.mark.parametrize(
    ("servo", "message"),
    [
        ("micro-9gg", "Did you mean 'micro-9g'"),
        ({"voltage": 6}, "needs no_load_speed, stall_torque"),
        ({"voltage": 6, "stall_torque": 1, "no_load_speed": 2, "colour": 3}, "colour"),
        ({"voltage": 6, "stall_torque": 1, "no_load_speed": 2, "full_drive_error": 0}, "full_dri"),
        ({"voltage": 6, "stall_torque": "much", "no_load_speed": 2}, "stall_torque"),
        (MICROTUB.model_dump() | {"resistance": -1}, "resistance"),
        (7, "expected a servo's name or a table"),
    ],
)
def test_a_bad_servo_is_one_line_at_its_field(servo: object, message: str) -> None:
    with pytest.raises(InputError, match=f"R: servo.*{message}") as error:
        Rotation.parse({"servo": servo}, where="R")
    assert "\n" not in str(error.value)
    assert "pydantic" not in str(error.value)
