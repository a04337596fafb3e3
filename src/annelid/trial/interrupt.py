"""Ctrl-C and SIGTERM: the run ends between two events, and its recording stays complete."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

STOPPING: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
"""The last brings one of the others again."""
IMPORT_S = 1.0
"""An interrupt waits for so long until an import is done."""
AGAIN_S = 0.02


class Interrupts:
    """Handler of Ctrl-C and SIGTERM for a whole command: both are a ``KeyboardInterrupt``.

    Not in the middle of an import: compiled modules (``numpy.random`` is one) and the callbacks of
    ``importlib`` swallow what is raised in them, and the command would go on as if nothing had
    been said.  There it comes again, by an alarm, and so does one that a destructor swallowed.
    """

    def __init__(self) -> None:
        self.terminated = False
        """Whether it was SIGTERM."""
        self._since_s: float | None = None
        """Since when one waits."""

    def install(self) -> None:
        """In the main thread; what somebody handles or ignores already is left to them."""
        for number in STOPPING:
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self)
        sys.unraisablehook = self._unraisable

    def note(self, number: int) -> None:
        self.terminated = self.terminated or number == signal.SIGTERM

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.note(number)
        now_s = monotonic()
        if self._since_s is None:
            self._since_s = now_s
        if _imports(frame) and now_s - self._since_s < IMPORT_S and self._again():
            return
        self._since_s = None
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        raise KeyboardInterrupt

    def _again(self) -> bool:
        ours = signal.getsignal(signal.SIGALRM) is self
        if ours:
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        return ours

    def _unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        if not (issubclass(lost.exc_type, KeyboardInterrupt) and self._again()):
            sys.__unraisablehook__(lost)


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM ends the run between two events, so that nothing is torn; a
    second one is a ``KeyboardInterrupt`` on the spot.  Outside the main thread, and for a signal
    that somebody handles or ignores in a way of their own, it is left to them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[int, Callable[[int, FrameType | None], object]] = {}
    for number in STOPPING:
        handler = signal.getsignal(number)
        if handler is signal.default_int_handler or isinstance(handler, Interrupts):
            before[number] = handler

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(number: int, frame: FrameType | None) -> None:
        restore()
        if isinstance(handler := before[number], Interrupts):
            handler.note(number)
        stop()

    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()
