"""Which modules a task needs, where to split, and answers in words."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems.microtub.inference.chains import DIGITS, IDS, OPEN, PIPE, told

from annelid.errors import InputError
from annelid.systems.microtub.inference import (
    Engine,
    RobotSituation,
    Rule,
    StatedModule,
    needed,
    shortest_chains,
    splits,
    tree,
    why_not,
)
from annelid.systems.microtub.inference.needs import IDLE
from annelid.systems.microtub.protocol import WorkingMode

ENGINE = Engine()
TASKS = st.sampled_from(["explore", "reach", "forward", "turn", "repair", "lateral"])


def by_brute_force(
    chain: list[StatedModule], situation: RobotSituation, task: str
) -> set[tuple[int, ...]]:
    """Minimal sets, by trying them all, small ones first."""
    job = ENGINE.task(task)
    found: list[tuple[int, ...]] = []
    for size in range(len(chain) + 1):
        for kept in combinations(range(len(chain)), size):
            if any(set(known) <= set(kept) for known in found):
                continue
            left = [
                each if place in kept else StatedModule(each.address, each.id, IDLE)
                for place, each in enumerate(chain)
            ]
            if ENGINE.infer(left, situation).does(job) >= 1:
                found.append(kept)
    return set(found)


@given(st.text("RSEHPT", min_size=1, max_size=6), st.sampled_from([PIPE, OPEN]), TASKS)
@settings(max_examples=25)
def test_minimal_sets_are_those_that_trying_all_finds(
    letters: str, situation: RobotSituation, task
):
    chain = told(letters)
    found = needed(ENGINE, chain, situation, task)
    assert found.complete
    wanted = by_brute_force(chain, situation, task)
    assert set(found.sets) == wanted
    common = set.intersection(*map(set, wanted)) if wanted else set()
    assert set(found.indispensable) == common


def test_exploring_needs_the_nose_the_drive_and_one_joint():
    found = needed(ENGINE, told("TRRHRRVP"), PIPE, "explore")
    assert found.grade == 3
    assert found.indispensable == (0, 3)
    assert found.sets == ((0, 1, 3), (0, 2, 3), (0, 3, 4), (0, 3, 5))


def test_a_battery_is_needed_without_a_cable():
    alone = RobotSituation(WorkingMode.PIPE, tethered=False)
    assert needed(ENGINE, told("HB"), alone, "forward").sets == ((0, 1),)
    assert needed(ENGINE, told("HP"), alone, "forward").sets == ()


def test_a_higher_grade_needs_more():
    chain = told("SRRRSH")
    assert needed(ENGINE, chain, PIPE, "forward").sets == ((5,), (1, 2, 3))
    assert needed(ENGINE, chain, PIPE, "forward", grade=3).sets == ((5,),)


def test_a_rule_about_a_whole_robot_needs_all_of_it():
    engine = Engine()
    rule = {"name": "studied", "configuration": "rrp?", "robot": "dance"}
    engine.add(Rule.parse(rule, where="test"))
    found = needed(engine, told("RRPV"), PIPE, "dance")
    assert found.sets == ((0, 1, 2),)


def test_long_chains_are_answered_in_part():
    found = needed(ENGINE, told("R" * 20), OPEN, "forward")
    assert not found.complete
    assert all(len(each) == 3 for each in found.sets)


def test_the_shortest_chains_for_a_task():
    stock = {IDS[letter]: DIGITS[letter] for letter in "TRHSEVPNBG"}
    assert shortest_chains(ENGINE, stock, PIPE, "forward") == ("h",)
    assert shortest_chains(ENGINE, stock, OPEN, "lateral") == ("rrrr",)
    assert "chr" in shortest_chains(ENGINE, stock, PIPE, "explore")
    without = {kind: digits for kind, digits in stock.items() if kind not in "hr"}
    assert shortest_chains(ENGINE, without, PIPE, "forward") == ("ses",)
    assert shortest_chains(ENGINE, {"p": DIGITS["P"]}, PIPE, "forward") == ()


def test_two_robots_joined_are_parted_where_they_were_joined():
    chain = told("TRRHB" + "TRRH")
    best = splits(ENGINE, chain, PIPE, task="explore")[0]
    assert best.front == 5
    assert best.task_grade == 3
    assert best.both == {"backward": 3, "balance": 1, "forward": 3, "turn": 3}
    assert best.lost == ()


def test_without_a_battery_the_front_half_is_dead():
    for cut in splits(ENGINE, told("TRRHTRRH"), PIPE):
        assert cut.head.abilities == {}
        assert cut.both == {}


def test_only_where_there_is_a_latch():
    chain = told("RRRBRRR")
    chain[2] = StatedModule(3, "r", "00003303000003000")
    assert [cut.front for cut in splits(ENGINE, chain, OPEN, only_latched=True)] == [2]
    best = splits(ENGINE, chain, OPEN)[0]
    assert (best.front, best.latched) == (4, False)


def test_a_single_module_cannot_be_split():
    with pytest.raises(InputError, match="at least two modules"):
        splits(ENGINE, told("R"), PIPE)


def test_what_is_lost_is_told():
    [cut] = [each for each in splits(ENGINE, told("BSES"), PIPE) if each.front == 3]
    assert cut.lost == ("backward", "forward", "turn")


def test_a_proof_goes_down_to_what_modules_said():
    said = tree(ENGINE.infer(told("SRRRS"), PIPE), "forward")
    assert said.splitlines() == [
        "forward 1: by 'inchworm', at most 3 inside a pipe",
        "├─ Sup 3: s1@1 reports it",
        "├─ Ext 1 of r1@2 r2@3 r3@4: by 'three rotations extend', at most 1 inside a pipe",
        "│  ├─ RotX 3: r1@2 reports it",
        "│  ├─ RotX 3: r2@3 reports it",
        "│  ├─ RotX 3: r3@4 reports it",
        "│  └─ PS 3: the tether",
        "├─ Sup 3: s2@5 reports it",
        "└─ PS 3: the tether",
    ]
    assert tree(ENGINE.infer(told("P"), PIPE), "forward") == ""


def test_a_refusal_says_what_is_missing():
    known = ENGINE.infer(told("TRR"), PIPE)
    said = "\n".join(why_not(known, "forward").lines())
    assert "'push': needs Push_pipe anywhere" in said
    assert "'inchworm': needs Sup, Ext, Sup in order" in said
    assert "'three rotations extend': needs Rot × 3 adjacent" in said
    assert "'serpentine': does not hold inside a pipe" in said
    said = "\n".join(why_not(known, "Grab").lines())
    assert said == "Grab: no module reports it, and no rule gives it"
