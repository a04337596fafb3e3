"""One tee at any clock angle: the branch is told, and nobody says that everything was seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from annelid.trial.load import parse
from annelid.trial.run import Trial


def tee(seed: int) -> dict[str, object]:
    """Bores of 38.5 to 44 mm, branches of 35 to 90°, legs of 13 cm behind the middle."""
    draw = np.random.default_rng(seed)
    bore, angle, roll = draw.uniform(38.5, 44), draw.uniform(35, 90), draw.uniform(0, 360)
    branch = {"part": "tee", "run_mm": 350, "branch_mm": 300}
    branch |= {"branch_angle_deg": angle, "roll_deg": roll}
    straight = {"part": "straight", "length_mm": 350}
    return {
        "name": "tee",
        "seed": seed,
        "duration_s": 110,
        "robot": {"chain": "TRRHRRVP"},
        "world": {"kind": "pipe", "bore_mm": bore, "launch": "closed", "parts": [straight, branch]},
        "physics": {"timestep_ms": 1.0},
        "tolerances": {"draw": True},
        "control": {
            "system": "microtub",
            "options": {"bifurcations": "both", "operator": [{"at_s": 2.0, "say": "EXP"}]},
        },
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000, 2012))
def test_nobody_claims_to_have_seen_a_branch_that_was_not_entered(
    seed: int, tmp_path: Path
) -> None:
    """Eight of thirty said "everything seen" of a branch that they had missed or forgotten."""
    metrics = Trial(parse(tee(seed))).run(tmp_path / "run").metrics
    assert metrics.statements
    assert "everything seen" not in metrics.statements_false
