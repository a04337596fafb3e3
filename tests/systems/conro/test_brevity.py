"""Minimal: 002 counts its programs' lines, and ours may be no longer (§5)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from annelid.motion.roles import Role, Swing, caterpillar, rolling_track, sidewinder
from annelid.systems.conro.ring import ring
from annelid.systems.conro.tree import tree


def lines(code: Callable[..., Any]) -> tuple[int, int]:
    """Lines of the main loop, and of everything before it; docstrings do not count."""
    source = inspect.cleandoc("\n" + inspect.getsource(code))
    whole = ast.parse(source).body[0]
    assert isinstance(whole, ast.FunctionDef)
    body = whole.body[1:] if ast.get_docstring(whole) else whole.body
    last = whole.body[-1]
    inner = last.lineno if isinstance(last, ast.While) else (last.end_lineno or 0) + 1
    total = (whole.end_lineno or 0) - body[0].lineno + 1
    main = (whole.end_lineno or 0) - inner + 1
    return main, total - main + 1


ACTION = sum(sum(lines(part)) for part in (Role.action, Swing.at))
"""What the loop calls that is neither kernel nor electronics."""


@pytest.mark.parametrize(
    ("program", "role", "main", "before"),
    [(tree, caterpillar, 16, 18), (tree, sidewinder, 19, 17), (ring, rolling_track, 35, 28)],
)
def test_programs_are_no_longer_than_the_papers(
    program: Callable[..., Any], role: Callable[..., Role], main: int, before: int
) -> None:
    in_loop, ahead = lines(program)
    assert in_loop + ACTION <= main
    assert ahead + sum(lines(role)) <= before
