"""A step is the largest part of a module's tick of 20 µs.  In CPU time, the best of several."""

from __future__ import annotations

from collections.abc import Iterable
from math import sin
from time import process_time
from timeit import repeat

from annelid.behaviour import (
    Behaviour,
    BehaviourStack,
    Blend,
    Fusion,
    Inhibit,
    Level,
    Proposal,
    Suppress,
)
from annelid.kernel import MILLISECOND, period

STEPS = 5_000
SURVIVAL, COMMAND, WALKING = 3, 2, 1


class Module:
    """Stimuli as a module has them."""

    __slots__ = ("commanded", "hot", "now_s")

    def __init__(self) -> None:
        self.commanded = self.hot = False
        self.now_s = 0.0


class Wave(Behaviour[Module]):
    """A new value at every step, on its channels."""

    level = WALKING

    def __init__(self, name: str, channels: tuple[str, ...]) -> None:
        self.name = name
        self.channels = channels

    def propose(self, module: Module, /) -> Iterable[Proposal]:
        value = sin(module.now_s)
        return [Proposal(channel, value, 1.0, self.name) for channel in self.channels]


class Guard(Behaviour[Module]):
    """Looks at every step and has nothing to complain of."""

    level = SURVIVAL

    def __init__(self, name: str) -> None:
        self.name = name

    def condition(self, module: Module, /) -> bool:
        return module.hot

    def propose(self, module: Module, /) -> Iterable[Proposal]:
        yield Proposal("yaw", None, 1.0, self.name)


class Obey(Guard):
    level = COMMAND

    def condition(self, module: Module, /) -> bool:
        return module.commanded


class Heat(Guard):
    period_ns = period(10)


def stack_of_twelve() -> BehaviourStack[Module]:
    """Figure 13 of 000 on four channels; three of the twelve are active."""
    tree = Inhibit(Level(SURVIVAL), over=Suppress("obey", Blend(Level(WALKING))))
    behaviours: list[Behaviour[Module]] = [
        *[Guard(f"guard {number}") for number in range(4)],
        *[Heat(f"heat {number}") for number in range(4)],
        Obey("obey"),
        Wave("horizontal", ("yaw",)),
        Wave("vertical", ("pitch",)),
        Wave("both", ("yaw", "drive")),
    ]
    channels = ("yaw", "pitch", "drive", "lamp")
    return BehaviourStack(behaviours, Fusion(dict.fromkeys(channels, tree)))


def test_a_step_costs_little_when_nobody_comes_or_goes() -> None:
    """The aim is 12 µs; the margin is for noisy machines."""
    module = Module()
    stack = stack_of_twelve()
    now_ns = 0

    def step() -> None:
        nonlocal now_ns
        now_ns += 15 * MILLISECOND
        module.now_s += 0.015
        stack.step(now_ns, module)

    step()
    assert len(stack.active) == 3
    cost_us = min(repeat(step, number=STEPS, repeat=5, timer=process_time)) / STEPS * 1e6
    print(f"12 behaviours, 3 active, 4 channels: {cost_us:.1f} us a step")
    assert cost_us < 40
