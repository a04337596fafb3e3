"""Movement commands as walks, and what a tick of them costs."""

from __future__ import annotations

from math import inf
from time import process_time
from timeit import repeat

import pytest
from tests.electronics.circuits import rig

from annelid.motion.snake import SNAKE
from annelid.systems.microtub.agent import WALKING
from annelid.systems.microtub.behaviours import STANDING, Stimuli, Walk, module_stack, step
from annelid.systems.microtub.behaviours.stimuli import LEAD, ORDERED
from annelid.systems.microtub.behaviours.walk import walk_of
from annelid.systems.microtub.protocol import LLC2, InchwormPart, WorkingMode


def test_every_movement_is_a_walk():
    walks = {command: walk_of(command) for command in WALKING}
    assert None not in walks.values()
    assert walk_of(LLC2.STP) is None


def test_without_a_part_in_the_inchworm_a_module_rests():
    resting, gripping = walk_of(LLC2.MWO), walk_of(LLC2.MWO, part=InchwormPart.FIRST_SUPPORT)
    assert resting is not None
    assert gripping is not None
    assert resting.rest
    assert resting.worm is None
    assert gripping.worm is not None


@pytest.mark.parametrize(
    ("walk", "whole"), [(Walk.snake(SNAKE["forward"]), True), (STANDING, False)]
)
def test_in_a_pipe_a_joint_gives_in_to_the_wall_unless_it_carries_the_robot(
    walk: Walk, whole: bool
) -> None:
    """Led by 5° everywhere, a snake on boards made half of the way of the same wave as a gait."""
    setup = rig("R", {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 300}]})
    board = setup.started("R1").board
    setup.run(0.01)
    stimuli = Stimuli.of(board, setup.sim.robot.modules[0].type, gentle=False)
    stimuli.mode = WorkingMode.PIPE
    stimuli.walk = walk
    stimuli.look(board.now)
    servo = stimuli.servos["pitch"]
    stimuli.act(0.5, servo)
    assert servo.target == pytest.approx(0.5 if whole else servo.angle + LEAD)
    stimuli.orders["pitch"] = 0.5
    stimuli.act(0.5, servo)
    assert servo.target == pytest.approx(0.5 if whole else servo.angle + ORDERED * LEAD)


@pytest.mark.parametrize("name", ["standing", "forward", "lateral"])
def test_a_tick_is_cheap(name: str):
    """The aim is 20 µs on average and 40 in the worst gait; the margin is for noisy machines."""
    setup = rig("RR", {"kind": "open-air"})
    board = setup.started("R1").board
    setup.run(0.01)
    kind = setup.sim.robot.modules[0].type
    stimuli, stack = Stimuli.of(board, kind, lead=inf), module_stack(kind, record=board.log)
    stimuli.walk = Walk.snake(SNAKE[name]) if name in SNAKE else STANDING
    now_ns = 0

    def tick() -> None:
        nonlocal now_ns
        now_ns += 15_000_000
        stimuli.gait_s = now_ns / 1e9
        step(stack, stimuli, now_ns)

    tick_us = min(repeat(tick, number=1000, repeat=5, timer=process_time)) / 1000 * 1e6
    print(f"{name}: {tick_us:.1f} us a module tick")
    assert tick_us < 60
