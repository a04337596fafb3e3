"""The module description language: 17 digits, in the order of 000 Table 2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import SpecError, UnknownName
from annelid.robot import INDICATORS, Capabilities

digits = st.text(alphabet="0123", min_size=17, max_size=17)


def test_the_indicators_are_those_of_table_2_in_order() -> None:
    assert list(INDICATORS) == [
        "Ext",
        "Sup",
        "Push_pipe",
        "Push_flat",
        "RotX",
        "RotY",
        "RotZ",
        "Att",
        "Sense_front",
        "Sense_back",
        "Sense_side",
        "Sense_temp",
        "Sense_humi",
        "Sense_grav",
        "Grab",
        "Drill",
        "PS",
    ]


@pytest.mark.parametrize(
    ("grades", "string"),
    [
        # 000 §3.4.3
        ({"RotX": 3, "RotY": 3, "Sense_grav": 3}, "00003300000003000"),
        ({"Push_pipe": 3, "Push_flat": 1}, "00310000000000000"),
        # FACTS §6
        ({"Sup": 3}, "03000000000000000"),
        ({"Ext": 3, "RotY": 2}, "30000200000000000"),
        ({"Sense_front": 3}, "00000000300000000"),
        ({"Sense_temp": 3, "Sense_humi": 3}, "00000000000330000"),
        ({"PS": 3}, "00000000000000003"),
        ({}, "0" * 17),
    ],
)
def test_the_strings_of_the_papers(grades: dict[str, int], string: str) -> None:
    assert Capabilities.of(**grades).digits == string
    assert Capabilities(string).grades() == grades


@given(digits)
def test_packing_is_the_inverse_of_unpacking(string: str) -> None:
    made = Capabilities(string)
    assert Capabilities.of(**made.grades()) == made
    assert "".join(str(made[name]) for name in INDICATORS) == string


@given(digits, st.sampled_from(list(INDICATORS)), st.integers(0, 3))
def test_damage_changes_one_indicator_and_no_other(string: str, name: str, grade: int) -> None:
    before, after = Capabilities(string), Capabilities(string).with_grade(name, grade)
    assert after[name] == grade
    assert all(after[other] == before[other] for other in INDICATORS if other != name)


@pytest.mark.parametrize("string", ["", "0" * 16, "0" * 18, "4" + "0" * 16, "x" * 17])
def test_what_is_not_seventeen_digits_up_to_three_is_refused(string: str) -> None:
    with pytest.raises(SpecError, match="17 digits from 0 to 3"):
        Capabilities(string)


def test_a_wrong_indicator_or_grade_is_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'RotX'"):
        Capabilities.of(Rotx=3)
    with pytest.raises(SpecError, match="RotX: expected 0 to 3, got 4"):
        Capabilities.of(RotX=4)
    with pytest.raises(UnknownName):
        Capabilities.of()["Fly"]
