"""The simulation's process, seen from the server: its reports, its pulse, its end."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import threading
import time
from collections.abc import Callable

from annelid.console.live import Pulse
from annelid.console.messages import Command, Ended, Quit, Report, Stuck
from annelid.console.worker import work
from annelid.trial.programs import IN_PROGRAM

PROCESS = "annelid simulation"
"""Name of the child."""
PULSE_S = 0.2
"""Between two looks at the pulse."""
BUDGET_S = 2.0
"""Wall time that a written program may take for one moment of the run."""
ANSWER_S = 2.0
"""How long it may take to say where it is."""
_IN_LINE = re.compile(rf'File "{IN_PROGRAM.pattern}", line (\d+)')
"""As ``faulthandler`` writes it."""
QUIT_S = 0.8
"""How long a worker may take to leave by itself: nothing is left 2 s after Ctrl-C."""


class SimulationProcess:
    """A child process, the thread that reads from it and the one that watches its pulse."""

    def __init__(
        self, plugins: tuple[str, ...], hear: Callable[[SimulationProcess, Report], None]
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._pulse: Pulse = context.RawValue("Q", 0)
        self._frames, their_frames = context.Pipe(duplex=False)
        self._gone = threading.Event()
        self._process = context.Process(
            target=work,
            args=(theirs, plugins, self._pulse, their_frames),
            daemon=True,
            name=PROCESS,
        )
        self._process.start()
        theirs.close()
        their_frames.close()
        self._hear = hear
        self._sending = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True, name="reports")
        self._reader.start()
        threading.Thread(target=self._watch, daemon=True, name="pulse").start()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def send(self, command: Command) -> None:
        try:
            with self._sending:
                self._pipe.send(command)
        except (BrokenPipeError, OSError):
            return  # it has gone; the reader tells

    def _read(self) -> None:
        try:
            while True:
                self._hear(self, self._pipe.recv())
        except (EOFError, OSError, pickle.UnpicklingError):
            if self._process.exitcode is None:
                self._process.join(QUIT_S)
            if not self._gone.is_set():
                self._gone.set()
                gone = f"the simulation's process ended (exit code {self._process.exitcode})"
                self._hear(self, Ended(None, "failed", gone))

    def _watch(self) -> None:
        """Does time pass?  Seen from outside: a loop in C lets nothing run inside."""
        seen, since = 0, time.monotonic()
        while not self._gone.wait(PULSE_S):
            beats = self._pulse.value
            if beats != seen or not beats:
                seen, since = beats, time.monotonic()
            elif time.monotonic() - since > BUDGET_S:
                since = time.monotonic()
                if (found := self._asked()) is not None:
                    self._hear(self, found)
                    return

    def _asked(self) -> Stuck | None:
        """Where the worker is, if that is in a written program."""
        try:
            while self._heard(0.0):
                pass  # an answer that came too late
            os.kill(self._process.pid or 0, signal.SIGUSR1)
            text, end = "", time.monotonic() + ANSWER_S
            while more := self._heard(max(0.0, end - time.monotonic())):
                text += more
                if found := _IN_LINE.search(text):
                    return Stuck(found[1], int(found[2]))
        except OSError:
            pass  # it has gone, and the reader tells
        return None

    def _heard(self, wait_s: float) -> str:
        """What it says of where it is; empty when nothing came."""
        if not self._frames.poll(wait_s):
            return ""
        return os.read(self._frames.fileno(), 1 << 16).decode(errors="replace")

    def leave(self) -> None:
        """By itself, with its run folder complete; else, and where nothing has run yet, it is
        ended."""
        self._gone.set()
        self.send(Quit())
        if self._pulse.value:
            self._process.join(QUIT_S)
        self.end()
        self._reader.join(QUIT_S)

    def end(self) -> None:
        self._gone.set()
        if self._process.is_alive():
            self._process.kill()
            self._process.join(QUIT_S)
