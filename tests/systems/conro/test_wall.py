"""Infrared at the side keeps a caterpillar from a wall (002 §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.rigs import robot
from tests.systems.conro.colonies import colony

from annelid.errors import InputError

KEEP, HALF = 0.18, 0.0225
"""What is kept between side and wall, and half a module's width, m."""


@dataclass(frozen=True)
class Start:
    heading_deg: float
    gap_mm: float
    friction: float
    seed: int


def varied(seed: int) -> Start:
    draw = np.random.default_rng((8, seed))
    heading, gap = draw.uniform(-10, 10), draw.uniform(230, 330)
    return Start(float(heading), float(gap), float(draw.uniform(0.4, 0.9)), seed)


def distances(
    start: Start, *, cycles: int, side: str = "left", modules: int = 6, **options: Any
) -> np.ndarray:
    """Of the modules' sides from the wall on average, m, once in each of so many cycles."""
    sign = 1 if side == "left" else -1
    y = sign * start.gap_mm
    world = {
        "heading_deg": sign * start.heading_deg,
        "surface": {"friction": start.friction},
        "obstacles": [{"shape": "wall", "from_mm": [-4000, y], "to_mm": [4000, y]}],
    }
    who = robot("C" * modules, C={"looks": [side], "friction": start.friction})
    run = colony(who, seed=start.seed, world=world, role="caterpillar", **options)
    found = []
    for cycle in range(cycles):
        run.run(cycle + 1)
        sim = run.rig.sim
        ys = [sign * sim.placement(module.name).at[1] for module in sim.robot.modules]
        found.append(start.gap_mm / 1000 - 0.005 - float(np.mean(ys)) - HALF)
    return np.array(found)


def off(found: np.ndarray) -> float:
    """In the last six cycles at worst, m."""
    return float(abs(found[-6:] - KEEP).max())


@pytest.mark.parametrize("seed", range(2))
def test_it_keeps_its_distance_and_without_feedback_does_not(seed: int) -> None:
    start = varied(seed)
    steered = distances(start, cycles=16, parent="back", wall={"keep_mm": KEEP * 1000})
    left_alone = distances(start, cycles=16, parent="back")
    assert off(steered) < 0.02
    assert off(left_alone) > 3 * off(steered)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_it_keeps_its_distance_in_twelve_runs_on_either_side_and_either_way() -> None:
    kept, alone = [], []
    for seed in range(12):
        how: dict[str, Any] = {
            "parent": ("front", "back")[seed % 2],
            "side": ("left", "right")[seed // 2 % 2],
        }
        wall = {"side": how["side"], "keep_mm": KEEP * 1000}
        kept.append(off(distances(varied(seed), cycles=16, wall=wall, **how)))
        alone.append(off(distances(varied(seed), cycles=16, **how)))
    assert sum(miss < 0.03 for miss in kept) >= 10, kept
    assert sum(miss < 0.03 for miss in alone) <= 3, alone


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_chains_of_any_length_keep_their_distance() -> None:
    """Three to twelve modules, on either side and either way, with starts that nothing was tuned
    to."""
    kept = []
    for seed, modules in enumerate((3, 4, 5, 7, 9, 12), 200):
        how: dict[str, Any] = {
            "parent": ("front", "back")[seed % 2],
            "side": ("left", "right")[seed // 2 % 2],
        }
        wall = {"side": how["side"], "keep_mm": KEEP * 1000}
        found = distances(varied(seed), cycles=24, modules=modules, wall=wall, **how)
        kept.append(off(found))
    assert sum(miss < 0.03 for miss in kept) >= 5, kept


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r'C1 has no sensor infrared_left .* looks = \["left"\]'),
        ({"looks": ["left"], "wall": {"keep_mm": 400}}, "expected less than the 400 mm that C1"),
        ({"signals": "both"}, 'wall steers a caterpillar, with method = "roles"'),
        ({"role": "sidewinder"}, "got sidewinder, roles, down"),
    ],
)
def test_what_cannot_steer_says_why(options: dict[str, Any], message: str) -> None:
    asked = {"wall": {}, **options}
    who = robot("CCC", C={"looks": asked.pop("looks", [])})
    with pytest.raises(InputError, match=message):
        colony(who, **asked)
