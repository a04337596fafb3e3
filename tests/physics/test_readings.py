"""Whatever the physics and the faults do, a program reads numbers that its converters can give."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.electronics.circuits import Rig, rig
from tests.rigs import WEIGHTLESS, simulation

from annelid.electronics.faults import parse_fault
from annelid.modules import shelf
from annelid.physics import broken_sensors, electrics
from annelid.physics.channel import AnalogInput
from annelid.robot import measuring
from annelid.robot.as_built import AsBuilt, MotorAsBuilt, SensorAsBuilt
from annelid.robot.converter import Converter

HARD = (0.0, 1.0, -1.0, 1e3, -1e3, 1e300, -1e300, float("inf"), float("-inf"), float("nan"))
numbers = st.sampled_from(HARD) | st.floats()
sound = st.floats(allow_nan=False, allow_infinity=False)
LETTERS = sorted(shelf())

converters = st.builds(
    lambda low, span, steps: Converter.of_steps(low, low + span, steps),
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
    st.integers(4, 2**20),
)


@cache
def standing(letter: str) -> Rig:
    """One module, alone in the open, with its board."""
    setup = rig(letter, {"kind": "open-air"})
    setup.started(f"{letter}1")
    return setup


def tortured(setup: Rig, value: float) -> None:
    """Every number that a device looks at is ``value``; the next step has come."""
    data = setup.sim.data
    data.sensordata[:] = data.act[:] = data.qpos[:] = data.xpos[:] = value
    motors = len(setup.sim.actuators)
    electrics.state(data, motors)[:, electrics.FILTERED] = value
    setup.sim.steps += 1


def readings(setup: Rig) -> Iterator[tuple[str, float, Converter]]:
    """All that the program can read."""
    sim = setup.sim
    (module,) = sim.robot.modules
    board = setup.circuit.nodes[module.name].board
    for sensor in board.sensors.values():
        yield sensor.name, sensor.read(), sim.sensors.converter(sensor.name)
    for mount in module.body.mounts:
        servo = board.servos[mount.name]
        measured = servo.measure()
        angle, current = measuring.position(module.body, mount), measuring.current(mount)
        yield f"{servo.name} angle", servo.angle, angle
        yield f"{servo.name} angle", measured.angle, angle
        yield f"{servo.name} current", servo.current, current
        yield f"{servo.name} current", measured.current, current
        yield f"{servo.name} temperature", servo.temperature, measuring.THERMOMETER


def unreadable(setup: Rig) -> list[str]:
    """Readings that no converter gives."""
    return [
        f"{name} reads {reading!r}"
        for name, reading, converter in readings(setup)
        if not isfinite(reading)
        or not converter.lowest <= reading <= converter.highest
        or round(reading / converter.resolution) * converter.resolution != reading
    ]


@st.composite
def broken(draw: st.DrawFn, setup: Rig, name: str) -> broken_sensors.BrokenSensor | None:
    """One of all the ways in which a channel can be."""
    sim = setup.sim
    match draw(st.sampled_from(["sound", "stuck", "floating", "flagged", "noisy"])):
        case "stuck":
            return broken_sensors.stuck(draw(numbers))
        case "floating":
            chance = np.random.default_rng(draw(st.integers(0, 99)))
            return broken_sensors.floating(sim.sensors.converter(name), chance, 0.0005)
        case "flagged":
            return broken_sensors.flagged()
        case "noisy":
            return broken_sensors.noisy(sim.sensors.noise(name, draw(st.floats(1e-6, 1e308))))
    return None


@pytest.mark.parametrize("letter", LETTERS)
@settings(max_examples=30)
@given(data=st.data())
def test_a_program_reads_only_what_converters_can_give(letter: str, data: st.DataObject) -> None:
    setup = standing(letter)
    for name in setup.sim.sensors.names:
        setup.sim.sensors.break_one(name, data.draw(broken(setup, name)))
    with np.errstate(all="ignore"):
        tortured(setup, data.draw(numbers))
        assert unreadable(setup) == []


@pytest.mark.parametrize("letter", LETTERS)
def test_without_converters_programs_would_read_anything(
    letter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    setup = standing(letter)
    for name in setup.sim.sensors.names:
        setup.sim.sensors.break_one(name, None)
    monkeypatch.setattr(AnalogInput, "read", lambda _channel, value: value)
    with np.errstate(all="ignore"):
        tortured(setup, float("nan"))
        seen = len(list(readings(setup)))
        assert bool(unreadable(setup)) == bool(seen)


@given(converters, numbers, st.floats(-1e6, 1e6))
def test_a_channel_reads_the_nearest_step_within_its_range(
    converter: Converter, value: float, offset: float
) -> None:
    reading = AnalogInput("it", converter, offset).read(value)
    true = value + offset
    assert converter.lowest <= reading <= converter.highest
    assert converter.low - converter.lowest <= 1e-9 * max(1.0, abs(converter.low))
    assert converter.highest - converter.high <= 1e-9 * max(1.0, abs(converter.high))
    if converter.lowest <= true <= converter.highest:
        assert abs(reading - true) <= 0.5001 * converter.resolution
    elif true > converter.highest:
        assert reading == converter.highest
    else:
        assert reading == converter.lowest


@given(converters, sound, sound)
def test_more_never_reads_as_less(converter: Converter, a: float, b: float) -> None:
    channel = AnalogInput("it", converter)
    low, high = sorted((a, b))
    assert channel.read(low) <= channel.read(high)


def test_a_sensor_that_was_drawn_is_off_by_a_share_of_its_range() -> None:
    off = SensorAsBuilt(offset=(0.0, 0.0, 0.05), noise=0.0)
    yaw_off = MotorAsBuilt(zero=0.1)
    built = AsBuilt(drawn=True, sensors={"R1.accelerometer": off}, motors={"R1.yaw": yaw_off})
    sim = simulation("R", WEIGHTLESS, built=built)
    sim.advance(200)
    readings = {axis: sim.sensors.read_one(f"R1.accelerometer.{axis}") for axis in "xyz"}
    converter = sim.sensors.converter("R1.accelerometer.z")
    assert readings["z"] == pytest.approx(0.05 * (converter.high - converter.low), abs=0.04)
    assert readings["x"] == readings["y"] == 0.0
    yaw = sim.actuators.place("R1.yaw")
    assert sim.actuators.read_angle_at(yaw) == pytest.approx(-0.1, abs=0.004)
    assert sim.data.joint("R1/yaw").qpos[0] == pytest.approx(0.0, abs=1e-6)


def test_a_servo_angle_has_the_steps_of_its_potentiometer() -> None:
    setup = rig("R")
    servo = setup.started("R1").board.servos["yaw"]
    servo.target = 0.5
    seen = set()
    for k in range(1, 300):
        setup.run(0.001 * k)
        seen.add(servo.angle)
    step = 1.1 * np.pi / 1024
    steps = np.array(sorted(seen)) / step
    assert steps == pytest.approx(np.round(steps), abs=1e-6)
    assert len(seen) > 20


def test_every_fault_of_a_sensor_by_its_scenario_name() -> None:
    """From the table of a scenario to the reading."""
    for table in ({"mode": "floating"}, {"mode": "flagged"}, {"reading": 1e300}, {}):
        setup = rig("L", {"kind": "open-air"})
        setup.started("L1")
        for sensor in ("L1.force", "L1.distance", "L1.pressure"):
            fault = {"fault": "dead_sensor", "sensor": sensor, **table}
            setup.injector.inject(parse_fault(fault))
        for k in range(1, 20):
            setup.run(0.01 * k)
            assert unreadable(setup) == []
