"""A central control that begins anew on the way: by RST it knows where it is, by a fault it knows
that it does not."""

from __future__ import annotations

from typing import Any

import pytest

from annelid.trial.load import load
from annelid.trial.metrics import Metrics
from annelid.trial.run import Trial


def told(
    chain: str, world: dict[str, Any], *says: tuple[float, str], **fault: Any
) -> tuple[list[str], Metrics]:
    fields = {
        "robot.chain": chain,
        "world": world,
        "duration_s": 32.0,
        "stop_at_goal": False,
        "physics.timestep_ms": 1.0,
        "control.options.operator": [{"at_s": at_s, "say": line} for at_s, line in says],
        "faults": [fault] if fault else [],
    }
    trial, words = Trial(load("explore-straight", overrides=fields)), []
    trial.listeners.append(
        lambda t_ns, source, kind, detail: (
            words.append(detail["words"]) if kind == "answer" else None
        )
    )
    return words, trial.measure()


def pipe(*parts: dict[str, Any], bore_mm: float = 40) -> dict[str, Any]:
    return {"kind": "pipe", "bore_mm": bore_mm, "parts": list(parts)}


STRAIGHT = {"part": "straight", "length_mm": 700}
ENDS = {"part": "straight", "length_mm": 230}
"""Its end is where the nose is when RST comes."""


@pytest.mark.parametrize(
    ("chain", "parts", "bore_mm"),
    [("TRRHRV", STRAIGHT, 40), ("TSESV", STRAIGHT, 43), ("TRRHRRV", ENDS, 41)],
)
def test_after_a_reset_by_the_operator_it_knows_where_home_is(
    chain: str, parts: dict[str, Any], bore_mm: float
) -> None:
    says = ((2.0, "RPL forward 600"), (10.5, "RST"), (13.5, "SIR distance"), (14.0, "RPL home"))
    words, metrics = told(chain, pipe(parts, bore_mm=bore_mm), *says)
    assert words[-1] == "ANS 'reach home: done, home'"
    assert metrics.progress_m < 0.05
    assert metrics.progress_max_m > 0.15
    assert metrics.statements_false == ()


@pytest.mark.parametrize("away_s", [1.0, 6.0])
def test_one_that_has_started_on_the_way_does_not_claim_to_know_home(away_s: float) -> None:
    """Whether modules have stopped by themselves before or not."""
    says = ((2.0, "EXP"), (16.0, "RPL home"), (16.5, "SIR distance"), (17.0, "RPL back 50"))
    fault = {"fault": "dead_board", "board": "PC", "at_s": 8.0, "until_s": 8.0 + away_s}
    words, metrics = told("TRRHRV", pipe(STRAIGHT), *says, **fault)
    assert ["does not know where home is" in each for each in words[1:]] == [True, False, True]
    assert "no module of this robot can tell" in words[2]
    assert metrics.statements_false == ()


def test_one_that_starts_anew_at_home_knows_it() -> None:
    fault = {"fault": "dead_board", "board": "PC", "at_s": 2.0, "until_s": 3.0}
    words, metrics = told("TRRHRV", pipe(STRAIGHT), (5.0, "EXP"), (10.0, "RPL home"), **fault)
    assert words[-1] == "ANS 'reach home: done, home'"
    assert metrics.statements_false == ()
