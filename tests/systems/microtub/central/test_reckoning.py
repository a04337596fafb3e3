"""How far the robot has come, by whom it is told, and how far off that may be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement
from annelid.systems.microtub.central.pace import Pace
from annelid.systems.microtub.central.reckoning import COUNTED, Reckoning
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.protocol import ModuleInfo, RobotInfo, WorkingMode

BROKEN = "0" * 17
PUSH = Movement("push", (), 1, Pace(0.03), way="push", gait="MHE")
INCH = Movement("inch", (), 1, Pace(0.016), way="inch", gait="MWO")
WAVE = Movement("wave", (), 1, Pace(0.035), way="wave", gait="MO1")


def known(*members: FoundModule) -> Knowledge:
    knowledge = Knowledge()
    knowledge.know(members)
    return knowledge


def counting(movement: Movement, *wheels: tuple[int, int], looks: int = 10) -> Knowledge:
    """A robot whose travellers count so many mm by their largest and middle wheels every second."""
    knowledge = known(*(FoundModule(7 + k, "v", BROKEN) for k in range(len(wheels))))
    reckoning = Reckoning(knowledge)
    for look in range(looks + 1):
        for k, (largest, middle) in enumerate(wheels):
            knowledge.told[7 + k, ModuleInfo.DISTANCE] = (look * largest, look * middle)
        reckoning.update(movement)
        knowledge.now_ns += seconds(1)
    return knowledge


def test_the_way_is_what_the_middle_wheel_counts():
    knowledge = counting(PUSH, (30, 28))
    assert knowledge.way == pytest.approx(10 * 0.028 * COUNTED)
    assert knowledge.off == pytest.approx(0.05 * knowledge.way)


def test_an_inchworm_goes_by_the_middle_wheel_and_is_off_by_more():
    knowledge = counting(INCH, (26, 20))
    assert knowledge.way == pytest.approx(10 * 0.020 * COUNTED)
    assert knowledge.doubt == pytest.approx(0.10)


@pytest.mark.parametrize(
    ("ids", "movement", "ahead_mm"),
    [("sesv", INCH, 10.5), ("sesv", PUSH, 0.0), ("vses", INCH, 0.0), ("seesv", INCH, 21.0)],
)
def test_the_nose_of_an_inchworm_is_ahead_of_its_traveller(
    ids: str, movement: Movement, ahead_mm: float
):
    """By half a stroke of each extension between the two, more or less as much."""
    knowledge = known(*(FoundModule(k, each, BROKEN) for k, each in enumerate(ids)))
    reckoning, traveller = Reckoning(knowledge), ids.index("v")
    for mm in (0, 100):
        knowledge.told[traveller, ModuleInfo.DISTANCE] = (mm, mm)
        reckoning.update(movement)
    said = telling.way(knowledge)
    plain = 1000 * knowledge.way
    assert said.value == pytest.approx(plain + ahead_mm, abs=0.6)
    assert said.within == pytest.approx(12 + 1000 * knowledge.off + ahead_mm, abs=0.6)
    covered = telling.answer(RobotInfo.DISTANCE, (100,), knowledge=knowledge)
    assert covered.within == pytest.approx(12 + 1000 * knowledge.off + 2 * ahead_mm)


def test_where_only_one_wheel_touches_the_truth_lies_between_the_two():
    knowledge = counting(PUSH, (30, 0), looks=40)
    assert knowledge.way - knowledge.off < 0.1 < 1.1 < knowledge.way + knowledge.off
    assert not knowledge.measured


def test_while_only_one_wheel_rolls_nobody_is_stuck_and_the_interval_is_wide():
    """At first it is not known whether that one or those that stand are right.  One that only sways
    rolls slowly."""
    for largest, stands in ((20, False), (3, True), (0, True)):
        knowledge = known(FoundModule(7, "v", BROKEN))
        knowledge.heading = 1
        reckoning = Reckoning(knowledge)
        for look in range(5):
            knowledge.told[7, ModuleInfo.DISTANCE] = (look * largest, 0)
            reckoning.update(PUSH)
            knowledge.now_ns += seconds(1)
        said = telling.way(knowledge)
        gone = 4 * largest * COUNTED
        assert said.within is not None
        assert said.value - 1 <= gone <= said.value + said.within + 2
        knowledge.now_ns += seconds(1)
        reckoning.update(PUSH)
        assert bool(knowledge.failed) is stands


def test_what_the_middle_wheel_has_lost_is_made_up_for():
    """When it is found out that it does not roll: half is added, and as much is doubted."""
    knowledge = counting(PUSH, (20, 0), looks=6)
    gone = 6 * 0.020 * COUNTED
    assert knowledge.way - knowledge.off <= 0.01
    assert knowledge.way + knowledge.off >= 0.7 * gone


def test_among_waves_a_traveller_tells_next_to_nothing():
    knowledge = counting(WAVE, (60, 20))
    assert knowledge.doubt > 0.5
    assert not knowledge.measured


@pytest.mark.parametrize(
    ("wheels", "mm"),
    [
        (((30, 30), (0, 0)), 30),  # one of two is out of the pipe
        (((90, 90), (30, 30), (29, 29)), 30),  # one of three runs wild
    ],
)
def test_of_several_travellers_the_one_in_the_middle_is_believed(
    wheels: tuple[tuple[int, int], ...], mm: int
):
    assert counting(PUSH, *wheels).way == pytest.approx(10 * mm / 1000 * COUNTED)


def test_in_a_pipe_that_the_wheels_do_not_reach_the_way_is_a_guess_and_told_as_one():
    """Its wheels turn with nothing; and no movement is blamed for that."""
    knowledge = known(FoundModule(7, "v", BROKEN))
    knowledge.bore, knowledge.heading = 0.050, 1
    reckoning = Reckoning(knowledge)
    for _ in range(11):
        knowledge.told[7, ModuleInfo.DISTANCE] = (0, 0)
        reckoning.update(PUSH)
        knowledge.now_ns += seconds(1)
    assert knowledge.way == pytest.approx(0.3)
    assert not knowledge.failed
    assert telling.way(knowledge).value is None
    knowledge.bore = 0.044
    assert knowledge.reached


def test_without_a_traveller_the_way_is_a_guess():
    knowledge = known(FoundModule(7, "h", BROKEN))
    reckoning = Reckoning(knowledge)
    for _ in range(11):
        reckoning.update(Movement("push", (), 1, Pace(0.03), way="push"))
        knowledge.now_ns += seconds(1)
    assert knowledge.way == pytest.approx(0.3)


@pytest.mark.parametrize("movement", [PUSH, WAVE])
@pytest.mark.parametrize("pitch_deg", [-8, 5, 8])
def test_a_guessed_way_is_less_up_a_slope_and_more_down(movement: Movement, pitch_deg: int):
    """T R R H R R P in 42 mm came back up to 1.9 times as fast as it went up."""
    ways = []
    for pace in (movement.pace, Pace(-movement.pace.ahead)):
        knowledge = known(*(FoundModule(k, each, BROKEN) for k, each in enumerate("crrhrrp")))
        knowledge.mode, knowledge.bore = WorkingMode.PIPE, 0.042
        reckoning = Reckoning(knowledge)
        for _ in range(21):
            knowledge.told[3, ModuleInfo.ORIENTATION] = (0, pitch_deg, 0)
            reckoning.update(replace(movement, pace=pace))
            knowledge.now_ns += seconds(1)
        ways.append(abs(knowledge.way))
    ahead, back = ways
    level = 20 * movement.pace.ahead
    assert (ahead < level < back) is (pitch_deg > 0)
    assert ahead + back == pytest.approx(2 * level)


@pytest.mark.parametrize("ids", ["crrhrrp", "crrhrrv"])
def test_who_guesses_its_way_stops_before_home(ids: str):
    knowledge = known(*(FoundModule(k, each, BROKEN) for k, each in enumerate(ids)))
    knowledge.covered = 0.8
    assert knowledge.short == pytest.approx(0.12 if ids.endswith("p") else 0.0)


@pytest.mark.parametrize(("hot_s", "looks", "told"), [(8, 10, "hot"), (None, 400, "long way")])
def test_who_guesses_its_way_does_not_press_on_for_ever(hot_s, looks: int, told: str):
    knowledge = known(FoundModule(1, "s", BROKEN), FoundModule(2, "e", BROKEN))
    knowledge.mode, knowledge.heading = WorkingMode.PIPE, 1
    knowledge.task = Task(Want.EXPLORE)
    knowledge.hot_ns = 0  # of before
    reckoning = Reckoning(knowledge)
    for look in range(looks):
        assert look > 8 or knowledge.task.going_on
        knowledge.now_ns += seconds(1)
        if look == hot_s:
            knowledge.hot_ns = knowledge.now_ns
        reckoning.update(INCH)
    assert knowledge.task.ended is not None
    assert told in knowledge.task.ended.words
    assert "may be stuck" in knowledge.task.ended.words


def test_walking_without_getting_anywhere_fails_that_way():
    knowledge = known(FoundModule(7, "v", BROKEN))
    knowledge.heading = 1
    reckoning = Reckoning(knowledge)
    for _ in range(8):
        knowledge.now_ns += seconds(1)
        knowledge.told[7, ModuleInfo.DISTANCE] = (100, 100)
        reckoning.update(Movement("push", (), 1, Pace(0.03), way="push"))
    assert knowledge.failed == {"push"}


def test_wheels_that_hang_in_the_open_air_are_no_robot_that_stands():
    open_air, pipe, unknown = WorkingMode.OPEN_AIR, WorkingMode.PIPE, WorkingMode.GENERAL
    for mode, stands in ((open_air, False), (unknown, False), (pipe, True)):
        knowledge = known(FoundModule(7, "v", BROKEN))
        knowledge.mode, knowledge.heading, knowledge.gait = mode, -1, WAVE.gait
        knowledge.told[7, ModuleInfo.DISTANCE] = (50, 50)
        reckoning = Reckoning(knowledge)
        for _ in range(10):
            reckoning.update(WAVE)
            knowledge.now_ns += seconds(1)
        assert bool(knowledge.failed) is stands


def test_a_traveller_that_does_not_answer_any_more_is_no_robot_that_stands():
    knowledge = known(FoundModule(7, "v", BROKEN))
    knowledge.heading = 1
    reckoning = Reckoning(knowledge)
    for second in range(12):
        knowledge.now_ns += seconds(1)
        if second < 3:
            knowledge.told[7, ModuleInfo.DISTANCE] = (30 * second, 30 * second)
            knowledge.heard_ns[7, ModuleInfo.DISTANCE] = knowledge.now_ns
        reckoning.update(Movement("push", (), 1, Pace(0.03), way="push"))
        assert knowledge.silent is (second >= 5)
    assert not knowledge.failed
    assert knowledge.way > 0.2
    assert telling.way(knowledge).value is None
    knowledge.heard_ns[7, ModuleInfo.DISTANCE] = knowledge.now_ns
    assert not knowledge.silent


@pytest.mark.parametrize("eyes", [True, False])
def test_a_blind_robot_whose_wheels_stand_still_may_be_out_of_the_pipe(eyes: bool):
    """Eyes of a module behind the first see nothing of the pipe."""
    sees, travels = FoundModule(1, "c", "00000000301000000"), FoundModule(2, "v", BROKEN)
    knowledge = known(*((sees, travels) if eyes else (travels, sees)))
    knowledge.mode = WorkingMode.PIPE
    for said in (telling.gets_nowhere(knowledge, "push"), telling.stands(knowledge)):
        assert said.what == ("nowhere" if eyes else "nowhere or out")
    assert telling.stuck(knowledge).what == ("stuck" if eyes else "nowhere or out")


@pytest.mark.parametrize(
    ("far", "way", "home"), [(0.4, 0.05, True), (0.4, 0.2, False), (0.06, 0.05, False)]
)
def test_wheels_that_stand_still_near_home_have_left_the_tube(far: float, way: float, home: bool):
    """After a second: a robot that pushes on for longer backs out and falls.  Not of one that has
    hardly come back: it is stuck where it turned."""
    knowledge = known(FoundModule(7, "v", BROKEN))
    reckoning = Reckoning(knowledge)
    knowledge.way = far
    reckoning.update(None)
    knowledge.heading, knowledge.way = -1, way
    for _ in range(8):
        knowledge.now_ns += seconds(0.2)
        knowledge.told[7, ModuleInfo.DISTANCE] = (100, 100)
        reckoning.update(Movement("push back", (), -1, Pace(-0.03), way="push"))
    assert (knowledge.way == 0.0) is home
    assert not knowledge.failed


def test_height_follows_the_pitch_of_the_way():
    """One metre up a slope of 30° is half a metre higher; none of it is, level."""
    knowledge = known(FoundModule(7, "h", BROKEN))
    reckoning = Reckoning(knowledge)
    push = Movement("push", (), 1, Pace(0.1), way="push")
    reckoning.update(push)
    heights = []
    for pitch_deg in (0, 30, -30):
        knowledge.told[7, ModuleInfo.ORIENTATION] = (0, pitch_deg)
        for _ in range(10):
            knowledge.now_ns += seconds(1)
            reckoning.update(push)
        heights.append(knowledge.height)
    assert heights == pytest.approx([0.0, 0.5, 0.0], abs=1e-9)


@pytest.mark.parametrize(("last_mm", "stuck"), [(0, True), (28, False)])
def test_a_rocking_robot_that_has_just_come_on_is_not_told_to_be_stuck(last_mm: int, stuck: bool):
    """For a long time it got nowhere; what counts is whether it still does."""
    knowledge = known(FoundModule(7, "v", BROKEN))
    knowledge.mode, knowledge.heading, knowledge.rocking = WorkingMode.PIPE, 1, True
    reckoning = Reckoning(knowledge)
    for look in range(96):
        gone = max(look - 85, 0) * last_mm // 10
        knowledge.told[7, ModuleInfo.DISTANCE] = (500 + gone, 500 + gone)
        reckoning.update(PUSH)
        knowledge.now_ns += seconds(0.2)
    assert bool(knowledge.task.news) is stuck
