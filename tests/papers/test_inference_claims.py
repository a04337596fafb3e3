"""What 000 claims of its inference engine."""

from __future__ import annotations

from annelid.papers import Bench, b03_inference, b04_queries
from annelid.papers.table9 import concluded, expected, members, stock, table_only
from annelid.systems.microtub.inference import RobotSituation, Rule
from annelid.systems.microtub.protocol import WorkingMode


def test_the_engine_reads_table_9_as_a_person_does() -> None:
    outcome = b03_inference.experiment(Bench(workers=1, quick=True))
    assert outcome.passed, outcome
    assert outcome.values["rules_seen_both_ways"] == 11


def test_a_wrong_rule_would_show() -> None:
    engine, situation = table_only(), RobotSituation(WorkingMode.PIPE)
    wrong = engine.rulebook.rules["inchworm"].model_copy(update={"sequential": ()})
    engine.change(Rule.parse({**wrong.model_dump(), "anywhere": ["PS", "Ext"]}, where="test"))
    chain = "SSE"
    found = concluded(engine.infer(members(chain, stock()), situation))
    assert found != expected(chain, situation)


def test_queries() -> None:
    outcome = b04_queries.experiment(Bench(workers=1, quick=True))
    assert outcome.passed, outcome
