"""The range against the physics: what passes with room to spare passes, what cannot does not."""

from __future__ import annotations

import pytest

from annelid.systems.microtub.front.range_check import TriedCell, check, climbs, page, pulled


def test_agreement_and_every_disagreement_are_told() -> None:
    cells = [
        TriedCell(0, "slope", 40.0, 20.0, within=True, done=True),
        TriedCell(1, "elbow", 40.0, 30.0, within=False, done=True),
        TriedCell(2, "branch", 40.0, 80.0, within=False, done=False),
        TriedCell(3, "slope", 41.0, 24.0, within=True, done=False),
    ]
    told = "\n".join(page(cells))
    assert "agree in 2 of 4" in told
    assert "| slope | 1 of 2 (9-91 %) | none drawn |" in told
    assert "| elbow | none drawn | 0 of 1 (0-79 %) |" in told
    assert "- elbow of 30.0 mm in 40.0 mm: beyond its range, but passed (seed 1)" in told
    assert "- slope of 24.0° in 41.0 mm: within range, but not passed (seed 3)" in told


@pytest.mark.slow
def test_easy_cells_are_passed_and_hard_ones_are_not() -> None:
    assert climbs({"chain": "TRHV"}, 40.0, 20.0)
    assert not climbs({"chain": "TRHV"}, 40.0, 75.0)
    length = 0.124
    assert pulled({"chain": "TRHV"}, 42.0, {"part": "elbow", "radius_mm": 100}, "elbow1", length)
    assert not pulled({"chain": "TRHV"}, 38.5, {"part": "elbow", "radius_mm": 25}, "elbow1", length)


@pytest.mark.slow
def test_a_cell_is_the_same_for_the_same_seed() -> None:
    assert check(302, robot={"chain": "TRHV"}) == check(302, robot={"chain": "TRHV"})
