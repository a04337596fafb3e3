"""Passes typed lines to a running trial and shows its answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from annelid.cli.echo import echo
from annelid.hardware.typed import Inbox, TypedLines, at_once

if TYPE_CHECKING:
    from annelid.systems.front import Words
    from annelid.trial.run import Trial

PROMPT = "operator> "
HELP = """\
{commands}

wait SECONDS      say the next line so much later, in the robot's time (at most 3600);
                  what is typed here as quit, help or STP does not wait
help              this
quit              end the run; what was recorded stays"""

WAIT_MAX_S: Final = 3600.0

LISTEN_NS = 20_000_000
"""Between two looks at what was typed, in the robot's time."""


class OperatorSeat(Protocol):
    """Where the operator sits: at this keyboard, or in another process."""

    def begin(self, typed: Inbox) -> None:
        """Put lines there from now on; None: there will be no more, and the run ends."""

    def show(self, text: str) -> None: ...

    def leave(self) -> None:
        """The operator goes, the run goes on."""

    def end(self, last: str) -> None:
        """The run is over."""


class Keyboard:
    """The seat at this machine."""

    def __init__(self, completions: Callable[[str], list[str]]) -> None:
        self._completions = completions
        self._tty = sys.stdin.isatty()

    def begin(self, typed: Inbox) -> None:
        Thread(target=self._read, args=(typed,), daemon=True, name="keyboard").start()

    def show(self, text: str) -> None:
        if self._tty:
            sys.stdout.write("\r")
        echo(text)
        if self._tty:
            sys.stdout.write(PROMPT)
            sys.stdout.flush()

    def leave(self) -> None:
        """The end of the input ends the run here; nothing is left to do."""

    def end(self, last: str) -> None:
        echo(last)

    def _read(self, typed: Inbox) -> None:
        """In a thread of its own."""
        for line in self.lines():
            typed.put(line)
        typed.put(None)

    def lines(self) -> Iterator[str]:
        """What is typed, with completion where this is a terminal.

        A person does not want to wait for ``quit``; the lines of a script keep their order.
        """
        if not self._tty:
            for line in _input_of_its_own():
                yield line.rstrip("\n")
            return
        _complete(self._completions)
        while True:
            try:
                yield at_once(input(PROMPT))
            except EOFError:
                return


def _input_of_its_own() -> TextIO:
    """Python aborts if it ends while a thread still waits inside ``sys.stdin``."""
    try:
        return os.fdopen(os.dup(sys.stdin.fileno()), encoding=sys.stdin.encoding)
    except (OSError, ValueError):  # no file behind it
        return sys.stdin


class OperatorTerminal:
    """Lines of a seat, said to the run one after the other."""

    def __init__(self, trial: Trial, seat: OperatorSeat, words: Words) -> None:
        self._trial = trial
        self._words = words
        self._seat = seat
        self._typed = TypedLines()
        self._ready_ns = 0
        """When the next line may be said, by the robot's time."""
        trial.listeners.append(self._hear)
        trial.every(LISTEN_NS, self._listen)

    def begin(self) -> None:
        self._seat.begin(self._typed)

    def idle(self, seconds: float) -> None:
        """Called by the pacer whenever there is time: somebody may have typed."""
        self._hear_typed(seconds)

    def _listen(self) -> None:
        """A run that cannot keep up with the wall clock is never idle, and listens here."""
        if self._typed.qsize():
            self._hear_typed()

    def _hear_typed(self, seconds: float = 0.0) -> None:
        waiting = self._trial.now_ns < self._ready_ns
        if (typed := self._typed.take(waiting=waiting, seconds=seconds)) is not None:
            self._take(typed[0])

    def _hear(self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """Every event of the run; those for the screen are shown."""
        if kind == "answer":
            self._seat.show(f"{t_ns / 1e9:9.2f} s  {detail['words']}")

    def _take(self, line: str | None) -> None:
        from annelid.errors import InputError
        from annelid.hardware.operator_line import EOT
        from annelid.trial.outside import Say

        words = [] if line is None else line.split()
        if line is None or words[:1] == ["quit"]:
            self._trial.stop()
        elif line.strip() == EOT:
            self._seat.leave()
        elif words[:1] == ["help"]:
            self._seat.show(HELP.format(commands="\n".join(self._words.help_lines())))
        elif words[:1] == ["wait"]:
            self._wait(words[1:])
        elif words:
            try:
                self._words.parse(line)
                self._trial.inject(Say(line=line.strip()))
            except InputError as error:
                self._seat.show(str(error))

    def _wait(self, words: list[str]) -> None:
        try:
            seconds = float(words[0])
        except (ValueError, IndexError):
            self._seat.show("wait: expected seconds, as in: wait 2.5")
            return
        if not 0.0 <= seconds <= WAIT_MAX_S:  # not a number is neither
            self._seat.show(f"wait: expected 0 to {WAIT_MAX_S:g} s, got {seconds:g}")
            return
        self._ready_ns = self._trial.now_ns + round(seconds * 1e9)


def _complete(completions: Callable[[str], list[str]]) -> None:
    """TAB, where this Python has readline."""
    try:
        import readline
    except ImportError:
        return

    def complete(_: str, state: int) -> str | None:
        line = readline.get_line_buffer()
        found = [*completions(line), *(["help", "quit", "wait"] if " " not in line else [])]
        begun = line.split(" ")[-1]
        fitting = [word for word in found if word.lower().startswith(begun.lower())]
        return f"{fitting[state]} " if state < len(fitting) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
