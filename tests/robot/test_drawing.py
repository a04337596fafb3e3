"""One robot of many: drawn by name from the seed, within its tolerances."""

from __future__ import annotations

from math import degrees, radians
from typing import Any

import numpy as np
import pytest
from tests.rigs import robot, robot_from

from annelid.errors import SpecError
from annelid.modules import shelf
from annelid.robot import assemble
from annelid.robot.as_built import (
    NOMINAL,
    AsBuilt,
    ModuleAsBuilt,
    MotorAsBuilt,
    StartOffsets,
    as_built,
)
from annelid.robot.body import DriveMount, LinearMount, Mount, ServoMount
from annelid.robot.drawing import draw
from annelid.robot.servo import Servo
from annelid.robot.tolerances import CUT, Tolerances
from annelid.trial.load import load

DRAWN = Tolerances(draw=True)
WHO = robot("TRREH")
NOTHING = {name: 0.0 for name in Tolerances.model_fields if name != "draw"}


def numbers(built: AsBuilt) -> dict[str, float]:
    """Everything that was drawn, by dotted name."""

    def flat(data: Any, name: str) -> dict[str, float]:
        if isinstance(data, list | tuple):
            data = dict(enumerate(data))
        if not isinstance(data, dict):
            return {} if isinstance(data, bool) else {name: float(data)}
        below = (flat(value, f"{name}.{key}") for key, value in data.items())
        return {key: value for table in below for key, value in table.items()}

    return flat(built.model_dump(), "")


def test_nothing_is_drawn_unless_asked():
    assert draw(Tolerances(), WHO, 1) is NOMINAL
    assert NOMINAL.robot(WHO) is WHO
    assert NOMINAL.mass(WHO) == WHO.mass


def test_the_same_seed_is_the_same_robot_and_another_differs_in_everything():
    first, again, other = draw(DRAWN, WHO, 1), draw(DRAWN, WHO, 1), draw(DRAWN, WHO, 2)
    assert first == again
    assert first.sensors["T1.camera"].offset == ()
    one, two = numbers(first), numbers(other)
    same = {name for name in one if one[name] == two[name]}
    assert {name for name in same if not name.startswith(".motors.H1.drive.")} == set()
    assert same == {".motors.H1.drive.zero", ".motors.H1.drive.play"}  # a drive has neither


def test_a_module_or_a_quantity_more_changes_nobody_elses_draw():
    small, large = draw(DRAWN, robot("TRH"), 5), draw(DRAWN, robot("TRHRV"), 5)
    assert large.modules["R1"] == small.modules["R1"]
    assert large.motors["R1.yaw"] == small.motors["R1.yaw"]
    assert large.sensors["R1.accelerometer"] == small.sensors["R1.accelerometer"]
    assert large.bore == small.bore
    wider = draw(Tolerances(draw=True, mass_percent=4, play_deg=0), robot("TRH"), 5)
    assert wider.modules["R1"].mass - 1 == pytest.approx(2 * (small.modules["R1"].mass - 1))
    assert wider.modules["R1"].friction == small.modules["R1"].friction
    assert wider.motors["R1.yaw"].zero == small.motors["R1.yaw"].zero
    assert wider.motors["R1.yaw"].play == 0


def test_a_tolerance_of_nothing_leaves_everything_as_designed():
    built = draw(Tolerances(draw=True, **NOTHING), WHO, 3)
    assert set(np.abs(list(numbers(built).values()))) == {0.0, 1.0}
    assert built.robot(WHO) == WHO


def test_spread_is_that_of_the_tolerance_and_cut():
    who = robot("R" * 60)
    drawn = [draw(DRAWN, who, seed) for seed in range(20)]
    for values, deviation in (
        ([m.mass - 1 for b in drawn for m in b.modules.values()], 0.02),
        ([m.friction - 1 for b in drawn for m in b.modules.values()], 0.10),
        ([m.torque - 1 for b in drawn for m in b.motors.values()], 0.05),
        ([m.zero for b in drawn for m in b.motors.values()], radians(1)),
        ([m.clock_ppm for b in drawn for m in b.modules.values()], 20.0),
    ):
        assert np.std(values) == pytest.approx(deviation, rel=0.08)
        assert np.mean(values) == pytest.approx(0, abs=0.1 * deviation)
        assert np.max(np.abs(values)) <= CUT * deviation
    play = [m.play for b in drawn for m in b.motors.values()]
    assert min(play) >= 0
    assert degrees(max(play)) <= CUT * 0.5


def test_a_robot_that_holds_itself_stands_where_it_must():
    """Angles of a loop, or of legs on a wall, are not free to be a little off."""
    ring = {
        "modules": [{"type": "K", "start": {"pitch": 60}} for _ in range(6)],
        "docks": [{"a": f"K{k}.back", "b": f"K{k % 6 + 1}.front"} for k in range(1, 7)],
    }
    looped, laid = (draw(DRAWN, robot_from(who), 1).start for who in (ring, {"chain": "KKKKKK"}))
    assert looped.joints == {}
    assert looped.turns == laid.turns
    assert laid.joints["K1.pitch"] != 0
    climber = assemble(load("climber-wall").robot, shelf())
    assert draw(DRAWN, climber, 1).start == StartOffsets()


MOUNTS = [mount for letter in "REH" for mount in robot(letter)[f"{letter}1"].body.mounts]


@pytest.mark.parametrize("mount", MOUNTS)
def test_torque_and_speed_are_what_was_drawn(mount: Mount):
    made = as_built(mount, MotorAsBuilt(torque=1.1, speed=0.9))
    match mount, made:
        case ServoMount(), ServoMount():
            servo = mount.servo
            assert made.servo.stall_torque == pytest.approx(1.1 * servo.stall_torque)
            assert made.servo.no_load_speed == pytest.approx(0.9 * servo.no_load_speed)
            assert made.servo.stiffness == pytest.approx(1.1 * servo.stiffness)
        case LinearMount(), LinearMount():
            assert made.force_max == pytest.approx(1.1 * mount.force_max)
            fastest = mount.force_max / mount.damping
            assert made.force_max / made.damping == pytest.approx(0.9 * fastest)
        case DriveMount(), DriveMount():
            assert made.stall_force == pytest.approx(1.1 * mount.stall_force)
            assert made.free_speed == pytest.approx(0.9 * mount.free_speed)
        case _:
            pytest.fail("it became another kind")


def test_a_servo_with_friction_keeps_its_factors():
    servo = Servo.from_datasheet(
        "x", voltage=5, stall_torque=0.2, no_load_speed=6, friction=0.01, stall_current=1
    )
    other = servo.as_built(1.1, 0.9)
    assert other.stall_torque == pytest.approx(1.1 * servo.stall_torque)
    assert other.no_load_speed == pytest.approx(0.9 * servo.no_load_speed)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mass_percent", -1),
        ("friction_percent", 50),
        ("torque_percent", 31),
        ("zero_deg", -0.1),
        ("play_deg", 11),
        ("bore_percent", 11),
        ("start_mm", 100),
        ("clock_ppm", 1e6),
        ("weight_percent", 1),
    ],
)
def test_what_cannot_be_is_one_line(field: str, value: float):
    with pytest.raises(SpecError, match=rf"^tolerances: {field}: .*$"):
        Tolerances.parse({field: value}, where="tolerances")


def test_play_beyond_what_a_joint_can_move_is_refused():
    who = robot("E", E={"stroke_mm": 10})
    with pytest.raises(
        SpecError,
        match=r"^tolerances.play_mm: expected less than 3\.33, a third of what E1\.extend can ",
    ):
        draw(Tolerances(draw=True, play_mm=5), who, 0)


def test_mass_is_what_was_drawn_for_each_module():
    """Of T R R E H (12, 22, 22, 46 and 50 g) the second R is a tenth heavier, H a tenth lighter."""
    modules = {"R2": ModuleAsBuilt(mass=1.1), "H1": ModuleAsBuilt(mass=0.9)}
    built = AsBuilt(drawn=True, modules=modules)
    masses = {module.name: module.body.mass for module in WHO.modules}
    expected = {**masses, "R2": 1.1 * masses["R2"], "H1": 0.9 * masses["H1"]}
    assert {m.name: m.body.mass for m in built.robot(WHO).modules} == pytest.approx(expected)
    assert built.mass(WHO) == pytest.approx(sum(expected.values()))
