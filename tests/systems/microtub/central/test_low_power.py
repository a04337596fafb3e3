"""A battery that runs low: the robot says so, goes home while it can, and does not call it done."""

from __future__ import annotations

from typing import Any

import pytest

from annelid.trial.load import load
from annelid.trial.metrics import Metrics
from annelid.trial.run import Trial

STRAIGHT = [{"part": "straight", "length_mm": 900}]


def told(charge: float, duration_s: float, **more: Any) -> tuple[list[str], Metrics]:
    battery: dict[str, Any] = {"supply": {"kind": "battery", "charge": charge}}
    fields = {
        "robot.chain": "TRRHRRVB",
        "duration_s": duration_s,
        "power": battery,
        "control.options.tether": False,
        "physics.timestep_ms": 1.0,
        **more,
    }
    trial, words = Trial(load("explore-straight", overrides=fields)), []
    trial.listeners.append(
        lambda t_ns, source, kind, detail: (
            words.append(detail["words"]) if kind == "answer" else None
        )
    )
    return words, trial.measure()


def test_it_goes_home_and_says_that_it_has_not_seen_everything() -> None:
    words, metrics = told(0.08, 44)
    assert [line.partition(" ")[2] for line in words[2:]] == [
        "'module 8 (B, address 22): low voltage'",
        "'low power: going home'",
        "'explore: given up, not everything seen, home again'",
    ]
    assert 0.3 < metrics.progress_max_m < 0.59
    assert metrics.progress_m < 0.05
    assert (metrics.statements, metrics.statements_false) == (5, ())


@pytest.mark.parametrize(("charge", "begins"), [(0.04, False), (0.9, True)])
def test_a_nearly_empty_robot_does_not_set_out(charge: float, begins: bool) -> None:
    words, _ = told(charge, 3.2)
    assert any("begun" in line for line in words) is begins
    assert any("refused, the supply is nearly empty" in line for line in words) is not begins


@pytest.mark.parametrize(
    ("chain", "world", "said", "doing"),
    [
        ("TRRHRRVB", "pipe", "RPL forward 900", "reach a distance ahead"),
        ("TRRRRRRB", "open-air", "EXP", "explore"),
    ],
)
def test_whatever_it_does_it_goes_home_and_says_at_once_that_the_battery_is_low(
    chain: str, world: str, said: str, doing: str
) -> None:
    """The cell gives up at 6 s; the alarm, which averages, comes seconds later."""
    asks = [{"at_s": 2.0, "say": said}, {"at_s": 6.5, "say": "SIR batteries"}]
    more: dict[str, Any] = {
        "robot.chain": chain,
        "world": {"kind": world} if world == "open-air" else {"kind": world, "parts": STRAIGHT},
        "control.options.operator": asks,
        "faults": [{"fault": "low_battery", "at_s": 6.0, "charge": 0.04}],
    }
    words, metrics = told(0.9, 22.0, **more)
    assert words[1].endswith("state of the batteries, no")
    assert any(f"low power: going home, instead of: {doing}" in each for each in words)
    assert any("reach home: done" in each for each in words)
    assert metrics.progress_m < 0.05 < metrics.progress_max_m
    assert metrics.statements_false == ()
