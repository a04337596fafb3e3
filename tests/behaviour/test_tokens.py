"""A token has one owner at a time, and nobody who waits for it is forgotten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.behaviour import Token
from annelid.errors import InputError

WHO = st.sampled_from("abc")
DEEDS = st.lists(st.tuples(st.sampled_from(["ask", "give back"]), WHO, st.integers(0, 50)))


@given(deeds=DEEDS, timeout_ns=st.none() | st.integers(1, 100))
def test_one_owner_whatever_they_do(deeds: list[tuple[str, str, int]], timeout_ns: int | None):
    passed: list[tuple[str | None, str | None]] = []
    token = Token(
        "legs", timeout_ns=timeout_ns, passed=lambda t, before, _: passed.append((before, t.owner))
    )
    now = 0
    for deed, who, later in deeds:
        now += later
        if deed == "ask":
            assert token.ask(who, now) == (token.owner == who)
            assert who == token.owner or who in token.waiting
        else:
            token.give_back(who, now)
            assert who != token.owner
            assert who not in token.waiting
        assert token.owner not in token.waiting
        assert len(set(token.waiting)) == len(token.waiting)
        assert token.owner is not None or not token.waiting
    owners = [None, *(owner for _, owner in passed)]
    assert [before for before, _ in passed] == owners[:-1]  # every change was told
    assert owners[-1] == token.owner


def test_it_goes_to_the_one_who_waited_longest() -> None:
    token = Token("legs")
    assert token.ask("a", 0)
    assert not token.ask("b", 1)
    assert not token.ask("c", 2)
    token.give_back("a", 3)
    assert token.owner == "b"
    token.give_back("b", 4)
    assert token.owner == "c"
    token.give_back("c", 5)
    assert token.owner is None


def test_an_owner_that_will_not_end_loses_it_to_the_next() -> None:
    token = Token("legs", timeout_ns=10)
    assert token.ask("a", 0)
    assert not token.ask("b", 9)
    assert not token.ask("a", 10)
    assert token.owner == "b"
    assert token.waiting == ("a",)


def test_a_timeout_hurts_nobody_when_nobody_waits() -> None:
    token = Token("legs", timeout_ns=10)
    assert all(token.ask("a", now) for now in range(0, 100, 5))


def test_a_timeout_is_a_positive_time() -> None:
    with pytest.raises(InputError, match="timeout_ns"):
        Token("legs", timeout_ns=0)
