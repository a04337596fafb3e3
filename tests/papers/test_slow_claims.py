"""Claims that take minutes; ``make reproduce`` runs them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from annelid.modules.helicoidal import Helicoidal
from annelid.papers import CLAIMS, Bench, Claim, a03_helicoidal

pytestmark = pytest.mark.slow


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench() as bench:
        yield bench


@pytest.mark.timeout(300)
def test_the_numbers_on_the_shelf_are_the_fit(bench: Bench) -> None:
    module = Helicoidal()
    free, stall = a03_helicoidal.fit(bench)
    assert module.free_speed_cm_s == pytest.approx(free, rel=0.02)
    assert module.stall_weight == pytest.approx(stall, rel=0.02)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_the_experiment_measures_and_shows_something(claim: Claim) -> None:
    """Not its verdict, which is for the table: a row may honestly be short."""
    outcome = claim.experiment(Bench(quick=True, workers=1))
    assert outcome.ours
    assert outcome.values
