"""A robot that is laid down turned about its own axis."""

from __future__ import annotations

from math import degrees

import pytest

from annelid.trial.load import load
from annelid.trial.simulated import simulation_of


@pytest.mark.parametrize("world", ["open-air", "pipe"])
def test_it_lies_as_it_was_laid_and_begins_where_it_would_have(world):
    table = {"robot": {"chain": "RRH"}, "world": {"kind": world}}
    upright, rolled = (
        simulation_of(load(table, overrides={"robot.roll_deg": roll})) for roll in (0, 90)
    )
    for module in ("R1", "H1"):
        assert degrees(upright.tilt(module)) == pytest.approx(0, abs=0.1)
        assert degrees(rolled.tilt(module)) == pytest.approx(90, abs=0.1)
    assert rolled.head()[:2] == pytest.approx(upright.head()[:2], abs=1e-6)


def test_it_is_not_laid_into_the_ground():
    table = {"robot": {"chain": "RRRR", "roll_deg": -90}, "world": {"kind": "open-air"}}
    run = simulation_of(load(table))
    before = run.centre()[2]
    run.advance(200)
    assert abs(run.centre()[2] - before) < 0.005
