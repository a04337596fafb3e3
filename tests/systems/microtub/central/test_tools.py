"""Tools: where the operator is told that they have worked."""

from __future__ import annotations

import pytest

from annelid.systems.microtub.central.behaviours.tools import _best_known
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import KnownBreak


@pytest.mark.parametrize(("target", "told"), [(0.200, 0.209), (0.230, 0.209), (0.300, 0.300)])
def test_a_break_is_where_it_was_found_on_the_way_out(target: float, told: float) -> None:
    """The way has been miscounted by 9 mm since; the third is another place."""
    knowledge = Knowledge(breaks=[KnownBreak(0.209, 0.0)])
    assert _best_known(knowledge, KnownBreak(target, 0.0)) == pytest.approx(told)


def test_a_hole_that_was_made_is_where_the_tool_was() -> None:
    assert _best_known(Knowledge(), KnownBreak(0.25, 0.0)) == pytest.approx(0.25)
