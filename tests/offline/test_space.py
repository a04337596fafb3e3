from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import InputError, SpecError
from annelid.offline.space import Space, SpaceSpec, short_names


def space(**table) -> Space:
    return Space(SpaceSpec.parse(table, where="space"))


PAPERS = space(
    genes=[
        {"field": "a", "low": 0, "high": 90, "bits": 7},
        {"field": "w", "low": 0, "high": 15, "bits": 7},
        {"field": "p", "low": 0, "high": 3.141592653589793, "bits": 7},
    ]
)
CHAIN = {"pattern": "T????????", "alphabets": {"?": "RH"}}


def test_the_papers_chromosome_decodes_to_the_printed_gait():
    """111100111111111010000 is 85°, 15 rad/s, 1.97 rad (000 §8.3), printed without the rest."""
    fields = PAPERS.decode(PAPERS.read("111100111111111010000"))
    assert (int(fields["a"]), fields["w"], int(fields["p"] * 100) / 100) == (85, 15, 1.97)


def test_the_papers_chain_is_one_of_256():
    chain = space(chain=CHAIN)
    assert prod(chain.sizes) == 256
    assert chain.decode(chain.encode({"robot.chain": "THRHRHRHH"})) == {"robot.chain": "THRHRHRHH"}


MIXED = space(
    genes=[{"field": "x", "low": -1, "high": 1}, {"field": "y", "low": 5, "high": 6, "bits": 3}],
    choices=[{"field": "c", "values": ["slow", 7, True]}],
    chain={"pattern": "T?R#", "alphabets": {"?": "RHS", "#": "P-"}},
)


@given(
    st.tuples(
        st.floats(0, 1),
        *[st.integers(0, 1)] * 3,
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(0, 1),
    )
)
def test_a_genome_survives_its_key(genome):
    assert MIXED.read(MIXED.key(genome)) == genome


def test_a_place_can_be_left_out():
    genome = (0.5, 1, 1, 1, 0, 2, 1)
    decoded = MIXED.decode(genome)
    assert decoded == {"x": 0.0, "y": 6.0, "c": "slow", "robot.chain": "TSR"}
    assert MIXED.encode({**decoded, "robot.chain": "TSR-"}) == genome


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"genes": [{"field": "a"}]}, "genes.0.low: expected a value, got none"),
        ({"genes": [{"field": "a", "low": 2, "high": 2}]}, "expected low below high"),
        ({}, "nothing to search"),
        ({"chain": {"pattern": "T??", "alphabets": {"?": ""}}}, "two or more different letters"),
        ({"chain": {"pattern": "TRR", "alphabets": {"?": "RH"}}}, "no free place"),
        ({"choices": [{"field": "a", "values": [1]}]}, "at least 2 values"),
        (
            {"genes": [{"field": "a", "low": 0, "high": 1}] * 2},
            "a is searched twice",
        ),
        (
            {"chain": CHAIN, "constraints": [{"sum": {"b": 1.0}, "at_most": 3}]},
            "'b', which is not searched",
        ),
        (
            {"chain": CHAIN, "constraints": [{"letters": "H"}]},
            "need at_least or at_most",
        ),
        *(
            ({"chain": CHAIN, "constraints": [kinds]}, "exactly one of letters, forbid and sum")
            for kinds in ({"at_most": 3}, {"letters": "H", "forbid": "HH", "at_most": 3})
        ),
    ],
)
def test_a_space_that_makes_no_sense_is_refused(table, says):
    with pytest.raises(SpecError, match=says):
        space(**table)


def test_constraints_say_what_is_wrong():
    made = space(
        chain=CHAIN,
        constraints=[{"letters": "H", "at_least": 2}, {"forbid": "HHH"}],
    )
    refused = {
        "TRRRRRRRH": "at least 2",
        "THHHRRRRR": "has HHH",
        "THRHRHRHH": None,
    }
    for chain, why in refused.items():
        told = made.violation(made.encode({"robot.chain": chain}))
        assert told is None if why is None else why in (told or "")


def test_a_sum_is_held_within_its_bounds():
    made = space(
        genes=[{"field": n, "low": 0, "high": 90} for n in "ab"],
        constraints=[{"sum": {"a": 1.0, "b": 2.0}, "at_most": 90}],
    )
    assert made.violation(made.encode({"a": 30, "b": 30})) is None
    assert "at most 90" in (made.violation(made.encode({"a": 31, "b": 30})) or "")


def test_a_point_outside_the_space_is_refused():
    with pytest.raises(InputError, match="expected 0 to 90, got 91"):
        PAPERS.encode({"a": 91, "w": 1, "p": 1})


def test_names_are_as_long_as_it_takes_to_tell_them_apart():
    fields = ("control.gaits.0.phase_rad", "options.stance_mm.0.1", "options.stance_mm.1.1")
    assert list(short_names(fields).values()) == ["phase_rad", "stance_mm.0.1", "stance_mm.1.1"]
    two = ("control.gaits.0.phase_rad", "control.gaits.1.phase_rad")
    assert list(short_names(two).values()) == ["gaits.0.phase_rad", "gaits.1.phase_rad"]
