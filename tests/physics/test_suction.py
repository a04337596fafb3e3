"""Cups: the vacuum's times, its need of a seal, and what it holds."""

from __future__ import annotations

import numpy as np
import pytest

from annelid.papers.climb_run import hexapod, on_plane


def test_detaches_in_its_time_and_attaches_in_its_time() -> None:
    """003 §5: 0.5 s and 1.5 s, in the engine."""
    sim = on_plane(hexapod())
    sim.advance(200)
    assert sim.cups.vacuums() == pytest.approx(np.ones(6))
    for place in range(6):
        sim.cups.run(place, False)
    sim.advance(375)  # 0.75 s
    assert sim.cups.vacuums() == pytest.approx(np.full(6, 0.5), abs=0.01)
    sim.advance(390)
    assert sim.cups.vacuums() == pytest.approx(np.zeros(6))
    for place in range(6):
        sim.cups.run(place, True)
    sim.advance(125)  # 0.25 s
    assert sim.cups.vacuums() == pytest.approx(np.full(6, 0.5), abs=0.01)
    pressures = [sim.sensors.read_one(f"L{k}.pressure") for k in range(1, 7)]
    assert pressures == pytest.approx([0.5 * 30 / 0.00196] * 6, rel=0.03)


def test_holds_on_a_wall_and_falls_without_a_vacuum() -> None:
    sim = on_plane(hexapod(), 90)
    before = sim.centre()[2]
    sim.advance(1000)
    assert sim.centre()[2] == pytest.approx(before, abs=0.005)
    for place in range(6):
        sim.cups.run(place, False)
    sim.advance(1000)
    assert sim.centre()[2] < before - 0.3
    assert sim.cups.vacuums() == pytest.approx(np.zeros(6))


def test_without_contact_an_impeller_builds_no_vacuum() -> None:
    sim = on_plane(hexapod(leg={"attached": False}), 180)
    for place in range(6):
        sim.cups.run(place, True)
    sim.advance(300)
    assert sim.cups.vacuums().max() < 0.1
