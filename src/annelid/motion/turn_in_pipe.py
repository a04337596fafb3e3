"""The turn of one module in an elbow, coordinated over two wires (000 §4.1.6, Fig 12; FACTS §6).

Each link has a wire from front to back (F) and one from back to front (B).  Module k reads F of
the link before it and B of the link behind it, and drives the other two:

1.  The first module with joints bends towards the turn; the others wait.
2.  Bent far enough, it raises F: "your turn".
3.  The next raises B, "I am turning", and bends; far enough, it drops B: "go straight".
4.  The one before straightens and lowers F.  And so on, to the last.

Modules without joints pass both wires through.  The paper leaves open

*   what "far enough" is where the wall stops a module short of 90°: here two thirds of 60°, or a
    module that has not got any further for a while (LAB);
*   what straightens the last one, which nobody follows: a time after it was far enough (without it
    no robot passes, LAB);
*   how the end is told: the last one is ``finished`` when it is straight again, and says TSF.
"""

from __future__ import annotations

from enum import StrEnum
from math import radians
from typing import Final

BEND: Final = radians(60)
"""What a joint strives for; the wall may stop it before (LAB)."""
ENOUGH: Final = 2 / 3
"""Of the bend (the paper's 60° of 90°)."""
STALL_S: Final = 6.0
"""A module that has turned for so long hands on wherever it is."""
LAST_S: Final = 3.0
"""How long the last one stays bent after it was far enough."""
STRAIGHT: Final = radians(12)
STRAIGHT_S: Final = 4.0
"""A module is straight below this angle, or counts as straight after this time."""


class TurnPhase(StrEnum):
    WAITING = "waiting"
    TURNING = "turning"
    HANDING_ON = "handing on"
    FOLLOWED = "followed"
    STRAIGHTENING = "straightening"
    DONE = "done"


class TurnInPipe:
    """Call :meth:`look` at every tick; ``target``, ``ahead`` and ``back`` are what to do."""

    def __init__(self, *, jointed: bool, first: bool) -> None:
        self.phase = TurnPhase.WAITING
        self.target = 0.0
        """Bend towards the turn, rad."""
        self.ahead = False
        """Level of F of the link behind: "your turn"."""
        self.back = False
        """Level of B of the link before: "I am turning"."""
        self.finished = False
        """The last of all is straight again."""
        self._jointed, self._first = jointed, first
        self._since_s = 0.0
        self._nobody = False

    def look(self, now_s: float, bent: float, before: bool, behind: bool) -> None:
        """``bent`` is the module's bend towards the turn, rad; ``before`` and ``behind`` are the
        levels of F of the link before and B of the link behind."""
        if not self._jointed:
            self.ahead = before or self._first
            self.back = behind
            return
        passed = now_s - self._since_s
        match self.phase:
            case TurnPhase.WAITING if before or self._first:
                self._enter(TurnPhase.TURNING, now_s)
                self.target, self.back = BEND, True
            case TurnPhase.TURNING if bent >= ENOUGH * BEND or passed >= STALL_S:
                self._enter(TurnPhase.HANDING_ON, now_s)
                self.ahead, self.back = True, False
            case TurnPhase.HANDING_ON if behind:
                self._enter(TurnPhase.FOLLOWED, now_s)
            case TurnPhase.HANDING_ON if passed >= LAST_S:
                self._nobody = True
                self._straighten(now_s)
            case TurnPhase.FOLLOWED if not behind:
                self._straighten(now_s)
            case TurnPhase.STRAIGHTENING if bent <= STRAIGHT or passed >= STRAIGHT_S:
                self._enter(TurnPhase.DONE, now_s)
                self.finished = self._nobody
            case _:
                pass

    def _straighten(self, now_s: float) -> None:
        self._enter(TurnPhase.STRAIGHTENING, now_s)
        self.target, self.ahead = 0.0, False

    def _enter(self, phase: TurnPhase, now_s: float) -> None:
        self.phase, self._since_s = phase, now_s
