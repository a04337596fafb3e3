"""The shipped scenarios go as far in a cycle as 002's speeds ask for."""

from __future__ import annotations

import pytest

from annelid.trial.load import load
from annelid.trial.run import Trial


@pytest.mark.parametrize("name", ["caterpillar", "sidewinder", "rolling-track"])
def test_it_gets_as_far_as_it_says(name: str) -> None:
    shipped = load(name, overrides={"physics.timestep_ms": 1.0})
    assert Trial(shipped).measure().success
