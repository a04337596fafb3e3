"""The shipped scenarios go as far in a cycle as 002's speeds ask for."""

from __future__ import annotations

import pytest

from annelid.systems.conro.system import describe_frames
from annelid.trial.load import load
from annelid.trial.run import Trial


@pytest.mark.parametrize(
    "name", ["caterpillar", "sidewinder", "rolling-track", "walker", "walker-hexapod"]
)
def test_it_gets_as_far_as_it_says(name: str) -> None:
    shipped = load(name, overrides={"physics.timestep_ms": 1.0})
    assert Trial(shipped).measure().success


def test_a_caterpillar_gets_along_its_wall() -> None:
    """How far it keeps from it is for ``test_wall.py``."""
    coarse = {"physics.timestep_ms": 2.0, "physics.servo": "quasi-static", "duration_s": 44.0}
    shipped = load("caterpillar-wall", overrides={**coarse, "success.progress_m": 1.2})
    assert Trial(shipped).measure().success


@pytest.mark.parametrize(
    ("signal", "words"),
    [
        ("01", "now"),
        ("0010 2a 00 05 ffff", "now, says 16 of ?, hop 5, nobody moves yet"),
        ("0010 2a 08 05 0000", "now, says 16 of 8, hop 5, all move"),
        ("00 03", "now, role 0 by its left"),
        ("0010 15 00 02", "now, says 16, round 5, role 0 by its back"),
        ("00 09", "no signal"),
    ],
)
def test_signals_in_words(signal: str, words: str) -> None:
    data = bytes.fromhex(signal)
    assert describe_frames(data) == [(data, words)]
