"""The simulation's side of a board whose program runs in another process (see ``exchange``).

At the end of every turn the program is told how far time has come and what has arrived, and what
it answers enters the run from outside, recorded like what an operator types.  One who hangs up, or
makes no sense, is said to be gone: the robot is stopped, the run goes on, and the next may come.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from annelid.errors import InputError, PortError
from annelid.hardware.exchange import (
    TURN_NS,
    Done,
    ProgramHello,
    RunUntil,
    SimulationHello,
    TheEnd,
    hear,
    tell,
)
from annelid.hardware.lines import Doorstep, Lines
from annelid.trial.outside import Speak
from annelid.trial.run import Trial

HELLO_S: Final = 2.0
"""How long one who has come in may take to say who it is."""


class Counterpart:
    """Serves ``board`` of ``trial`` to the process that connects."""

    def __init__(
        self, trial: Trial, board: str, doorstep: Doorstep, *, say: Callable[[str], object]
    ) -> None:
        self._trial = trial
        self._board = board
        self._doorstep = doorstep
        self._gate = trial.gate(board)
        self._say = say
        self._lines: Lines | None = None
        self._begun_ns: int | None = None
        """When its first turn was: its time begins there, at 0."""
        trial.every(TURN_NS, self._exchange)

    def wait(self, seconds: float = 0.2) -> bool:
        """Whether somebody is there; for those who do not want to begin without."""
        if self._lines is None:
            came = self._doorstep.accept(seconds)
            if came is not None:
                self._greet(came)
        return self._lines is not None

    def _greet(self, came: Lines) -> None:
        try:
            hear(came, ProgramHello, seconds=HELLO_S)
        except PortError as error:
            self._doorstep.leave(came)
            self._say(str(error))
        else:
            self._lines, self._begun_ns = came, None

    def _exchange(self) -> None:
        if not self.wait(0.0) or self._lines is None:
            return
        try:
            spoken = self._turn(self._lines)
        except (PortError, InputError) as error:
            self.hang_up(str(error))
        else:
            if spoken.sent or spoken.logged or not self._gate.here:
                self._trial.inject(spoken)

    def _turn(self, lines: Lines) -> Speak:
        now_ns = self._trial.now_ns
        if self._begun_ns is None:
            self._begun_ns = now_ns
            options: Any = self._trial.scenario.control.options
            table = options.model_dump(mode="json")
            tell(lines, SimulationHello(board=self._board, ports=self._gate.ports, options=table))
        heard, outcomes = self._gate.fetch()
        frames = tuple((port, address, data.hex()) for port, address, data in heard)
        ended = tuple((number, outcome.value) for number, outcome in outcomes)
        tell(lines, RunUntil(until_ns=now_ns - self._begun_ns, heard=frames, outcomes=ended))
        done = hear(lines, Done)
        spoken = Speak(board=self._board, sent=done.sent, logged=done.logged)
        self._gate.deed(spoken.turn())
        return spoken

    def hang_up(self, why: str) -> None:
        """The program is gone; the robot is stopped."""
        if self._lines is not None:
            self._doorstep.leave(self._lines)
            self._lines = None
            self._say(f"{why}. The robot is told to stop; the run goes on")
            self._trial.inject(Speak(board=self._board, gone=True))

    def close(self, why: str) -> None:
        """The run is over."""
        if self._lines is not None:
            with suppress(PortError):  # it may have gone first
                tell(self._lines, TheEnd(end=why))
            self._lines.close()
        self._doorstep.close()
