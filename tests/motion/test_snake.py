"""The table of snake movements: what makes each one what 001 §3.3.1 calls it."""

from __future__ import annotations

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.motion import SNAKE

moves = st.sampled_from(sorted(SNAKE))


def test_the_movements_001_tested_are_there() -> None:
    assert {"forward", "backward", "turn", "roll", "rotate", "lateral"} <= set(SNAKE)


@given(moves)
def test_every_row_moves_something_says_its_source_and_fits_the_servos(move: str) -> None:
    row = SNAKE[move]
    assert row.source
    assert row.omega > 0
    assert max(row.vertical, row.horizontal) > 0
    assert row.vertical <= pi / 2
    assert row.horizontal + abs(row.offset) <= pi / 2


def test_forward_and_backward_are_vertical_waves_that_run_opposite_ways() -> None:
    forward, backward = SNAKE["forward"], SNAKE["backward"]
    assert forward.horizontal == backward.horizontal == 0
    assert forward.phase_vertical == -backward.phase_vertical > 0


def test_a_turn_is_forward_with_fixed_horizontal_joints() -> None:
    """000 §4.1.6."""
    turn = SNAKE["turn"]
    assert turn.horizontal == 0
    assert turn.offset > 0
    assert turn.phase_vertical > 0


def test_rolling_is_two_equal_waves_a_quarter_apart_that_do_not_travel() -> None:
    roll = SNAKE["roll"]
    assert roll.vertical == roll.horizontal
    assert roll.phase_vertical == roll.phase_horizontal == 0
    assert abs(roll.between) == pytest.approx(pi / 2)


@given(moves)
def test_the_mirror_image_of_the_mirror_image_is_the_movement(move: str) -> None:
    row = SNAKE[move]
    assert row.mirrored().mirrored() == row
    assert row.mirrored().vertical == row.vertical


@given(moves, st.floats(0.01, 1.5), st.floats(0.01, 3))
def test_own_numbers_are_the_larger_wave_s_and_keep_the_rest_in_ratio(
    move: str, amplitude: float, phase: float
) -> None:
    row = SNAKE[move]
    own = row.changed(amplitude=amplitude, phase=phase, omega=7.0)
    assert max(own.vertical, own.horizontal) == pytest.approx(amplitude)
    assert own.vertical * row.horizontal == pytest.approx(own.horizontal * row.vertical)
    assert max(abs(own.phase_vertical), abs(own.phase_horizontal)) == pytest.approx(phase)
    assert own.phase_vertical * row.phase_vertical >= 0
    assert own.omega == 7.0
    assert own.offset == row.offset


@given(moves)
def test_a_row_without_own_numbers_is_the_row(move: str) -> None:
    assert SNAKE[move].changed() == SNAKE[move]
