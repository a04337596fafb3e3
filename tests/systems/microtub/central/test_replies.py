"""Every command is owed an answer, and the operator's terminal knows which one that is."""

from __future__ import annotations

import pytest
from tests.systems.microtub.robots import boards

from annelid.systems.microtub.central.desk import OperatorDesk
from annelid.systems.microtub.central.operator import OPERATOR_NAME, parse_saying
from annelid.systems.microtub.central.replies import answers
from annelid.systems.microtub.protocol import HLC, Message
from annelid.systems.microtub.protocol.grammar import CC, OPERATOR
from annelid.trial.load import load
from annelid.trial.metrics import Metrics
from annelid.trial.run import Trial

LINES = (
    *("EXP", "RPL home", "RPL end", "RPL 0 300 0 0", "RPL up 50", "RPL landmark", "RPL pipe"),
    *("DO repair", "DO hole", "STP", "EXP", "STP"),
    *(f"SIR {k}" for k in range(1, 7)),
    *("SIE temperature", "SIE humidity", "SIE picture", "SIE bore", "RST"),
)


@pytest.mark.parametrize("letters", ["TRRHV", "H", "SES", "TGNB"])
def test_every_command_gets_its_own_answer(letters: str) -> None:
    typed = [{"at_s": 2.0 + 0.4 * k, "say": line} for k, line in enumerate(LINES)]
    chain = boards(letters, operator=typed)
    chain.run(3.0 + 0.4 * len(LINES))
    told = chain.details("answer", OPERATOR_NAME)
    assert [detail["to"] for detail in told if "to" in detail] == list(LINES)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("EXP", "explore: done, everything seen, home again"),
        ("EXP", "explore: given up, stuck 30 mm from home"),
        ("EXP", "a bifurcation 210 mm from home"),
        ("EXP", "reach home: begun"),
        ("RPL end", "reach home: begun"),
        ("RPL home", "reach home: done, home"),
        ("DO hole", "repair: refused, no module of this robot can repair"),
        ("SIR 3", "distance covered: no module of this robot can tell"),
        ("STP", "explore: begun"),
    ],
)
def test_news_and_answers_to_others_pay_for_nothing(line: str, words: str) -> None:
    assert not answers(*parse_saying(line), Message(HLC.ANS, (words,), OPERATOR, CC))


def said(*lines: str) -> Metrics:
    typed = [{"at_s": 2.0 + k, "say": line} for k, line in enumerate(lines)]
    fields = {"control.options.operator": typed, "duration_s": 16.0, "stop_at_goal": False}
    return Trial(load("explore-straight", overrides=fields)).measure()


def test_a_robot_that_answers_owes_nothing() -> None:
    assert said("EXP", "SIR 3", "SIE bore").statements_false == ()


def test_a_question_that_is_passed_over_is_owed_whatever_else_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(OperatorDesk, "_of_robot", lambda self, asked: None)
    metrics = said("EXP", "SIR 3", "SIE bore")
    assert metrics.statements_false == ("SIR 3: no answer",)
