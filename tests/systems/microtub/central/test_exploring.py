"""Exploring a pipe: what counts as its end, and what turns the robot back."""

from __future__ import annotations

from math import radians

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.exploring import PipeFollowing
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.central.mind import CentralMind
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import ModuleInfo, TouchSide, WorkingMode

MDL = {"c": "00000000301000000", "r": "00003300000003000", "h": "00310000000000000"}


class Explorer:
    """A robot in a pipe that has been told to explore."""

    def __init__(self) -> None:
        self.knowledge = Knowledge(mode=WorkingMode.PIPE)
        self.knowledge.know(
            FoundModule(place, each, MDL.get(each, "0" * 17))
            for place, each in enumerate("crrhrrvp", 1)
        )
        self.knowledge.task = Task(Want.EXPLORE)
        legs = Bifurcations(self.knowledge)
        abilities = Abilities(self.knowledge, lambda kind, detail: None)
        self.mind = CentralMind(self.knowledge, abilities, legs, lambda kind, detail: None)

    def think(self, times: int, *, step_m: float = 0.0, touch: TouchSide | None = None) -> str:
        """The last movement, and how much it is told."""
        name = ""
        for _ in range(times):
            knowledge = self.knowledge
            knowledge.now_ns += seconds(0.2)
            knowledge.way += step_m
            if touch is not None:
                knowledge.felt = TouchReport(1, touch, None, knowledge.now_ns)
            movement = self.mind.decide()
            knowledge.heading = 0 if movement is None else movement.heading
            name = "" if movement is None else movement.name
        return name

    def lie(self, *pitches_deg: int, answers: int = 8) -> str:
        """The last movement, while the foremost joints tell how steep they lie."""
        name = ""
        for _ in range(answers):
            for address, pitch in enumerate(pitches_deg, 2):
                self.knowledge.told[address, ModuleInfo.ORIENTATION] = (0, pitch, 0)
            name = self.think(1, step_m=0.005)
        return name

    @property
    def news(self) -> str:
        return "; ".join(each.words for each in self.knowledge.task.news)


def test_a_robot_that_runs_into_a_wall_has_met_the_end_of_the_pipe():
    it = Explorer()
    it.think(20, step_m=0.005)
    assert it.think(20, touch=TouchSide.CLOSED) == "push backwards"
    assert "the pipe is closed" in it.news


def test_a_touch_without_a_wall_ahead_of_every_ray_is_no_end():
    """An edge, or a bend too gentle to show a way on: who stands there is stuck."""
    it = Explorer()
    it.think(20, step_m=0.005)
    assert it.think(40, touch=TouchSide.NOSE) == "push"
    assert it.news == ""


@pytest.mark.parametrize(
    ("pitch_deg", "verb"), [(35, "rises"), (-35, "falls"), (12, ""), (-12, "")]
)
def test_a_pipe_that_is_too_steep_is_not_entered(pitch_deg: int, verb: str):
    """Falling, the robot would get down and not back: it weighs 1.74 N and pushes 0.83 N."""
    it = Explorer()
    it.think(5, step_m=0.005)
    assert it.lie(pitch_deg) == ("push backwards" if verb else "push")
    assert (f"the pipe {verb} by 22 deg or more: too steeply" in it.news) is bool(verb)


def test_one_joint_that_leans_over_is_no_steep_pipe():
    """In a bend the foremost leans more than any pipe ahead; the next one does not."""
    it = Explorer()
    it.think(5, step_m=0.005)
    for next_one in (-12, 12):
        assert it.lie(-28, next_one) == "push"
    assert it.lie(-28, -40) == "push backwards"
    assert "the pipe falls by 15 deg or more: too steeply" in it.news


@pytest.mark.parametrize("came_in", [True, False])
@pytest.mark.parametrize("measured", [True, False])
def test_who_came_in_from_the_open_and_is_not_measured_may_have_slid_back(
    measured: bool, came_in: bool
):
    it = Explorer()
    it.knowledge.came_in = came_in
    if not measured:
        it.knowledge.parts = tuple(part for part in it.knowledge.parts if part.id != "v")
    it.knowledge.seen[1] = Situation.OPEN_AIR
    end = PipeFollowing.end_of_pipe(it.knowledge)
    assert end is not None
    assert end.what == ("out of pipe" if came_in and not measured else "end")


@pytest.mark.parametrize(("turning", "least"), [(False, 38), (True, 26)])
def test_a_nose_that_is_turned_into_a_bend_leans_more_than_the_pipe(turning: bool, least: int):
    it = Explorer()
    it.knowledge.turning = turning
    assert telling.too_steep(it.knowledge, radians(-51)).value == -least


def test_one_joint_that_leans_more_than_in_any_bend_is_believed():
    """Falling, every centimetre makes the way back harder."""
    it = Explorer()
    it.think(5, step_m=0.005)
    assert it.lie(-60, -2) == "push backwards"


@pytest.mark.parametrize(("pitch_deg", "told"), [(-35, True), (-75, False), (75, True)])
def test_where_drives_may_not_hold_it_the_robot_does_not_say_where_it_is(pitch_deg, told):
    """Wheels that slide do not count the way: one was 250 mm farther down than it said."""
    it = Explorer()
    it.think(5, step_m=0.005)
    it.lie(pitch_deg)
    assert ("mm from home" in it.news) is told


def test_one_answer_alone_may_be_garbled():
    it = Explorer()
    it.think(5, step_m=0.005)
    assert it.lie(60, 60, answers=1) == "push"
    assert it.think(20, step_m=0.005) == "push"
    assert it.lie(60, 60, answers=1) == "push backwards"


def test_what_was_blocked_is_told_at_the_end():
    it = Explorer()
    it.think(5, step_m=0.005)
    it.knowledge.blocked = telling.stands(it.knowledge)
    assert it.think(1) == "push backwards"
    it.knowledge.way = 0.0
    it.think(1)
    ended = str(it.knowledge.task.ended)
    assert "1 of its legs not seen" in ended
    assert "everything seen" not in ended


def stick(it: Explorer) -> str:
    it.knowledge.blocked = telling.stands(it.knowledge)
    return it.think(1)


def test_a_place_where_it_stuck_is_tried_twice_again_from_a_little_before():
    it = Explorer()
    it.think(100, step_m=0.005)
    for again in (True, True, False):
        assert stick(it) == "push backwards"
        assert ("trying again" if again else "going back") in it.news.split("; ")[-1]
        assert it.think(25, step_m=-0.005) == "push backwards"
        assert it.think(15, step_m=-0.005) == ("push" if again else "push backwards")
        it.think(40, step_m=0.005 if again else 0.0)
    it.knowledge.way = 0.0
    it.think(1)
    assert "1 of its legs not seen" in str(it.knowledge.task.ended)


def test_another_place_has_tries_of_its_own():
    it = Explorer()
    for _ in range(4):
        it.think(80, step_m=0.005)
        stick(it)
        assert it.news.split("; ")[-1].startswith("trying again")
        assert it.think(31, step_m=-0.005) == "push"


def test_another_task_begins_without_what_was_tried_before():
    it = Explorer()
    it.think(100, step_m=0.005)
    for _ in range(3):
        it.knowledge.task = Task(Want.EXPLORE)
        stick(it)
        assert it.news.split("; ")[-1].startswith("trying again")
        it.knowledge.task = Task()
        it.think(1)


def test_what_is_too_steep_is_not_tried_again():
    it = Explorer()
    it.think(100, step_m=0.005)
    assert it.lie(35) == "push backwards"
    assert it.news.endswith("going back")


def test_who_goes_home_early_tries_nothing_again():
    it = Explorer()
    it.think(100, step_m=0.005)
    stick(it)
    it.knowledge.task.cut_short = True
    assert it.think(60, step_m=-0.005) == "push backwards"


@pytest.mark.parametrize("touched", [False, True])
def test_what_opens_beyond_a_bend_and_is_touched_is_the_next_bend(touched: bool):
    """While the tail still turns; what closes again untouched is a branch, and ends the turn."""
    it = Explorer()

    def feel(side: TouchSide, towards_deg: int) -> None:
        it.knowledge.felt = TouchReport(1, side, towards_deg, it.knowledge.now_ns)
        it.think(1)

    it.think(20, step_m=0.005)
    feel(TouchSide.NOSE, 0)
    it.think(40, step_m=0.005)
    assert it.knowledge.turning
    feel(TouchSide.OPENING, 180)
    it.think(5, step_m=0.005)
    if touched:
        feel(TouchSide.NOSE, 180)
    it.think(5, step_m=0.005)
    feel(TouchSide.OPENING, 180)
    assert it.knowledge.turning is touched


@pytest.mark.parametrize(("pitch_deg", "again"), [(10, True), (-18, False), (18, False)])
def test_on_a_steep_slope_nothing_is_tried_again(pitch_deg: int, again: bool):
    it = Explorer()
    it.think(100, step_m=0.005)
    for address in (2, 3, 5, 6):
        it.knowledge.told[address, ModuleInfo.ORIENTATION] = (0, pitch_deg, 0)
    stick(it)
    assert ("trying again" in it.news) is again


@pytest.mark.parametrize("gait", ["MHE", "MO1"])
def test_a_robot_that_waves_along_does_not_say_that_it_has_seen_everything(gait: str):
    """Its nose swings: a branch may show in no look."""
    it = Explorer()
    it.knowledge.gait = gait
    it.think(20, step_m=0.005)
    it.knowledge.task.homewards, it.knowledge.way = True, 0.0
    it.think(1)
    assert ("everything seen" in str(it.knowledge.task.ended)) is (gait == "MHE")
    assert "home again" in str(it.knowledge.task.ended)
