"""Gait time: Cristian's algorithm, compensation on a line, and a counter that wraps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.electronics.circuits import rig

from annelid.electronics.board import Board
from annelid.kernel import Program
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


def errors_ms(drift_ppm: float, *, learns: bool, times: int = 8, wrong_at: int = -1) -> list[float]:
    """How far ahead a drifting module is each time it is told the time, once a second."""
    one = rig("P")
    ahead: list[float] = []

    def program(board: Board) -> Program:
        gait = GaitTime(board, 100 * MS, learns_rate=learns)
        gait.start()
        for second in range(1, times + 1):
            yield board.until(round((1 + drift_ppm / 1e6) * second * 1000 * MS))
            told = second * 1000 * MS + (5000 * MS if second == wrong_at else 0)
            ahead.append(gait.correct(told) / MS)

    one.started("pc", program, drift_ppm=drift_ppm)
    one.run(times + 1)
    return ahead


@pytest.mark.parametrize("drift_ppm", [-30_000, -500, 0, 30_000])
def test_a_module_learns_how_wrong_its_oscillator_is(drift_ppm: float) -> None:
    """Told once it is right for a moment; told twice it knows its rate and stays right."""
    per_second = drift_ppm / 1000
    told = errors_ms(drift_ppm, learns=False)
    assert told == pytest.approx([per_second] * 8, abs=0.6)
    learnt = errors_ms(drift_ppm, learns=True)
    assert learnt[:2] == pytest.approx([per_second] * 2, abs=0.6)
    assert max(map(abs, learnt[2:])) < 0.6


def test_a_time_that_no_oscillator_could_explain_teaches_nothing() -> None:
    """It is believed, as Cristian has it, but the rate stays."""
    ahead = errors_ms(30_000, learns=True, wrong_at=5)
    assert ahead[4] < -4000
    assert ahead[5] > 4000
    assert max(map(abs, ahead[6:])) < 1


@given(st.integers(-90_000, 90_000), st.integers(1, 10**9), st.integers(0, 10**6))
def test_a_step_that_falls_due_has_come_at_any_rate(ppm: int, interval: int, done: int) -> None:
    """Rounding must not make a module wake too early and find nothing to do, for ever."""
    gait = GaitTime(BOARD, interval)
    gait.start()
    gait.rate_ppm = ppm
    gait.take()
    gait.correct(done)
    due = gait.due_ns
    assert gait.gait_ns(due) >= interval > gait.gait_ns(due - 1)


BOARD = rig("P").add("pc").board
