"""The climber's claims that are quick to measure, and that each judge could say no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from annelid.kernel.trace import Event
from annelid.offline.store import Evaluation
from annelid.papers import Bench, Case
from annelid.papers import d01_leg_positions as d1
from annelid.papers import d02_pattern as d2
from annelid.papers import d05_weak_cups as d5
from annelid.papers import d06_three_legs as d6
from annelid.papers import d07_levels as d7
from annelid.papers import d08_times as d8
from annelid.papers.climbed import Climbed, climbed, laid, left_at, reasons
from annelid.papers.interval import Rate
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.model import read_robot
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run
from annelid.trial.run import Trial


def test_d1_ten_generations_already_walk_farther_with_less_force() -> None:
    with Bench(quick=True, workers=1) as bench:
        found = d1.experiment(bench)
    assert found.values["further_percent"] > 20
    assert found.values["force_percent"] < 0
    assert found.values["flat_further_percent"] > 20
    assert found.values["evaluation_ms"] < 10
    assert "with a flat top" in found.ours


def gained(*found: tuple[float, float]) -> d1.Gain:
    """Searches that ended so, from a stance that walks 0.4 m with 10 N."""
    bests = [
        Evaluation("", 0, "ok", {}, metrics=({"distance_m": far, "force_n": force},), score=far)
        for far, force in found
    ]
    return d1.Gain({"distance_m": 0.4, "force_n": 10.0}, bests)


def test_d1_asks_farther_of_both_and_less_force_of_the_one_that_rewards_it() -> None:
    good, heavy, near = gained((0.8, 9.0)), gained((0.8, 11.0)), gained((0.8, 9.0), (0.4, 9.0))
    assert d1.passes(good, heavy)
    assert not d1.passes(heavy, good)
    assert not d1.passes(good, near)
    assert not d1.passes(near, good)
    assert good.told() == "400 → 800 mm (+100 %), force 10.0 → 9.0 N (-10 %)"


@pytest.mark.parametrize(
    ("pattern", "period"),
    [([6, 5, 1] * 3, 3), ([1, 2, 1, 3, 2, 3, 1], None), ([4, 4, 4], 1), ([1, 2, 3], None)],
)
def test_d2_a_period_is_one_that_was_seen_twice(pattern: list[int], period: int | None) -> None:
    assert d2.period(pattern) == period


def test_d2_what_breaks_is_drawn_from_the_seed() -> None:
    pairs = {tuple(fault["board"] for fault in d2.any_two(seed)["faults"]) for seed in range(20)}
    assert len(pairs) > 10
    assert all(len(set(pair)) == 2 for pair in pairs)


def test_d2_every_run_of_every_direction_counts_and_the_control_must_fail() -> None:
    assert d2.passes([True, True], [True, True], [False])
    assert not d2.passes([True, True], [True, False], [False])
    assert not d2.passes([False, True], [True, True], [False])
    assert not d2.passes([True, True], [True, True], [False, True]), "the judge cannot fail"


def test_d6_any_three_legs_are_left() -> None:
    sets = {
        frozenset(fault["board"] for fault in d6.loss(seed, servos="freeze", slope=90)["faults"])
        for seed in range(200)
    }
    assert len(sets) == 20
    assert d6.loss(0, servos="freeze", slope=90) != d6.loss(0, servos="freeze", slope=45)


def test_d6_all_stay_and_none_of_the_control() -> None:
    good = d6.Stayed(
        "legs 1 2 3 at 90°", "3 legs left: they can stand, not walk", False, 0.1, False
    )
    fell = replace(good, fell=True)
    assert d6.passes([good, good], [fell])
    assert not d6.passes([good, fell], [fell])
    assert not d6.passes([good, good], [fell, good]), "the judge cannot fail"
    assert not replace(good, moved_mm=6.0).well
    assert not replace(good, released=True).well


def test_d5_the_limit_of_weak_cups_lies_near_the_papers() -> None:
    climber = read_robot(resolve(load(d5.SCENARIO))[0])
    limit = min(d5.limit_deg(climber, heading) for heading in d5.HEADINGS)
    assert limit == pytest.approx(60, abs=5)
    strong = read_robot(resolve(load("d04-inclines"))[0])
    assert d5.limit_deg(strong, 0.0) > limit + 20


def test_d8_ramps_are_measured_by_their_middle_part() -> None:
    times = np.linspace(0, 10, 1001)
    curve = np.clip((times - 2) / 0.5, 0, 1) - np.clip((times - 6) / 1.5, 0, 1)
    assert d8.ramps(times, curve) == pytest.approx([0.5], abs=0.03)
    assert d8.ramps(-times[::-1], curve[::-1]) == pytest.approx([1.5], abs=0.03)


def test_d7_a_behaviour_is_stopped_by_the_one_that_the_trace_names() -> None:
    off = {"behaviour": "leg safety", "active": False, "reason": "disabled by blocking recovery"}
    changes = [Event(0, "Y1", "behaviour", off, 0)]
    assert d7.stopped_by(changes, "leg safety", "blocking recovery")
    assert not d7.stopped_by(changes, "leg safety", "critical exception handler")
    assert not d7.stopped_by(changes, "trajectory tracking", "blocking recovery")
    on = Event(0, "Y1", "behaviour", {**off, "active": True}, 0)
    assert not d7.stopped_by([on], "leg safety", "blocking recovery")


@dataclass
class Told:
    """A run of which only the planner's events are known."""

    trace: list[Event]

    def events(self, kind: str = "") -> list[Event]:
        return [event for event in self.trace if kind in ("", event.kind)]


def test_d7_asks_who_held_the_token_of_blocked_robots_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A robot that is not blocked has nothing to recover from; one that is blocked must hand the
    token over, and recover or stop with a word.  One that slid off at once has no trace."""
    came = Climbed(True, False, "", 1.0, 0.1, 1.0, 0.5, ())
    monkeypatch.setattr(d7, "climbed", lambda run: came)
    went = d7.recovers(cast(Run, Told([])))
    assert went
    assert all(went.values())
    blocked = Event(0, "Y1", "blocked", {"why": "leg 3"}, 0)
    silent = d7.recovers(cast(Run, Told([blocked])))
    assert not silent["token went over"]
    assert not silent["recovered, or stopped"]
    stopped = Event(1, "Y1", "critical stop", {"why": "legs 3 cannot be brought back"}, 1)
    assert d7.recovers(cast(Run, Told([blocked, stopped])))["recovered, or stopped"]
    assert d7.stops(cast(Run, Told([]))) == {}


def test_the_commonest_reasons_are_told_and_none_where_all_walked() -> None:
    good = Climbed(True, False, "", 1.0, 0.1, 1.0, 0.5, ())
    assert reasons([good, good]) == ""
    assert reasons([good, replace(good, fell=True)]) == ".  Not walked: 1 × fell"
    late = replace(good, arrived=False)
    told = reasons([late, late, replace(late, critical="3 legs left"), replace(good, fell=True)])
    assert told.startswith(".  Not walked: 2 × did not arrive in time; 1 × ")


def test_a_follower_that_finds_its_height_later_is_right() -> None:
    """At its first look it is 2 mm too low and takes a body that leans by half a degree for level.
    The surface does not care: after 300 mm the body is where it is above it."""
    slope = np.radians(30)
    normal = np.array([-np.sin(slope), 0.0, np.cos(slope)])
    level = BodyPose.of(rotation=(0.0, -slope, 0.0))
    began = level @ BodyPose.of((0.5, 0.1, 0.092), (0.0, np.radians(0.5), np.radians(40)))
    floor = laid(began, BodyPose.of((0.0, 0.0, 0.090)), normal)
    ahead = floor.turn[:, 0]
    assert floor.into(began.at) == pytest.approx([0.0, 0.0, 0.092], abs=1e-9)
    assert floor.into(began.at + 0.3 * ahead) == pytest.approx([0.3, 0.0, 0.092], abs=1e-9)
    assert abs(ahead @ normal) < 1e-12


def test_a_walk_begins_when_the_body_leaves_its_place() -> None:
    sways = [BodyPose.of((0.0, 0.0, 0.09), (0.0, 0.0, yaw)) for yaw in (0.0, 0.1, -0.1)]
    walks = [BodyPose.of((x, 0.0, 0.09)) for x in (0.002, 0.004)]
    assert left_at([*sways, *walks]) == 3
    assert left_at(sways) == 0


def test_counts_have_their_interval() -> None:
    assert str(Rate.count([True] * 9 + [False])) == "9 of 10 (60-98 %)"


Recorded = Callable[..., Run]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    def record(scenario: str, **fields: Any) -> Run:
        case = Case(scenario, {name.replace("__", "."): value for name, value in fields.items()})
        return Run(Trial(case.repeat("", 1).scenario()).run(tmp_path / "run").folder)

    return record


def test_a_walk_is_judged_by_where_the_body_really_was(recorded: Recorded) -> None:
    way = [{"x_mm": 20, "y_mm": 10, "yaw_deg": 4}]
    run = recorded(
        "d03-trajectories",
        control__options__way=way,
        control__options__sway_deg=0,
        duration_s=8,
    )
    came = climbed(run)
    assert came.walked
    assert came.path_mm[-1] == pytest.approx((20, 10), abs=3)
    assert came.off_mm < 5
    assert came.off_deg < 1
    assert came.critical == ""


def test_a_robot_that_lets_go_has_fallen(recorded: Recorded) -> None:
    leaks = [
        {"fault": "leaky_cup", "cup": f"L{leg}.cup", "falls_s": 0.1, "at_s": 1.0}
        for leg in range(1, 7)
    ]
    came = climbed(recorded("d04-inclines", faults=leaks, duration_s=4))
    assert came.fell
    assert not came.walked


def test_d6_a_robot_with_five_legs_has_not_said_what_is_asked_for(recorded: Recorded) -> None:
    dead = [{"fault": "dead_board", "board": "L2", "at_s": 1.0, "servos": "freeze"}]
    found = d6.judge(recorded("d06-three-legs", faults=dead, duration_s=6, world__slope_deg=0))
    assert not found.fell
    assert not found.well
