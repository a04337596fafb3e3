"""Errors of ours, from process to process."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from annelid.errors import AnnelidError, UnknownKey, UnknownName


def _all(kind: type[AnnelidError]) -> Iterator[type[AnnelidError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _all(below)


@pytest.mark.parametrize("kind", [k for k in _all(AnnelidError) if not issubclass(k, UnknownName)])
def test_an_error_comes_out_of_a_worker_as_it_was(kind: type[AnnelidError]) -> None:
    error = kind.__new__(kind, "what is wrong")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == "what is wrong"


@pytest.mark.parametrize("kind", [UnknownName, UnknownKey])
def test_an_unknown_name_keeps_its_list(kind: type[UnknownName]) -> None:
    error = kind("letter", "Q", ["R", "S"], where="robot.chain")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.available) == (kind, str(error), ["R", "S"])
