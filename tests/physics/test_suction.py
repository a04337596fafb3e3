"""Cups: the vacuum's times, its need of a seal, and what it holds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.systems.climber.climbs import hexapod, on_plane

from annelid.errors import InputError, UnknownName
from annelid.physics import damage


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


def test_a_leak_takes_the_vacuum_at_its_rate_and_leaves_what_the_impeller_keeps_up() -> None:
    sim = on_plane(hexapod())
    damage.leak(sim, "L2.cup", holds=0.4, falls_s=2.0)
    sim.advance(250)  # 0.5 s
    assert sim.cups.vacuums() == pytest.approx([1, 0.75, 1, 1, 1, 1], abs=0.01)
    sim.advance(750)
    assert sim.cups.vacuums() == pytest.approx([1, 0.4, 1, 1, 1, 1], abs=0.01)
    sim.cups.run(1, False)
    sim.advance(400)
    assert sim.cups.vacuum(1) == 0.0
    sim.cups.run(1, True)
    sim.advance(400)
    assert sim.cups.vacuum(1) == pytest.approx(0.4, abs=0.01)
    damage.seal(sim, "L2.cup")
    sim.advance(400)
    assert sim.cups.vacuum(1) == 1.0


def test_leaks_that_make_no_sense_are_refused() -> None:
    sim = on_plane(hexapod())
    with pytest.raises(InputError, match="expected to hold 0 to less than 1"):
        damage.leak(sim, "L2.cup", holds=1.0, falls_s=2.0)
    with pytest.raises(UnknownName, match=r"L9\.cup.*L1\.cup"):
        damage.leak(sim, "L9.cup", holds=0.0, falls_s=2.0)
