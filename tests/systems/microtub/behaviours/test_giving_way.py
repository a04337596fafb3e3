"""Elbows with any drive: the movement at work goes on, and free joints give way to the wall."""

from __future__ import annotations

from dataclasses import replace
from math import pi, radians
from typing import Any, cast

import pytest
from tests.systems.microtub.behaviours.boards import boards

from annelid.modules import shelf
from annelid.robot.service import HORIZONTAL, VERTICAL
from annelid.systems.microtub.behaviours import GaitOrders, Sinusoid, Stimuli, Walk
from annelid.systems.microtub.behaviours.elbow import GiveWay
from annelid.systems.microtub.behaviours.stimuli import ServoState
from annelid.systems.microtub.behaviours.surroundings import NoseSwing
from annelid.systems.microtub.behaviours.walking import VerticalSinusoid
from annelid.systems.microtub.protocol import LLC2, InchwormPart, Wave, WorkingMode

BEND = {
    "kind": "pipe",
    "parts": [
        {"part": "straight", "length_mm": 40},
        {"part": "elbow", "radius_mm": 70},
        {"part": "straight", "length_mm": 400},
    ],
}
WAVE = Sinusoid(radians(35), 8.0, 1.5)


def test_a_turn_keeps_the_movement_that_is_at_work():
    told = GaitOrders()
    told.turn(0.5)
    assert (told.walk().push, told.walk().elbow) == (1.0, 0.5), "what stands still pushes"
    told = GaitOrders(part=InchwormPart.EXTENSION)
    told.begin(LLC2.MWO)
    before = told.walk()
    told.turn(pi / 2)
    assert told.walk() == replace(before, gives_way=pi / 2)
    told = GaitOrders()
    told.begin(LLC2.MO1)
    told.waves[Wave.VERTICAL] = WAVE
    told.turn(pi / 2)
    walk = told.walk()
    assert (walk.vertical, walk.gives_way, walk.push, walk.elbow) == (WAVE, pi / 2, None, None)


def test_a_wave_stays_across_the_last_bend_until_another_movement_begins():
    told = GaitOrders()
    told.begin(LLC2.MO1)
    told.turn(1.0)
    told.begin(LLC2.MO1)
    assert told.walk().gives_way == 1.0
    told.begin(LLC2.MWO)
    assert told.walk().gives_way == 0.0


@pytest.mark.parametrize(("gives_way", "passes"), [(0.0, True), (None, False)])
def test_a_wave_goes_round_an_elbow_when_its_joints_give_way(gives_way: float | None, passes: bool):
    chain = boards("RRRRRR", BEND, trip=False)
    for module in chain.modules.values():
        module.stimuli.mode = WorkingMode.PIPE
        module.stimuli.walk = Walk(vertical=WAVE, gives_way=gives_way, rest=True)
    chain.run(9.0)
    x, y, _ = chain.rig.sim.placement("R1").at
    assert bool(y > 0.12) is passes, (
        f"the bend leads to the left at x = 0.11; nose at {x:.3f} {y:.3f}"
    )


def test_joints_hold_in_the_open_and_where_they_are_the_inchworm():
    chain = boards("R", trip=False)
    stimuli = chain["R1"].stimuli
    stimuli.walk, stimuli.mode = Walk(gives_way=0.0, rest=True), WorkingMode.OPEN_AIR
    chain.run(0.3)
    assert chain["R1"].stack.decision("yaw").winners == ("rest pose",)
    stimuli.mode = WorkingMode.PIPE
    chain.run(0.6)
    assert chain["R1"].stack.decision("yaw").winners == ("give way",)
    told = GaitOrders(part=InchwormPart.EXTENSION)
    told.begin(LLC2.MWO)
    stimuli.walk = told.walk()
    chain.run(0.9)
    assert chain["R1"].stack.decision("yaw").winners == ("worm-like movement",)


def test_a_joint_that_bends_up_and_down_alone_keeps_its_wave_wherever_the_elbow_leads():
    """A chain of such joints would lie still in an elbow that leads up.  The control: a joint that
    bends both ways gives way, and its wave stands across."""
    kind = shelf()["R"].parse({}, where="here")
    joints = {axis: kind.services()[axis] for axis in (HORIZONTAL, VERTICAL)}
    one = {VERTICAL: joints[VERTICAL]}
    servos = (
        ServoState(each.actuator, k, cast(Any, None)) for k, each in enumerate(joints.values())
    )
    stimuli = Stimuli({each.name: each for each in servos}, {})
    stimuli.mode, stimuli.position = WorkingMode.PIPE, 0
    for towards in (0.0, pi / 2, 3 * pi / 2):
        stimuli.walk = Walk(vertical=WAVE, gives_way=towards)
        assert not GiveWay(one, {}).condition(stimuli)
        assert VerticalSinusoid(joints[VERTICAL], both=False).condition(stimuli)
        assert GiveWay(joints, {}).condition(stimuli)
        assert not VerticalSinusoid(joints[VERTICAL], both=True).condition(stimuli)


def test_a_nose_that_swings_looks_by_the_median_of_its_swing():
    swing = NoseSwing()
    for ray in (0.015, 0.150, 0.016, 0.014):
        rows = swing.add([ray], 0.8, 0.2)
    assert sorted(rows[0]) == [0.014, 0.015, 0.016, 0.150]
    assert swing.add([0.02], None, 0.2) == [(0.02,)], "without a wave the last look counts"
