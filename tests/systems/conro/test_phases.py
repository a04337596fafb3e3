"""Phases read off the recorded signals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annelid.systems.conro.phases import phases
from annelid.systems.conro.spec import ConroSpec

STEP_NS = 22_000_000


def signal(module: str, step: float) -> dict[str, Any]:
    at = round(step * STEP_NS)
    return {"from": f"{module}.front", "bytes": "01", "start_ns": at, "end_ns": at, "to": []} | {
        "outcome": "no receiver"
    }


@pytest.mark.parametrize(("cycle", "late"), [(180, 0), (176, 0), (184, 0), (178, 20)])
def test_a_chain_whose_timers_are_fast_or_slow_is_in_step(cycle: int, late: int) -> None:
    """C1, which signals first, is 36 steps behind C2 now; ``late``: the control is out of step."""
    begun = np.cumsum([200, *(cycle + k % 3 - 1 for k in range(10))])
    wire = [signal("C1", 100)]
    wire += [signal(*sent) for at in begun for sent in (("C2", at), ("C1", at + 36 + late))]
    told = phases(ConroSpec(), 2, wire)
    assert told is not None
    at, theirs = told.behind["C2"]
    own_at, own = told.behind["C1"]
    heard = np.searchsorted(at, own_at[2:], side="right") - 1
    off = (own[2:] - theirs[heard] - 36 / 180 + 0.5) % 1 - 0.5
    assert np.abs(180 * off - late * 180 / cycle).max() < 1.5
