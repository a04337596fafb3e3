"""Gait time: Cristian's algorithm, compensation on a line, and a counter that wraps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.electronics.circuits import rig

from annelid.systems.erekobot.gait_time import GaitTime, cristian, one_way_ns, return_share
from annelid.systems.erekobot.messages import tell_time

MS = 1_000_000


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**12))
def test_cristian_is_wrong_by_half_the_round_trip_at_most(
    there: int, back: int, server: int
) -> None:
    """The server answers at once: true time at arrival is its time and the way back."""
    estimate = cristian(0, there + back, server)
    assert abs(estimate - (server + back)) <= (there + back) / 2 + 1


@given(st.integers(1, 10), st.integers(0, 9))
def test_in_a_known_ring_the_way_back_is_known(index: int, more: int) -> None:
    modules = index + more
    assert return_share(index, modules) + return_share(more + 1, modules) == pytest.approx(1)
    assert 0 < return_share(index, modules) < 1


def test_one_way() -> None:
    assert one_way_ns(8) == 36_952_000
    assert one_way_ns(8, hop_ms=0) == 0


def test_steps_fall_due_and_corrections_move_them() -> None:
    one = rig("P")
    board = one.add("pc").board
    gait = GaitTime(board, 100 * MS)
    assert not gait.due
    gait.start(ago_ns=250 * MS)
    assert gait.due
    assert gait.take() == 2
    assert not gait.due
    assert gait.correct(310 * MS) == -60 * MS
    assert gait.take() == 3
    assert gait.correct(150 * MS) == 160 * MS
    assert not gait.due
    assert gait.due_ns - board.now == 250 * MS
    gait.stop()
    assert not gait.due


@given(st.integers(0, 10**6), st.integers(-7000, 7000))
def test_a_counter_of_14_bits_is_enough_for_a_clock_that_is_nearly_right(
    true_ms: int, error_ms: int
) -> None:
    gait = GaitTime(BOARD, 100 * MS)
    gait.start(ago_ns=(true_ms + error_ms) * MS)
    assert gait.unwrapped(tell_time(1, true_ms * MS).message) == true_ms * MS


BOARD = rig("P").add("pc").board
