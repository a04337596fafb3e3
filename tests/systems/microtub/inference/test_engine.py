"""Properties of inference that hold for any chain and any order of the rules."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.systems.microtub.inference.chains import PIPE, damaged, situations, strings, told

from annelid.systems.microtub.inference import (
    Engine,
    Inferred,
    RobotSituation,
    Rulebook,
    RuleFile,
    StatedModule,
)
from annelid.systems.microtub.inference.facts import ByCable, Derived, Fact
from annelid.systems.microtub.inference.masks import competence, merge
from annelid.systems.microtub.protocol import WorkingMode

ENGINE = Engine()
Conclusion = tuple[str, str, int, int, int, tuple[int, ...]]


def conclusions(known: Inferred) -> set[Conclusion]:
    facts = (*known.base.local(), *known.base.robot.values())
    return {
        (f.rule.name if f.rule else "", f.skill, f.first, f.last, f.grade, f.modules) for f in facts
    }


def test_masks_merge_as_in_the_example():
    rotx = "00001000000000000"
    for digits in ("00003203001003000", "00003302130003000", "00003000200003111"):
        assert merge(digits, rotx) == "00003000000000000"
    assert competence("00003200000000000", "RotXY") == 2
    assert competence("00003000000000000", "RotXY") == 0


@given(damaged(), situations, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_the_rules_does_not_matter(chain, situation, random):
    rules = list(ENGINE.rulebook.rules.values())
    random.shuffle(rules)
    other = Rulebook(empty=True)
    other.add(*rules)
    other.take(RuleFile(limit=tuple(ENGINE.rulebook.limits.values())), where="limits")
    assert conclusions(Engine(other).infer(chain, situation)) == conclusions(
        ENGINE.infer(chain, situation)
    )


@given(damaged(), situations, st.data())
@settings(max_examples=80)
def test_more_capability_never_takes_a_conclusion_away(chain, situation, data):
    place = data.draw(st.integers(0, len(chain) - 1))
    digit = data.draw(st.integers(0, 16))
    old = chain[place]
    raised = old.mdl[:digit] + str(min(3, int(old.mdl[digit]) + 1)) + old.mdl[digit + 1 :]
    better = [*chain[:place], StatedModule(old.address, old.id, raised), *chain[place + 1 :]]
    before, after = ENGINE.infer(chain, situation), ENGINE.infer(better, situation)
    for name, grade in before.abilities.items():
        assert after.can(name) >= grade
    at = {(f.skill, f.first, f.last): f.grade for f in after.base.local()}
    for fact in before.base.local():
        assert at.get((fact.skill, fact.first, fact.last), 0) >= fact.grade
    for key, fact in before.base.robot.items():
        assert after.base.robot[key].grade >= fact.grade


@given(damaged(), situations)
@settings(max_examples=60)
def test_a_fixpoint_stays_one(chain, situation):
    """Going over all rules once more brings nothing."""
    known = ENGINE.infer(chain, situation)
    before = conclusions(known)
    for fact in list(ENGINE.conclusions(known)):
        assert not known.base.learn(fact), fact
    assert conclusions(known) == before


@given(damaged(), situations)
@example(told("HVRRR"), RobotSituation(WorkingMode.GENERAL, True))
@settings(max_examples=60)
def test_proofs_are_sound(chain, situation):
    known = ENGINE.infer(chain, situation)

    def check(fact: Fact) -> None:
        why = fact.why
        if isinstance(why, Derived):
            limits = [below.grade for below in why.pattern]
            granted = min([why.cap, *limits])
            if why.lowered:
                assert fact.grade < granted
                assert why.lowered[-1].endswith(f" leaves {fact.grade}")
            else:
                assert fact.grade == granted
            assert why.cap <= why.rule.environment.cap(situation.mode)
            if why.rule.adjacent:
                for one, two in zip(why.pattern, why.pattern[1:], strict=False):
                    assert two.first == one.last + 1
            for below in (*why.pattern, *why.conditions):
                check(below)
        elif isinstance(why, ByCable):
            assert situation.tethered
        else:
            assert competence(chain[why.position].mdl, fact.skill) == fact.grade

    for fact in known.base.robot.values():
        check(fact)


def test_ways_are_ordered_by_grade_then_by_how_many_modules_work():
    known = ENGINE.infer(told("SESRRRRH"), PIPE)
    ways = [(way.grade, way.rule.name) for way in known.ways("forward") if way.rule is not None]
    assert ways == [(3, "inchworm"), (3, "push"), (1, "snake")]


def test_a_damaged_drive_pushes_less():
    weak = [*strings("00110000000000000")]
    assert ENGINE.infer(weak, PIPE).can("forward") == 1


@pytest.mark.realtime
def test_twenty_modules_in_five_milliseconds():
    chains = ["R" * 20, "SSEESSRRRHSSEESSRRRT", "RSERSERSERSERSERSERS"]
    for letters in chains:
        chain = told(letters)
        for mode in WorkingMode:
            best = float("inf")
            for _ in range(5):
                start = time.process_time()
                ENGINE.infer(chain, RobotSituation(mode))
                best = min(best, time.process_time() - start)
            assert best < 0.005, (letters, mode)


def test_a_robot_of_no_modules_can_do_nothing():
    assert ENGINE.infer([], PIPE).abilities == {}
