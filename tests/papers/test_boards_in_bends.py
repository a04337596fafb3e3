"""B18 on boards: which chains are run, and how they are compared."""

from __future__ import annotations

import pytest

from annelid.papers import Bench, b18_boards, b18_elbow, b19_undulating
from annelid.papers.b18_boards import OnBoards, Went
from annelid.papers.interval import Interval
from annelid.trial.load import resolve


def went(*ways_m: float, passed: bool = True) -> list[Went]:
    return [Went(passed, way) for way in ways_m]


@pytest.mark.parametrize(("bend", "chain"), [("rising", "THHRHHRHH"), ("level", "THRHRHRHH")])
def test_one_chain_alone_has_the_most_drives_that_fit(bend: str, chain: str):
    """On the level it is the paper's: its claim is a claim about an elbow of 1.5 diameters."""
    assert b18_boards.fitting(bend)[0] == [chain]


@pytest.mark.parametrize("bend", b18_boards.BENDS)
def test_passed_means_that_the_tail_is_out_of_the_bend(bend: str):
    scenario = b18_boards.case("TRRRRHRHH", bend).repeat("", 0).scenario()
    robot, world = resolve(scenario)
    assert scenario.success.progress_m == pytest.approx(
        (world.goal or 0.0) - 1.4 + robot.length, abs=1e-3
    )
    assert scenario.tolerances.draw


def test_the_best_has_the_most_drives():
    found = OnBoards("rising", {"THH": went(3, 3.1, 3.2), "TRH": went(1, 1.1, 1.3)})
    assert (found.order[0], found.most, found.verdict) == ("THH", 2, "holds")


def test_the_best_has_fewer_drives():
    found = OnBoards("level", {"THH": went(1, 1.1, 1.2), "TRH": went(2, 2.1, 2.3)})
    assert (found.order[0], found.most, found.verdict) == ("TRH", 2, "does not hold")
    assert found.told("THH").startswith("level TRH (1 H), THH -48.4%, most H that pass: 2")


def test_a_lead_that_may_be_chance_is_none():
    found = OnBoards("rising", {"THH": went(1.0, 1.1, 1.2), "TRH": went(1.2, 1.0, 1.3)})
    assert found.verdict == "THH (2 H) is as good"
    found = OnBoards("rising", {"THH": went(1.2, 1.0, 1.3), "TRH": went(1.0, 1.1, 1.2)})
    assert found.verdict == "TRH (1 H) is as good"


def test_a_chain_passes_when_every_robot_does():
    runs = {"THH": [*went(2, 2), *went(2, passed=False)], "TRH": went(1, 1, 1)}
    assert OnBoards("rising", runs).most == 1
    assert OnBoards("rising", {"THH": runs["THH"]}).verdict == "none passes"


def test_chains_with_fewer_drives_are_run_until_one_passes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(b18_boards, "fitting", lambda bend: [["THHHH"], ["THHHR"], ["THHRR"]])
    asked: list[str] = []

    class Pretended(Bench):
        def trials(self, cases, judge, *, repeats=1):
            letters = [key.split()[1] for key in cases]
            asked.extend(letters)
            return {
                key: went(1, 1, 1, passed=each.count("H") < 4)
                for key, each in zip(cases, letters, strict=True)
            }

    found = b18_boards.on_boards(Pretended(workers=1), "level", ["THRRR"])
    assert asked == ["THRRR", "THHHH", "THHHR"]
    assert found.most == 3


def test_the_claim_has_to_hold_in_every_setting_and_not_in_the_one_we_chose():
    settings = ("limp rising", "limp level", "on boards rising", "on boards level")
    assert b18_elbow.holds_everywhere(dict.fromkeys(settings, True))
    chosen = {where: where == "limp rising" for where in settings}
    assert not b18_elbow.holds_everywhere(chosen)


def grounds(own: float, half: float = 0.1) -> dict[int, Interval]:
    return {w: Interval(own, own - half, own + half) for w in b19_undulating.WAVELENGTHS_MM}


def test_a_gait_is_adjusted_to_its_ground_only_beyond_chance():
    adjusted = b19_undulating.adjusted
    assert adjusted(grounds(2.3), grounds(1.6), grounds(1.8))
    assert not adjusted(grounds(2.3), grounds(2.2), grounds(1.8)), "the intervals meet"
    assert not adjusted(grounds(2.3), grounds(1.6), grounds(2.2)), "the paper's is as good"
    one_ground = grounds(1.6) | {300: Interval(2.4, 2.3, 2.5)}
    assert not adjusted(grounds(2.3), one_ground, grounds(1.8))
