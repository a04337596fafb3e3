"""Spines and legs find their roles, walk, and take in legs while they do (002 §8)."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np
import pytest
from tests.systems.conro.colonies import Colony, colony, legged

from annelid.errors import InputError


def behind(run: Colony, module: str, other: str, *, after: float) -> float:
    """By how many steps a spine module's cycle is behind another's."""
    sent = {name: run.sent(f"{name}.right", after=after)[0] for name in (module, other)}
    return float((sent[module] - sent[other]) % run.net.role.period)


def strides(run: Colony, *, cycles: int) -> float:
    """cm in a cycle; nothing may topple meanwhile."""
    start = round(run.rig.kernel.now / 1e9 / run.net.cycle_s)
    before, leaning = run.rig.sim.placement("S1").at[:2].copy(), 0.0
    for part in range(1, 8 * cycles + 1):
        run.run(start + part / 8)
        leaning = max(leaning, degrees(run.rig.sim.tilt("S1")))
    assert leaning < 30
    ahead = run.rig.sim.placement("S1").at[:2] - before
    return float((ahead**2).sum() ** 0.5) * 100 / cycles


@pytest.mark.parametrize(("pairs", "least"), [(2, 12), (3, 15)])
def test_quadruped_and_hexapod_walk_without_toppling(pairs: int, least: float) -> None:
    run = colony(legged(pairs), role="walker")
    run.run(3)
    assert strides(run, cycles=4) > least
    assert behind(run, "S2", "S1", after=3) == pytest.approx(run.net.role.period / 2, abs=3)


def test_a_pair_of_legs_is_added_in_run_time() -> None:
    run = colony(
        legged(3, beside={"L3": (-300, 400, 0), "R3": (-300, -400, 0)}), role="walker", seed=1
    )
    run.run(3)
    without = strides(run, cycles=3)
    run.rig.sim.join("S3.left", "L3.back", angle=0.0)
    run.rig.sim.join("S3.right", "R3.back", angle=0.0)
    run.run(8)
    assert strides(run, cycles=4) > max(15, 2 * without)


def test_a_segment_that_is_cut_off_goes_on_and_falls_in_again() -> None:
    run = colony(legged(3), role="walker")
    run.run(3)
    run.rig.sim.cut("S2.back", "S3.front")
    run.run(5.3)
    assert len(run.sent("S3.left", after=4)) >= 1
    run.rig.sim.join("S2.back", "S3.front", angle=0.0)
    run.run(8)
    assert behind(run, "S3", "S2", after=7) == pytest.approx(run.net.role.period / 2, abs=3)
    assert strides(run, cycles=3) > 15


@pytest.mark.parametrize("signals", ["down", "both"])
def test_three_signals_in_four_lost_leave_its_stride(signals: str) -> None:
    run = colony(legged(2), role="walker", signals=signals, drift_ppm=2000, seed=3)
    run.run(5)
    sound = strides(run, cycles=3)
    run.net.infrared.disturb(loss=0.75)
    assert strides(run, cycles=6) > 0.9 * sound


def test_a_hexapod_limps_on_with_a_dead_leg() -> None:
    run = colony(legged(3), role="walker")
    run.run(4)
    next(node for node in run.net.modules if node.name == "L2").kill()
    run.run(5)
    assert strides(run, cycles=4) > 12


DICE = np.random.default_rng(88)
LEGS = [
    (pairs, f"{DICE.choice(['L', 'R'])}{DICE.integers(1, pairs + 1)}", int(DICE.integers(999)))
    for pairs in range(2, 9)
]
"""Pairs of legs, the leg that is lost and docked again, seed."""
LIMPS = {2: 0.1, 3: 0.3}
"""Of the stride of a whole body; with more pairs one leg is hardly missed."""


@pytest.mark.parametrize(
    ("pairs", "leg", "seed"),
    [LEGS[1], *(pytest.param(*each, marks=pytest.mark.slow) for each in (*LEGS[:1], *LEGS[2:]))],
)
def test_a_leg_lost_and_a_leg_added_on_bodies_of_two_to_eight_pairs(
    pairs: int, leg: str, seed: int
) -> None:
    run = colony(legged(pairs), role="walker", seed=seed)
    face = (f"S{leg[1:]}.{'left' if leg[0] == 'L' else 'right'}", f"{leg}.back")
    run.run(3)
    whole = strides(run, cycles=2)
    run.rig.sim.cut(*face)
    run.run(6)
    assert strides(run, cycles=2) > LIMPS.get(pairs, 0.8) * whole
    run.rig.sim.join(*face, angle=0.0)
    run.run(10)
    assert strides(run, cycles=2) == pytest.approx(whole, rel=0.15)


@pytest.mark.parametrize("options", [{"delay": 20}, {"parent": "back"}])
def test_a_walker_has_no_chain_s_options(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="delays and motions are those of trees"):
        colony(legged(2), role="walker", **options)
