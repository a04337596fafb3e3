"""Ctrl-C and SIGTERM: the run ends between two events, and its recording stays complete."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

STOPPING: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)


class Terminate:
    """Handler of SIGTERM that makes it an interrupt like Ctrl-C; the command installs one."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt


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
        if handler is signal.default_int_handler or isinstance(handler, Terminate):
            before[number] = handler

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(number: int, frame: FrameType | None) -> None:
        restore()
        with suppress(KeyboardInterrupt):
            before[number](number, frame)  # it may want to know
        stop()

    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()
