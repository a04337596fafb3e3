"""A robot that a wave carries stands and looks before it hangs out of its pipe."""

from __future__ import annotations

import pytest
from tests.systems.microtub.central.test_mind import Head
from tests.systems.microtub.central.test_robots import told

from annelid.papers.said import answers
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.protocol import WorkingMode


class Waving(Head):
    """A snake in a pipe that goes ahead, and what its nose says."""

    def __init__(self) -> None:
        super().__init__("TRRRRRR", WorkingMode.PIPE)

    def says(self, situation: Situation, times: int = 1) -> str:
        """The last movement."""
        self.knowledge.seen[1] = situation
        name = ""
        for _ in range(times):
            movement = self.think()
            self.knowledge.gait = "" if movement is None else movement.gait
            name = "" if movement is None else movement.name
        return name


def test_it_stands_until_its_nose_is_sure_and_goes_back_or_on():
    it = Waving()
    assert it.says(Situation.NARROW_PIPE, 5) == "snake"
    assert it.says(Situation.PERHAPS_OUT) == "stand and look"
    assert it.says(Situation.NARROW_PIPE, 10) == "stand and look", "the wave is not forgotten yet"
    assert it.says(Situation.NARROW_PIPE, 3) == "snake", "no end"
    assert it.says(Situation.PERHAPS_OUT, 5) == "stand and look"
    it.knowledge.way = 0.4
    assert it.says(Situation.OPEN_AIR, 2) == "snake backwards"


def test_after_a_look_in_vain_it_gets_on():
    it = Waving()
    it.says(Situation.NARROW_PIPE, 5)
    names = [it.says(Situation.PERHAPS_OUT) for _ in range(60)]
    assert names.count("snake") >= 10


@pytest.mark.parametrize("wide", [False, True])
def test_along_the_floor_of_a_wide_pipe_a_wave_is_slow_enough(wide: bool):
    it = Waving()
    it.says(Situation.WIDE_PIPE, 5)
    it.knowledge.wide = wide
    assert it.says(Situation.PERHAPS_OUT) == ("snake" if wide else "stand and look")


def test_a_snake_does_not_fall_out_of_the_open_end(tmp_path):
    pipe = {"kind": "pipe", "bore_mm": 43, "parts": [{"part": "straight", "length_mm": 250}]}
    run = told(tmp_path / "run", "TRRRR", 18.0, (1.5, "EXP"), world=pipe)
    assert any("the pipe ends in open air" in words for _, words in answers(run))
    assert run.metrics.stopped == "duration"
    assert run.metrics.statements_false == ()
