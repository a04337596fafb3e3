"""What a robot says is counted, and judged by a witness that it cannot see."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from annelid.kernel import Kernel, seconds
from annelid.systems.statement import NOTHING_CLAIMED, STATEMENT, Judgement, Statement
from annelid.trial.truth import TruthTally


class Strict:
    """Believes in numbers up to ten, and in nothing else."""

    there = True

    def look(self) -> None: ...

    def reachable(self) -> bool:
        return self.there

    def judge(self, statement: Statement) -> Judgement | None:
        if statement.what == "nothing":
            return NOTHING_CLAIMED
        if statement.what != "number":
            return None
        held = None if statement.within is None else statement.value <= statement.within
        return Judgement(statement.value <= 10, f"ten, said {statement.value}", held)

    def rests_on(self, statement: Statement) -> Collection[str]:
        return {"nose": ("T1.left", "T1.up"), "traveller": ("V1.encoder0",)}[statement.source]


def tally(*said: Statement) -> tuple[TruthTally, list[tuple[str, str, Mapping[str, object]]]]:
    events: list[tuple[str, str, Mapping[str, object]]] = []
    kernel = Kernel(record=lambda t, source, kind, detail: events.append((source, kind, detail)))
    truth = TruthTally(kernel, Strict())
    for statement in said:
        truth.note(0, "R1", STATEMENT, vars(statement))
    kernel.run(1)
    truth.end()
    return truth, events


def test_what_is_not_so_is_named_and_what_nobody_judges_is_counted_apart() -> None:
    truth, events = tally(
        Statement("number", "three", 3, within=4),
        Statement("number", "twelve", 12, within=4),
        Statement("number", "five", 5),
        Statement("weather", "fine"),
        Statement("nothing", "perhaps"),
    )
    assert truth.metrics == {
        "statements": 3,
        "statements_empty": 2,
        "statements_false": ("twelve",),
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
        ("empty", "nothing"),
    ]


def test_what_rests_on_a_broken_sensor_or_did_shortly_before_is_counted_apart() -> None:
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
        said = vars(Statement("number", f"12 at {t_ns // second} s", 12, source="nose"))
        kernel.run(t_ns)
        truth.note(t_ns, "T1.left", event, {"fault": fault} if fault else said)
        kernel.run(t_ns + 1)
    assert truth.false == ["12 at 2 s", "12 at 37 s"]
    assert truth.misled == ["12 at 30 s", "12 at 35 s"]


def test_a_broken_sensor_excuses_nothing_that_rests_on_another() -> None:
    for sensor, misled in (
        ("V1", ["by the traveller"]),  # all channels of it
        ("V1.encoder0", ["by the traveller"]),
        ("V1.encoder", []),
        ("T1.left", ["by the nose"]),
        ("T2.left", []),
    ):
        kernel = Kernel()
        truth = TruthTally(kernel, Strict())
        truth.note(0, sensor, "fault", {"fault": "dead_sensor"})
        said = ["by the traveller", "by the nose"]
        for words, source in zip(said, ("traveller", "nose"), strict=True):
            statement = Statement("number", words, 12, source=source)
            truth.note(0, "R1", STATEMENT, vars(statement))
        kernel.run(1)
        assert truth.misled == misled
        assert truth.false == [words for words in said if words not in misled]


def test_two_faults_of_one_sensor_deceive_until_both_are_mended() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, Strict())
    for event in ("fault", "fault", "mended"):
        truth.note(0, "T1.left", event, {"fault": "noisy_sensor"})
    kernel.run(seconds(20))
    said = Statement("number", "twelve", 12, source="nose")
    truth.note(kernel.now, "R1", STATEMENT, vars(said))
    kernel.run(kernel.now + 1)
    assert (truth.misled, truth.false) == (["twelve"], [])


def test_what_was_seen_by_a_deceived_sensor_and_is_told_late_says_since_when() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, Strict())
    truth.note(seconds(3), "T1.up", "fault", {"fault": "dead_sensor"})
    truth.note(seconds(4), "T1.up", "mended", {"fault": "dead_sensor"})
    kernel.run(seconds(20))
    for age_s in (16.5, 10.0):
        said = Statement("number", f"12, seen {age_s} s ago", 12, age_s=age_s, source="nose")
        truth.note(kernel.now, "R1", STATEMENT, vars(said))
    kernel.run(kernel.now + 1)
    assert truth.misled == ["12, seen 16.5 s ago"]
    assert truth.false == ["12, seen 10.0 s ago"]


def test_each_command_is_owed_an_answer_of_its_own() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, Strict())
    for line in ("EXP", "SIR 3", "SIR 3", "SIR 5"):
        truth.note(0, "operator", "says", {"line": line})
    truth.note(1, "operator", "answer", {"words": "begun", "to": "EXP"})
    truth.note(2, "operator", "answer", {"words": "a bifurcation"})  # nobody has asked for it
    truth.note(3, "operator", "answer", {"words": "TRR", "to": "SIR 3"})
    truth.note(4, "operator", "answer", {"words": "begun once more", "to": "EXP"})
    kernel.run(20_000_000_000)
    truth.note(kernel.now, "operator", "says", {"line": "STP"})  # there is time to answer it
    truth.end()
    assert truth.false == ["SIR 3: no answer", "SIR 5: no answer"]
    assert truth.metrics["statements"] == 2


def test_without_a_witness_every_kind_is_unjudged() -> None:
    kernel = Kernel()
    truth = TruthTally(kernel, None)
    truth.note(0, "R1", STATEMENT, vars(Statement("home", "home")))
    kernel.run(1)
    truth.end()
    assert (truth.said, truth.empty) == (0, 1)
    assert (truth.false, truth.unjudged) == ([], {"home"})


def test_a_board_that_was_broken_owes_no_answer_and_one_that_runs_owes_it() -> None:
    kernel, witness = Kernel(), Strict()
    truth = TruthTally(kernel, witness)
    for t_s, there, line in (
        (1, True, "asked before"),
        (2, False, "asked of nobody"),
        (9, True, "asked after"),
    ):
        kernel.run(seconds(t_s))
        witness.there = there
        truth.note(kernel.now, "operator", "says", {"line": line})
        truth.look()
    kernel.run(seconds(30))
    truth.end()
    assert truth.false == ["asked after: no answer"]
