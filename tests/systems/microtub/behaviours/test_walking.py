"""Gaits of single modules, and who is heard over whom (000 §4.1.6 to §4.2)."""

from __future__ import annotations

from math import radians, sin

import pytest
from tests.systems.microtub.behaviours.boards import boards

from annelid.behaviour import why
from annelid.kernel import seconds
from annelid.motion.inchworm import Inchworm
from annelid.motion.snake import SNAKE
from annelid.systems.microtub.behaviours import STANDING, Sinusoid, Walk, Worm
from annelid.systems.microtub.protocol.enums import InchwormPart, WorkingMode

STRAIGHT = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 900}]}


def test_one_modules_sinusoid_is_the_wave_of_the_gaits():
    one = Sinusoid(amplitude=0.5, omega=4.0, phase=1.2, lead=0.3)
    for position in range(5):
        expected = 0.5 * sin(4.0 * 0.73 + 1.2 * position + 0.3)
        assert one.at(0.73, position) == pytest.approx(expected)


def test_a_vertical_wave_carries_a_chain_forward():
    chain = boards("RRRRRR", {"kind": "open-air"}, trip=False)
    start = chain.rig.sim.placement("R1").at[0]
    for module in chain.modules.values():
        module.stimuli.walk = Walk.snake(SNAKE["forward"])
    chain.run(5.0)
    assert chain.rig.sim.placement("R1").at[0] - start > 0.1
    active = ["self-diagnostic", "feel held", "vertical sinusoid", "rest pose"]
    assert chain["R3"].stack.active == active


def test_a_turn_is_added_to_the_horizontal_wave():
    chain = boards("R", trip=False)
    module = chain["R1"]
    module.stimuli.walk = Walk(horizontal=Sinusoid(0.2, 4.0, 0.0), bend=0.3)
    chain.run(4.0)
    assert module.highest["yaw"] == pytest.approx(0.5, abs=0.01)
    assert module.stack.decision("yaw").winners == ("horizontal sinusoid", "turning")


def test_no_turning_in_a_pipe_and_no_inchworm_in_open_air():
    chain = boards("RS", STRAIGHT, trip=False)
    turning, gripping = chain["R1"].stimuli, chain["S1"].stimuli
    turning.walk, turning.mode = Walk(bend=0.3), WorkingMode.PIPE
    gripping.walk, gripping.mode = Walk(worm=Worm(InchwormPart.FIRST_SUPPORT)), WorkingMode.OPEN_AIR
    chain.run(0.5)
    assert "turning" not in chain["R1"].stack.active
    assert "worm-like movement" not in chain["S1"].stack.active
    turning.mode = gripping.mode = WorkingMode.GENERAL
    chain.run(1.0)
    assert "turning" in chain["R1"].stack.active
    assert "worm-like movement" in chain["S1"].stack.active


@pytest.mark.parametrize("reverse", [False, True])
def test_supports_and_an_extension_walk_like_a_worm(reverse: bool):
    chain = boards("SES", STRAIGHT)
    chain.run(0.2)
    start = chain.rig.sim.placement("S1").at[0]
    parts = {
        "S1": InchwormPart.FIRST_SUPPORT,
        "E1": InchwormPart.EXTENSION,
        "S2": InchwormPart.SECOND_SUPPORT,
    }
    for name, part in parts.items():
        chain[name].stimuli.walk = Walk(worm=Worm(part, Inchworm(reverse=reverse)))
    chain.run(1.0 if reverse else 5.0)
    moved = chain.rig.sim.placement("S1").at[0] - start
    assert moved < -0.005 if reverse else moved > 0.05
    assert not [module.alarms for module in chain.modules.values() if module.alarms]


def test_a_helicoidal_module_pushes_forward_and_stops():
    chain = boards("H", STRAIGHT)
    start = chain.rig.sim.placement("H1").at[0]
    chain["H1"].stimuli.walk = Walk(push=1.0)
    chain.run(2.0)
    moved = chain.rig.sim.placement("H1").at[0] - start
    assert moved > 0.03
    chain["H1"].stimuli.walk = Walk(push=0.0)
    chain.run(3.0)
    assert chain.rig.sim.placement("H1").at[0] - start < moved + 0.01


def test_an_order_overrides_walking_and_walking_returns_after_it():
    chain = boards("R", trip=False)
    module = chain["R1"]
    module.stimuli.walk = Walk.snake(SNAKE["forward"])
    chain.run(0.5)
    module.stimuli.orders["pitch"] = 0.4
    chain.run(1.0)
    assert module.stimuli.servos["pitch"].target == 0.4
    said = why(chain.trace(), "pitch", seconds(1.0), source="R1")
    assert "vertical sinusoid was suppressed by obey command" in said
    module.stimuli.orders.clear()
    chain.run(1.1)
    assert module.stack.decision("pitch").winners == ("vertical sinusoid",)


def test_a_module_that_cannot_help_takes_the_pose_of_least_friction():
    chain = boards("S")
    chain["S1"].stimuli.orders["grip"] = radians(60)
    chain.run(0.5)
    chain["S1"].stimuli.orders.clear()
    chain["S1"].stimuli.walk = Walk.snake(SNAKE["forward"])
    chain.run(1.0)
    assert chain["S1"].stimuli.servos["grip"].target == 0.0
    assert chain["S1"].stack.decision("grip").winners == ("rest pose",)


def test_a_module_that_stands_still_holds_what_it_was_told_last():
    chain = boards("R", trip=False)
    chain["R1"].stimuli.orders["yaw"] = 0.3
    chain.run(0.3)
    chain["R1"].stimuli.orders.clear()
    chain["R1"].stimuli.walk = STANDING
    chain.run(0.6)
    assert chain["R1"].stimuli.servos["yaw"].target == 0.3


def test_only_who_can_yaw_turns():
    chain = boards("RH", trip=False)
    for module in chain.modules.values():
        module.stimuli.walk = Walk(bend=0.3)
    chain.run(0.1)
    assert {name for name, m in chain.modules.items() if "turning" in m.stack.active} == {"R1"}
