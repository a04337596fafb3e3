"""A scenario outside a robot's range is warned about, and no other."""

from __future__ import annotations

from time import process_time
from typing import Any

from annelid.trial.beyond import beyond
from annelid.trial.load import load
from annelid.trial.simulated import simulation_of

STRAIGHT = {"part": "straight", "length_mm": 300}


def warnings(chain: str, *parts: dict[str, Any], **world: Any) -> tuple[str, ...]:
    pipe = {"kind": "pipe", "parts": [STRAIGHT, *parts], **world}
    return beyond(simulation_of(load({"robot": {"chain": chain}, "world": pipe})))


def test_what_is_within_range_is_not_warned_about() -> None:
    assert warnings("TH", slope_deg=10.0) == ()
    assert warnings("TRRR", slope_deg=80.0) == ()  # nothing pushes it: not known


def test_what_would_take_long_is_not_looked_at() -> None:
    """It took 34 s of CPU time before a run of 0.3 s."""
    bends = [{"part": "elbow", "angle_deg": 20, "roll_deg": roll} for roll in (0, 180)] * 20
    elbows = [part for bend in bends for part in (bend, STRAIGHT)]
    begun = process_time()
    (said,) = warnings("TH", *elbows)
    assert said.startswith("which ends are beyond this robot's range is not computed: 81 tubes")
    assert process_time() - begun < 10.0


def test_a_slope_and_a_sharp_branch_are() -> None:
    (steep,) = warnings("TRRHRRVP", slope_deg=40.0)
    assert "straight1 is beyond this robot's range: there it needs" in steep
    tee = {"part": "tee", "run_mm": 200, "branch_mm": 150, "branch_angle_deg": 90.0}
    (sharp,) = warnings("TRRHRRVP", tee)
    assert "tee1.branch" in sharp
