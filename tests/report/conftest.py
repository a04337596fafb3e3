"""One short real run for all tests of this folder."""

from pathlib import Path

import pytest

from annelid.trial.load import parse
from annelid.trial.run import Trial

SCENARIO = {
    "name": "short",
    "about": "A head pulled by a screw.",
    "duration_s": 1.5,
    "robot": {"chain": "TRHV"},
    "world": {"kind": "pipe"},
    "control": {"gaits": [{"gait": "push"}]},
    "faults": [{"fault": "limp_servo", "at_s": 0.5, "servo": "R1.yaw"}],
    "events": [
        {"do": "cut", "at_s": 1.0, "a": "H1.back", "b": "V1.front"},
    ],
}


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Trial(parse(SCENARIO)).run(tmp_path_factory.mktemp("runs") / "short-001").folder
