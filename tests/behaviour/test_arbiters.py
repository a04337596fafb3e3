"""The seven rules hold whatever is proposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.behaviour import SILENCE, Decision, Option, Proposal
from annelid.behaviour.arbiters import blend, gate, inhibit, select, suppress, token, total
from annelid.errors import InputError

Options = list[Proposal | None]
Rule = Callable[[Sequence[Option | None]], Decision]

values = st.floats(-1e6, 1e6)
strengths = st.one_of(st.just(0.0), st.floats(0.001, 1.0))


@st.composite
def options(draw: st.DrawFn, min_size: int = 0, objections: bool = True) -> Options:
    """Proposals of different sources on one channel, some silent."""
    wanted = st.one_of(values, st.none()) if objections else values
    pairs = draw(st.lists(st.none() | st.tuples(wanted, strengths), min_size=min_size, max_size=6))
    return [
        None if pair is None else Proposal("yaw", pair[0], pair[1], f"b{number}")
        for number, pair in enumerate(pairs)
    ]


def by_value(option: Option) -> float:
    return float(option.value)


def best(said: Sequence[Option | None]) -> Decision:
    return select(said, by_value)


def owned(said: Sequence[Option | None]) -> Decision:
    return token(said, "b1")


def passed(said: Sequence[Option | None]) -> Decision:
    return gate(said[0] if said else None, True)


RULES: list[Rule] = [suppress, blend, total, best]


def speaking(said: Sequence[Proposal | None]) -> list[Proposal]:
    return [one for one in said if one is not None and one.value is not None and one.strength > 0]


@pytest.mark.parametrize("rule", RULES)
@given(said=options())
def test_somebody_wins_exactly_when_somebody_speaks(rule: Rule, said: Options) -> None:
    decision = rule(said)
    heard = speaking(said)
    assert (decision.value is not None) == bool(heard)
    assert set(decision.winners) <= {one.source for one in heard}


@pytest.mark.parametrize("rule", [*RULES, owned])
@given(said=options())
def test_everyone_who_spoke_has_won_or_lost_and_nobody_both(rule: Rule, said: Options) -> None:
    decision = rule(said)
    told = [*decision.winners, *(loser.source for loser in decision.losers)]
    assert sorted(told) == sorted(one.source for one in speaking(said))
    assert all(loser.why for loser in decision.losers)


@pytest.mark.parametrize("rule", [*RULES, owned])
@given(said=options(), gaps=st.lists(st.integers(0, 6), max_size=4))
def test_silence_passes_through(rule: Rule, said: Options, gaps: list[int]) -> None:
    with_gaps: list[Option | None] = list(said)
    for gap in gaps:
        with_gaps.insert(gap, [None, SILENCE][gap % 2])
    assert rule(with_gaps) == rule(said)


@pytest.mark.parametrize("rule", [suppress, blend, best, passed])
@given(said=options())
def test_deciding_a_decision_changes_nothing(rule: Rule, said: Options) -> None:
    once = rule(said)
    assert rule([once])[:4] == once[:4]  # by whichever rule


@pytest.mark.parametrize("rule", [suppress, blend, best])
@given(value=values, strength=strengths.filter(bool), copies=st.integers(1, 5))
def test_those_who_agree_get_what_they_want(
    rule: Rule, value: float, strength: float, copies: int
) -> None:
    said = [Proposal("yaw", value, strength, f"b{number}") for number in range(copies)]
    assert rule(said).value == value


@pytest.mark.parametrize("rule", [blend, total])
@given(said=options(), shuffle=st.randoms(use_true_random=False))
def test_order_is_nothing_to_blend_and_sum(
    rule: Rule,
    said: Options,
    shuffle,  # hypothesis's own kind of random
) -> None:
    mixed = list(said)
    shuffle.shuffle(mixed)
    one, other = rule(said), rule(mixed)
    assert other.value == (None if one.value is None else pytest.approx(one.value, abs=1e-6))
    assert sorted(other.winners) == sorted(one.winners)


@given(said=options())
def test_the_first_to_speak_suppresses_the_rest(said: Options) -> None:
    heard = speaking(said)
    if heard:
        decision = suppress(said)
        assert decision.value == heard[0].value
        assert decision.winners == (heard[0].source,)
        assert {loser.by for loser in decision.losers} <= {decision.winners}


@given(said=options(min_size=1, objections=False))
def test_a_blend_lies_between_those_it_is_made_of(said: Options) -> None:
    heard = [one.value for one in speaking(said)]
    if heard:
        slack = 1e-9 * (1 + max(map(abs, heard)))
        assert min(heard) - slack <= blend(said).value <= max(heard) + slack


def test_a_blend_leans_to_the_stronger() -> None:
    said = [Proposal("yaw", 0.0, 0.25, "a"), Proposal("yaw", 1.0, 0.75, "b")]
    assert blend(said).value == pytest.approx(0.75)


@given(said=options(), low=values, width=st.floats(0, 1e3))
def test_a_sum_keeps_its_limits(said: Options, low: float, width: float) -> None:
    value = total(said, (low, low + width)).value
    assert value is None or low <= value <= low + width


def test_directions_add_like_numbers() -> None:
    said = [Proposal("to", np.array([1.0, 0.0]), 1.0, "a"), Proposal("to", np.array([0, 2.0]), 0.5)]
    assert total(said).value.tolist() == [1.0, 1.0]
    assert blend(said).value.tolist() == pytest.approx([2 / 3, 2 / 3])
    assert total(said, (-0.5, 0.5)).value.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("rule", [blend, total])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "left"])
def test_what_is_no_number_is_refused_by_name(rule: Rule, bad: object) -> None:
    for said in ([Proposal("yaw", bad, 1.0, "odd")], [Proposal("yaw", 1.0), Proposal("yaw", bad)]):
        with pytest.raises(InputError, match=r"expected finite numbers.*(nan|inf|left)"):
            rule(said)


@given(said=options())
def test_the_best_score_is_selected(said: Options) -> None:
    heard = speaking(said)
    if heard:
        assert best(said).value == max(one.value for one in heard)


@given(said=options())
def test_the_unsuitable_are_never_selected(said: Options) -> None:
    decision = select(said, lambda _: None)
    assert decision.value is None
    assert not decision.winners
    assert {loser.why for loser in decision.losers} <= {"unsuitable"}


@given(said=options(), owner=st.none() | st.sampled_from(["b0", "b1", "b2", "somebody else"]))
def test_only_the_owner_of_the_token_is_heard(said: Options, owner: str | None) -> None:
    decision = token(said, owner)
    assert decision.winners in ((), (owner,))
    assert (decision.value is not None) == (owner in [one.source for one in speaking(said)])


@given(said=options(min_size=1))
def test_a_closed_gate_passes_nothing_and_an_open_one_everything(said: Options) -> None:
    closed = gate(said[0], False, "in open air")
    assert closed.value is None
    assert not closed.winners
    assert all("in open air" in str(loser) for loser in closed.losers)
    assert gate(said[0], True) == suppress(said[:1])


@given(inhibitors=options(), said=options(min_size=1))
def test_an_inhibitor_blanks_the_channel(inhibitors: Options, said: Options) -> None:
    decision = inhibit(inhibitors, said[0])
    objecting = tuple(one.source for one in inhibitors if one is not None and one.strength > 0)
    if objecting:
        assert decision.value is None
        assert decision.blank
        assert decision.winners == objecting
    else:
        assert decision == suppress(said[:1])


def test_a_blanked_branch_is_silent_but_not_forgotten() -> None:
    hot = Proposal("yaw", None, 1.0, "hot", "52 °C")
    wave = Proposal("yaw", 0.3, 1.0, "wave")
    blanked = inhibit([hot], wave)
    below = Proposal("yaw", 0.1, 1.0, "below")
    assert suppress([blanked, below]).value == 0.1
    assert suppress([blanked, None]) == blanked
    assert str(blanked) == "nothing by hot (inhibit); wave was inhibited by hot"
    assert inhibit([blanked], below).value == 0.1  # what was blanked inhibits nobody


def test_tokens_of_any_kind_can_be_chosen_among() -> None:
    said = [Proposal("gait", "snake", 0.4, "a"), Proposal("gait", "inchworm", 0.6, "b")]
    assert suppress(said).value == "snake"
    assert select(said, lambda option: option.strength).value == "inchworm"
