"""Tools: what they work on, and what the operator is told of it."""

from __future__ import annotations

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.tools import _best_known
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.catalogue import catalogue, tool_reach
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.mind import CentralMind
from annelid.systems.microtub.central.task import KnownBreak, Stage, Task, Want
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import ModuleInfo, WorkingMode

THINK_NS = seconds(0.2)


class Tooled:
    """The mind of a robot in a pipe, which lies where its way says."""

    def __init__(self, letters: str, want: Want) -> None:
        known = catalogue()
        digits = {letter: known[letter].module.capabilities.digits for letter in letters}
        self.knowledge = Knowledge(mode=WorkingMode.PIPE, task=Task(want), bore=0.040)
        self.knowledge.know(FoundModule(k, each, digits[each]) for k, each in enumerate(letters, 1))
        self.task = self.knowledge.task
        log = lambda kind, detail: None  # noqa: E731
        abilities, bifurcations = Abilities(self.knowledge, log), Bifurcations(self.knowledge)
        self._mind = CentralMind(self.knowledge, abilities, bifurcations, log)

    def think(self, until_s: float, *, pictures_per_s: float = 1.0) -> str:
        """What the operator is told in the end; the robot goes where it wants to at once."""
        knowledge, begin_ns = self.knowledge, self.knowledge.now_ns
        while knowledge.now_ns < begin_ns + seconds(until_s) and self.task.ended is None:
            knowledge.now_ns += THINK_NS
            knowledge.heard_ns[1, ModuleInfo.DISTANCE] = knowledge.now_ns
            knowledge.pictures = int((knowledge.now_ns - begin_ns) / 1e9 * pictures_per_s)
            self._mind.decide()
            knowledge.way = max(knowledge.way + float(knowledge.destination[0]), 0.0)
        return str(self.task.ended or "")


@pytest.mark.parametrize("at", [0.03, 0.06, 0.10])
def test_a_break_near_home_is_repaired_and_the_answer_says_who_has_seen_it(at: float) -> None:
    """Standing to look is no loss of time; from nearer than home nobody can look."""
    robot = Tooled("crrhrgv", Want.REPAIR)
    robot.knowledge.breaks.append(KnownBreak(at, 0.0))
    robot.knowledge.servos = {(6, 0): 45.0, (6, 1): -90.0}
    told = robot.think(60.0)
    assert "the tool has worked on the wall" in told
    assert "the camera does not show the place" in told
    assert robot.task.success


def test_a_camera_that_sends_nothing_keeps_nobody_waiting() -> None:
    robot = Tooled("crrhrgv", Want.REPAIR)
    robot.knowledge.breaks.append(KnownBreak(0.3, 0.0))
    robot.knowledge.servos = {(6, 0): 45.0, (6, 1): -90.0}
    told = robot.think(60.0, pictures_per_s=0.0)
    assert "worked" in told
    assert "the camera does not show the place" in told


@pytest.mark.parametrize(
    ("turret", "bar", "bore", "words"),
    [
        (0.0, 90.0, 0.040, "worked on the wall"),
        (0.0, 60.0, 0.038, "worked on the wall"),
        (0.0, 90.0, 0.050, "meets no wall"),
        (0.0, 5.0, 0.040, "does not come out"),
        (60.0, 90.0, 0.040, "does not turn"),
        (0.0, 90.0, None, "nobody knows whether it met the wall"),
        (0.0, 5.0, None, "does not come out"),
    ],
)
def test_a_tool_has_worked_if_it_came_as_far_as_the_wall(
    turret: float, bar: float, bore: float | None, words: str
) -> None:
    robot = Tooled("crrhrgv", Want.HOLE)
    robot.knowledge.bore = bore
    robot.knowledge.servos = {(6, 0): turret, (6, 1): bar}
    assert words in robot.think(20.0)
    assert robot.task.stage is Stage.WORK, "nobody drives off to look at a hole"
    assert robot.knowledge.way == 0.0


def test_a_tool_reaches_the_top_of_47_mm() -> None:
    assert tool_reach(catalogue()["g"], "bore", 90) == pytest.approx(0.034)
    assert tool_reach(catalogue()["g"], "mend", 45) == pytest.approx(0.022)


@pytest.mark.parametrize(("target", "told"), [(0.200, 0.209), (0.230, 0.209), (0.300, 0.300)])
def test_a_break_is_where_it_was_found_on_the_way_out(target: float, told: float) -> None:
    """The way has been miscounted by 9 mm since; the third is another place."""
    knowledge = Knowledge(breaks=[KnownBreak(0.209, 0.0)])
    assert _best_known(knowledge, KnownBreak(target, 0.0)) == pytest.approx(told)


def test_a_hole_that_was_made_is_where_the_tool_was() -> None:
    assert _best_known(Knowledge(), KnownBreak(0.25, 0.0)) == pytest.approx(0.25)
