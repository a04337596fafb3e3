"""Who may run: conditions, levels, enabling, tokens, and hands from outside."""

from __future__ import annotations

import pytest
from tests.behaviour.actors import Actor, Conditional, Notes, World

from annelid.behaviour import BELOW, Behaviour, BehaviourStack, Fusion, Level, Suppress
from annelid.errors import InputError, UnknownName

TREE = Suppress(Level(3), Level(2), Level(1), Level(0))


def stack_of(
    *behaviours: Behaviour[World], record: Notes | None = None, tokens: dict[str, int] | None = None
) -> BehaviourStack[World]:
    return BehaviourStack(behaviours, Fusion({"move": TREE}), record=record, tokens=tokens)


def test_a_behaviour_runs_while_its_condition_holds() -> None:
    walk = Conditional("walk", {"move": 1.0})
    stack = stack_of(walk)
    assert stack.step(0, {})["move"] is None
    assert stack.step(1, {"walk": 1})["move"] == 1.0
    assert stack.step(2, {})["move"] is None
    assert (walk.runs, walk.resets) == (1, 1)


def test_an_upper_level_disables_the_lower_ones_in_the_same_step() -> None:
    stop = Conditional("stop", level=3, disables=BELOW)
    lower = Actor("track", {"move": 1.0}, level=1), Actor("safety", level=2)
    stack = stack_of(*lower, stop)
    assert stack.step(0, {})["move"] == 1.0
    assert stack.step(1, {"stop": 1})["move"] is None
    assert stack.active == ["stop"]
    assert [one.runs for one in lower] == [1, 1]
    assert stack.step(2, {})["move"] == 1.0
    assert stack.active == ["safety", "track"]


def test_what_a_disabled_behaviour_disabled_runs_again() -> None:
    middle = Actor("middle", {"move": 2.0}, level=2, disables=("low",))
    top = Conditional("top", level=3, disables=("middle",))
    stack = stack_of(Actor("low", {"move": 1.0}), middle, top)
    assert stack.step(0, {})["move"] == 2.0
    assert stack.active == ["middle"]
    assert stack.step(1, {"top": 1})["move"] == 1.0
    assert stack.active == ["top", "low"]


def test_when_the_enabler_is_disabled_so_is_what_it_enabled() -> None:
    """003 §4.2.1: leg safety and trajectory control, under blocking recovery."""
    safety = Actor("leg safety", level=2, enables=("trajectory",))
    trajectory = Actor("trajectory", {"move": 1.0}, level=1, on_demand=True)
    recovery = Conditional("recovery", level=3, disables=("leg safety",))
    stack = stack_of(trajectory, safety, recovery)
    assert stack.step(0, {})["move"] == 1.0
    assert stack.step(1, {"recovery": 1})["move"] is None
    assert stack.active == ["recovery"]
    assert stack.step(2, {})["move"] == 1.0


def test_a_behaviour_may_change_its_mind_about_whom_it_disables() -> None:
    top = Actor("top", level=3)
    stack = stack_of(Actor("a", {"move": 1.0}), Actor("b", {"move": 2.0}), top)
    assert stack.step(0, {})["move"] == 1.0
    top.disables = ("a",)
    assert stack.step(1, {})["move"] == 2.0
    top.disables = ("b",)
    assert stack.step(2, {})["move"] == 1.0
    assert stack.active == ["top", "a"]


def test_of_two_that_share_a_token_one_runs_at_a_time() -> None:
    """003 §4.2.2: leg safety and leg allocation."""
    notes = Notes()
    safety = Conditional("safety", {"move": 1.0}, token="legs")
    allocation = Conditional("allocation", {"move": 2.0}, token="legs")
    stack = stack_of(safety, allocation, record=notes)
    both: World = {"safety": 1, "allocation": 1}
    assert stack.step(0, {"allocation": 1})["move"] == 2.0
    assert stack.step(1, both)["move"] == 2.0
    assert stack.active == ["allocation"]
    stack.step(2, {"safety": 1})  # it is dropped, and free from the next step on
    assert stack.step(3, both)["move"] == 1.0
    assert stack.active == ["safety"]
    owners = [(note["before"], note["owner"], note["reason"]) for note in notes.of("token")]
    assert owners == [(None, "allocation", "asked for"), ("allocation", "safety", "given back")]


def test_a_token_that_times_out_stops_its_owner_at_once() -> None:
    greedy = Actor("greedy", {"move": 1.0}, token="legs")
    modest = Conditional("modest", {"move": 2.0}, token="legs")
    stack = stack_of(greedy, modest, tokens={"legs": 10})
    for now in range(10):
        stack.step(now, {"modest": 1})
        assert stack.active == ["greedy"]
    for now in range(10, 20):
        assert stack.step(now, {"modest": 1})["move"] == 2.0
        assert stack.active == ["modest"]
    stack.step(20, {"modest": 1})
    assert stack.active == ["greedy"]


def test_one_that_is_disabled_gives_its_token_back_and_waits_no_longer() -> None:
    first = Actor("first", {"move": 1.0}, token="legs")
    second = Actor("second", {"move": 2.0}, token="legs")
    stack = stack_of(first, second)
    stack.step(0, {})
    legs = stack.tokens["legs"]
    assert list(legs.waiting) == ["second"]
    stack.disable("second", by="operator")
    stack.step(1, {})
    assert list(legs.waiting) == []
    stack.disable("first", by="operator")
    stack.step(2, {})
    assert legs.owner is None


def test_only_the_hand_that_disabled_can_enable() -> None:
    notes = Notes()
    stack = stack_of(Actor("walk", {"move": 1.0}), record=notes)
    stack.step(0, {})
    stack.disable("walk", by="operator", reason="lunch")
    stack.enable("walk", by="somebody else")
    assert stack.step(1, {})["move"] is None
    assert notes.of("behaviour")[-1] == {
        "behaviour": "walk",
        "active": False,
        "reason": "disabled by operator (lunch)",
    }
    stack.enable("walk", by="operator")
    assert stack.step(2, {})["move"] == 1.0


@pytest.mark.parametrize(
    ("behaviours", "message"),
    [
        ([Actor("")], "expected a name"),
        ([Actor("a"), Actor("a")], "twice: a"),
        ([Actor("a", period_ns=-1)], "period_ns"),
        ([Actor("a", level=1), Actor("b", level=1, disables=("a",))], "below level 1"),
        ([Actor("a"), Actor("b", enables=("a",))], "on_demand"),
    ],
)
def test_a_stack_that_cannot_work_is_refused(behaviours: list[Actor], message: str) -> None:
    with pytest.raises(InputError, match=message):
        stack_of(*behaviours)


def test_disabling_somebody_who_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownName, match="mean 'track'"):
        stack_of(Actor("track"), Actor("stop", level=3, disables=("trak",)))
    stack = BehaviourStack(
        [Actor("stop", level=3, disables=("trak",))], Fusion({"move": TREE}), absent=["trak"]
    )
    stack.step(0, {})
    with pytest.raises(UnknownName, match="trak"):
        stack.disable("trak", by="operator")
