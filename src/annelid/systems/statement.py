"""What a robot tells its operator, as data: words are made from it, and a witness can judge it.

A program logs a :class:`Statement` when its words go to the operator.  A system brings a *witness*
(``System.witness``): it stands outside the robot, sees the physics, is seen by nobody, and says of
each kind of statement whether it is so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

from annelid.electronics.board import Board

STATEMENT: Final = "statement"
"""Kind of the event."""


@dataclass(frozen=True)
class Statement:
    """One thing that a robot says is so."""

    what: str
    """Its kind, by which a witness knows how to judge it: ``way``, ``home``, ``break``."""
    words: str
    """As the operator reads them."""
    value: Any = None
    """Number, text, list or table, as JSON knows them; units are in the kind's description."""
    within: float | None = None
    """How far the truth may be from a number, with 95 %; None: exact, or no number."""
    source: str = ""
    """What the robot knows it from: a module, a sensor, reckoning; of several, all, parted by
    commas."""
    age_s: float = 0.0
    """So long ago the sensors began to show it, by the clock of who says it."""

    def log(self, board: Board) -> None:
        board.log(STATEMENT, asdict(self))

    @classmethod
    def read(cls, detail: Mapping[str, Any]) -> Statement:
        """From the event."""
        return cls(**detail)


@dataclass(frozen=True)
class Judgement:
    """What a witness says of a statement."""

    true: bool
    why: str
    """What is so, beside what was said: ``the nose is 412 mm from the inlet, said 380 ± 20``."""
    held: bool | None = None
    """Whether the truth lies in the stated interval; None: there was none."""


NOTHING_CLAIMED: Final = Judgement(True, "nothing is claimed that could be wrong")


class Witness(Protocol):
    """Sees the physics, and judges what a system's programs say about it."""

    def look(self) -> None:
        """Called at every control tick: what was met on the way is part of the truth."""

    def reachable(self) -> bool:
        """Whether the board that answers the operator is there: nobody owes an answer that was
        asked of a board which was broken on purpose."""

    def judge(self, statement: Statement) -> Judgement | None:
        """Of this moment; None: nobody judges this kind."""

    def rests_on(self, statement: Statement) -> Collection[str]:
        """The sensors, ``T1.infrared_left``, that feed its source."""


EMPTY, EMPTY_SHARE = 30.0, 0.5
"""An interval that is wider than this, in the number's own unit and as a share of the truth, says
nothing: it does not save a statement."""


def judged_number(said: Statement, truth: float, words: str) -> Judgement:
    """A number is so within twice its interval; ``words`` say the truth."""
    value = said.value[0] if isinstance(said.value, list) else said.value
    within = said.within or 0.0
    off = abs(truth - float(value))
    why = f"{words.format(truth)}, said {value} ± {within:.0f}"
    most = min(2 * within, max(EMPTY_SHARE * abs(truth), 2 * EMPTY))
    return Judgement(off <= most, why, held=off <= within)
