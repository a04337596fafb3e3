"""In the open a robot knows about where it is, and how far off that may be."""

from __future__ import annotations

from math import pi, radians

import numpy as np
import pytest

from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.dead_reckoning import OpenPose
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.pace import STANDING, TUMBLING, Pace, snake, snake_turn
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.protocol import WorkingMode
from annelid.trial.load import parse
from annelid.trial.run import Trial

AHEAD = Pace(ahead=0.04, off=0.14)


def test_the_nose_goes_where_the_chain_points():
    place = OpenPose(half=0.1)
    place.walk(Pace(turn=pi / 2, off=0.0), 1.0)
    assert place.nose == pytest.approx((-0.1, 0.1, pi / 2)), "it turns about its middle"
    place.walk(AHEAD, 10.0)
    assert place.nose == pytest.approx((-0.1, 0.5, pi / 2))


def test_doubt_grows_with_the_way_and_with_turns_and_not_at_rest():
    straight, turned = OpenPose(half=0.1), OpenPose(half=0.1)
    turned.walk(Pace(turn=radians(60), off=0.0, turn_off=0.4), 1.0)
    for place in (straight, turned):
        place.walk(AHEAD, 10.0)
    assert turned.within > 1.5 * straight.within > 0.1
    before = straight.within
    straight.walk(STANDING, 100.0)
    assert straight.within == before


def test_a_place_is_told_until_the_doubt_says_nothing_or_the_robot_is_damaged():
    place = OpenPose()
    place.walk(AHEAD, 10.0)
    assert place.known
    place.lost = True
    assert not place.known
    dizzy = OpenPose()
    for _ in range(10):
        dizzy.walk(Pace(0.01, turn=radians(20), turn_off=0.8), 9.0)
    assert not dizzy.known


def test_a_robot_that_fell_on_its_side_does_not_know_its_heading():
    fallen, upright = OpenPose(half=0.1), OpenPose(half=0.1)
    fallen.walk(TUMBLING, 1.0)
    for place in (fallen, upright):
        place.walk(AHEAD, 5.0)
    assert upright.known
    assert not fallen.known


def test_a_wave_that_turns_round_and_a_nose_that_is_held_get_nowhere():
    place = OpenPose()
    place.walk(AHEAD, 5.0)
    place.held(1.0)
    assert place.nose[0] == pytest.approx(0.16)
    place.walk(Pace(ahead=-0.04), 1.0)
    assert place.nose[0] == pytest.approx(0.16)


def test_paces_follow_load_side_and_joints():
    light, heavy = [0.022] * 6, [0.022] * 6 + [0.05, 0.05]
    joints = range(6)
    assert snake(light, joints, backwards=False).ahead > snake(heavy, joints, backwards=False).ahead
    assert snake(light, joints, backwards=True).ahead < 0
    assert snake([None, *light], range(1, 7), backwards=False).off > 0.5, "an unknown type"
    left, right = (snake_turn(light, joints, left=side) for side in (True, False))
    assert (left.turn, left.onset) == (-right.turn, -right.onset)
    assert snake_turn(heavy, joints, left=True).turn < left.turn
    assert left.mirrored().turn == right.turn


def reached(chain: str, x: int, y: int, seed: int, duration_s: float) -> tuple[list[str], float]:
    """What it said last, and how far the nose is from the point, m."""
    says = [{"at_s": 1.5, "say": f"RPL 0 {x} {y} 0"}]
    trial = Trial(
        parse(
            {
                "seed": seed,
                "duration_s": duration_s,
                "robot": {"chain": chain},
                "world": {"kind": "open-air"},
                "physics": {"timestep_ms": 1.0},
                "tolerances": {"draw": True},
                "control": {"system": "microtub", "options": {"operator": says}},
            }
        )
    )
    start, said = trial.sim.poses()[0][:2].copy(), list[str]()
    trial.listeners.append(
        lambda _t, _source, kind, detail: said.append(detail["words"]) if kind == "answer" else None
    )
    assert trial.measure().statements_false == ()
    x_m, y_m = trial.sim.poses()[0][:2] - start
    return said, float(np.hypot(1000 * x_m - x, 1000 * y_m - y)) / 1000


def test_a_point_in_the_open_is_reached_and_the_words_are_true():
    said, off = reached("TRRRRRR", 350, 120, 3, 16.0)
    assert "done, within" in said[-1]
    assert off < 0.12


@pytest.mark.slow
def test_points_drawn_at_random_are_reached_within_what_is_said():
    """What is said is judged by the witness; nobody claims more than he knows."""
    near = 0
    for seed in range(4):
        draw = np.random.default_rng([2028, seed])
        chain = "T" + "R" * int(draw.integers(5, 8))
        angle, far = draw.uniform(-0.9, 0.9), draw.uniform(250, 450)
        point = round(far * np.cos(angle)), round(far * np.sin(angle))
        _, off = reached(chain, *point, seed, 25.0)
        near += off < max(0.1, 0.3 * far / 1000)
    assert near >= 3


@pytest.mark.parametrize(
    ("mode", "what"), [(WorkingMode.OPEN_AIR, "arrived"), (WorkingMode.GENERAL, "reckoned there")]
)
def test_who_does_not_know_the_ground_does_not_say_how_near_it_is(mode: WorkingMode, what: str):
    """In a pipe a wave carries a robot at another pace."""
    knowledge = Knowledge(mode=mode)
    knowledge.task = Task(Want.REACH, point=(0.2, 0.0, 0.0))
    assert telling.at_place(knowledge, 0.01).what == what
    assert ("?" in telling.way(knowledge).words) is (mode is WorkingMode.GENERAL)
