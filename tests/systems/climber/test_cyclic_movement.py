"""The fixed cycle of 003 §4.4.6, asked for in a scenario or by the operator."""

from __future__ import annotations

import pytest
from tests.systems.climber.climbs import ClimbRun

from annelid.systems.climber.front import gaits
from annelid.systems.climber.planner.orders import WalkingStyle


def test_the_operator_asks_for_it_and_legs_follow_from_the_back() -> None:
    told = [{"at_s": 0.0, "do": "cyclic"}]
    run = ClimbRun({"way": [{"x_mm": 40}], "operator": told, "stride_mm": 15}, slope_deg=90)
    run.run(9.0)
    assert run.now.gait is WalkingStyle.CYCLIC
    assert run.told("stride")[0][1]["mm"] == pytest.approx(15, abs=0.5)
    assert run.pattern[:2] == [3, 4]
    assert not run.now.critical
    free = ClimbRun({"way": [{"x_mm": 40}], "stride_mm": 15}, slope_deg=90)
    free.run(2.0)
    assert not free.told("stride")
    assert free.pattern[:1] != [3], "the free gait happens to begin with the same leg"


@pytest.mark.slow
@pytest.mark.parametrize("slope", [0.0, 180.0])
def test_it_arrives(slope: float) -> None:
    way = [{"x_mm": 70, "yaw_deg": 4}]
    run = ClimbRun({"way": way, "gait": "cyclic", "stride_mm": 40}, slope_deg=slope)
    run.walk(100.0)
    assert run.now.arrived
    assert run.pattern[:6] == run.pattern[6:12]
    assert not run.fallen


def test_the_comparison_of_gaits_waits_until_all_legs_have_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gaits, "WAY_MM", 40.0)
    walked = gaits.walk((WalkingStyle.CYCLIC, 0.0), scenario="climber", seed=0)
    assert walked.mm_s is not None, walked.why
    assert walked.joules_m > 0.0
