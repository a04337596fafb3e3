"""Report: how the robot of this run differed from its design."""

from __future__ import annotations

from math import degrees

from annelid.report import page
from annelid.report.recording import Recording
from annelid.robot import AsBuilt


def as_built_section(recording: Recording) -> str | None:
    """None where the robot was nominal."""
    built = recording.run.as_built
    if not built.drawn:
        return None
    tables = [_modules(built)]
    if built.motors:
        tables.append(_motors(built, recording))
    if built.sensors:
        tables.append(_sensors(built))
    return page.section("The robot as built", page.paragraph(_words(built)), *tables)


def _words(built: AsBuilt) -> str:
    text = (
        "One robot of many, drawn by the seed from the scenario's tolerances; numbers are how far "
        f"it was off its design. Bores {_off(built.bore, 2)}, friction of the ground "
        f"{_off(built.ground)}."
    )
    start = built.start
    if start.joints:
        worst = max(start.joints, key=lambda name: abs(start.joints[name]))
        text += f" Joints began up to {abs(degrees(start.joints[worst])):.1f}° off ({worst})."
    if start.turns:
        turns = ", ".join(f"{degrees(turn[0]):+.1f}°" for turn in start.turns.values())
        text += f" It was turned about its axis by {turns}."
    return text


def _modules(built: AsBuilt) -> str:
    rows = [
        (name, _off(m.mass), _off(m.friction), f"{m.clock_ppm:+.0f}")
        for name, m in built.modules.items()
    ]
    return page.table(("module", "mass", "friction", "clock (ppm)"), rows, numbers=(1, 2, 3))


def _motors(built: AsBuilt, recording: Recording) -> str:
    units = recording.run.trace.schema("actuators").units
    rows = []
    for name, motor in built.motors.items():
        linear = units.get(f"position[{name}]") == "m"
        zero, play = (
            f"{1000 * value:.2f} mm" if linear else f"{degrees(value):.2f}°"
            for value in (motor.zero, motor.play)
        )
        rows.append((name, _off(motor.torque), _off(motor.speed), zero, play))
    head = ("motor", "torque", "speed", "zero", "play")
    return page.table(head, rows, numbers=(1, 2, 3, 4))


def _sensors(built: AsBuilt) -> str:
    rows = [
        (name, ", ".join(f"{100 * share:+.2f} %" for share in s.offset) or "–", _off(s.noise))
        for name, s in built.sensors.items()
    ]
    return page.table(("sensor", "offset, of its range", "noise"), rows, numbers=(1, 2))


def _off(factor: float, digits: int = 1) -> str:
    return f"{100 * (factor - 1):+.{digits}f} %"
