"""Loops elect a leader (002 §5.3), and find another one when it is gone."""

from __future__ import annotations

from itertools import pairwise
from math import isclose
from typing import Any

import numpy as np
import pytest
from tests.rigs import robot_from
from tests.systems.conro.colonies import Colony, colony, loop

from annelid.errors import InputError
from annelid.systems.conro.ring import SIGNAL

DICE = np.random.default_rng(2002)
LOSSY = [
    (int(2 * DICE.integers(3, 6)), float(DICE.uniform(0.1, 0.5)), int(DICE.integers(1000)))
    for _ in range(8)
]
"""Modules, part of the signals that get lost from the start, seed."""
MOMENTS = [(float(DICE.uniform(0.0, 5.0)), int(DICE.integers(1000))) for _ in range(8)]
"""Cycles after which a leader is lost, seed."""


def slow(drawn: list[Any]) -> list[Any]:
    return [pytest.param(*each, marks=pytest.mark.slow) for each in drawn]


def leaders(run: Colony, *, after: float) -> set[int]:
    """Whose numbers are in the signals."""
    start = after * run.net.cycle_s * 1e9
    heard = (d["bytes"] for d in run.rig.details("wire") if d["start_ns"] >= start)
    return {int(signal[:4], 16) for signal in heard}


def sizes(run: Colony, *, after: float, out: tuple[str, ...] = ()) -> set[int]:
    """How many modules the signals say there are; ``out``: of those that are not in the loop."""
    start = after * run.net.cycle_s * 1e9
    wire = [d for d in run.rig.details("wire") if d["start_ns"] >= start]
    return {int(d["bytes"][6:8], 16) for d in wire if d["from"].partition(".")[0] not in out}


@pytest.mark.parametrize("modules", [6, 8, 10, 12])
def test_the_highest_number_leads_and_the_track_rolls(modules: int) -> None:
    run = colony(loop(modules), role="rolling-track")
    run.run(3)
    before = run.rig.sim.centre()
    run.run(6)
    assert len(leaders(run, after=3)) == 1
    assert leaders(run, after=3) == {max(leaders(run, after=0))}
    assert sizes(run, after=3) == {modules}
    assert abs((run.rig.sim.centre() - before)[0]) / 3 > 0.04 * modules
    end, start = (run.rig.sim.face(face).at for face in (f"C{modules}.back", "C1.front"))
    assert end == pytest.approx(start, abs=0.5e-3)


def test_a_loop_that_shrinks_counts_anew() -> None:
    """Two modules are taken out of a loop of ten; nobody tells the others."""
    run = colony(loop(10), role="rolling-track")
    run.think(4)
    assert sizes(run, after=3) == {10}
    for a, b in (("C8.back", "C9.front"), ("C10.back", "C1.front")):
        run.rig.sim.cut(a, b)
    run.rig.sim.join("C8.back", "C1.front", angle=0.0)
    run.think(12)
    assert sizes(run, after=11, out=("C9", "C10")) == {8}


def said(run: Colony, *, after: float = 0.0) -> list[tuple[str, tuple[int, ...]]]:
    """Who said what: number, round, size, hops, steps left."""
    start = after * run.net.cycle_s * 1e9
    wire = [d for d in run.rig.details("wire") if d["start_ns"] >= start]
    return [(d["from"].partition(".")[0], SIGNAL.unpack(bytes.fromhex(d["bytes"]))) for d in wire]


def rolled(modules: int, loss: float, seed: int) -> float:
    """Module lengths a cycle, in three cycles after the start."""
    run = colony(loop(modules), role="rolling-track", seed=seed, loss=loss, drift_ppm=2000)
    run.run(4)
    before = run.rig.sim.centre()[:2].copy()
    run.run(7)
    return float(np.linalg.norm(run.rig.sim.centre()[:2] - before)) / 3 / 0.1


@pytest.mark.parametrize(("modules", "loss", "seed"), LOSSY[:2])
def test_a_track_that_starts_with_signals_lost_rolls(modules: int, loss: float, seed: int) -> None:
    """Each module moved when it knew the size itself once: with one signal in five lost the track
    toppled."""
    assert rolled(modules, loss, seed) == pytest.approx(modules / 2, rel=0.1)


@pytest.mark.slow
def test_six_more_do() -> None:
    found = [rolled(*drawn) / (drawn[0] / 2) for drawn in LOSSY[2:]]
    assert all(isclose(share, 1, rel_tol=0.1) for share in found), found


def test_without_signals_a_track_stands_for_ever() -> None:
    assert rolled(8, 1.0, 0) < 0.05


@pytest.mark.parametrize(("modules", "loss", "seed"), [(16, 0.5, 5), *LOSSY[:2], *slow(LOSSY[2:])])
def test_nobody_moves_before_everybody_knows(modules: int, loss: float, seed: int) -> None:
    run = colony(loop(modules), role="rolling-track", seed=seed, loss=loss)
    pitches = [node.board.servos["pitch"] for node in run.net.modules]
    run.think(0.01)
    still, cycles = [pitch.target for pitch in pitches], 0.01
    while [pitch.target for pitch in pitches] == still:
        cycles += 0.01
        assert cycles < 6
        run.think(cycles)
    latest = dict(said(run))
    assert {size for _, _, size, _, _ in latest.values()} == {modules}
    assert all(left < 20 for *_, left in latest.values()), "all have the leader's word"
    run.think(cycles + 0.1)
    moved = [a.target != b for a, b in zip(pitches, still, strict=True)]
    assert all(moved), "all begin at once"


def leader_of(run: Colony) -> int:
    """The place of the module whose number is followed, from the last signal after one hop."""
    names = [node.name for node in run.net.modules]
    first = [name for name, (*_, hops, _) in said(run) if hops == 1]
    return names.index(first[-1])


@pytest.mark.parametrize(("moment", "seed"), [*MOMENTS[:2], *slow(MOMENTS[2:])])
def test_a_leader_lost_at_any_moment_and_exchanged_leaves_one(moment: float, seed: int) -> None:
    run = colony(loop(8), role="rolling-track", seed=seed, loss=0.1, drift_ppm=2000)
    run.think(moment)
    numbers = leaders(run, after=max(0.0, moment - 1))
    lost = run.net.modules[leader_of(run)]
    lost.kill()
    run.think(moment + 3)
    lost.start()
    run.think(moment + 20)
    assert len(leaders(run, after=moment + 18)) == 1
    assert not leaders(run, after=moment + 18) & {max(numbers)}
    assert sizes(run, after=moment + 18) == {8}
    assert all(left == 0 for _, (*_, left) in said(run, after=moment + 18)), "it rolls"
    lags = [run.lag(f"C{k}", f"C{k + 1}", after=moment + 18) for k in range(1, 8)]
    assert sum(abs(lag - 45.75) < 4 for lag in lags) >= 6, lags


def test_a_leader_lost_for_good_leaves_the_others_in_step() -> None:
    """Behind the gap goes one by its own clock, and all others go by it; two per cent of drift
    would part them by a whole cycle in 25."""
    run = colony(loop(8), role="rolling-track", seed=4, drift_ppm=20_000)
    run.think(4)
    place = leader_of(run)
    run.net.modules[place].kill()
    run.think(34)
    around = [f"C{(place + k) % 8 + 1}" for k in range(1, 8)]
    lags = [run.lag(a, b, after=32) for a, b in pairwise(around)]
    assert lags == pytest.approx([45.75] * 6, abs=2.5)
    run.net.infrared.disturb(loss=1.0)
    run.think(64)
    parted = [run.lag(a, b, after=62) for a, b in pairwise(around)]
    assert max(abs(lag - 45.75) for lag in parted) > 10, "without signals they part"


def test_two_loops_joined_become_one_that_stops_counts_and_rolls() -> None:
    names = range(1, 13)
    ends = {6: 1, 12: 7}
    who = robot_from(
        {
            "modules": [{"type": "C", "start": {"pitch": 60}} for _ in names],
            "docks": [{"a": f"C{k}.back", "b": f"C{ends.get(k, k + 1)}.front"} for k in names],
        }
    )
    run = colony(who, role="rolling-track", seed=6)
    run.think(4)
    assert sizes(run, after=3) == {6}
    assert len(leaders(run, after=3)) == 2
    for a, b in (("C6.back", "C1.front"), ("C12.back", "C7.front")):
        run.rig.sim.cut(a, b)
    for a, b in (("C6.back", "C7.front"), ("C12.back", "C1.front")):
        run.rig.sim.join(a, b, angle=0.0)
    run.think(20)
    assert sizes(run, after=18) == {12}
    assert len(leaders(run, after=18)) == 1
    assert all(left == 0 for _, (*_, left) in said(run, after=18))
    stopped = [name for name, (*_, left) in said(run, after=4) if left]
    assert len(set(stopped)) == 12, "all stopped meanwhile"


def test_loops_of_odd_number_are_refused() -> None:
    with pytest.raises(InputError, match="expected an even number of modules, 6 or more, got 7"):
        colony(loop(7), role="rolling-track")
