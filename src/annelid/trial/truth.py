"""Counts what a robot says to its operator: how much of it is so.

The witness of a system judges each statement at the moment it is made, by the physics.  What it
finds goes into the events (source ``witness``) and, counted, into the metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from annelid.electronics.port import ANSWER, SAYS
from annelid.kernel import Kernel, Priority, seconds
from annelid.systems.statement import STATEMENT, Judgement, Statement, Witness

WITNESS: Final = "witness"
"""Source of its events; kinds ``true``, ``false`` and ``owed``."""

PATIENCE_NS: Final = seconds(10.0)
"""So long an operator waits for an answer."""

FAULT, MENDED = "fault", "mended"
"""Kinds of events: something breaks, or is mended."""
SENSES: Final = ("dead_sensor", "noisy_sensor")
"""Faults that deceive a robot: what it then says is counted apart."""
MISLED_NS: Final = seconds(5.0)
"""So long after a sensor is mended what it showed may still be told; what is told later says itself
since when it was seen (``Statement.age_s``)."""

AFTER: Final = Priority.LATE + 1
"""At the end of the instant, when the physics is where the statement was made."""


class TruthTally:
    """Takes the events of a run, and asks the witness."""

    def __init__(self, kernel: Kernel, witness: Witness | None) -> None:
        self._kernel = kernel
        self._witness = witness
        self.said = 0
        self.false: list[str] = []
        """Words that were not so."""
        self.unjudged: set[str] = set()
        """Kinds that no witness knows."""
        self.intervals = self.held = 0
        self.misled: list[str] = []
        """Words that were not so while a sensor was broken on purpose, or shortly after."""
        self._deceived = 0
        """How many are, at present."""
        self._misled_until_ns = 0
        self._unanswered: list[tuple[int, str]] = []
        """What the operator has said since the last answer, and when."""

    def note(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """A listener of the run's events."""
        if kind in (FAULT, MENDED) and detail.get("fault") in SENSES:
            self._deceived += 1 if kind == FAULT else -1
            self._misled_until_ns = t_ns + MISLED_NS
        elif kind == SAYS:
            self._unanswered.append((t_ns, detail["line"]))
        elif kind == ANSWER:
            self._unanswered.clear()
        elif kind == STATEMENT:
            statement = Statement.read(detail)
            self._kernel.call_at(t_ns, lambda: self._judge(source, statement), priority=AFTER)

    def look(self) -> None:
        if self._witness is not None:
            self._witness.look()

    def end(self) -> None:
        """What was owed and never said counts as false."""
        if self._witness is None:
            return
        late = self._kernel.now - PATIENCE_NS
        silence = {line: "no answer" for t_ns, line in self._unanswered if t_ns < late}
        for what, why in {**silence, **self._witness.owed()}.items():
            self.false.append(f"{what}: not said: {why}")
            self._kernel.record(WITNESS, "owed", {"what": what, "why": why})

    def _judge(self, source: str, statement: Statement) -> None:
        self.said += 1
        judged = None if self._witness is None else self._witness.judge(statement)
        if judged is None:
            self.unjudged.add(statement.what)
            return
        self._count(statement, judged)
        detail = {"by": source, "what": statement.what, "words": statement.words, "why": judged.why}
        self._kernel.record(WITNESS, "true" if judged.true else "false", detail)

    def _count(self, statement: Statement, judged: Judgement) -> None:
        if judged.held is not None:
            self.intervals += 1
            self.held += judged.held
        if not judged.true:
            seen_ns = self._kernel.now - seconds(statement.age_s)
            misled = self._deceived or seen_ns < self._misled_until_ns
            (self.misled if misled else self.false).append(statement.words)

    @property
    def metrics(self) -> dict[str, Any]:
        return {
            "statements": self.said,
            "statements_false": tuple(self.false),
            "statements_misled": tuple(self.misled),
            "statements_unjudged": tuple(sorted(self.unjudged)),
            "intervals": self.intervals,
            "intervals_held": self.held,
        }
