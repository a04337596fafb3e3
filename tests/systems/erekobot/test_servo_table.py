"""Angles on the wire, and the wave that ErekoBot moves by."""

from __future__ import annotations

from math import pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError
from annelid.systems.erekobot.servo_table import (
    TICK_US,
    GaitTable,
    SerpenoidWave,
    degrees_of,
    pwm_of,
)

FIGURE_7 = {30: 227, 20: 213, 10: 199, 0: 185, -10: 171, -20: 157, -30: 143, -40: 129}


def test_every_row_of_figure_7() -> None:
    assert {angle: pwm_of(angle) for angle in FIGURE_7} == FIGURE_7
    assert [degrees_of(pwm) for pwm in FIGURE_7.values()] == pytest.approx(list(FIGURE_7))


def test_ends_and_middle() -> None:
    assert [TICK_US * pwm_of(angle) for angle in (-90, 0, 90)] == [472, 1480, 2488]


@given(st.floats(-90, 90))
def test_an_angle_survives_the_wire_to_half_a_tick(angle: float) -> None:
    assert degrees_of(pwm_of(angle)) == pytest.approx(angle, abs=0.5 / 1.4 + 1e-9)


@pytest.mark.parametrize("angle", [90.1, -91, float("nan"), float("inf")])
def test_angles_beyond_reach_are_refused(angle: float) -> None:
    with pytest.raises(InputError, match=r"servo: angle_deg: expected -90.0 to 90.0"):
        pwm_of(angle)


def test_pulses_beyond_reach_are_refused() -> None:
    for pwm in (58, 312):
        with pytest.raises(InputError, match="pwm: expected 59 to 311"):
            degrees_of(pwm)


def test_tables_have_1_to_32_states() -> None:
    for period in (0, 33):
        with pytest.raises(InputError, match=f"period: expected 1 to 32, got {period}"):
            GaitTable((185,) * period)
        with pytest.raises(InputError, match=f"period: expected 1 to 32, got {period}"):
            SerpenoidWave().table(1, period)


def test_a_table_goes_round_and_stretches() -> None:
    table = GaitTable.of_degrees((0, 10, 20, 30))
    assert [table.at(state) for state in (0, 3, 4, -1)] == [185, 227, 185, 227]
    assert [table.at(state, 8) for state in range(8)] == [
        pwm for pwm in (185, 199, 213, 227) for _ in range(2)
    ]


def test_the_wave_is_that_of_erekobots_own_program() -> None:
    """FACTS §5: alpha 20°, k 2, M 5, d0 42, d 81."""
    for i in range(1, 6):
        expected = 2 * 20 * sin(pi * 2 / 5) * sin(0.7 + 2 * pi * 2 / 5 * (i - 1 + 42 / 81))
        assert SerpenoidWave().angle_deg(0.7, i) == pytest.approx(expected)


@pytest.mark.parametrize("backwards", [False, True])
def test_one_table_with_phases_is_the_wave_to_half_a_state(backwards: bool) -> None:
    wave, period = SerpenoidWave(backwards=backwards), 32
    shared = wave.shared(period)
    for i in range(1, 6):
        own = wave.table(i, period)
        for state in range(period):
            near = degrees_of(shared.at(state + wave.phase(i, period)))
            assert near == pytest.approx(degrees_of(own.at(state)), abs=38.1 * pi / period + 1)


def test_a_wave_beyond_reach_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected -90.0 to 90.0"):
        SerpenoidWave(alpha_deg=60)
