"""A joint that a wave swings feels what holds it, and arms what they meet; nothing else does."""

from __future__ import annotations

from math import pi, radians, sin
from types import SimpleNamespace
from typing import Any, cast

import pytest

from annelid.kernel import seconds
from annelid.robot.service import Service
from annelid.systems.microtub.behaviours import Stimuli, Walk
from annelid.systems.microtub.behaviours.held import ARMS_S, LOOK_S, FeelArms, FeelHeld
from annelid.systems.microtub.behaviours.walk import Sinusoid

OMEGA = 4.0
SWING_S = 2 * pi / OMEGA
PIVOT = Service("servo", 1.0, (-1.5, 1.5))


def felt_after(
    lag_deg: float, *, changes: float = 1.0, by_s: float = 12 * SWING_S, noise_deg: float = 0.0
) -> list[float]:
    """Swings after which a joint feels something that lags by ``lag_deg``, ``changes`` times as
    much from the eighth swing on."""
    behaviour, told = FeelHeld(PIVOT), list[Any]()
    walk = Walk(vertical=Sinusoid(radians(50), OMEGA, 0.0), swing_s=SWING_S)
    found = list[float]()
    for look in range(round(by_s / LOOK_S)):
        now_s = look * LOOK_S
        size = lag_deg * (changes if now_s > 8 * SWING_S else 1.0)
        lag = radians(size * sin(OMEGA * now_s) + noise_deg * (-1) ** look)
        servo = SimpleNamespace(target=lag, angle=0.0)
        stimuli = SimpleNamespace(
            walk=walk, in_pipe=None, orders={}, gait_s=now_s, servos={"servo": servo}, felt=told
        )
        assert behaviour.condition(cast("Stimuli", stimuli))
        behaviour.propose(cast("Stimuli", stimuli))
        found += [now_s / SWING_S] * (len(told) - len(found))
    return found


def test_a_lag_that_changes_is_felt_within_a_swing_and_as_long_as_it_lasts() -> None:
    found = felt_after(4.0, changes=1.6)
    assert 8.0 < found[0] < 9.2
    assert len(found) > 4


@pytest.mark.parametrize("changes", [0.9, 1.0, 1.1])
def test_a_lag_that_repeats_itself_is_not(changes: float) -> None:
    assert felt_after(4.0, changes=changes, noise_deg=0.2) == []


def test_a_joint_that_hardly_lags_feels_no_share_of_nothing() -> None:
    assert felt_after(0.3, changes=2.0) == []


@pytest.mark.parametrize(
    ("in_pipe", "current", "told"), [(False, 0.21, 1), (False, 0.018, 0), (True, 0.21, 0)]
)
def test_arms_that_press_against_something_in_the_open_tell_it_once(
    in_pipe: bool, current: float, told: int
) -> None:
    behaviour, felt = FeelArms(PIVOT), list[Any]()
    for look in range(10):
        stimuli = SimpleNamespace(
            in_pipe=in_pipe,
            orders={"servo": 1.5},
            now_ns=seconds(look * ARMS_S),
            servos={"servo": SimpleNamespace(current=current, speed=0.0)},
            felt=felt,
        )
        if behaviour.condition(cast("Stimuli", stimuli)):
            behaviour.propose(cast("Stimuli", stimuli))
    assert len(felt) == told
