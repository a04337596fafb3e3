"""The catalogue of servos that modules use.

A scenario names a servo from here, or gives a table of datasheet values for one of its own
(``servo = {name = "mine", voltage = 6, stall_torque = 0.2, no_load_speed = 8}``).  ``SERVOS`` says
how a plugin brings one (``annelid.registry``).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import radians
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ValidationInfo

from annelid.errors import InputError, UnknownName
from annelid.registry import PLUGINS, Kind
from annelid.robot.servo import Servo

MICROTUB: Final = Servo(
    name="microtub",
    voltage=5.0,
    gain=12.0,
    motor_constant=0.14,
    resistance=12.0,
    inductance=7.5e-3,
    friction=35e-7,
    inertia=7e-7,
    threshold=0.010,
    filter_time=0.010,
    trip=0.100,
)
"""001 Table 1; threshold and filter time are not printed there (FACTS §1, proposed values)."""

TGY90S: Final = Servo.from_datasheet(
    "tgy90s", voltage=4.8, stall_torque=0.176, no_load_speed=9.5, stall_current=0.7
)
"""ErekoBot's Turnigy TGY90S (004, Table 1), a metal-geared servo of 13 g.  The seller's page that
004 cites is gone; proposed: 1.8 kg·cm, 0.11 s for 60° at 4.8 V."""

CONRO: Final = Servo.from_datasheet(
    "conro", voltage=4.8, stall_torque=0.363, no_load_speed=4.19, stall_current=0.8
)
"""002 does not name CONRO's servos.  Proposed: a metal-geared one of 21 g, 3.7 kg·cm and 0.25 s
for 60° at 4.8 V, the strongest of which two weigh less than half of a module's 100 g."""

CONRO_FED: Final = Servo.from_datasheet(
    "conro-as-fed", voltage=4.8, stall_torque=0.20, no_load_speed=1.6
)
"""Fitted: what CONRO's servos must have been able to do, fed through cables by a supply that limits
the robot (002 §4, §5), for caterpillar, sidewinder and track to have the printed speeds at one
cycle of 2.88 s (papers/c01_gaits.py).  They then lag behind their way-points."""

MICROTUB_SLOW: Final = MICROTUB.model_copy(update={"name": "microtub-slow", "slew": 9.0})
"""The same motor behind a gear as slow as a real micro-servo's (FACTS §1)."""

MICRO_9G: Final = Servo.from_datasheet(
    "micro-9g", voltage=4.8, stall_torque=0.176, no_load_speed=10.5, stall_current=0.65
)

A1_16: Final = Servo.from_datasheet(
    "a1-16",
    voltage=12.0,
    stall_torque=2.45,
    no_load_speed=7.3,
    travel=radians(330),
    sensed=radians(330),
    angle_steps=1024,
)
"""ROMHEX's servo, as its maker prints it at 12 V (FACTS §4): it tells its angle in 1024 steps over
330°."""

SERVOS: Final[Kind[Servo]] = Kind(
    name="servo",
    plural="servos",
    base=Servo,
    key=lambda servo: str(servo.name),
    built_in={
        "microtub": "annelid.modules.servos:MICROTUB",
        "microtub-slow": "annelid.modules.servos:MICROTUB_SLOW",
        "tgy90s": "annelid.modules.servos:TGY90S",
        "conro": "annelid.modules.servos:CONRO",
        "conro-as-fed": "annelid.modules.servos:CONRO_FED",
        "micro-9g": "annelid.modules.servos:MICRO_9G",
        "a1-16": "annelid.modules.servos:A1_16",
    },
    instances=True,
)


def find(value: Any, info: ValidationInfo) -> Servo:
    """A servo by catalogue name, by datasheet values, or as it is."""
    if isinstance(value, Servo):
        return value
    if isinstance(value, str):
        plugins = (info.context or {}).get(PLUGINS)
        catalogue = SERVOS.table() if plugins is None else plugins.table(SERVOS)
        try:
            return catalogue.find(value)
        except UnknownName as error:
            raise ValueError(str(error)) from None
    if not isinstance(value, Mapping):
        raise ValueError(f"expected a servo's name or a table of its values, got {value!r}")
    given = dict(value)
    if "motor_constant" in given:
        return Servo(**given)
    missing = {"voltage", "stall_torque", "no_load_speed"} - set(given)
    if missing:
        raise ValueError(f"a servo's datasheet needs {', '.join(sorted(missing))}")
    try:
        return Servo.from_datasheet(given.pop("name", "own"), **given)
    except (InputError, TypeError) as error:
        raise ValueError(str(error)) from None


ServoChoice = Annotated[Servo, BeforeValidator(find)]
"""A field that takes any of the three forms."""
