"""No reading crashes a shipped program, whatever breaks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.trial.sensor_faults import Case, cases

from annelid.physics.channel import AnalogInput
from annelid.trial.load import shipped

FEW = ("default", "climber-wall", "caterpillar-wall")
"""Scenarios that have all classes of sensors among them."""
KINDS = ("Accelerometer", "Camera", "Encoder", "Pressure", "Ray", "Touch")
SHORT_S, LONG_S = 3.0, 12.0


def sample() -> list[Case]:
    """Each class of sensor once: where and how it breaks is drawn with one seed."""
    draw = np.random.default_rng(20)
    every = [case for scenario in FEW for case in cases(scenario)]
    found = []
    for kind in KINDS:
        able = [case for case in every if case.kind == kind]
        found.append(able[int(draw.integers(len(able)))])
    return found


def test_no_reading_crashes_a_program_in_a_sample() -> None:
    crashed = {str(case): found for case in sample() if (found := case.crashes(SHORT_S))}
    assert crashed == {}


def test_without_converters_a_reading_would_crash_a_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control of the campaign: the cube of 1e300 m is too much for the nose."""
    monkeypatch.setattr(AnalogInput, "read", lambda _channel, value: value)
    assert "T1" in Case("default", "Ray", "stuck far above").crashes(SHORT_S)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("scenario", sorted(shipped()))
def test_no_reading_crashes_a_program(scenario: str) -> None:
    crashed = {str(case): found for case in cases(scenario) if (found := case.crashes(LONG_S))}
    assert crashed == {}
