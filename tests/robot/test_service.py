"""Actuators are found by what they serve; a type that claims what nothing serves is refused."""

from __future__ import annotations

from math import radians
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from tests.robot.odd_joint import OddJoint

from annelid.errors import SpecError
from annelid.modules import shelf
from annelid.modules.battery import Battery
from annelid.modules.extension import Extension
from annelid.modules.rotation import Rotation
from annelid.motion import bind, parse_gaits
from annelid.robot import Capabilities, Serves, assemble, chain

Serving = tuple[str, str, Literal[1, -1]]
"""Actuator, capability, sign."""


def told(letters: str, gait: dict[str, Any], t: float, **each: Any) -> dict[str, float]:
    """Value by actuator, in degrees."""
    bound = bind(parse_gaits([gait]), assemble(chain(letters, **each), shelf(OddJoint)))
    return dict(zip(bound.actuators, np.degrees(bound.values(t)), strict=True))


SNAKE = {"gait": "snake", "move": "lateral", "modules": "all"}
WAVE = {"gait": "wave", "axis": "pitch", "amplitude_deg": 30, "omega_rad_s": 3, "phase_rad": 1}


@pytest.mark.parametrize("gait", [SNAKE, WAVE])
def test_a_wave_bends_a_module_alike_whatever_its_servos_are_called(gait: dict[str, Any]) -> None:
    plain, odd = told("RRR", gait, 1.7), told("OOO", gait, 1.7)
    assert any(abs(value) > 5 for value in plain.values())
    for place in (1, 2, 3):
        assert odd[f"O{place}.b7"] == pytest.approx(-plain[f"R{place}.pitch"])
        assert odd[f"O{place}.a4"] == pytest.approx(plain[f"R{place}.yaw"])


def test_a_geared_servo_turns_as_much_further() -> None:
    plain, geared = told("RRR", WAVE, 1.7), told("OOO", WAVE, 1.7, O={"gear": 2.0})
    assert geared["O1.b7"] == pytest.approx(-2 * plain["R1.pitch"])


def test_what_serves_a_capability_has_its_range() -> None:
    made = OddJoint.parse({"bend_deg": 40, "gear": 2.0}, where="O").services()
    assert made["RotX"].range == pytest.approx((-radians(80), radians(80)))
    assert made["RotX"].value(0.5) == pytest.approx(-1.0)
    assert made["RotX"].amount(-1.0) == pytest.approx(0.5)


def claiming(base: type[Any], able: dict[str, int], *serving: Serving) -> type[Any]:
    """A type of somebody else's with these claims."""

    class Stranger(base):  # type: ignore[misc]
        letter: ClassVar[str] = "Q"
        wire_id: ClassVar[str] = "q"
        capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(**able)
        serves: ClassVar[tuple[Serves, ...]] = tuple(
            Serves(actuator=name, capability=capability, sign=sign)
            for name, capability, sign in serving
        )

    return Stranger


YAW: Serving = ("yaw", "RotY", 1)
PITCH: Serving = ("pitch", "RotX", 1)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (claiming(Rotation, {"RotX": 3, "RotY": 3}, YAW), "no actuator serves RotX"),
        (claiming(Battery, {"PS": 3, "Drill": 1}), "no actuator serves Drill"),
        (claiming(Rotation, {"RotY": 3}, ("jaw", "RotY", 1)), "'jaw'; expected .* yaw, pitch"),
        (claiming(Rotation, {"RotX": 3}, ("pitch", "RotX", -1)), "sign -1; expected sign 1"),
        (claiming(Rotation, {"RotX": 3}, ("yaw", "RotX", 1)), "yaw serves RotX about"),
        (claiming(Extension, {"RotX": 3}, ("extend", "RotX", 1)), "a servo on a hinge"),
        (claiming(Rotation, {"RotX": 3}, PITCH, ("yaw", "RotX", 1)), "two actuators serve RotX"),
        (claiming(Rotation, {"RotX": 3}, PITCH, ("yaw", "Sense_side", 1)), "serves Sense_side"),
        (claiming(Battery, {"PS": 3, "Sense_grav": 2}), "no sensor serves Sense_grav"),
        (claiming(Rotation, {"Sense_front": 1}), "no sensor serves Sense_front"),
    ],
)
def test_a_capability_that_nothing_serves_is_refused_when_the_type_is_loaded(
    kind: type[Any], words: str
) -> None:
    with pytest.raises(SpecError, match=words) as refused:
        shelf(kind)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("Stranger: ")


def test_what_is_served_is_taken() -> None:
    assert "Q" in shelf(claiming(Rotation, {"RotX": 3, "RotY": 1, "Sense_grav": 3}, YAW, PITCH))
