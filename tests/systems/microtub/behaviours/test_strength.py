"""A servo that keeps a part of its torque or range keeps a part of its grade (000 §3.4)."""

from __future__ import annotations

import pytest
from tests.systems.microtub.behaviours.boards import boards

from annelid.modules.rotation import Rotation
from annelid.motion.snake import SNAKE, rolling
from annelid.physics.damage import heal, shorten, weaken
from annelid.systems.microtub.behaviours import Walk
from annelid.systems.microtub.condition import damaged
from annelid.systems.microtub.protocol import WorkingMode
from annelid.systems.microtub.protocol.enums import Alarm

OPEN = {"kind": "open-air"}


def walking(move: str, harm: tuple[str, float] | None = None, until_s: float = 6.0):
    chain = boards("RRRRRR", OPEN, trip=False)
    row = rolling(6) if move == "roll" else SNAKE[move]
    for module in chain.modules.values():
        module.stimuli.walk = Walk.snake(row)
        module.stimuli.mode = WorkingMode.OPEN_AIR
    if harm is not None:
        what, left = harm
        {"weak": weaken, "short": shorten}[what](chain.rig.sim, "R3.pitch", left)
    chain.run(until_s)
    return chain


def grades(chain, name: str = "R3") -> tuple[int, int]:
    """RotX and RotY, as the module would report them."""
    servos = chain[name].stimuli.servos
    able = damaged(Rotation(), {each: servo.left for each, servo in servos.items()})
    return able["RotX"], able["RotY"]


@pytest.mark.parametrize(
    ("move", "harm", "grade"),
    [
        ("forward", ("weak", 0.3), 1),
        ("forward", ("short", 0.3), 1),
        pytest.param("roll", ("weak", 0.6), 2, marks=pytest.mark.slow),
        pytest.param("roll", ("weak", 0.4), 1, marks=pytest.mark.slow),
    ],
)
def test_a_servo_with_a_part_left_reports_a_part_of_its_grade(move, harm, grade):
    chain = walking(move, harm)
    assert grades(chain) == (grade, 3), "the other axis is whole"
    assert set(chain["R3"].kinds()) == {Alarm.WEAK}
    assert not any(chain[name].alarms for name in ("R1", "R2", "R4", "R5", "R6"))


@pytest.mark.parametrize(
    "move",
    [
        "lateral",
        pytest.param("forward", marks=pytest.mark.slow),
        pytest.param("roll", marks=pytest.mark.slow),
    ],
)
def test_a_healthy_gait_lowers_no_grade(move):
    chain = walking(move)
    assert {grades(chain, name) for name in chain.modules} == {(3, 3)}
    assert not any(module.alarms for module in chain.modules.values())


@pytest.mark.slow
def test_what_is_mended_counts_again():
    chain = walking("forward", ("weak", 0.3))
    assert grades(chain) == (1, 3)
    heal(chain.rig.sim, "R3.pitch")
    chain.run(16.0)
    assert grades(chain) == (3, 3)
