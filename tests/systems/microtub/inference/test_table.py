"""Every rule fires where it should, and nowhere else."""

from __future__ import annotations

import pytest
from tests.systems.microtub.inference.chains import GENERAL, OPEN, PIPE, strings, told

from annelid.systems.microtub.inference import (
    Engine,
    RobotSituation,
    Rulebook,
    RuleFile,
    StatedModule,
    tree,
    why_not,
)

WORKED = ("00003203001003000", "00003302130003000", "00003000200003111")
"""The three modules of the example of 000 §6."""


def fired(engine: Engine, members: list[StatedModule], situation: RobotSituation) -> dict[str, int]:
    """Rule to grade, units included."""
    known = engine.infer(members, situation)
    found: dict[str, int] = {}
    for fact in (*known.base.local(), *known.base.robot.values()):
        if fact.rule is not None:
            found[fact.rule.name] = max(found.get(fact.rule.name, 0), fact.grade)
    return found


@pytest.mark.parametrize(("situation", "grade"), [(OPEN, 3), (PIPE, 1)])
@pytest.mark.parametrize("tethered", [True, False])
def test_the_worked_example(situation: RobotSituation, grade: int, tethered: bool):
    """Module 3 has PS 1, so it needs no cable, and its weakness does not count."""
    known = Engine().infer(strings(*WORKED), RobotSituation(situation.mode, tethered=tethered))
    [unit] = [fact for fact in known.units() if fact.skill == "Ext"]
    assert (unit.grade, unit.modules) == (grade, (0, 1, 2))
    assert known.digits[0] == str(grade)


CASES = [
    ("three rotations extend", "RRR", ["RR", "RRPR", "RPRR"]),
    ("inchworm", "SPERS", ["SSE", "ESS", "SPS", "SE"]),
    ("inchworm backwards", "SES", ["ESS"]),
    ("support unit", "PSS", ["SPS", "S"]),
    ("extension unit", "EE", ["EPE", "E", "RRR"]),
    ("inchworm of units", "SSRREEPSS", ["SESS", "SSESS", "SSEES", "EESSSS"]),
    ("inchworm of units backwards", "SSEESS", ["SES"]),
    ("push round a bend", "RPH", ["H", "RR", "HS"]),
    ("push", "PH", ["PP", "SR"]),
    ("push backwards", "H", ["R"]),
    ("snake", "PRRRR", ["RRPRR", "RR"]),
    ("snake backwards", "RRR", ["RR"]),
    ("bend and go on", "SESR", ["RR", "SSR"]),
    ("three rotations hold", "RRR", ["RR"]),
    ("right itself", "RPR", ["R", "EE"]),
]


@pytest.mark.parametrize(("rule", "yes", "no"), CASES)
def test_in_a_pipe(rule: str, yes: str, no: list[str]):
    engine = Engine()
    assert rule in fired(engine, told(yes), PIPE)
    for chain in no:
        assert rule not in fired(engine, told(chain), PIPE), chain
    without_power = RobotSituation(PIPE.mode, tethered=False)
    assert rule not in fired(engine, told(yes), without_power)
    assert rule in fired(engine, told(yes + "B"), without_power)


OPEN_CASES = [
    ("serpentine", "RRRRRR", ["RRR", "RRPRRR"]),
    ("snake turn", "RRR", ["RR", "KKK"]),
    ("rolling", "RRSESRR", ["RRSESR", "KKKK"]),
    ("sidewinding", "RRRR", ["RRSESRR"]),
    ("rotate in place", "RRRR", ["RRRPR"]),
    ("push on the flat", "HH", ["S", "HHP"]),
    ("push on the flat backwards", "H", ["S", "TH"]),
    ("push a jointed chain on the flat", "TRHHP", ["RPHH", "RHR", "EHH"]),
    ("push a jointed chain on the flat backwards", "RHH", ["RH"]),
]


@pytest.mark.parametrize(("rule", "yes", "no"), OPEN_CASES)
def test_in_open_air(rule: str, yes: str, no: list[str]):
    engine = Engine()
    assert rule in fired(engine, told(yes), OPEN)
    assert rule not in fired(engine, told(yes), PIPE)
    for chain in no:
        assert rule not in fired(engine, told(chain), OPEN), chain


def test_every_rule_is_tested():
    tested = {case[0] for case in (*CASES, *OPEN_CASES)} | {"split"}
    assert tested == set(Rulebook().rules)


LIMITED = [
    ("a caterpillar lifts its joints", "snake", "EEE", 0, "RRR", 3),
    ("a caterpillar lifts its joints", "snake backwards", "EERR", 0, "ERRR", 3),
    ("pushers stand on their wheels", "push on the flat", "HHP", 0, "HH", 1),
    ("a sidewinder drags nobody", "sidewinding", "RRRRPPP", 0, "RRRRPP", 3),
    ("a serpent drags nobody", "serpentine", "RRRRRRPPPP", 0, "RRRRRRPPP", 1),
    ("a serpent is long", "serpentine", "RRRRR", 0, "RRRRRR", 1),
    ("a train turns wide", "snake turn", "RRRRPPP", 2, "RRRRPP", 3),
    ("a long train goes straight", "snake turn", "RRRRPPPPP", 0, "RRRRPPPP", 2),
    ("a dancer carries nobody", "rotate in place", "RRRRPP", 0, "RRRRP", 3),
    ("three joints drag little", "snake", "HVRRR", 1, "VRRR", 3),
    ("three joints drag little", "snake backwards", "RRRPP", 1, "RRRRPP", 3),
]


@pytest.mark.parametrize(("limit", "rule", "much", "left", "less", "whole"), LIMITED)
def test_a_limit_lowers_what_would_get_nowhere(
    limit: str, rule: str, much: str, left: int, less: str, whole: int
) -> None:
    engine = Engine()
    known = engine.infer(told(much), OPEN)
    assert fired(engine, told(much), OPEN).get(rule, 0) == left
    assert fired(engine, told(less), OPEN)[rule] == whole
    ability = engine.rulebook.rules[rule].gives
    said = tree(known, ability) if left else "\n".join(why_not(known, ability).lines())
    assert limit in said
    engine.rulebook.take(RuleFile(remove=(limit,)), where="here")
    assert fired(engine, told(much), OPEN)[rule] > left, "the control: without the limit"


def test_a_wave_in_a_pipe_drags_no_more_than_itself() -> None:
    engine, name = Engine(), "a wave in a pipe drags little"
    assert "snake" not in fired(engine, told("STRRRPB"), PIPE)
    assert fired(engine, told("TRRRPB"), PIPE)["snake"] == 1
    engine.rulebook.take(RuleFile(remove=(name,)), where="here")
    assert fired(engine, told("STRRRPB"), PIPE)["snake"] == 1


@pytest.mark.parametrize(
    ("limit", "arched"),
    [("an arch is no good foothold", "RRRERRR"), ("two arches get nowhere", "RRRRRRS")],
)
def test_arches_make_no_inchworm_that_walks(limit: str, arched: str) -> None:
    engine = Engine()
    assert "inchworm" not in fired(engine, told(arched), PIPE)
    assert fired(engine, told("SRRRS"), PIPE)["inchworm"] == 1, "one arch walks"
    assert fired(engine, told("SERRR"), PIPE)["inchworm"] == 1
    engine.rulebook.take(RuleFile(remove=(limit,)), where="here")
    assert fired(engine, told(arched), PIPE)["inchworm"] == 1, "as printed in Table 9"


def test_every_limit_is_tested() -> None:
    tested = {case[0] for case in LIMITED} | {"a wave in a pipe drags little"}
    tested |= {"an arch is no good foothold", "two arches get nowhere"}
    assert tested == set(Rulebook().limits)


def test_a_lesser_match_that_walks_is_taken_where_a_better_one_would_not() -> None:
    only_x = "00002000000000000"
    chain = [*told("EEEEEP"), *strings(*[only_x] * 4)]
    ways = Engine().infer(chain, OPEN).ways("forward")
    (way,) = [fact for fact in ways if fact.rule is not None and fact.rule.name == "snake"]
    assert (way.grade, way.modules) == (2, (6, 7, 8, 9))


def test_a_latch_lets_it_split():
    latch = told("RR")
    latch[1] = StatedModule(2, "r", "00003303000003000")
    assert fired(Engine(), latch, PIPE)["split"] == 3
    assert "split" not in fired(Engine(), told("RR"), PIPE)


def test_supports_hold_in_pipes_only_and_a_helicoidal_pushes_better_there():
    engine = Engine()
    assert engine.infer(told("SES"), OPEN).abilities == {}
    assert engine.infer(told("H"), PIPE).can("forward") == 3
    assert engine.infer(told("H"), OPEN).can("forward") == 1
    assert engine.infer(told("H"), GENERAL).can("forward") == 1


def test_joints_that_share_no_axis_do_not_fold():
    x, y, both = "00003000000000000", "00000300000000000", "00003200000000000"
    engine = Engine()
    assert engine.infer(strings(x, y, x), OPEN).can("forward") == 0
    assert engine.infer(strings(x, both, x), OPEN).can("forward") == 3
    assert engine.infer(strings(y, both, y), OPEN).can("forward") == 0
    engine.rulebook.take(RuleFile(remove=("a caterpillar lifts its joints",)), where="here")
    assert engine.infer(strings(y, both, y), OPEN).can("forward") == 2, "as printed in Table 9"


def test_rotz_bends_nothing():
    z = "00000030000000000"
    assert Engine().infer(strings(z, z, z), OPEN).abilities == {}


def test_nine_rotations_are_an_inchworm_of_units():
    """Super-units: what three rotations are is used by the next rule (000 §6.1.2)."""
    engine = Engine()
    assert "inchworm" not in fired(engine, told("R" * 9), PIPE), "a limit of ours"
    arches = ("an arch is no good foothold", "two arches get nowhere")
    engine.rulebook.take(RuleFile(remove=arches), where="here")
    assert fired(engine, told("R" * 9), PIPE)["inchworm"] == 1
    assert fired(engine, told("R" * 8), PIPE).get("inchworm") is None
    assert fired(engine, told("R" * 18), PIPE)["inchworm of units"] == 1


def test_the_same_robot_inches_in_a_pipe_and_rolls_in_open_air():
    """000, Figs 21 and 22."""
    engine = Engine()
    inside, outside = (engine.infer(told("RRSESRR"), each) for each in (PIPE, OPEN))
    gait = inside.gait("forward")
    assert gait is not None
    assert gait.commands == ("MWO",)
    assert outside.can("forward") == 0
    gait = outside.gait("lateral")
    assert gait is not None
    assert gait.commands == ("MRO",)
