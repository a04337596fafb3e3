"""What a robot says is counted, and judged by a witness that it cannot see."""

from __future__ import annotations

from collections.abc import Mapping

from annelid.kernel import Kernel, seconds
from annelid.systems.statement import STATEMENT, Judgement, Statement
from annelid.trial.truth import TruthTally


class Strict:
    """Believes in numbers up to ten, and in nothing else."""

    def look(self) -> None: ...

    def judge(self, statement: Statement) -> Judgement | None:
        if statement.what != "number":
            return None
        held = None if statement.within is None else statement.value <= statement.within
        return Judgement(statement.value <= 10, f"ten, said {statement.value}", held)

    def owed(self) -> Mapping[str, str]:
        return {"goodbye": "it was asked for"}


def tally(*said: Statement) -> tuple[TruthTally, list[tuple[str, str, Mapping[str, object]]]]:
    events: list[tuple[str, str, Mapping[str, object]]] = []
    kernel = Kernel(record=lambda t, source, kind, detail: events.append((source, kind, detail)))
    truth = TruthTally(kernel, Strict())
    for statement in said:
        truth.note(0, "R1", STATEMENT, vars(statement))
    kernel.run(1)
    truth.end()
    return truth, events


def test_what_is_not_so_is_named_and_what_nobody_judges_is_listed() -> None:
    truth, events = tally(
        Statement("number", "three", 3, within=4),
        Statement("number", "twelve", 12, within=4),
        Statement("number", "five", 5),
        Statement("weather", "fine"),
    )
    assert truth.metrics == {
        "statements": 4,
        "statements_false": ("twelve", "goodbye: not said: it was asked for"),
        "statements_misled": (),
        "statements_unjudged": ("weather",),
        "intervals": 2,
        "intervals_held": 1,
    }
    judged = [(kind, detail["what"]) for source, kind, detail in events if source == "witness"]
    assert judged == [
        ("true", "number"),
        ("false", "number"),
        ("true", "number"),
        ("owed", "goodbye"),
    ]


def test_what_is_said_with_a_deceived_sensor_or_shortly_after_is_counted_apart() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, Strict())
    second = seconds(1)
    for t_ns, event, fault in (
        (1 * second, "fault", "weak_servo"),  # deceives nobody
        (2 * second, STATEMENT, ""),
        (3 * second, "fault", "dead_sensor"),
        (30 * second, STATEMENT, ""),
        (31 * second, "mended", "dead_sensor"),
        (35 * second, STATEMENT, ""),
        (37 * second, STATEMENT, ""),
    ):
        said = vars(Statement("number", f"12 at {t_ns // second} s", 12))
        kernel.run(t_ns)
        truth.note(t_ns, "R1", event, {"fault": fault} if fault else said)
        kernel.run(t_ns + 1)
    assert truth.false == ["12 at 2 s", "12 at 37 s"]
    assert truth.misled == ["12 at 30 s", "12 at 35 s"]


def test_what_was_seen_by_a_deceived_sensor_and_is_told_late_says_since_when() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, Strict())
    truth.note(seconds(3), "R1", "fault", {"fault": "dead_sensor"})
    truth.note(seconds(4), "R1", "mended", {"fault": "dead_sensor"})
    kernel.run(seconds(20))
    for age_s in (16.5, 10.0):
        said = Statement("number", f"12, seen {age_s} s ago", 12, age_s=age_s)
        truth.note(kernel.now, "R1", STATEMENT, vars(said))
    kernel.run(kernel.now + 1)
    assert truth.misled == ["12, seen 16.5 s ago"]
    assert truth.false == ["12, seen 10.0 s ago"]


def test_an_operator_who_gets_no_answer_is_owed_one() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, Strict())
    truth.note(0, "operator", "says", {"line": "EXP"})
    truth.note(1, "operator", "answer", {"words": "begun"})
    truth.note(2, "operator", "says", {"line": "SIR 3"})
    kernel.run(20_000_000_000)
    truth.note(kernel.now, "operator", "says", {"line": "STP"})
    truth.end()
    assert truth.false[0] == "SIR 3: not said: no answer"
    assert len(truth.false) == 2  # and goodbye


def test_without_a_witness_every_kind_is_unjudged() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, None)
    truth.note(0, "R1", STATEMENT, vars(Statement("home", "home")))
    kernel.run(1)
    truth.end()
    assert (truth.said, truth.false, truth.unjudged) == (1, [], {"home"})
