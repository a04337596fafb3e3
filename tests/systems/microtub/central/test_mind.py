"""Fig 17: who decides where to go, which movement is selected, and what the trace tells of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours import CENTRAL_LAYER, CentralBehaviour
from annelid.systems.microtub.central.behaviours.base import ACTION, DESTINATION, GOAL
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.central.mind import CentralMind, points, score
from annelid.systems.microtub.central.movements import Movement
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.central.view import OpenView
from annelid.systems.microtub.central.vision import SeenBreak
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import Destination, ModuleInfo, TouchSide, WorkingMode

MDL = {
    "T": "00000000301000000",
    "R": "00003300000003000",
    "H": "00310000000000000",
    "S": "03000000000000000",
    "E": "30000200000000000",
    "V": "00000000000000000",
    "P": "00000000000000000",
}
IDS = dict(zip("TRHSEVP", "crhsevp", strict=True))


class Head:
    """A mind with a robot it knows."""

    def __init__(self, letters: str, mode: WorkingMode, *more: type[CentralBehaviour]) -> None:
        self.told: list[tuple[str, Mapping[str, Any]]] = []
        self.knowledge = Knowledge()
        self.knowledge.know(
            FoundModule(place + 1, IDS[letter], MDL[letter]) for place, letter in enumerate(letters)
        )
        self.knowledge.mode = mode
        self.knowledge.task = Task(Want.EXPLORE)
        log = lambda kind, detail: self.told.append((kind, detail))  # noqa: E731
        bifurcations = Bifurcations(self.knowledge)
        abilities = Abilities(self.knowledge, log)
        layer = CENTRAL_LAYER.plus(*more)
        self.mind = CentralMind(self.knowledge, abilities, bifurcations, log, behaviours=layer)

    def think(self, times: int = 1) -> Movement | None:
        movement = None
        for _ in range(times):
            self.knowledge.now_ns += seconds(0.2)
            movement = self.mind.decide()
            self.knowledge.heading = 0 if movement is None else movement.heading
        return movement

    def winners(self, channel: str) -> tuple[str, ...]:
        stack = self.mind.guidance if channel == DESTINATION else self.mind.walking
        return stack.decision(channel).winners


def test_wandering_gives_way_to_path_path_to_goal_goal_to_obstacle():
    head = Head("TRRHRRVP", WorkingMode.GENERAL)
    head.think()
    assert head.winners(DESTINATION) == ("wandering",)
    ahead, aside = head.mind.guidance.decision(DESTINATION).value
    assert (ahead > 0.5, aside) == (True, 0.0), "straight ahead, far away"
    head.knowledge.mode = WorkingMode.PIPE
    head.think()
    assert head.winners(DESTINATION) == ("pipe following",)
    head.knowledge.broken = SeenBreak(0.1, 1.0, 1.0, 100)
    assert head.think() is None  # it stands and looks
    assert head.winners(DESTINATION) == ("find a pipe break",)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, 0, head.knowledge.now_ns)
    movement = head.think()
    assert head.winners(DESTINATION) == ("obstacle negotiation",)
    assert movement is not None
    assert movement.name == "turn in pipe"
    losers = {loser.source for loser in head.mind.guidance.decision(DESTINATION).losers}
    assert losers == {"find a pipe break", "pipe following", "wandering"}
    decisions = [d for kind, d in head.told if kind == "decision" and d["channel"] == DESTINATION]
    assert [d["winners"] for d in decisions][-1] == ["obstacle negotiation"]


@pytest.mark.parametrize(
    ("letters", "mode", "movement"),
    [
        ("TRRHRRVP", WorkingMode.PIPE, "push"),
        ("SES", WorkingMode.PIPE, "inchworm"),
        ("SSEESS", WorkingMode.PIPE, "inchworm of units"),
        ("RRSESRR", WorkingMode.PIPE, "inchworm"),
        ("RRSESRR", WorkingMode.OPEN_AIR, "rolling"),
        ("RRRRRR", WorkingMode.OPEN_AIR, "snake"),
        ("RRRRRR", WorkingMode.PIPE, "snake"),
    ],
)
def test_the_movement_follows_from_modules_and_environment(
    letters: str, mode: WorkingMode, movement: str
):
    made = Head(letters, mode).think()
    assert made is not None
    assert made.name.startswith(movement)


@pytest.mark.parametrize(
    ("destination", "in_pipe", "behaviour"),
    [
        ((1.0, 0.0), False, "move straight"),
        ((-1.0, 0.1), False, "move straight"),
        ((1.0, 1.0), False, "turn"),
        ((0.0, 0.1), False, "move laterally"),
        ((-1.0, -0.6), False, "turn"),
        ((-0.5, 0.0), True, "move straight"),
    ],
)
def test_selection_by_destination_and_situation(
    destination: tuple[float, float], in_pipe: bool, behaviour: str
):
    knowledge = Knowledge(mode=WorkingMode.PIPE if in_pipe else WorkingMode.OPEN_AIR)
    knowledge.destination = np.array(destination)
    names = ("move straight", "turn", "move laterally", "rotate")
    assert max(names, key=lambda name: points(name, knowledge)) == behaviour


def test_what_the_robot_does_well_wins_over_what_suits_a_little_better():
    """At 70° and far, turning has 0.9 points and moving sideways 0.4; its grade scales either."""
    knowledge = Knowledge(mode=WorkingMode.OPEN_AIR)
    knowledge.destination = np.array([np.cos(np.radians(70)), np.sin(np.radians(70))])
    for turn, aside, winner in ((1.0, 1.0, "turn"), (0.33, 1.0, "move laterally")):
        names = (("turn", turn), ("move laterally", aside))
        options = [Proposal(ACTION, "", grade, name) for name, grade in names]
        scores = {option.source: score(option, knowledge) for option in options}
        assert scores == pytest.approx({"turn": 0.9 * turn, "move laterally": 0.4 * aside})
        assert max(options, key=lambda option: score(option, knowledge) or 0).source == winner


def test_reaching_home_ends_the_task():
    head = Head("THVP", WorkingMode.PIPE)
    head.knowledge.task = Task(Want.REACH, Destination.HOME)
    head.knowledge.way = 0.2
    movement = head.think()
    assert movement is not None
    assert movement.heading == -1
    head.knowledge.way = 0.001
    assert head.think() is None
    assert head.knowledge.task.success


def test_the_end_of_the_pipe_turns_exploring_homewards():
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.think()
    head.knowledge.way = 0.6
    head.knowledge.pipes.advance(0.6)
    head.knowledge.seen = {1: Situation.OPEN_AIR}
    movement = head.think()
    assert movement is not None
    assert movement.heading == -1
    assert head.knowledge.task.homewards


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (Task(Want.REACH, Destination.FORWARD, along=0.5), "within 12 mm"),
        (Task(Want.REACH, Destination.COORDINATES, along=0.5), "within 12 mm"),
        (Task(Want.REACH, Destination.UP, height=0.1), "500 mm from home, 100 mm above it"),
        (Task(Want.REACH, Destination.CORNER), "a corner 500 mm from home"),
        (Task(Want.REACH, Destination.TOUCH), "touched something 500 mm from home"),
    ],
)
def test_places_are_reached_in_a_pipe(place: Task, told: str):
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.knowledge.task = place
    movement = head.think()
    assert movement is not None
    assert movement.heading == 1
    assert head.winners(DESTINATION) == ("reach a place",)
    head.knowledge.way, head.knowledge.height = 0.5, 0.1
    head.knowledge.felt = TouchReport(1, TouchSide.LEFT, 180, 0)
    head.think()
    assert str(head.knowledge.task.ended) == told
    assert head.knowledge.task.success


def test_up_is_back_where_the_pipe_leads_down():
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.knowledge.way, head.knowledge.height = 0.3, -0.1
    head.knowledge.task = Task(Want.REACH, Destination.UP, height=0.0)
    head.knowledge.told[2, ModuleInfo.ORIENTATION] = (0, -20, 0)
    movement = head.think()
    assert movement is not None
    assert movement.heading == -1
    head.knowledge.way = 0.0
    head.think()
    assert str(head.knowledge.task.ended) == "the pipe leads there neither ahead nor back"


def test_places_that_the_pipe_does_not_have_end_with_the_pipe():
    for place in (
        Destination.BIFURCATION,
        Destination.CORNER,
        Destination.TOUCH,
        Destination.FORWARD,
        Destination.UP,
    ):
        head = Head("TRRHRRVP", WorkingMode.PIPE)
        head.knowledge.task = Task(Want.REACH, place, along=9.0, height=9.0)
        head.knowledge.seen[1] = Situation.OPEN_AIR
        head.think()
        assert head.knowledge.task.ended is not None
        assert "the pipe ends in open air" in head.knowledge.task.ended.words
        assert not head.knowledge.task.success


def test_into_the_pipe_ahead_and_a_corner_in_the_open():
    head = Head("TRRRRRR", WorkingMode.OPEN_AIR)
    head.knowledge.task = Task(Want.REACH, Destination.PIPE)
    movement = head.think()
    assert movement is not None
    assert movement.heading == 1
    head.knowledge.mode = WorkingMode.PIPE
    head.think()
    assert not head.knowledge.task.success, "the nose is not in a pipe any more"
    head.knowledge.seen[1] = Situation.NARROW_PIPE
    head.think()
    assert head.knowledge.task.success
    head = Head("TRRRRRR", WorkingMode.OPEN_AIR)
    head.knowledge.task = Task(Want.REACH, Destination.CORNER)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, None, 0)
    head.think()
    assert head.winners(DESTINATION) == ("obstacle in the open",)
    head.knowledge.view = OpenView(wall_left=0.8)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, None, 0)
    head.think()
    assert head.knowledge.task.success


def test_a_landmark_is_looked_for_reached_or_given_up():
    head = Head("TRRRRRR", WorkingMode.OPEN_AIR)
    head.knowledge.task = task = Task(Want.REACH, Destination.LANDMARK)
    head.think()
    assert head.winners(DESTINATION) == ("reach a landmark",)
    assert head.winners(ACTION) == ("stand to look",)
    head.knowledge.pictures = 1
    head.think()
    assert head.winners(ACTION) in (("turn",), ("rotate",))
    head.knowledge.view = OpenView(landmark=0.1)
    head.think()
    assert head.winners(ACTION) == ("move straight",)
    head.knowledge.view = OpenView(landmark=0.0, landmark_near=True)
    head.think()
    assert not task.success
    head.knowledge.view = OpenView(landmark=0.0, landmark_near=True, landmark_reached=True)
    head.think()
    assert task.success
    head.knowledge.task = felt = Task(Want.REACH, Destination.LANDMARK)
    head.knowledge.view = OpenView(landmark=0.0, landmark_near=True)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, None, 0)
    head.think()
    assert felt.success, "what stands before the nose is the landmark"
    head.knowledge.task = lost = Task(Want.REACH, Destination.LANDMARK)
    head.knowledge.view = OpenView()
    head.think(500)
    assert str(lost.ended) == "no landmark in sight"


@pytest.mark.parametrize("side", [1, -1])
def test_a_stripe_that_is_out_of_sight_is_looked_for_where_it_was_seen_last(side: int):
    head = Head("TRRRRRR", WorkingMode.OPEN_AIR)
    head.knowledge.view = OpenView(stripe=0.3 * side)
    head.think()
    assert head.winners(DESTINATION) == ("stripe following",)
    head.knowledge.view = OpenView()
    head.think()
    ahead, aside = head.mind.guidance.decision(DESTINATION).value
    assert (ahead > 0.2, aside) == (True, 0.0), "it may go on beyond what was seen"
    head.think(30)
    _, aside = head.mind.guidance.decision(DESTINATION).value
    assert aside * side > 0.2
    head.think(60)
    _, aside = head.mind.guidance.decision(DESTINATION).value
    assert aside * side < -0.2, "then on the other side"
    head.think(200)
    assert head.winners(DESTINATION) == ("wandering",)


def test_one_task_after_the_other_is_no_fight():
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    for _ in range(8):
        head.knowledge.task = Task(Want.REACH, Destination.HOME)
        head.think()
        head.knowledge.task = Task(Want.REACH, Destination.FORWARD, along=1.0)
        head.think()
        head.knowledge.task = Task()
        head.think()
        assert not head.knowledge.task.news


class Bend(CentralBehaviour):
    """A goal of a test's own: one class, no edit elsewhere."""

    name = "go left"
    level = GOAL

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        yield self.proposal(DESTINATION, np.array([0.1, 1.0]))


def test_a_new_behaviour_is_heard_by_its_level():
    head = Head("RRRRRR", WorkingMode.OPEN_AIR, Bend)
    movement = head.think()
    assert head.winners(DESTINATION) == ("go left",)
    assert head.winners(ACTION) == ("turn",)
    assert movement is not None
    assert movement.pace.turn > 0


class Contrary(CentralBehaviour):
    """Wants back whenever the robot goes ahead."""

    name = "contrary"
    level = GOAL

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.heading == 1

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        yield self.proposal(DESTINATION, np.array([-1.0, 0.0]))


def test_behaviours_that_keep_undoing_each_other_are_found_and_told():
    head = Head("TRRHRRVP", WorkingMode.PIPE, Contrary)
    head.think(20)
    fights = [detail for kind, detail in head.told if kind == "flip-flop"]
    assert any(set(f["between"]) == {"contrary", "pipe following"} for f in fights)
    assert any("keep undoing each other" in each.words for each in head.knowledge.task.news)


def test_a_task_for_which_nobody_can_do_anything_ends_with_a_reason():
    head = Head("TVP", WorkingMode.PIPE)
    head.think(20)
    assert str(head.knowledge.task.ended) == "this robot has no way to go there"
    assert not head.knowledge.task.success
