"""Tables that read like the figures, and decide like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.actors import Actor, World

from annelid.behaviour import (
    Arbiter,
    BehaviourStack,
    Blend,
    ByToken,
    Fusion,
    Gate,
    Inhibit,
    Level,
    Option,
    Proposal,
    Select,
    Sum,
    Suppress,
)
from annelid.behaviour.fusion import House
from annelid.behaviour.tokens import Token
from annelid.errors import InputError, UnknownName

SURVIVAL, COMMAND, WALKING = 3, 2, 1
FIG_13 = Inhibit(Level(SURVIVAL), over=Suppress("command", Blend(Level(WALKING))))
FIG_17 = Suppress(
    "obstacle negotiation",
    Sum("reach a place", "reach a landmark", limits=(-1, 1)),
    Sum("edge following", "pipe following"),
    "wandering",
)


def said(world: World, name: str) -> dict[str, float]:
    return {"yaw": world[name]} if name in world else {}


def actors(levels: dict[str, int]) -> list[Actor]:
    """Each says what the world holds under its name, and nothing if that has none."""
    return [
        Actor(name, lambda world, name=name: said(world, name), level=level)  # type: ignore[misc]
        for name, level in levels.items()
    ]


def fig_13() -> BehaviourStack[World]:
    levels = {"heat": SURVIVAL, "damage": SURVIVAL, "command": COMMAND, "v": WALKING, "h": WALKING}
    return BehaviourStack(actors(levels), Fusion({"yaw": FIG_13}))


def test_figure_13() -> None:
    stack = fig_13()
    assert stack.step(0, {}) == {"yaw": None}
    assert stack.step(1, {"v": 0.2})["yaw"] == 0.2
    assert stack.step(2, {"v": 0.2, "h": 0.4})["yaw"] == pytest.approx(0.3)  # combined
    assert stack.step(3, {"v": 0.2, "h": 0.4, "command": 1.0})["yaw"] == 1.0  # overridden
    assert stack.step(4, {"v": 0.2, "command": 1.0, "heat": 0})["yaw"] is None  # inhibited
    assert stack.decision("yaw").winners == ("heat",)
    assert [loser.source for loser in stack.decision("yaw").losers] == ["v", "command"]


def test_figure_17() -> None:
    names = ["obstacle negotiation", "reach a place", "reach a landmark", "edge following"]
    levels = dict.fromkeys([*names, "pipe following", "wandering"], 0)
    stack = BehaviourStack(actors(levels), Fusion({"yaw": FIG_17}))
    world: World = {"wandering": 0.1}
    assert stack.step(0, world)["yaw"] == 0.1
    world |= {"edge following": 0.2, "pipe following": 0.3}
    assert stack.step(1, world)["yaw"] == pytest.approx(0.5)
    world |= {"reach a place": 0.9, "reach a landmark": 0.8}
    assert stack.step(2, world)["yaw"] == 1.0  # the limit
    world |= {"obstacle negotiation": -0.7}
    assert stack.step(3, world)["yaw"] == -0.7
    assert stack.step(4, {"wandering": 0.1})["yaw"] == 0.1


@given(speaks=st.dictionaries(st.integers(0, 5), st.floats(-1, 1)))
def test_the_highest_level_wins(speaks: dict[int, float]) -> None:
    levels = {f"b{level}": level for level in range(6)}
    tree = Suppress(*[Level(level) for level in range(5, -1, -1)])
    stack = BehaviourStack(actors(levels), Fusion({"yaw": tree}))
    value = stack.step(0, {f"b{level}": value for level, value in speaks.items()})["yaw"]
    assert value == (speaks[max(speaks)] if speaks else None)


def likes(option: Option, world: World) -> float | None:
    return None if option.value < -0.5 else option.value * world["sign"]


NAMES = "abcdef"
leaves = st.sampled_from(NAMES)
nodes = st.recursive(
    leaves,
    lambda part: st.one_of(
        st.builds(lambda parts: Suppress(*parts), st.lists(part, min_size=1, max_size=3)),
        st.builds(lambda parts: Blend(*parts), st.lists(part, min_size=1, max_size=3)),
        st.builds(lambda parts: Sum(*parts, limits=(-1, 1)), st.lists(part, min_size=1)),
        st.builds(lambda parts: Select(*parts, score=likes), st.lists(part, min_size=1)),
        st.builds(lambda parts: ByToken("t", *parts), st.lists(part, min_size=1)),
        st.builds(lambda parts, over: Inhibit(*parts, over=over), st.lists(part), part),
        st.builds(lambda p: Gate(p, when=lambda v, _: v > 0, because="negative"), part),
    ),
    max_leaves=8,
)
proposals = st.dictionaries(leaves, st.tuples(st.none() | st.floats(-1, 1), st.floats(0, 1)))


@given(part=nodes, spoken=proposals, owner=st.none() | leaves)
def test_a_tree_without_the_silent_decides_the_same(part, spoken, owner) -> None:
    """Stacks prune the tree to those who speak; nobody may be able to tell."""
    tree = part if isinstance(part, Arbiter) else Suppress(part)
    token = Token("t")
    token.owner = owner
    house = House(dict.fromkeys(NAMES, 0), tokens={"t": token})
    seats = {name: index for index, name in enumerate(NAMES)}
    heard = [
        Proposal("yaw", spoken[name][0], spoken[name][1], name) if name in spoken else None
        for name in NAMES
    ]
    whole, _ = tree.resolved(house, "").compile(house, seats)
    pruned = tree.resolved(house, "").among(spoken)
    expected = whole(heard, {"sign": 1.0})
    if pruned is None:
        assert expected.value is None
        assert not expected.winners
    else:
        decision = pruned.compile(house, seats)[0](heard, {"sign": 1.0})
        assert decision[:4] == expected[:4]


def test_a_gate_may_look_at_the_value_and_at_the_stimuli() -> None:
    tree = Gate("v", when=lambda value, world: value < world["limit"], because="out of reach")
    stack = BehaviourStack(actors({"v": 0}), Fusion({"yaw": tree}))
    assert stack.step(0, {"v": 0.5, "limit": 1})["yaw"] == 0.5
    assert stack.step(1, {"v": 0.5, "limit": 0})["yaw"] is None  # the value has not changed
    assert str(stack.decision("yaw").losers[0]) == "v was stopped: out of reach"


def test_a_new_behaviour_of_a_level_is_heard_without_an_edit_of_the_table() -> None:
    levels = {"command": COMMAND, "v": WALKING, "new": WALKING}
    stack = BehaviourStack(actors(levels), Fusion({"yaw": FIG_13}))
    assert stack.step(0, {"new": 0.7})["yaw"] == 0.7


def test_a_name_nobody_has_is_refused_unless_it_is_known_to_be_absent() -> None:
    fusion = Fusion({"yaw": Suppress("comand", "v")})
    with pytest.raises(UnknownName, match=r"channel 'yaw': .*'comand'.*mean 'command'"):
        BehaviourStack(actors({"command": 1, "v": 0}), fusion)
    stack = BehaviourStack(actors({"v": 0}), fusion, absent={"comand"})
    assert stack.step(0, {"v": 0.1})["yaw"] == 0.1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Suppress, "at least one part"),
        (
            lambda: Blend("a", 3),  # type: ignore[arg-type]
            "the name of a behaviour, a Level or an arbiter, got 3",
        ),
        (lambda: Sum("a", limits=(1, -1)), "limits"),
        (lambda: BehaviourStack([Actor("a")], Fusion({"x": ByToken("t", "a")})), "token 't'"),
    ],
)
def test_mistakes_in_a_table_show_when_it_is_written(wrong, message: str) -> None:
    with pytest.raises(InputError, match=message):
        wrong()


def test_one_that_may_object_or_put_its_own_value_in_the_place_of_another() -> None:
    """Objecting is proposing no value; the same level may then speak in both places."""
    tree = Inhibit(Level(SURVIVAL), over=Suppress(Level(SURVIVAL), Level(WALKING)), objecting=True)
    stack = BehaviourStack(actors({"heat": SURVIVAL, "v": WALKING}), Fusion({"yaw": tree}))
    assert stack.step(0, {"v": 0.2})["yaw"] == 0.2
    assert stack.step(1, {"v": 0.2, "heat": 0.1})["yaw"] == 0.1
    hot: World = {"v": 0.2, "heat": None}
    assert stack.step(2, hot)["yaw"] is None
    assert stack.decision("yaw").blank
