"""The six phases (FACTS §3), and the firm grip that 000 §2.3 promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError
from annelid.motion.inchworm import READY, Inchworm

durations = st.tuples(*[st.floats(0.01, 2.0)] * 6)
cycles = st.builds(Inchworm, durations, st.booleans())
times = st.floats(-1, 1000)


def test_the_six_phases_in_their_order() -> None:
    cycle = Inchworm()
    seen = [cycle.at(0.13 * (k + 0.5)) for k in range(6)]
    assert [tuple(step) for step in seen] == [
        (1, 0, 0),
        (1, 1, 0),
        (1, 1, 1),
        (0, 1, 1),
        (0, 0, 1),
        (1, 0, 1),
    ]
    assert cycle.period == pytest.approx(0.78)


@given(cycles, times)
def test_at_least_one_support_grips_at_all_times(cycle: Inchworm, t: float) -> None:
    step = cycle.at(t)
    assert max(step.rear, step.front) == 1
    assert all(0 <= value <= 1 for value in step)


@given(cycles)
def test_no_support_lets_go_before_the_other_has_had_a_phase_to_grip(cycle: Inchworm) -> None:
    for before, after in zip(cycle.steps, (*cycle.steps[1:], cycle.steps[0]), strict=True):
        if after.rear < before.rear:
            assert before.front == after.front == 1
        if after.front < before.front:
            assert before.rear == after.rear == 1
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 1


@given(cycles)
def test_the_body_is_pushed_by_what_grips(cycle: Inchworm) -> None:
    """Long by the leading end while the other grips, short again the other way round."""
    for before, after in zip(cycle.steps, cycle.steps[1:], strict=False):
        held, free = ("front", "rear") if cycle.reverse else ("rear", "front")
        if after.extension > before.extension:
            assert (getattr(after, held), getattr(after, free)) == (1, 0)
        if after.extension < before.extension:
            assert (getattr(after, held), getattr(after, free)) == (0, 1)


@given(durations, times)
def test_backwards_the_supports_exchange_their_parts(phases: tuple[float, ...], t: float) -> None:
    ahead, astern = Inchworm(phases).at(t), Inchworm(phases, reverse=True).at(t)
    assert (astern.front, astern.extension, astern.rear) == tuple(ahead)


@given(cycles, st.floats(0, 100))
def test_it_repeats(cycle: Inchworm, t: float) -> None:
    phase = cycle.phase(t)
    # Away from the borders of a phase, where rounding decides.
    if cycle.phase(t - 1e-9) == cycle.phase(t + 1e-9):
        assert cycle.phase(t + cycle.period) == phase


@given(cycles)
def test_before_it_starts_it_holds_on_at_both_ends(cycle: Inchworm) -> None:
    assert cycle.at(-0.1) == READY == (1, 0, 1)


@pytest.mark.parametrize("wrong", [(), (0.1,) * 5, (0.1,) * 5 + (0.0,), (0.1,) * 5 + (-1.0,)])
def test_durations_are_six_and_positive(wrong: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="expected 6 positive times"):
        Inchworm(wrong)
