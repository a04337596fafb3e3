"""Programs that a module may run, and those that it must not."""

from __future__ import annotations

from math import isfinite, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError
from annelid.systems.erekobot.bytecode import (
    CONSTANT,
    TABLE,
    WORDS,
    ProgramInputs,
    ProgramRefusal,
    assemble,
    evaluate,
    verify,
)

NOW = ProgramInputs(seconds=0.8, period_s=3.2, index=2, modules=5)


def test_a_formula() -> None:
    code = assemble("psi i 2.5 mul add sin 38 mul")
    assert evaluate(code, NOW) == pytest.approx(38 * sin(pi / 2 + 5))


def test_a_table() -> None:
    code = assemble("t 10 mul table 30 20 -10 end")
    assert [evaluate(code, ProgramInputs(s / 10 + 0.01, 1.0, 0, 1)) for s in range(4)] == [
        30,
        20,
        -10,
        30,
    ]


def test_every_word_works() -> None:
    for text, value in {
        "i n add": 7,
        "period 2 mul": 6.4,
        "7 2 sub": 5,
        "7 2 div": 3.5,
        "7 0 div": 0,
        "7 neg abs": 7,
        "3 4 min": 3,
        "3 4 max": 4,
        "100 100 mul": 90,
        "-100 100 mul": -90,
    }.items():
        assert evaluate(assemble(text), NOW) == pytest.approx(value), text


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        (b"", ProgramRefusal.LENGTH),
        (bytes(64), ProgramRefusal.LENGTH),
        (b"\xee", ProgramRefusal.OPERATION),
        (bytes((CONSTANT, 1)), ProgramRefusal.TRUNCATED),
        (bytes((WORDS["t"], TABLE, 3, 1)), ProgramRefusal.TRUNCATED),
        (bytes((WORDS["t"], TABLE, 0)), ProgramRefusal.TRUNCATED),
        (bytes((WORDS["t"], TABLE)), ProgramRefusal.TRUNCATED),
        (bytes((WORDS["add"],)), ProgramRefusal.STACK_EMPTY),
        (bytes((WORDS["t"],) * 9), ProgramRefusal.STACK_FULL),
        (bytes((WORDS["t"],) * 2), ProgramRefusal.NOT_ONE_VALUE),
        (bytes((WORDS["t"], *(WORDS["sin"],) * 7)), ProgramRefusal.TOO_DEAR),
    ],
)
def test_refusals(code: bytes, refusal: ProgramRefusal) -> None:
    assert verify(code) is refusal


@given(st.binary(max_size=80))
def test_what_is_accepted_runs_and_stays_within_reach(code: bytes) -> None:
    if verify(code) is ProgramRefusal.NONE:
        angle = evaluate(code, NOW)
        assert isfinite(angle)
        assert -90 <= angle <= 90


WORK = st.sampled_from([*WORDS, "100", "-3.5", "0"])


@given(st.lists(WORK, min_size=1, max_size=40))
def test_random_programs_of_real_words(words: list[str]) -> None:
    try:
        code = assemble(" ".join(words))
    except InputError:
        return
    for index in (0, 253):
        assert -90 <= evaluate(code, ProgramInputs(1e9, 0.001, index, 254)) <= 90


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a module would refuse it: length"),
        ("psi sine", "unknown word 'sine'. Did you mean 'sin'"),
        ("psi add", "stack empty"),
        ("200", "constant: expected -128 to 127.996"),
        ("nan", "constant: expected"),
        ("t table end", "table: expected 1 to 63 angles"),
        ("t table 91 end", "expected -90 to 90 degrees, got 91"),
        ("t table x end", "expected whole degrees, got 'x'"),
    ],
)
def test_mistakes_are_explained(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        assemble(text)
