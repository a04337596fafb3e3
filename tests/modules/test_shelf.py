"""The shelf against the one table of modules (FACTS §3), so that a wrong number fails here."""

from __future__ import annotations

from math import degrees, dist, radians
from typing import ClassVar

import numpy as np
import pytest

from annelid.errors import SpecError
from annelid.modules import extension as cranks
from annelid.modules import shelf
from annelid.modules.passive import Passive
from annelid.modules.servos import MICROTUB
from annelid.robot import Action, ModuleType
from annelid.robot.body import DriveMount, Encoder, LinearMount, ServoMount

SHELF = shelf()

TABLE = {
    # letter: wire ID, length mm, mass g, MDL, actuators
    "T": ("c", 28, 12, "00000000301000000", ()),
    "R": ("r", 34, 22, "00003300000003000", ("yaw", "pitch")),
    "H": ("h", 32, 50, "00310000000000000", ("drive",)),
    "S": ("s", 35, 24, "03000000000000000", ("grip",)),
    "E": ("e", 40, 28, "30000200000000000", ("extend", "yaw")),
    "V": ("v", 30, 15, "00000000000000000", ()),
    "P": ("p", 30, 12, "00000000000000000", ()),
    "N": ("n", 25, 10, "00000000000330000", ()),
    "B": ("b", 40, 30, "00000000000000003", ()),
    "G": ("g", 35, 20, "00000000000000330", ("turret", "bar")),
    "K": ("k", 50, 70, "00003000000000000", ("pitch",)),
    "C": ("o", 100, 100, "00003303000000000", ("yaw", "pitch")),
}
"""FACTS §3 and §6.  T's Sense_side 1 is §3's remark; §6's string for c leaves it out."""

DIAMETER = {"K": 50 * 2**0.5, "C": 45 * 2**0.5}
"""Across, where it is not MICROTUB's 27 mm: a box is as wide as its diagonal."""


def made(letter: str) -> ModuleType:
    return SHELF[letter].parse({}, where=letter)


CLIMBER = {"Y", "L"}
"""Trunk and leg of 003; their numbers are in ``test_leg.py``."""


def test_the_shelf_holds_these_and_no_others() -> None:
    assert set(SHELF) == set(TABLE) | CLIMBER
    assert len({kind.wire_id for kind in SHELF.values()}) == len(SHELF)


@pytest.mark.parametrize("letter", TABLE)
def test_letter_wire_length_mass_and_capabilities(letter: str) -> None:
    wire, length, mass, mdl, actuators = TABLE[letter]
    module = made(letter)
    body = module.body()
    assert (module.letter, module.wire_id) == (letter, wire)
    assert (module.length_mm, module.mass_g) == (length, mass)
    assert module.capabilities.digits == mdl
    assert body.mass * 1000 == pytest.approx(mass)
    assert dist(_straight(module, "front"), _straight(module, "back")) * 1000 == pytest.approx(
        length
    )
    assert tuple(mount.name for mount in body.mounts) == actuators
    assert body.radius * 2000 == pytest.approx(DIAMETER.get(letter, 27))


def _straight(module: ModuleType, face: str) -> tuple[float, ...]:
    """Where a face is with all joints at 0; no part of the shelf is turned against its parent."""
    body = module.body()
    parts = {part.name: part for part in body.parts}
    at = np.array(body.face(face).at)
    part = parts[body.face(face).part]
    while True:
        at = at + part.at
        if part.parent is None:
            return tuple(at)
        part = parts[part.parent]


@pytest.mark.parametrize("letter", TABLE)
def test_names_are_unique_and_everything_named_is_there(letter: str) -> None:
    module = made(letter)
    body = module.body()
    joints = [part.joint.name for part in body.parts if part.joint]
    for names in (
        [part.name for part in body.parts],
        joints,
        [mount.name for mount in body.mounts],
        [sensor.name for sensor in body.sensors],
        [face.name for face in body.faces],
    ):
        assert len(names) == len(set(names))
    assert {"front", "back"} <= {face.name for face in body.faces}
    assert body.face("front").part == body.parts[0].name
    assert {s.joint for s in body.sensors if isinstance(s, Encoder)} <= set(joints)
    assert all(geom.mass >= 0 for part in body.parts for geom in part.geoms)
    moving = {part.name: sum(g.mass for g in part.geoms) for part in body.parts if part.joint}
    assert all(mass > 0 for mass in moving.values()), moving


@pytest.mark.parametrize("letter", TABLE)
def test_actions_and_rest_name_actuators_within_reach(letter: str) -> None:
    module = made(letter)
    body = module.body()
    mounts = {mount.name: mount for mount in body.mounts}
    ranges = {p.joint.name: p.joint.range for p in body.parts if p.joint}
    for pose in (*module.actions().values(), module.rest()):
        for actuator, value in pose.items():
            match mounts[actuator]:
                case DriveMount():
                    assert -1 <= value <= 1
                case LinearMount(joint=joint):
                    low, high = ranges[joint] or (-np.inf, np.inf)
                    assert low <= value <= high
                case ServoMount(joints=joints, gear=gear):
                    for joint in joints:
                        low, high = ranges[joint] or (-np.inf, np.inf)
                        assert low - 1e-9 <= value / gear <= high + 1e-9
    assert set(module.rest()) <= set(mounts)


@pytest.mark.parametrize("letter", TABLE)
def test_shares_are_those_of_one_servo(letter: str) -> None:
    for mount in made(letter).body().mounts:
        if isinstance(mount, ServoMount):
            assert sum(mount.shares) == pytest.approx(1.0)


def test_shares_that_make_torque_from_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="shares add up to"):
        ServoMount(name="x", servo=MICROTUB, joints=("a", "b"), shares=(0.9, 0.9))


@pytest.mark.parametrize("letter", TABLE)
def test_a_latch_is_an_option_of_any_module(letter: str) -> None:
    without = SHELF[letter].parse({"latch": False}, where=letter)
    assert without.capabilities["Att"] == 0
    latched = SHELF[letter].parse({"latch": True}, where=letter)
    assert latched.capabilities["Att"] == 3
    assert latched.capabilities.with_grade("Att", 0) == without.capabilities


def test_conro_alone_comes_with_its_latches() -> None:
    assert [letter for letter in TABLE if made(letter).capabilities["Att"]] == ["C"]


def test_rotation_turns_ninety_degrees_both_ways_about_axes_ten_millimetres_apart() -> None:
    body = made("R").body()
    joints = {part.name: part for part in body.parts if part.joint}
    for part in joints.values():
        assert part.joint is not None
        assert part.joint.range == pytest.approx((-radians(90), radians(90)))
    assert joints["back"].at[0] * 1000 == pytest.approx(-10)


def test_support_arms_spread_from_13_5_to_21_mm_and_one_is_stronger() -> None:
    body = made("S").body()
    arm = next(part for part in body.parts if part.joint)
    tip = arm.geoms[0].size[0]
    folded = float(np.hypot(arm.at[1], arm.at[2])) + tip
    assert arm.joint is not None
    assert arm.joint.range is not None
    assert folded * 1000 == pytest.approx(13.5)
    assert (folded + arm.joint.range[1]) * 1000 == pytest.approx(21)
    (grip,) = body.mounts
    assert isinstance(grip, ServoMount)
    assert len(grip.joints) == 3
    assert grip.shares[0] > max(grip.shares[1:])
    assert grip.gear * arm.joint.range[1] == pytest.approx(
        made("S").actions()[Action.EXTEND]["grip"]
    )


def test_helicoidal_wheels_are_those_that_pass_elbows() -> None:
    module = SHELF["H"].parse({}, where="H").model_dump()
    expected = {
        "rings_apart_mm": 14,
        "wheel_radius_mm": 4,
        "free_radius_mm": 22.5,
        "travel_mm": 5.5,
        "spring_n_m": 200,
    }
    assert {key: module[key] for key in expected} == expected
    body = made("H").body()
    (drive,) = body.mounts
    assert isinstance(drive, DriveMount)
    assert len(drive.joints) == 3
    assert body.locked == (drive.joints,)


def test_traveller_has_three_encoders_one_for_each_wheel() -> None:
    encoders = [s for s in made("V").body().sensors if isinstance(s, Encoder)]
    assert len({encoder.joint for encoder in encoders}) == 3


def test_crank_geometry() -> None:
    """FACTS §3: 21.6 mm of stroke between the forbidden 25° and 147°."""
    assert (cranks.CRANK, cranks.ROD, cranks.ARMS_APART) == (0.012, 0.014, 0.016)
    assert pytest.approx(21.6, abs=0.05) == cranks.STROKE * 1000
    assert 20 <= made("E").actions()[Action.EXTEND]["extend"] * 1000 <= cranks.STROKE * 1000
    limits = [(degrees(f.below or 0), degrees(f.above or 0)) for f in made("E").forbidden()]
    assert limits == [pytest.approx((25, 147))] * 2


def pose_of_cranks(first: float, second: float) -> tuple[float, float]:
    """Extension (m, from the contracted end) and yaw (rad) for the two crank angles."""
    shortest = cranks.crank_slide(cranks.SINGULAR_HIGH)
    a, b = cranks.crank_slide(first) - shortest, cranks.crank_slide(second) - shortest
    return (a + b) / 2, (a - b) / cranks.ARMS_APART


def test_equal_cranks_extend_and_unequal_ones_turn() -> None:
    low, high = cranks.SINGULAR_LOW, cranks.SINGULAR_HIGH
    assert pose_of_cranks(high, high) == pytest.approx((0, 0))
    assert pose_of_cranks(low, low) == pytest.approx((cranks.STROKE, 0))
    long, short = radians(70), radians(100)
    _, left = pose_of_cranks(long, short)
    _, right = pose_of_cranks(short, long)
    assert left == pytest.approx(-right)
    assert left > 0
    assert radians(30) <= cranks.DIFFERENCE_MAX / cranks.ARMS_APART


def test_a_crank_slides_shorter_all_the_way() -> None:
    slides = [cranks.crank_slide(a) for a in np.linspace(0, np.pi, 200)]
    assert all(np.diff(slides) < 0)


class Again(Passive):
    letter: ClassVar[str] = "P"


def test_a_letter_can_be_taken_once() -> None:
    with pytest.raises(SpecError, match="module 'P' is there already"):
        shelf(Again)


def test_erekobot_turns_180_degrees_in_the_middle_of_its_cube() -> None:
    body = made("K").body()
    back = next(part for part in body.parts if part.joint)
    assert back.joint is not None
    assert back.joint.range == pytest.approx((-radians(90), radians(90)))
    assert back.at[0] * 1000 == pytest.approx(-25)
    boxes = [geom for part in body.parts for geom in part.geoms if geom.shape == "box"]
    assert [geom.size for geom in boxes] == [pytest.approx((0.0125, 0.025, 0.025))] * 2


def test_a_conro_module_looks_where_it_is_told_to() -> None:
    looking = SHELF["C"].parse({"looks": ["left", "front"]}, where="C")
    assert [sensor.name for sensor in looking.body().sensors] == [
        "infrared_left",
        "infrared_front",
    ]
    assert looking.capabilities["Sense_side"] == looking.capabilities["Sense_front"] == 1
    assert made("C").capabilities["Sense_side"] == 0
