"""Local clocks: exact, monotone, on the grid, and without drift of their own making."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError
from annelid.kernel import (
    MILLISECOND,
    SECOND,
    Kernel,
    LocalClock,
    LocalTimer,
    milliseconds,
    period,
    seconds,
    to_seconds,
)
from annelid.kernel.waits import Program

YEAR = 365 * 86_400 * SECOND

clocks = st.builds(
    LocalClock,
    drift_ppm=st.floats(-20_000, 20_000),
    offset_ns=st.integers(-SECOND, YEAR),
    grid_ns=st.integers(1, 2 * MILLISECOND),
)
moments = st.integers(0, YEAR)


@given(clocks, moments, moments)
def test_local_and_reaches_are_inverse_to_the_nanosecond(
    clock: LocalClock, g: int, local: int
) -> None:
    assert (clock.reaches(local) <= g) == (local <= clock.local(g))
    there = clock.reaches(local)
    assert clock.local(there) >= local > clock.local(there - 1)
    if clock.drift_ppm >= 0:
        assert clock.reaches(clock.local(g)) == g


@given(clocks, moments, st.integers(0, SECOND))
def test_a_clock_never_goes_back_and_keeps_its_rate(clock: LocalClock, g: int, d: int) -> None:
    gain = clock.local(g + d) - clock.local(g)
    assert gain >= 0
    assert abs(gain - d * (1 + clock.drift_ppm * 1e-6)) <= 2


@given(clocks, moments)
def test_a_tick_is_the_first_grid_step_at_or_after_its_time(clock: LocalClock, local: int) -> None:
    step = clock.tick(local)
    assert step % clock.grid_ns == 0
    assert clock.local(step) >= local > clock.local(step - clock.grid_ns)


@given(clocks, st.integers(0, SECOND), st.integers(1, 20 * MILLISECOND), st.integers(1, 300))
def test_many_sleeps_are_as_exact_as_one(clock: LocalClock, start: int, ns: int, n: int) -> None:
    timer, now = LocalTimer(clock), start
    for _ in range(n):
        now = max(now, timer.sleep(ns, now).t_ns)
    assert now == clock.tick(clock.local(start) + n * ns)


def test_a_module_that_was_held_up_measures_from_then() -> None:
    clock = LocalClock(drift_ppm=50, grid_ns=500_000)
    timer = LocalTimer(clock)
    first = timer.sleep(15 * MILLISECOND, 0).t_ns
    held = first + 7 * MILLISECOND
    assert timer.sleep(15 * MILLISECOND, held).t_ns == clock.tick(
        clock.local(held) + 15 * MILLISECOND
    )


def test_two_modules_drift_apart_as_their_quartzes_say() -> None:
    """100 ppm apart for 100 s is 10 ms, to within a step of the grid."""
    kernel, woke = Kernel(), {}

    def module(name: str, clock: LocalClock) -> Program:
        timer = LocalTimer(clock)
        for _ in range(1000):
            yield timer.sleep(100 * MILLISECOND, kernel.now)
        woke[name] = kernel.now

    for name, ppm in (("fast", 50.0), ("slow", -50.0)):
        kernel.spawn(module(name, LocalClock(drift_ppm=ppm, grid_ns=500_000)), name)
    kernel.run()
    assert abs(woke["slow"] - woke["fast"] - 10 * MILLISECOND) <= 500_000


@pytest.mark.parametrize(
    "wrong", [{"drift_ppm": float("nan")}, {"drift_ppm": 2e5}, {"grid_ns": 0}, {"grid_ns": 0.5}]
)
def test_impossible_clocks_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        LocalClock(**wrong)  # type: ignore[arg-type]


def test_conversions_round_to_the_nearest() -> None:
    assert seconds(1.5) == 1_500_000_000
    assert seconds(0.1 + 0.2) == 300_000_000
    assert milliseconds(0.0000004) == 0
    assert milliseconds(0.0000006) == 1
    assert period(67) == 14_925_373
    assert to_seconds(15 * MILLISECOND) == 0.015
    with pytest.raises(InputError, match="finite"):
        seconds(float("inf"))
    with pytest.raises(InputError, match="positive"):
        period(0)


@given(clocks, st.integers(0, SECOND), st.lists(st.floats(0, 0.99), min_size=1, max_size=40))
def test_ticks_keep_their_period_whatever_the_passes_take(
    clock: LocalClock, start: int, passes: list[float]
) -> None:
    """Each pass takes a fraction of the period: the n-th tick is where it was due."""
    period_ns = 5 * clock.grid_ns
    timer = LocalTimer(clock)
    begun, now = clock.local(start), start
    for n, share in enumerate(passes, 1):
        wait = timer.tick(period_ns, now)
        assert wait.t_ns == clock.tick(begun + n * period_ns)
        now = wait.t_ns + int(share * 3 * clock.grid_ns)


def test_a_pass_longer_than_the_period_finds_one_tick_waiting_and_loses_the_others() -> None:
    timer = LocalTimer(LocalClock())
    assert timer.tick(10, now_ns=0).t_ns == 10
    assert timer.tick(10, now_ns=47).t_ns == 40
    assert timer.tick(10, now_ns=47).t_ns == 50
    with pytest.raises(InputError, match="tick: expected 1 ns or more, got 0"):
        timer.tick(0, now_ns=50)
