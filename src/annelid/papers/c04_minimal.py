"""C4: the programs are short (002 §5: lines of the main loop and of the initialisation).

Counted as 002 does, without comments; and with everything in a module that is neither kernel nor
electronics: what the loop calls to find its angles counts as part of the loop; constants, and the
making of the role and of its way-points, as part of the initialisation.  Checks of a role and the
wiring of a robot happen before there is a module, and imports are none of 002's language: they do
not count.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from textwrap import dedent
from typing import Any, Final, NamedTuple

from annelid.motion.roles import Role, Swing, caterpillar, rolling_track, sidewinder
from annelid.papers import Bench, Outcome
from annelid.systems.conro.ring import ring
from annelid.systems.conro.tree import tree

Code = Callable[..., Any]


class Listing(NamedTuple):
    """A program with the role it keeps, and what 002 needed for it."""

    name: str
    program: Code
    role: Code
    main: int
    before: int


LISTINGS: Final = (
    Listing("caterpillar", tree, caterpillar, 16, 18),
    Listing("sidewinder", tree, sidewinder, 19, 17),
    Listing("rolling-track", ring, rolling_track, 35, 28),
)

CALLED: Final[tuple[Code, ...]] = (Role.action,)
"""By the loop, for A(t)."""
MADE: Final[tuple[Code, ...]] = (Role.__dict__["way_points"].func, Swing.at)
"""Once, before A(t) can be looked up."""


def _function(code: Code) -> ast.FunctionDef:
    (whole,) = ast.parse(dedent(inspect.getsource(code))).body
    if not isinstance(whole, ast.FunctionDef):
        raise TypeError(f"{code!r} is not a function")
    return whole


def _lines(code: Code) -> int:
    """Of a function, from its ``def`` on, without its docstring."""
    whole = _function(code)
    return _span(whole) - (_span(whole.body[0]) if ast.get_docstring(whole) else 0)


def _span(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _constants(code: Code) -> int:
    """Declared beside a program, in its file."""
    file = ast.parse(inspect.getsource(sys.modules[code.__module__]))
    return sum(_span(node) for node in file.body if isinstance(node, ast.Assign | ast.AnnAssign))


def counted(listing: Listing) -> tuple[int, int]:
    """Lines of the main loop, ``while`` included, and of everything else."""
    loop = _span(_function(listing.program).body[-1])
    rest = _lines(listing.program) - loop + _constants(listing.program)
    made = sum(map(_lines, (listing.role, *MADE)))
    return loop + sum(map(_lines, CALLED)), rest + made


def experiment(bench: Bench) -> Outcome:
    found = {listing: counted(listing) for listing in LISTINGS}
    return Outcome(
        ours=", ".join(f"{main}/{before}" for main, before in found.values()) + " lines",
        passed=all(m <= each.main and b <= each.before for each, (m, b) in found.items()),
        note=(
            "Caterpillar, sidewinder, track; main loop/initialisation, with A(t), constants "
            "and the role counted.  The first two run the same program"
        ),
        values={
            f"{listing.name}_{what}": lines
            for listing, both in found.items()
            for what, lines in zip(("main", "before"), both, strict=True)
        },
    )
