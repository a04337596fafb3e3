"""A program that somebody writes is refused with the line that is wrong."""

from __future__ import annotations

import pytest

from annelid.errors import InputError
from annelid.trial.programs import executed


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("a = 1\n\nb = wave here\n", "line 3: .*: b = wave here$"),
        ("a = 1\nb = a / 0\n", "line 2: ZeroDivisionError: division by zero$"),
        ("a = 1\0", "this is no text of a program"),
    ],
)
def test_what_does_not_run_is_refused_with_its_line(source: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        executed(source, "R1")


def test_what_runs_has_the_names_it_defines() -> None:
    assert executed("def program(board):\n    return 7\n", "R1")["program"](None) == 7
