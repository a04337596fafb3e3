"""Studies that are simulated in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annelid.offline.executors import ByPool
from annelid.offline.search import Result, search
from annelid.offline.store import Store
from annelid.offline.study import Study, StudySpec

GAIT = "control.gaits.0."

SCENARIO: dict[str, Any] = {
    "name": "small",
    "duration_s": 0.3,
    "jitter_deg": 0.5,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "physics": {"timestep_ms": 1.5, "servo": "quasi-static"},
    "control": {"tick_ms": 15, "gaits": [{"gait": "snake", "move": "forward"}]},
}


def table(**changes: Any) -> dict[str, Any]:
    """A study of two genes of four bits."""
    return {
        "name": "small",
        "scenario": SCENARIO,
        "space": {
            "genes": [
                {"field": GAIT + "amplitude_deg", "low": 0, "high": 90, "bits": 4},
                {"field": GAIT + "phase_rad", "low": 0, "high": 3, "bits": 4},
            ]
        },
        "optimiser": {"kind": "ga", "population": 6, "mutation": 0.1},
        "fitness": {"terms": [{"metric": "distance_m"}]},
        "budget": {"generations": 4},
        **changes,
    }


def study(**changes: Any) -> Study:
    return Study(StudySpec.parse(table(**changes), where="small.toml"))


def run(made: Study, path: Path) -> Result:
    with Store.open(path, make=True) as store:
        return search(made, store, ByPool(made))
