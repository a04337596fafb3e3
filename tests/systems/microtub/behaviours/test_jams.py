"""Whether a module notices, as it travels, that one of its drives has jammed, is weak or limp."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.systems.microtub.behaviours.boards import Chain, boards

from annelid.kernel import seconds
from annelid.modules.helicoidal import Helicoidal
from annelid.motion.inchworm import Inchworm
from annelid.physics.damage import heal, let_go, stick, weaken
from annelid.systems.microtub.behaviours import EmbeddedContext, Stimuli, Walk, Worm
from annelid.systems.microtub.behaviours.drive_test import STANDS_NS, TESTS, DriveTest
from annelid.systems.microtub.behaviours.stimuli import ServoState
from annelid.systems.microtub.behaviours.workspace import workspace
from annelid.systems.microtub.protocol import InchwormPart
from annelid.systems.microtub.protocol.enums import Alarm

PIPE = {"kind": "pipe", "bore_mm": 40, "parts": [{"part": "straight", "length_mm": 600}]}


def inching() -> Chain:
    chain = boards("SES", PIPE, trip=False)
    for name, part in zip(("S1", "E1", "S2"), InchwormPart, strict=False):
        chain[name].stimuli.walk = Walk(worm=Worm(part, Inchworm()))
    return chain


def told(chain: Chain) -> set[str]:
    """Modules that say that a servo does not follow."""
    return {name for name, one in chain.modules.items() if Alarm.STUCK in one.kinds()}


@pytest.mark.parametrize("at_s", [1.05, 1.2, 1.35, 1.5, 1.65])
@pytest.mark.parametrize("servo", ["S1.grip", "S2.grip", "E1.extend"])
def test_an_inchworm_notices_a_drive_that_has_jammed_at_any_moment(servo: str, at_s: float):
    """One that jams at an end of its travel is called away and back in less than a second."""
    chain = inching()
    chain.run(at_s)
    assert told(chain) == set()
    stick(chain.rig.sim, servo)
    chain.run(at_s + 4.0)
    module, name = servo.split(".")
    assert module in told(chain)
    assert chain[module].stimuli.servos[name].broken


@pytest.mark.parametrize("harm", ["weak", "limp"])
def test_an_inchworm_notices_an_extension_without_strength(harm: str):
    """Its neighbours push it together and draw it out."""
    chain = inching()
    chain.run(1.0)
    if harm == "weak":
        weaken(chain.rig.sim, "E1.extend", 0.01)
    else:
        let_go(chain.rig.sim, "E1.extend")
    chain.run(4.0)
    assert "E1" in told(chain)


def test_a_sound_inchworm_has_nothing_to_tell():
    chain = inching()
    chain.run(8.0)
    assert told(chain) == set()


def test_a_drive_that_jams_is_told_and_counts_again_when_it_is_mended():
    chain = boards("H", PIPE)
    chain["H1"].stimuli.walk = Walk(push=1.0)
    chain.run(1.0)
    stick(chain.rig.sim, "H1.drive")
    chain.run(5.0)
    assert chain["H1"].kinds() == [Alarm.STUCK], "once"
    assert chain["H1"].stimuli.servos["drive"].broken
    heal(chain.rig.sim, "H1.drive")
    chain.run(6.0)
    assert not chain["H1"].stimuli.servos["drive"].broken


def test_a_drive_that_turns_has_nothing_to_tell_and_is_not_tested():
    chain = boards("H", PIPE)
    chain["H1"].stimuli.walk = Walk(push=1.0)
    chain.run(6.0)
    assert chain["H1"].kinds() == []
    assert chain["H1"].lowest["drive"] >= 0.0


@pytest.mark.parametrize("jammed", [True, False])
def test_a_drive_before_a_wall_turns_back_and_a_jammed_one_does_not(jammed: bool):
    """Both draw the current of a stall while they push ahead."""
    kind = Helicoidal()
    test = DriveTest.make(EmbeddedContext(kind, workspace(kind), None))
    assert test is not None
    drive = ServoState("drive", 1, device=cast(Any, None), current=0.417)
    stimuli = Stimuli({"drive": drive}, {})
    tests = 0
    for look in range(round((TESTS + 1) * STANDS_NS / test.period_ns)):
        stimuli.now_ns = look * seconds(0.1)
        active = test.condition(stimuli)
        drive.target = next(iter(test.propose(stimuli))).value if active else 1.0
        tests += active
        if active and not jammed:
            drive.angle -= 0.7
    assert drive.broken is jammed
    assert [each.alarm for each in stimuli.alarms] == [Alarm.STUCK] * jammed
    assert tests == TESTS
