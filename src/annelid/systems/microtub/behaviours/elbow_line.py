"""The sync pins of a module while the robot turns in an elbow (000 §4.1.6; FACTS §6).

``annelid.motion.turn_in_pipe`` knows what to say when; here it meets the pins.  A module reads
"your turn" from the one before it on its Sin and "I am turning" from the one behind on its Sout,
and drives the other wire of either.
"""

from __future__ import annotations

from math import cos, degrees, sin

from annelid.behaviour import Log
from annelid.electronics.port import Pin
from annelid.kernel import to_seconds
from annelid.motion.turn_in_pipe import TurnInPipe
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.walking import HORIZONTAL, VERTICAL


class ElbowLine:
    """The dialogue runs while ``stimuli.turn`` is set."""

    def __init__(self, sin_pin: Pin, sout_pin: Pin, stimuli: Stimuli, *, log: Log) -> None:
        self._sin, self._sout = sin_pin, sout_pin
        self._stimuli = stimuli
        self._log = log
        self._jointed = {HORIZONTAL, VERTICAL} <= set(stimuli.servos)

    @property
    def running(self) -> bool:
        return self._stimuli.turn is not None

    def clear(self) -> None:
        """Both wires low: nothing that was said before is for the elbow."""
        self._sin.drive(False)
        self._sout.drive(False)

    def begin(self, *, first: bool) -> None:
        self._stimuli.turn = TurnInPipe(jointed=self._jointed, first=first)

    def forget(self) -> None:
        """The elbow is over, or the wires are somebody else's."""
        self._stimuli.turn = None

    def look(self, now_ns: int) -> bool:
        """Listen, go on, speak; whether the last of all has just finished."""
        turn = self._stimuli.turn
        if turn is None:
            return False
        finished, phase = turn.finished, turn.phase
        bent = self._bent()
        turn.look(to_seconds(now_ns), bent, self._sin.level, self._sout.level)
        self._sout.drive(turn.ahead)
        self._sin.drive(turn.back)
        if turn.phase is not phase:
            self._log("elbow", {"phase": turn.phase.value, "bent_deg": round(degrees(bent))})
        return turn.finished and not finished

    def _bent(self) -> float:
        """Towards the turn, rad."""
        towards = self._stimuli.walk.elbow
        if not self._jointed or towards is None:
            return 0.0
        servos = self._stimuli.servos
        return servos[HORIZONTAL].angle * cos(towards) + servos[VERTICAL].angle * sin(towards)
