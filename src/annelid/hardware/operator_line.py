"""Connects an operator in another process: lines typed there, answers shown there.

The simulation has a *seat* (:class:`RemoteSeat`), the operator a *prompt* (:func:`prompt`).  Both
greet with :data:`GREETING`, which has a version; the seat says it when somebody comes, and hangs up
on those who do not answer with it at once: a browser that was sent here, a port scanner, another
version.  After that lines are text, so a terminal program will do as well.  A line with EOT alone
is the end: of the prompt, which leaves when all its lines have been said, or of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Final

from annelid.errors import PortError
from annelid.hardware.address import Address
from annelid.hardware.lines import Doorstep, Lines, call
from annelid.hardware.typed import Inbox, at_once

EOT: Final = "\x04"
VERSION: Final = 1
GREETING: Final = f"annelid operator {VERSION}"
GREET_S: Final = 5.0
"""How long one who has come in may take to greet."""
LINE_MAX: Final = 1000
"""Bytes of a typed line; the robot's terminal takes 200 characters."""
WAITING_MAX: Final = 1000
"""Lines that are typed faster than they are said, before the line is hung up."""
POLL_S: Final = 0.1
LEAVE_S: Final = 2.0


class RemoteSeat:
    """One operator at a time; when one leaves, the run goes on and the next may come.

    Nobody waits for what another has said: ``quit``, ``help`` and ``STP`` of an operator without a
    ``wait`` of their own are heard at once.  After one they keep their order: it is a script.
    """

    def __init__(self, doorstep: Doorstep, *, say: Callable[[str], object]) -> None:
        self._doorstep = doorstep
        self._say = say
        self._lines: Lines | None = None
        self._writing = Lock()
        self._over = Event()
        self._thread: Thread | None = None

    def begin(self, typed: Inbox) -> None:
        """Lines go to ``typed`` from now on."""
        self._thread = Thread(target=self._serve, args=(typed,), daemon=True, name="operator line")
        self._thread.start()

    def show(self, text: str) -> None:
        self._say(text)
        self._send(text)

    def leave(self) -> None:
        """The one who is there has said all and goes."""
        self._send(EOT)

    def end(self, last: str) -> None:
        """The run is over."""
        self._say(last)
        self._send(last)
        self._send(EOT)
        self._over.set()
        if self._thread is not None:
            self._thread.join(LEAVE_S)
        self._doorstep.close()

    def _send(self, text: str) -> None:
        with self._writing:
            if self._lines is not None:
                with suppress(PortError):  # the reading thread notices, and says so
                    self._lines.send(text)

    def _serve(self, typed: Inbox) -> None:
        """The thread."""
        while not self._over.is_set():
            try:
                came = self._doorstep.accept(POLL_S)
                if came is not None:
                    self._listen(came, typed)
            except PortError as error:
                if not self._over.is_set():
                    self._say(f"{error}; the run goes on")
                if not self._doorstep.stays:
                    return

    def _listen(self, came: Lines, typed: Inbox) -> None:
        try:
            self._greet(came)
            with self._writing:
                self._lines = came
            self._say("an operator is here")
            waited = False
            while not self._over.is_set():
                line = came.receive(POLL_S, most=LINE_MAX)
                if line is None:
                    continue
                if line == GREETING:  # over a serial line, the next one
                    came.send(GREETING)
                    waited = False
                else:
                    waited |= line.split()[:1] == ["wait"]
                    typed.put(line if waited else at_once(line))
                if typed.qsize() > WAITING_MAX:
                    raise PortError(f"{came.address}: {WAITING_MAX} lines wait; hung up")
        finally:
            with self._writing:
                self._lines = None
            self._doorstep.leave(came)

    def _greet(self, came: Lines) -> None:
        """A :class:`PortError` unless it is an operator of this version."""
        came.send(GREETING)
        line = came.receive(GREET_S, most=LINE_MAX)
        if line != GREETING:
            got = "nothing" if line is None else ascii(line[:60])
            raise PortError(f"{came.address}: expected {GREETING!r} from an operator, got {got}")


def prompt(address: Address, typed: Iterable[str], *, show: Callable[[str], object]) -> None:
    """Say what is typed to the robot at ``address`` and show what comes back, until either ends.

    A :class:`PortError` if the other end hangs up without a word.
    """
    with call(address) as lines:
        lines.send(GREETING)
        line = lines.receive(GREET_S + POLL_S)
        if line != GREETING:
            got = "nothing" if line is None else ascii(line[:60])
            raise PortError(
                f"{address}: expected {GREETING!r} from a robot, got {got}; is an annelid of this "
                "version at the other end?"
            )
        Thread(target=_say_all, args=(lines, typed), daemon=True, name="keyboard").start()
        while True:
            line = lines.receive(POLL_S)
            if line == EOT:
                return
            if line is not None:
                show(line)


def _say_all(lines: Lines, typed: Iterable[str]) -> None:
    """The thread; what cannot be sent is noticed by the one who reads."""
    try:
        for line in typed:
            lines.send(line)
        lines.send(EOT)
    except PortError:
        return
