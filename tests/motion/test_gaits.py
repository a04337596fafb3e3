"""Gaits of a scenario, bound to robots: what every actuator is told, and the mistakes."""

from __future__ import annotations

import tomllib
from functools import partial
from math import inf, isnan, radians
from timeit import repeat
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError, UnknownName
from annelid.modules import shelf
from annelid.motion import SNAKE, BoundGaits, bind, parse_gaits, select, wave
from annelid.motion.layers import Window
from annelid.robot import Robot, RobotSpec, assemble, chain

SHELF = shelf()
Table = dict[str, Any]

PITCH: Table = {
    "gait": "wave",
    "axis": "pitch",
    "amplitude_deg": 50,
    "omega_rad_s": 4,
    "phase_rad": 1,
    "ramp_s": 0,
}


def robot(letters: str) -> Robot:
    return assemble(chain(letters), SHELF)


def bound(letters: str, *gaits: Table) -> BoundGaits:
    return bind(parse_gaits(gaits), robot(letters))


def told(letters: str, t: float, *gaits: Table) -> dict[str, float]:
    gait = bound(letters, *gaits)
    return dict(zip(gait.actuators, gait.values(t).tolist(), strict=True))


# --- what is told ------------------------------------------------------------------------------


def test_all_actuators_in_chain_order_rest_without_a_gait() -> None:
    still = bound("TRHSEG")
    assert still.actuators == (
        "R1.yaw",
        "R1.pitch",
        "H1.drive",
        "S1.grip",
        "E1.extend",
        "E1.yaw",
        "G1.turret",
        "G1.bar",
    )
    assert not still.values(3.0).any()


def test_values_are_the_caller_s_own() -> None:
    gait = bound("R")
    gait.values(0.0)[:] = 9
    assert not gait.values(0.0).any()


@pytest.mark.parametrize(
    "gaits",
    [
        (PITCH,),
        ({**PITCH, "from_s": 1, "until_s": 3},),
        (PITCH, {**PITCH, "omega_rad_s": 7, "modules": "R2"}),
        (PITCH, {"gait": "hold", "pose": {"pitch": 9}, "modules": "R1", "from_s": 2}),
    ],
)
def test_a_whole_run_is_told_what_every_moment_is_told(gaits: tuple[Table, ...]) -> None:
    told_at, times = bound("RRR", *gaits), np.arange(0, 5, 0.02)
    each = np.array([told_at.values(float(t)) for t in times])
    assert np.array_equal(told_at.rows(times), each), "to the bit: runs are compared that way"


@given(st.floats(0, 50))
def test_a_wave_counts_the_modules_that_have_the_axis_from_the_head(t: float) -> None:
    values = told("TRHRR", t, PITCH)
    expected = [wave(t, radians(50), 4, 1, index) for index in range(3)]
    assert [values[f"R{i}.pitch"] for i in (1, 2, 3)] == pytest.approx(expected)
    assert values["R1.yaw"] == 0


def test_waves_add_to_waves_and_their_offsets_too() -> None:
    other = {**PITCH, "amplitude_deg": 10, "omega_rad_s": 7, "offset_deg": 5, "modules": "R2"}
    one, two = told("RR", 1.3, PITCH), told("RR", 1.3, other)
    both = told("RR", 1.3, PITCH, {"gait": "hold", "pose": {"yaw": 9}}, other)
    assert both["R1.pitch"] == pytest.approx(one["R1.pitch"])
    assert both["R2.pitch"] == pytest.approx(one["R2.pitch"] + two["R2.pitch"])


def test_otherwise_the_later_gait_wins() -> None:
    hold = {"gait": "hold", "modules": "R1", "pose": {"pitch": 30}, "ramp_s": 0}
    wave_wins, hold_wins = told("RR", 1.0, hold, PITCH), told("RR", 1.0, PITCH, hold)
    assert wave_wins["R1.pitch"] == told("RR", 1.0, PITCH)["R1.pitch"]
    assert hold_wins["R1.pitch"] == pytest.approx(radians(30))
    assert hold_wins["R2.pitch"] == wave_wins["R2.pitch"]
    # A wave above a hold is not added to the wave below it.
    again = told("RR", 1.0, PITCH, hold, PITCH)
    assert again["R1.pitch"] == pytest.approx(wave_wins["R1.pitch"])
    assert again["R2.pitch"] == pytest.approx(2 * wave_wins["R2.pitch"])


def test_a_snake_drives_pitch_and_yaw_by_its_row() -> None:
    values = told("RRR", 2.0, {"gait": "snake", "move": "turn", "ramp_s": 0})
    row = SNAKE["turn"]
    expected = [wave(2.0, row.vertical, row.omega, row.phase_vertical, k) for k in range(3)]
    assert [values[f"R{i}.pitch"] for i in (1, 2, 3)] == pytest.approx(expected)
    assert values["R2.yaw"] == pytest.approx(row.offset) != 0
    mirror = told("RRR", 2.0, {"gait": "snake", "move": "turn", "ramp_s": 0, "mirror": True})
    assert mirror["R2.yaw"] == pytest.approx(-row.offset)
    assert mirror["R2.pitch"] == pytest.approx(values["R2.pitch"])


def test_rolling_takes_the_extension_s_yaw_along() -> None:
    """000 Fig. 22: R R S E S R R rolls with the rotational degree of freedom of the extension."""
    roll = {"gait": "snake", "move": "roll", "modules": "R,E", "amplitude_deg": 30, "ramp_s": 0}
    values = told("RRSESRR", 0.7, roll)
    assert values["E1.yaw"] == pytest.approx(values["R1.yaw"])
    assert values["R1.pitch"] ** 2 + values["R1.yaw"] ** 2 == pytest.approx(radians(30) ** 2)
    assert values["S1.grip"] == 0


@pytest.mark.parametrize("letters", ["SES", "SSEESS", "TRSERESR", "SEEESS", "SESES"])
def test_an_inchworm_finds_its_units_with_the_head_in_front(letters: str) -> None:
    walk = {"gait": "inchworm", "ramp_s": 0}
    extending = told(letters, 0.13 * 1.5, walk)
    first, last = letters.index("E"), letters.rindex("E")
    names = [module.name for module in robot(letters).modules]
    for place, name in enumerate(names):
        if letters[place] == "E":
            assert extending[f"{name}.extend"] == pytest.approx(0.021)
        if letters[place] == "S":
            rear = place > last
            assert extending[f"{name}.grip"] == pytest.approx(radians(90) if rear else 0)
            assert rear or place < first or letters == "SESES"


@given(st.floats(0, 60), st.booleans())
def test_a_walking_inchworm_never_loses_its_grip(t: float, reverse: bool) -> None:
    values = told("SSES", t, {"gait": "inchworm", "reverse": reverse, "ramp_s": 0})
    assert max(values["S2.grip"], values["S3.grip"]) == pytest.approx(radians(90))
    assert values["S1.grip"] == values["S2.grip"]


def test_an_inchworm_grips_with_both_supports_before_it_starts_to_walk() -> None:
    walk = {"gait": "inchworm", "from_s": 1.0, "ramp_s": 0.5}
    assert not bound("SES", walk).values(0.99).any()
    half, ready = told("SES", 1.25, walk), told("SES", 1.499, walk)
    assert half["S1.grip"] == half["S2.grip"] == pytest.approx(radians(45))
    assert ready["S1.grip"] == ready["S2.grip"] == pytest.approx(radians(90), rel=1e-3)
    assert told("SES", 1.5, walk)["S1.grip"] == 0


def test_named_units_walk_as_told() -> None:
    walk = {"gait": "inchworm", "rear": "S2", "extend": ["E1"], "front": "S1", "ramp_s": 0}
    values = told("SESES", 0.0, walk)
    assert [values[f"S{k}.grip"] for k in (1, 2, 3)] == pytest.approx([0, radians(90), 0])


def test_a_push_goes_there_and_back() -> None:
    push = {"gait": "push", "level": 1, "changes": [[5, -0.5]], "until_s": 9}
    levels = [told("TRH", t, push)["H1.drive"] for t in (0, 1, 5, 8.99, 9.5)]
    assert levels == [0, 1, -0.5, -0.5, 0]


def test_hold_is_in_degrees_millimetres_and_level() -> None:
    pose = {"yaw": 10, "extend": 15, "drive": -0.5}
    values = told("REH", 1.0, {"gait": "hold", "pose": pose})
    assert values["R1.yaw"] == values["E1.yaw"] == pytest.approx(radians(10))
    assert values["E1.extend"] == pytest.approx(0.015)
    assert values["H1.drive"] == -0.5


def test_relaxed_servos_have_no_value_until_something_takes_them_again() -> None:
    relax = {"gait": "relax", "modules": "R1,E1", "from_s": 2, "until_s": 4}
    values = told("REH", 3.0, PITCH, relax)
    assert {name for name, v in values.items() if isnan(v)} == {
        "R1.yaw",
        "R1.pitch",
        "E1.extend",
        "E1.yaw",
    }
    assert not np.isnan(bound("REH", PITCH, relax).values(1.99)).any()
    assert not np.isnan(bound("REH", PITCH, relax).values(4.0)).any()
    for above in ({"gait": "hold", "pose": {"pitch": 30}}, PITCH):
        again = told("REH", 3.1, relax, {**above, "from_s": 3, "ramp_s": 0.5})
        assert not isnan(again["R1.pitch"])
        assert isnan(again["R1.yaw"])
        assert isnan(told("REH", 2.9, relax, {**above, "from_s": 3})["R1.pitch"])


def test_snake_worm_and_helix_at_once_in_one_chain() -> None:
    """000 Fig. 19, 001 §6.7: three kinds of movement, each on its own modules."""
    toml = """
        [[gaits]]
        gait = "snake"
        move = "forward"
        [[gaits]]
        gait = "inchworm"
        [[gaits]]
        gait = "push"
        modules = "H*"
    """
    chain_ = "TRRSESHRR"
    mixed = bind(parse_gaits(tomllib.loads(toml)["gaits"]), robot(chain_))
    over_time = np.array([mixed.values(t) for t in np.arange(0, 10, 0.01)])
    moving = {n for n, ptp in zip(mixed.actuators, np.ptp(over_time, axis=0), strict=True) if ptp}
    assert {"R1.pitch", "R4.pitch", "S1.grip", "E1.extend", "S2.grip", "H1.drive"} <= moving
    alone = bound(chain_, {"gait": "inchworm"})
    grips = [k for k, name in enumerate(mixed.actuators) if name[0] in "SE"]
    assert np.array_equal(mixed.values(7.0)[grips], alone.values(7.0)[grips])


# --- when --------------------------------------------------------------------------------------


@given(st.floats(0, 5), st.floats(0.01, 5), st.floats(0, 2), st.floats(-1, 15))
def test_a_weight_is_smooth_between_0_and_1(
    start: float, lasting: float, ramp: float, t: float
) -> None:
    window = Window(start, start + lasting, ramp)
    assert 0 <= window.weight(t) <= 1
    if t < start or t >= start + lasting + ramp:
        assert window.weight(t) == 0
    if ramp > 0.01:
        assert abs(window.weight(t + 1e-5) - window.weight(t)) <= 1.51e-5 / ramp


def test_a_gait_that_never_ends_stays_full() -> None:
    assert Window(1, inf, 0.2).weight(1e9) == 1


def test_gaits_in_sequence_pass_into_each_other_without_a_jump() -> None:
    go = {"gait": "snake", "move": "forward", "until_s": 3}
    back = {"gait": "snake", "move": "backward", "from_s": 3}
    hold = {"gait": "hold", "pose": {"pitch": -40}, "from_s": 5}
    gait = bound("RRRR", go, back, hold)
    path = np.array([gait.values(t) for t in np.arange(0, 7, 0.001)])
    # The wave's own speed is A·ω = 3.5 rad/s; fading over 0.2 s adds at most 1.5·2A/0.2.
    assert np.abs(np.diff(path, axis=0)).max() < 0.001 * (3.5 + 1.5 * 2 * 0.873 / 0.2)
    assert gait.values(0.0) == pytest.approx(0)


# --- mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("all", ["T1", "R1", "R2", "H1"]),
        ("*", ["T1", "R1", "R2", "H1"]),
        ("R", ["R1", "R2"]),
        ("R*", ["R1", "R2"]),
        ("?1", ["T1", "R1", "H1"]),
        ("R2, T1", ["T1", "R2"]),
        (["H", "R2,R1", "R1"], ["R1", "R2", "H1"]),
    ],
)
def test_selectors(selector: Any, names: list[str]) -> None:
    assert [module.name for module in select(robot("TRRH"), selector)] == names


def test_a_module_s_own_name_comes_before_every_other_reading() -> None:
    modules = [{"type": "R", "name": "all"}, {"type": "R", "name": "neck"}, {"type": "T"}]
    made = assemble(RobotSpec.parse({"modules": modules}, where="robot"), SHELF)
    assert [m.name for m in select(made, "all")] == ["all"]
    assert [m.name for m in select(made, "R*")] == ["all", "neck"]


@pytest.mark.parametrize(
    ("letters", "gait", "message"),
    [
        ("TRRH", {**PITCH, "modules": "R9"}, r"gaits\[0\] \(wave\)\.modules: unknown module 'R9'"),
        ("TRRH", {**PITCH, "modules": "r1"}, "Did you mean 'R1'.*Available: H1, R1, R2, T1"),
        ("TRRH", {**PITCH, "modules": ","}, "names no module"),
        (
            "TH",
            PITCH,
            r"\(wave\): 'all' has no actuator that serves RotX; this robot \(TH\) has drive \(H1\)",
        ),
        ("TP", PITCH, "no actuators at all"),
        ("TRH", {**PITCH, "modules": "R1,H1"}, "'H1' has no actuator that serves RotX"),
        ("TRR", {"gait": "push"}, "pushes.*has yaw .R1, R2., pitch"),
        ("SE", {"gait": "inchworm"}, "rear: no module with Sup.*SES.*chain is SE"),
        ("TRR", {"gait": "inchworm"}, "extend: no module with Ext"),
        ("SES", {"gait": "inchworm", "front": "S2"}, "S2 cannot be both rear and front"),
        (
            "SES",
            {"gait": "inchworm", "front": "E1"},
            r"\.front: 'E1' has no .* serves Sup",
        ),
        ("TP", {"gait": "relax"}, "'all' has no servo to release"),
        ("RE", {"gait": "hold", "pose": {"drive": 1}}, "has no drive"),
        (
            "RE",
            {"gait": "hold", "pose": {"extend": 50}},
            r"E1.extend: .* 0 to 21 mm, got 50 mm",
        ),
        ("R", {"gait": "hold", "pose": {"yaw": 100}}, "R1.yaw: expected -90 to 90°, got 100°"),
        ("H", {"gait": "hold", "pose": {"drive": 2}}, "H1.drive: expected -1 to 1, got 2"),
        ("R", {"gait": "snake", "move": "foward"}, "Did you mean 'forward'"),
        ("R", {"gait": "swim"}, r"gaits: 0.*swim"),
        ("R", {"gait": "snake", "move": "roll", "until_s": 1, "from_s": 2}, "until_s 1.*from_s 2"),
        ("R", {**PITCH, "amplitude_deg": 100}, "amplitude_deg.*at most 90"),
        ("R", {**PITCH, "axis": "roll"}, "axis"),
        ("R", {**PITCH, "amplitud_deg": 3}, "amplitud_deg"),
        ("SES", {"gait": "inchworm", "durations_s": [0.1]}, "durations_s"),
        ("H", {"gait": "push", "changes": [[3, 1], [2, 0]]}, "rising times"),
    ],
)
def test_mistakes_are_told_with_what_there_is(letters: str, gait: Table, message: str) -> None:
    with pytest.raises(InputError, match=message):
        bound(letters, gait)


def test_unknown_names_list_the_modules() -> None:
    with pytest.raises(UnknownName) as error:
        bound("TRR", {**PITCH, "modules": "X*"})
    assert error.value.available == ["R1", "R2", "T1"]


# --- cost --------------------------------------------------------------------------------------


def test_a_tick_is_cheap_and_hardly_grows_with_the_robot() -> None:
    """Tens of microseconds at most; the bounds leave room for a busy machine."""
    for letters, limit_us in (("TRRHRRHRRV", 75), ("R" * 60, 200)):
        gaits = [{"gait": "snake", "move": "turn"}, PITCH]
        values = bound(letters, *gaits).values
        best = min(repeat(partial(values, 5.0), number=200, repeat=5)) / 200 * 1e6
        assert best < limit_us
