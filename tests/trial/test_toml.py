"""What is written reads back as the same, whatever it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import SpecError
from annelid.trial.toml import dumps

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PLAIN = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | TEXT
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, VALUES, max_size=5))
def test_reads_back_exactly(data):
    assert tomllib.loads(dumps(data)) == data


def test_what_is_none_is_left_out():
    assert tomllib.loads(dumps({"a": None, "b": {"c": None, "d": 1}})) == {"b": {"d": 1}}


def test_none_in_a_list_is_refused():
    with pytest.raises(SpecError, match="None"):
        dumps({"a": [1, None]})
