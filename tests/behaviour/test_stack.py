"""Rates, what stands and what is withdrawn, what is recorded, and mistakes of behaviours."""

from __future__ import annotations

import numpy as np
import pytest
from tests.behaviour.actors import Actor, Conditional, Notes, World

from annelid.behaviour import (
    BehaviourStack,
    Blend,
    FlipFlop,
    Fusion,
    Proposal,
    Select,
    Sum,
    Suppress,
)
from annelid.errors import InputError, UnknownName
from annelid.kernel import MILLISECOND, SECOND, period

TICK = 15 * MILLISECOND


def test_each_behaviour_runs_at_its_own_rate() -> None:
    wave = Actor("wave", {"yaw": 0.1})
    heat = Actor("heat", {"lamp": "on"}, period_ns=period(10))
    stack = BehaviourStack([wave, heat], Fusion({"yaw": "wave", "lamp": "heat"}))
    for now in range(0, 3 * SECOND, TICK):
        assert stack.step(now, {}) == {"yaw": 0.1, "lamp": "on"}  # the slow one's word stands
    assert wave.runs == 200
    assert heat.runs == 30  # not 28: the lateness of the ticks does not add up


def test_a_slow_condition_is_looked_at_at_its_own_rate() -> None:
    slow = Conditional("slow", {"yaw": 1.0}, period_ns=100)
    stack = BehaviourStack([slow], Fusion({"yaw": "slow"}))
    assert stack.step(0, {})["yaw"] is None
    assert stack.step(50, {"slow": 1})["yaw"] is None
    assert stack.step(100, {"slow": 1})["yaw"] == 1.0
    assert stack.step(150, {})["yaw"] == 1.0
    assert stack.step(200, {})["yaw"] is None


def test_a_slow_behaviour_that_is_enabled_again_runs_at_once() -> None:
    slow = Actor("slow", {"yaw": 1.0}, period_ns=1000)
    stack = BehaviourStack([slow], Fusion({"yaw": "slow"}))
    stack.step(0, {})
    stack.disable("slow", by="me")
    assert stack.step(10, {})["yaw"] is None
    stack.enable("slow", by="me")
    assert stack.step(20, {})["yaw"] == 1.0


def test_a_channel_not_mentioned_again_is_withdrawn() -> None:
    actor = Actor("a", lambda world: dict.fromkeys(world["on"], 1.0))
    stack = BehaviourStack([actor], Fusion({"x": "a", "y": "a"}))
    assert stack.step(0, {"on": "xy"}) == {"x": 1.0, "y": 1.0}
    assert stack.step(1, {"on": "y"}) == {"x": None, "y": 1.0}
    assert stack.step(2, {"on": "x"}) == {"x": 1.0, "y": None}
    assert stack.step(3, {"on": ""}) == {"x": None, "y": None}


def test_only_changes_of_the_winner_are_recorded() -> None:
    notes = Notes()
    wave = Actor("wave", lambda world: {"yaw": world["t"]})
    command = Conditional("command", {"yaw": 9.0}, level=1, reason="the operator said so")
    fusion = Fusion({"yaw": Suppress("command", "wave")})
    stack = BehaviourStack([wave, command], fusion, record=notes)
    for t in range(10):
        stack.step(t, {"t": t} | ({"command": 1} if 4 <= t < 7 else {}))
    assert [(note["winners"], note["before"]) for note in notes.of("decision")] == [
        (["wave"], []),
        (["command"], ["wave"]),
        (["wave"], ["command"]),
    ]
    taken = notes.of("decision")[1]
    assert taken["reason"] == "the operator said so"
    assert taken["losers"] == ["wave was suppressed by command"]
    assert [(note["behaviour"], note["active"]) for note in notes.of("behaviour")] == [
        ("wave", True),
        ("command", True),
        ("command", False),
    ]


def test_a_silent_channel_says_what_became_of_its_winner() -> None:
    notes = Notes()
    shy = Actor("shy", lambda world: {"x": 1.0} if world else {})
    off = Conditional("off", {"y": 1.0})
    stack = BehaviourStack([shy, off], Fusion({"x": "shy", "y": "off"}), record=notes)
    stack.step(0, {"off": 1})
    stack.step(1, {})
    reasons = {note["channel"]: note["reason"] for note in notes.of("decision")[-2:]}
    assert reasons == {
        "x": "shy has nothing to say",
        "y": "off is off: its condition is no longer met",
    }


def test_selection_follows_the_situation_though_nobody_speaks_anew() -> None:
    constant = Actor("turn", {"gait": "turn"}, period_ns=1000)
    other = Actor("straight", {"gait": "straight"}, period_ns=1000)
    tree = Select("turn", "straight", score=lambda option, world: option.value == world["best"])
    stack = BehaviourStack([constant, other], Fusion({"gait": tree}))
    assert stack.step(0, {"best": "turn"})["gait"] == "turn"
    assert stack.step(1, {"best": "straight"})["gait"] == "straight"
    assert constant.runs == 1


def test_directions_are_recorded_as_lists() -> None:
    notes = Notes()
    actor = Actor("a", {"to": np.array([1.0, 2.0])})
    BehaviourStack([actor], Fusion({"to": Sum("a")}), record=notes).step(0, {})
    assert notes.of("decision")[0]["value"] == [1.0, 2.0]


# -- behaviours that undo each other ---------------------------------------------------------------


def fighters(notes: Notes, rule: FlipFlop) -> BehaviourStack[World]:
    goal = Actor("goal", {"turn": "left"})
    obstacle = Conditional("obstacle", {"turn": "right"}, level=1)
    fusion = Fusion({"turn": Suppress("obstacle", "goal")})
    return BehaviourStack([goal, obstacle], fusion, record=notes, flip_flop=rule)


def test_two_that_keep_undoing_each_other_are_reported_once() -> None:
    notes = Notes()
    stack = fighters(notes, FlipFlop(undone=5, window_ns=100))
    for now in range(40):
        stack.step(now, {"obstacle": 1} if now % 2 else {})
    (report,) = notes.of("flip-flop")
    assert sorted(report.pop("between")) == ["goal", "obstacle"]
    assert report == {"channel": "turn", "undone": 5, "window_ns": 100}
    for now in range(1000, 1040):  # after a rest it is news again
        stack.step(now, {"obstacle": 1} if now % 2 else {})
    assert len(notes.of("flip-flop")) == 2


def test_slow_changes_are_no_flip_flop() -> None:
    notes = Notes()
    stack = fighters(notes, FlipFlop(undone=5, window_ns=100))
    for now in range(0, 4000, 50):
        stack.step(now, {"obstacle": 1} if now % 100 else {})
    assert not notes.of("flip-flop")


def test_one_winner_after_the_other_is_no_flip_flop() -> None:
    notes = Notes()
    names = "abcdefgh"
    actors = [Conditional(name, {"turn": name}) for name in names]
    rule = FlipFlop(undone=1, window_ns=100)
    stack = BehaviourStack(actors, Fusion({"turn": Suppress(*names)}), record=notes, flip_flop=rule)
    for now, name in enumerate(names):
        stack.step(now, {name: 1})
    assert not notes.of("flip-flop")
    with pytest.raises(InputError, match="FlipFlop"):
        FlipFlop(undone=0)


# -- mistakes --------------------------------------------------------------------------------------


class Raw(Actor):
    """Proposes exactly what it is given."""

    def __init__(self, *proposals: Proposal) -> None:
        super().__init__("raw")
        self.proposals = proposals

    def propose(self, world: World, /) -> tuple[Proposal, ...]:
        return self.proposals


@pytest.mark.parametrize(
    ("proposals", "message"),
    [
        ([Proposal("yow", 1.0, 1.0, "raw")], "raw: unknown channel 'yow'. Did you mean 'yaw'?"),
        ([Proposal("lamp", 1.0, 1.0, "raw")], "channel 'lamp' hears: unknown behaviour 'raw'"),
        ([Proposal("yaw", 1.0, 1.5, "raw")], "strength: expected 0 to 1, got 1.5"),
        ([Proposal("yaw", 1.0, float("nan"), "raw")], "strength"),
        ([Proposal("yaw", 1.0, 1.0, "other")], "source: expected its own name, got 'other'"),
        ([Proposal("yaw", 1.0, 1.0, "raw")] * 2, "one proposal a channel, got two for 'yaw'"),
    ],
)
def test_a_behaviour_that_proposes_nonsense_is_named(
    proposals: list[Proposal], message: str
) -> None:
    fusion = Fusion({"yaw": Blend("raw"), "lamp": "lamp"})
    stack = BehaviourStack([Raw(*proposals), Actor("lamp")], fusion)
    with pytest.raises(InputError) as caught:
        stack.step(0, {})
    assert message in str(caught.value)


def test_asking_for_a_channel_that_is_not_there() -> None:
    stack = BehaviourStack([Actor("a")], Fusion({"yaw": "a"}))
    with pytest.raises(UnknownName, match="mean 'yaw'"):
        stack.decision("yow")
