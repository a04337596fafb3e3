"""A robot that stands although its drives run: what it tries, in which order, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.central.ways_out import TRIES, WaysOut
from annelid.systems.microtub.protocol import ModuleInfo, WorkingMode


class Stuck:
    def __init__(self, *, homewards: bool) -> None:
        self.knowledge = Knowledge(mode=WorkingMode.PIPE, way=0.5)
        self.knowledge.task = Task(Want.EXPLORE, homewards=homewards)
        self.tried: list[str] = []
        self.ways = WaysOut(self.knowledge, self.log)

    def log(self, kind: str, detail: Mapping[str, Any]) -> None:
        self.tried.append(detail["try"])

    def wait(self, time_s: float, *, jammed: bool = False) -> None:
        self.knowledge.jammed = jammed
        for _ in range(round(time_s / 0.2)):
            self.knowledge.now_ns += seconds(0.2)
            self.ways.update()


def test_ahead_it_is_told_at_once():
    it = Stuck(homewards=False)
    it.wait(0.2)
    assert it.knowledge.blocked is None
    it.wait(0.2, jammed=True)
    assert it.knowledge.blocked
    assert it.tried == []


def test_backwards_everything_is_tried_twice_and_then_the_truth_is_told():
    it = Stuck(homewards=True)
    names = [each.name for each in TRIES]
    it.wait(60.0, jammed=True)
    assert it.tried == names
    assert it.knowledge.task.ended is None
    it.wait(60.0, jammed=True)
    assert it.tried == 2 * names
    it.wait(0.2, jammed=True)
    assert "stuck" in str(it.knowledge.task.ended)
    assert not it.knowledge.task.success


def test_a_robot_that_is_out_goes_on_as_before():
    it = Stuck(homewards=True)
    it.wait(4.0, jammed=True)
    assert it.knowledge.way_out == -1
    it.knowledge.way -= 0.05
    it.wait(0.2)
    assert (it.knowledge.way_out, it.knowledge.shaking) == (0, False)


def test_a_hot_drive_rests_before_anything_is_given_up():
    it = Stuck(homewards=False)
    it.knowledge.hot_ns = 0
    it.wait(10.0, jammed=True)
    assert it.knowledge.resting
    assert it.knowledge.blocked is None
    it.wait(40.0)
    assert not it.knowledge.resting
    it.wait(0.2, jammed=True)  # it has stood again, and no drive was hot since
    assert it.knowledge.blocked


def test_a_try_that_gets_on_goes_on():
    it = Stuck(homewards=True)
    it.wait(2.8, jammed=True)
    assert it.tried == ["ahead a little", "back, limp"]
    for _ in range(60):  # 15 mm in 12 s; the try is given 8
        it.knowledge.way -= 0.0006
        it.wait(0.2)
    assert it.tried[-1] == "back, limp"
    it.wait(4.0)
    assert it.tried[-1] == "back, rocking"


def test_ahead_it_goes_a_little_and_never_beyond_where_it_turned_back():
    it = Stuck(homewards=False)
    it.wait(0.2)
    it.knowledge.task.homewards = True
    it.knowledge.way -= 0.02
    it.wait(0.2, jammed=True)
    assert it.knowledge.way_out == 1
    it.knowledge.way += 0.021  # down a slope it is quick
    it.wait(0.2)
    assert it.tried == ["ahead a little", "back, limp"]
    far = Stuck(homewards=False)
    far.wait(0.2)
    far.knowledge.task.homewards = True
    far.knowledge.way -= 0.2
    far.wait(0.2, jammed=True)
    far.knowledge.way += 0.029
    far.wait(0.2)
    assert far.tried == ["ahead a little"]
    far.knowledge.way += 0.002
    far.wait(0.2)
    assert far.tried == ["ahead a little", "back, limp"]


@pytest.mark.parametrize(
    ("wire_ids", "pitch_deg", "rocks"),
    [
        ("crrhrrvp", -35, False),
        ("crrhrrvp", 35, False),
        ("crrhrrvp", 10, True),
        ("crrhrvrh", -35, False),
        ("crrhrvrh", 35, True),
        ("crrhrvrh", 50, False),
    ],
)
def test_where_the_pipe_is_steep_for_this_chain_nothing_rocks(
    wire_ids: str, pitch_deg: int, rocks: bool
):
    """One drive climbs 23 degrees, two climb 48 and come back from 41."""
    it = Stuck(homewards=True)
    types = it.knowledge.catalogue
    it.knowledge.parts = tuple(
        KnownModule(place, each, "0" * 17, kind=types.get(each))
        for place, each in enumerate(wire_ids, 1)
    )
    it.knowledge.told[2, ModuleInfo.ORIENTATION] = (0, pitch_deg, 0)
    it.wait(60.0, jammed=True)
    assert it.tried == [each.name for each in TRIES if rocks or not each.rocking]


@pytest.mark.parametrize(("homewards", "rests"), [(False, 1), (True, 3)])
def test_a_hot_drive_rests_once_ahead_and_three_times_on_the_way_back(homewards: bool, rests: int):
    """Ahead, who stands again at the same place stands because of the place."""
    it = Stuck(homewards=homewards)
    for _ in range(5):
        it.knowledge.hot_ns = it.knowledge.now_ns
        it.wait(0.4, jammed=True)
        it.wait(41.0)
    assert it.tried.count("rest") == rests
