"""Counts what a robot says to its operator: how much of it is so.

The witness of a system judges each statement at the moment it is made, by the physics.  What it
finds goes into the events (source ``witness``) and, counted, into the metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from annelid.electronics.port import ANSWER, SAYS
from annelid.kernel import Kernel, Priority, seconds
from annelid.systems.statement import (
    NOTHING_CLAIMED,
    STATEMENT,
    Judgement,
    Statement,
    Witness,
)

WITNESS: Final = "witness"
"""Source of its events; kinds ``true``, ``false``, ``misled``, ``empty`` (nothing is claimed) and
``owed`` (a command that got no answer)."""

PATIENCE_NS: Final = seconds(10.0)
"""So long an operator waits for an answer."""

FAULT, MENDED = "fault", "mended"
"""Kinds of events: something breaks, or is mended."""
SENSES: Final = ("dead_sensor", "noisy_sensor")
"""Faults that deceive a robot: what rests on that sensor is counted apart."""
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
        """Statements that the witness judged, and answers that were owed and not given."""
        self.empty = 0
        """Those that claim nothing, and those of a kind that nobody judges."""
        self.false: list[str] = []
        """Words that were not so."""
        self.unjudged: set[str] = set()
        """Kinds that no witness knows."""
        self.intervals = self.held = 0
        self.misled: list[str] = []
        """Words that were not so and rest on a sensor that was broken on purpose, or was shortly
        before."""
        self._broken: Counter[str] = Counter()
        """Sensors to the number of faults that each has at present."""
        self._misleads_until_ns: dict[str, int] = {}
        """Of sensors that were broken in this run."""
        self._unanswered: list[tuple[int, str]] = []
        """When the operator said what, of all that has got no answer."""

    def note(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """A listener of the run's events."""
        if kind in (FAULT, MENDED) and detail.get("fault") in SENSES:
            self._broken[source] += 1 if kind == FAULT else -1
            self._misleads_until_ns[source] = t_ns + MISLED_NS
        elif kind == SAYS:
            self._unanswered.append((t_ns, detail["line"]))
        elif kind == ANSWER:
            self._pay(detail.get("to"))
        elif kind == STATEMENT:
            statement = Statement.read(detail)
            self._kernel.call_at(t_ns, lambda: self._judge(source, statement), priority=AFTER)

    def look(self) -> None:
        if self._witness is None:
            return
        self._witness.look()
        if not self._witness.reachable():
            self._unanswered.clear()

    def end(self) -> None:
        """An answer that was owed and never given counts as false."""
        if self._witness is None:
            return
        late = self._kernel.now - PATIENCE_NS
        for line in (line for t_ns, line in self._unanswered if t_ns < late):
            self.said += 1
            self.false.append(f"{line}: no answer")
            self._kernel.record(WITNESS, "owed", {"what": line, "why": "no answer"})

    def _pay(self, line: str | None) -> None:
        """The oldest command of these words has got its answer; None: news pays for nothing."""
        paid = next((k for k, (_, said) in enumerate(self._unanswered) if said == line), None)
        if paid is not None:
            del self._unanswered[paid]

    def _judge(self, source: str, statement: Statement) -> None:
        judged = None if self._witness is None else self._witness.judge(statement)
        if judged is None:
            self.empty += 1
            self.unjudged.add(statement.what)
            return
        detail = {"by": source, "what": statement.what, "words": statement.words, "why": judged.why}
        self._kernel.record(WITNESS, self._count(statement, judged), detail)

    def _count(self, statement: Statement, judged: Judgement) -> str:
        """Brings the kind of its event."""
        if judged is NOTHING_CLAIMED:
            self.empty += 1
            return "empty"
        self.said += 1
        if judged.held is not None:
            self.intervals += 1
            self.held += judged.held
        if judged.true:
            return "true"
        if self._misled(statement):
            self.misled.append(statement.words)
            return "misled"
        self.false.append(statement.words)
        return "false"

    def _misled(self, statement: Statement) -> bool:
        """Whether it rests on a sensor that is broken on purpose, or was when it was seen."""
        if self._witness is None or not self._misleads_until_ns:
            return False
        seen_ns = self._kernel.now - seconds(statement.age_s)
        return any(
            self._broken[sensor] > 0 or seen_ns < self._misleads_until_ns[sensor]
            for fed in self._witness.rests_on(statement)
            for sensor in self._misleads_until_ns
            if f"{fed}.".startswith(f"{sensor}.")  # R1.accelerometer has three axes
        )

    @property
    def metrics(self) -> dict[str, Any]:
        return {
            "statements": self.said,
            "statements_empty": self.empty,
            "statements_false": tuple(self.false),
            "statements_misled": tuple(self.misled),
            "statements_unjudged": tuple(sorted(self.unjudged)),
            "intervals": self.intervals,
            "intervals_held": self.held,
        }
