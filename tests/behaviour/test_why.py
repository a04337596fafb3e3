"""Why did servo 3 stop?  The trace of a run answers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest
from tests.behaviour.actors import Actor, Conditional, World

from annelid.behaviour import BehaviourStack, FlipFlop, Fusion, Inhibit, Proposal, Suppress, why
from annelid.errors import InputError, UnknownName
from annelid.kernel import MILLISECOND, Kernel, Program, Sleep, milliseconds, seconds
from annelid.kernel.trace import Event, MemorySink, Trace, events


class Heat(Conditional):
    """Objects with its temperature."""

    def propose(self, world: World, /) -> Iterable[Proposal]:
        yield self.proposal("yaw", None, reason=f"{world[self.name]:.0f} °C")


def recorded(*nodes: str) -> list[Event]:
    """A wave, hot from 100 to 200 ms, switched off by hand at 300 ms."""
    sink = MemorySink()
    with Trace(sink) as trace:
        kernel = Kernel(record=trace.events.append)
        for node in nodes:
            kernel.spawn(module(kernel, node), node)
        kernel.run(seconds(0.5))
    return events(sink)


def module(kernel: Kernel, node: str) -> Program:
    fusion = Fusion({"yaw": Inhibit("overheating", over=Suppress("wave"))})
    behaviours = [Actor("wave", {"yaw": 0.25}), Heat("overheating", level=3)]
    stack = BehaviourStack(behaviours, fusion, record=partial(kernel.record, node))
    while True:
        now_ms = kernel.now // MILLISECOND
        if now_ms == 300:
            stack.disable("wave", by="operator", reason="lunch")
        stack.step(kernel.now, {"overheating": 52.0} if 100 <= now_ms < 200 else {})
        yield Sleep(10 * MILLISECOND)


@pytest.mark.parametrize(
    ("t_ms", "answer"),
    [
        (50, "R3 yaw at 0.050 s: 0.25 at first, by wave (suppress), since 0.000 s."),
        (
            150,
            "R3 yaw at 0.150 s: nothing, by overheating (inhibit), since 0.100 s. 52 °C."
            " Before that it was wave's. wave was inhibited by overheating.",
        ),
        (
            250,
            "R3 yaw at 0.250 s: 0.25 at first, by wave (suppress), since 0.200 s."
            " Before that it was overheating's.",
        ),
        (
            400,
            "R3 yaw at 0.400 s: nothing (silence), since 0.300 s."
            " wave is off: disabled by operator (lunch). Before that it was wave's.",
        ),
    ],
)
def test_it_says_who_and_why(t_ms: int, answer: str) -> None:
    assert why(recorded("R3"), "yaw", milliseconds(t_ms)) == answer


def test_before_the_first_word_there_is_nothing_to_tell() -> None:
    assert "nothing yet" in why(recorded("R3"), "yaw", -1)


def test_of_several_nodes_one_must_be_named() -> None:
    told = recorded("R1", "R2")
    assert why(told, "yaw", seconds(0.15), source="R2").startswith("R2 yaw")
    with pytest.raises(InputError, match="R1, R2"):
        why(told, "yaw", seconds(0.15))


def test_a_channel_that_never_was() -> None:
    with pytest.raises(UnknownName, match="mean 'yaw'"):
        why(recorded("R1"), "yow", seconds(0.15))
    with pytest.raises(UnknownName):
        why([], "yaw", 0)


def test_it_tells_of_a_fight() -> None:
    told: list[Event] = []

    def log(kind: str, detail) -> None:
        told.append(Event(now, "planner", kind, dict(detail), len(told)))

    behaviours = [Actor("goal", {"turn": "left"}), Conditional("obstacle", {"turn": "right"})]
    fusion = Fusion({"turn": Suppress("obstacle", "goal")})
    rule = FlipFlop(undone=3, window_ns=seconds(1))
    stack = BehaviourStack(behaviours, fusion, record=log, flip_flop=rule)
    for now in range(20):
        stack.step(now, {"obstacle": 1} if now % 2 else {})
    answer = why(told, "turn", 20)
    assert "right at first, by obstacle" in answer
    assert "obstacle and goal keep undoing each other here (3 times within 1 s)." in answer
