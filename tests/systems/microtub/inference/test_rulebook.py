"""Rules come and go while the robot is running, from code, from files, from studies."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.microtub.inference.chains import DIGITS, OPEN, PIPE, told

from annelid.errors import MissingFile, SpecError, UnknownName
from annelid.systems.microtub.inference import Engine, Rule, Rulebook, read_rules
from annelid.systems.microtub.inference.page import rules_page
from annelid.systems.microtub.protocol import WorkingMode
from annelid.trial.toml import dumps

PULL = {
    "name": "pull along",
    "anywhere": ["PS", "Grab"],
    "sequential": ["Ext"],
    "environment": {"pipe": 2},
    "robot": "forward",
}

LEARNT = f"""
about = "kept after reading"

[[learnt]]
name = "six rotations, open air"
configuration = "rrrrrr"
mdl = {[DIGITS["R"]] * 6}
situations = ["open_air"]
ability = "forward"
grade = 3
gait = {{ commands = ["MO1"], amplitude_deg = 85, omega_rad_s = 15, phase_rad = 1.97 }}

[learnt.evidence]
study = "open-air-six-r"
measure = "speed_m_s"
value = 0.31
runs = 20
"""


def rule(**changes: object) -> Rule:
    return Rule.parse({**PULL, **changes}, where="test")


def test_a_rule_is_added_changed_and_removed_while_running():
    engine, chain = Engine(), told("GEP")
    assert engine.infer(chain, PIPE).can("forward") == 0
    engine.add(rule())
    assert engine.infer(chain, PIPE).can("forward") == 2
    engine.change(rule(environment={"pipe": 1}))
    assert engine.infer(chain, PIPE).can("forward") == 1
    engine.remove("pull along")
    assert engine.infer(chain, PIPE).can("forward") == 0


def test_new_names_build_on_each_other_and_end():
    """Two rules that feed one another come to an end all the same."""
    engine = Engine()
    engine.add(
        rule(name="a", anywhere=["PS"], sequential=[], adjacent=["Ext", "B_thing"], robot=None,
             unit="A_thing"),
        rule(name="b", anywhere=["PS"], sequential=[], adjacent=["Ext"], robot=None,
             unit="B_thing"),
        rule(name="c", anywhere=["PS"], sequential=[], adjacent=["A_thing"], robot=None,
             unit="B_thing"),
    )  # fmt: skip
    known = engine.infer(told("EEEE"), PIPE)
    assert known.can("A_thing") == 2
    assert max(f.last - f.first for f in known.units() if f.skill == "A_thing") == 3


def test_a_file_adds_changes_and_removes(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text(
        """
        remove = ["push backwards"]
        [[rule]]
        name = "push"
        anywhere = ["PS", "Push_pipe"]
        environment = { pipe = 1 }
        robot = "forward"
        [[rule]]
        name = "reach out"
        anywhere = ["Grab"]
        robot = "reach_out"
        [[task]]
        name = "fetch"
        needs = ["forward", "reach_out"]
        """
    )
    engine = Engine()
    engine.load(file)
    known = engine.infer(told("GH"), PIPE)
    assert (known.can("forward"), known.can("backward")) == (1, 0)
    assert known.does(engine.task("fetch")) == 1
    assert Engine().infer(told("GH"), PIPE).can("backward") == 3, "other engines are not touched"


def test_a_learnt_rule_changes_the_choice_for_the_robot_that_was_studied(tmp_path: Path):
    file = tmp_path / "learnt.toml"
    file.write_text(LEARNT)
    engine, six = Engine(), told("RRRRRR")
    before = engine.infer(six, OPEN).gait("forward")
    assert before is not None
    assert before.amplitude_deg is None
    engine.load(file)
    after = engine.infer(six, OPEN)
    gait = after.gait("forward")
    assert gait is not None
    assert (gait.amplitude_deg, gait.omega_rad_s, gait.phase_rad) == (85, 15, 1.97)
    best = after.best("forward")
    assert best is not None
    assert best.modules == (0, 1, 2, 3, 4, 5)
    assert "open-air-six-r" in (best.rule.source if best.rule else "")
    for others, situation in ((told("RRRRRRR"), OPEN), (six, PIPE)):
        gait = engine.infer(others, situation).gait("forward")
        assert gait is not None
        assert gait.amplitude_deg is None
    hurt = [*six[:5], type(six[5])(6, "r", "00002300000003000")]
    gait = engine.infer(hurt, OPEN).gait("forward")
    assert gait is not None
    assert gait.amplitude_deg is None, "a damaged robot is not the one that was studied"


def test_what_a_study_writes_is_what_the_engine_reads(tmp_path: Path):
    file = tmp_path / "learnt.toml"
    file.write_text(LEARNT)
    read = read_rules(file)
    again = tmp_path / "again.toml"
    again.write_text(dumps(read.model_dump(mode="json", exclude_defaults=True)))
    assert read_rules(again) == read


def test_configurations_have_wildcards():
    engine = Engine()
    engine.add(rule(name="headed", configuration="c*r?", anywhere=["PS"], sequential=[]))
    assert engine.infer(told("TPPRP"), PIPE).can("forward") == 2
    assert engine.infer(told("PPRP"), PIPE).can("forward") == 0
    assert engine.infer(told("TPPRPP"), PIPE).can("forward") == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"anywhere": ["Psu"]}, "unknown capability 'Psu'"),
        ({"sequential": ["Ext three"]}, "expected a capability and how many"),
        ({"robot": None}, "either `unit` or `robot`"),
        ({"unit": "Thing", "robot": None}, "a unit is made of neighbours"),
        ({"environment": {"water": 3}}, "environment.water"),
        ({"environment": {"pipe": 4}}, "at most 3"),
        ({"limited_by": ["Drill"]}, "names that stand in `anywhere`"),
        ({"gait": {"commands": ["MXX"]}}, "unknown movement command of LLC2 'MXX'"),
        ({"gait": {"commands": ["MO1"], "amplitude": 3}}, "gait.amplitude"),
        ({"anywhere": [], "sequential": []}, "without conditions"),
        ({"robot": "Rot"}, "a choice of RotX or RotY"),
        ({"name": "push"}, "is there already"),
        ({"least": ["333"]}, "expected 17 digits"),
    ],
)
def test_mistakes_are_named(changes: dict[str, object], said: str):
    with pytest.raises((SpecError, UnknownName)) as caught:
        Engine().add(rule(**changes))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('remove = ["pus"]', "unknown rule 'pus'. Did you mean 'push'?"),
        ('[[task]]\nname = "x"\nneeds = ["fly"]', "unknown capability 'fly'"),
        ("rule = 3", "rule"),
        ("[[rule]", "not valid TOML"),
        (LEARNT + LEARNT.split("\n", 2)[2], "names must differ"),
        (LEARNT.replace("rrrrrr", "rrr"), "a string for each module"),
        (LEARNT.replace("runs = 20", "runs = 0"), "evidence.runs"),
    ],
)
def test_a_bad_file_changes_nothing(text: str, said: str, tmp_path: Path):
    (tmp_path / "bad.toml").write_text(text)
    book = Rulebook()
    before = dict(book.rules), dict(book.tasks)
    with pytest.raises((SpecError, UnknownName)) as caught:
        book.load(tmp_path / "bad.toml")
    assert said in str(caught.value)
    assert (dict(book.rules), dict(book.tasks)) == before


def test_names_that_do_not_exist():
    engine = Engine()
    with pytest.raises(UnknownName, match="unknown rule 'fly'"):
        engine.remove("fly")
    with pytest.raises(UnknownName, match="unknown task 'fly'"):
        engine.task("fly")
    with pytest.raises(MissingFile):
        engine.load("nowhere.toml")


def test_the_page_in_the_repository_is_the_one_the_rules_make():
    kept = (Path(__file__).parents[4] / "docs" / "inference.md").read_text(encoding="utf-8")
    assert kept == rules_page(), "renew it: annelid export default rules-page"


def test_the_example_of_a_file_on_the_page_is_one(tmp_path: Path):
    file = tmp_path / "example.toml"
    file.write_text(rules_page().split("```toml")[1].split("```")[0])
    read = Rulebook().load(file)
    assert (len(read.rule), len(read.task), len(read.learnt)) == (1, 1, 1)


def test_every_shipped_rule_says_where_it_comes_from():
    for each in Rulebook().rules.values():
        assert each.source, each.name
        assert ("Table 9" in each.source) != each.extension, each.name
        assert any(each.environment.cap(mode) for mode in WorkingMode)
