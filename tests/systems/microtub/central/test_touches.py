"""``RPL touch`` in the open ends with a true answer, whatever the robot has to feel with."""

from __future__ import annotations

from typing import Any

import pytest
from tests.robot.feelers import FEELERS
from tests.systems.microtub.central.test_mind import Head

from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.central.reaching import TaskRefusal, reaching
from annelid.systems.microtub.central.task import Task
from annelid.systems.microtub.protocol import Destination, TouchSide, WorkingMode
from annelid.trial.load import parse
from annelid.trial.metrics import Metrics
from annelid.trial.plugins import Plugins
from annelid.trial.run import Trial

PLUGINS = Plugins({"module": FEELERS})
WALL = {"shape": "box", "at_mm": [330, 0], "size_mm": [60, 600, 120]}
PILLAR = {"shape": "cylinder", "at_mm": [300, 0], "diameter_mm": 60, "height_mm": 150}
PIPE = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 350}, {"part": "cap"}]}


def ran(
    chain: str, world: dict[str, Any], *, duration_s: float = 48.0, **more: Any
) -> tuple[list[str], Metrics]:
    """What it answers to ``RPL touch``."""
    options = {"operator": [{"at_s": 1.5, "say": "RPL touch"}], **more.pop("options", {})}
    table = {
        "duration_s": duration_s,
        "seed": 11,
        "robot": {"chain": chain},
        "world": world,
        "tolerances": {"draw": True},
        "physics": {"timestep_ms": 1.0},
        "control": {"system": "microtub", "options": options},
        **more,
    }
    trial, said = Trial(parse(table, plugins=PLUGINS), plugins=PLUGINS), list[str]()
    trial.listeners.append(
        lambda _t, _source, kind, detail: said.append(detail["words"]) if kind == "answer" else None
    )
    return said, trial.measure()


class Feeler(Head):
    """Told to go on until it touches something, and told by a joint that it may have."""

    def __init__(self) -> None:
        super().__init__("RRRRRR", WorkingMode.OPEN_AIR)
        task = reaching((Destination.TOUCH,), self.knowledge)
        assert isinstance(task, Task)
        self.knowledge.task = task

    def go(self, metres: float) -> bool:
        """So far in the direction it wants; whether that is ahead."""
        self.think()
        ahead = bool(self.knowledge.destination[0] > 0)
        self.knowledge.place.ahead += metres if ahead else -metres
        return ahead

    def feel(self) -> None:
        self.knowledge.felt = TouchReport(1, TouchSide.HELD, None, self.knowledge.now_ns)
        self.think()


def test_it_goes_back_first_and_believes_what_it_feels_twice_at_one_place() -> None:
    robot = Feeler()
    long = robot.knowledge.length
    assert not robot.go(0.2 * long), "it may stand at a wall, and would feel nothing"
    for _ in range(2):
        while not robot.go(0.2 * long):
            assert robot.knowledge.task.going_on
        for _ in range(4):
            assert robot.go(0.2 * long)
        robot.feel()
    assert robot.knowledge.task.success
    assert "felt twice" in str(robot.knowledge.task.ended)


def test_what_is_not_felt_again_was_nothing_and_nothing_in_2_m_ends_it() -> None:
    robot, goes = Feeler(), 0
    while robot.knowledge.place.ahead < 0.5:
        robot.go(0.05)
    robot.feel()
    while robot.knowledge.task.going_on and goes < 200:
        robot.go(0.05)
        goes += 1
    assert robot.knowledge.task.held_at is None
    assert not robot.knowledge.task.success
    assert "nothing touched in 2 m" in str(robot.knowledge.task.ended)


def test_a_chain_that_cannot_feel_refuses() -> None:
    for letters in ("PP", "HH"):
        robot = Head(letters, WorkingMode.OPEN_AIR)
        assert isinstance(reaching((Destination.TOUCH,), robot.knowledge), TaskRefusal)


@pytest.mark.parametrize(("roll", "side"), [(0.1, TouchSide.LEFT), (1.6, TouchSide.ABOVE)])
def test_sides_are_those_of_the_robot_as_it_lies(roll: float, side: TouchSide) -> None:
    assert TouchReport(1, TouchSide.LEFT, None, 0).rolled(roll).side is side


def test_who_felt_it_is_what_the_statement_rests_on() -> None:
    robot = Head("TRRRR", WorkingMode.OPEN_AIR)
    by_nose = telling.touched(robot.knowledge, TouchReport(1, TouchSide.NOSE, None, 0))
    by_joint = telling.touched(robot.knowledge, TouchReport(3, TouchSide.HELD, None, 0))
    assert by_nose.source.startswith(telling.NOSE)
    assert by_joint.source.startswith("module 3")


def test_joints_alone_feel_a_wall() -> None:
    said, metrics = ran("RRRRR", {"kind": "open-air", "obstacles": [WALL]})
    assert metrics.statements_false == ()
    assert "done, touched something" in said[-1]


def test_a_contact_sensor_feels_the_end_of_a_pipe() -> None:
    chain = "QRRHRRP"
    said, metrics = ran(chain, PIPE, duration_s=18.0, options={"environment": "pipe"})
    assert metrics.statements_false == ()
    assert any("done, touched something" in each for each in said)


@pytest.mark.slow
@pytest.mark.parametrize("chain", ["RRRRRRR", "ERRRRR", "SRRRRR", "QRRRRR", "XRRRRR", "NRRRRB"])
@pytest.mark.parametrize("thing", [WALL, PILLAR, None])
def test_no_chain_says_a_touch_that_is_none(chain: str, thing: dict[str, Any] | None) -> None:
    world = {"kind": "open-air", "obstacles": [] if thing is None else [thing]}
    said, metrics = ran(chain, world, duration_s=100.0)
    assert metrics.statements_false == ()
    if thing is None:
        assert any("nothing touched in 2 m" in each for each in said) or len(said) == 1


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["weak_servo", "limp_servo", "stuck_servo"])
@pytest.mark.parametrize("servo", ["R1.pitch", "R3.pitch", "R5.pitch"])
def test_a_servo_that_fails_is_no_touch(fault: str, servo: str) -> None:
    broken = {"fault": fault, "servo": servo, "at_s": 16.0}
    broken |= {"factor": 0.3} if fault == "weak_servo" else {}
    _, metrics = ran("RRRRRRR", {"kind": "open-air"}, duration_s=60.0, faults=[broken])
    assert metrics.statements_false == ()
