"""A touch in the open is told when something is in the way, not when the nose beats the floor."""

from __future__ import annotations

from itertools import cycle
from types import SimpleNamespace
from typing import Any, cast

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Stimuli, Walk
from annelid.systems.microtub.behaviours.touch import LOOK_S, FeelTouch

FLOOR = (0.03, 0.06, 0.1, 0.14, 0.15, 0.15, 0.14, 0.1, 0.06, 0.03)
"""What an eye sees over a swing of half a second: the floor, then far ahead."""
BOX = tuple(min(0.05, each) for each in FLOOR)


def felt(
    left: tuple[float, ...],
    right: tuple[float, ...],
    *,
    touch: float = 1.0,
    swing_s: float | None = 0.5,
) -> list[str]:
    """Two seconds of walking in the open."""
    behaviour = FeelTouch()
    told: list[Any] = []
    for look, (one, other) in enumerate(zip(cycle(left), cycle(right), strict=False)):
        if look * LOOK_S > 2.0:
            break
        readings = {"infrared_left": one, "infrared_right": other, "nose": touch}
        stimuli = SimpleNamespace(
            walk=Walk(push=1.0, swing_s=swing_s),
            in_pipe=False,
            now_ns=seconds(look * LOOK_S),
            read=lambda name, now=readings: now.get(name, 0.15),
            felt=told,
        )
        assert behaviour.condition(cast("Stimuli", stimuli))
        behaviour.propose(cast("Stimuli", stimuli))
    return [str(each.what) for each in told]


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (BOX, BOX, ["touch"]),
        (BOX, FLOOR, ["touch on the left"]),
        (FLOOR, BOX, ["touch on the right"]),
        (FLOOR, FLOOR, []),
    ],
)
def test_what_stands_in_the_way_is_told_once_with_its_side(
    left: tuple[float, ...], right: tuple[float, ...], said: list[str]
) -> None:
    assert felt(left, right) == said


def test_what_is_only_near_is_not_touched() -> None:
    assert felt(BOX, BOX, touch=0.0) == []


def test_a_broken_eye_sees_nothing_in_the_way() -> None:
    assert felt((float("nan"),), FLOOR) == []


def test_a_slow_swing_is_waited_for() -> None:
    slow = tuple(each for each in FLOOR for _ in range(3))
    assert felt(slow, slow, swing_s=1.5) == []
    assert felt(slow, slow, swing_s=0.5) != [], "a shorter one would see the floor alone"


def test_without_a_wave_one_look_is_enough() -> None:
    assert felt((0.05,), (0.05,), swing_s=None) == ["touch"]
