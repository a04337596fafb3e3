"""A kernel in real time, until something ends it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from types import FrameType
from typing import Final

from annelid.electronics.board import Firmware
from annelid.hardware.board import PcBoard
from annelid.hardware.real_time import RealTime
from annelid.kernel import SECOND, Join, Process, Program
from annelid.kernel import seconds as to_ns

FOREVER_NS: Final = 10 * 365 * 86_400 * SECOND
"""Ten years; a kernel that waits for bytes alone has nothing in its queue and would return."""


class End(StrEnum):
    """Why a run is over."""

    DONE = "done"
    """A program said so, by :meth:`Kernel.stop`."""
    TIME = "time"
    INTERRUPTED = "interrupted"


def run_paced(clock: RealTime, *, seconds: float | None = None) -> End:
    """Run the kernel of ``clock`` from now on, until it is stopped, time is up, or Ctrl-C.

    An unplugged port is a ``PortError``.  Programs are left where they stand: it can be run on.
    """
    kernel = clock.kernel
    end_ns = kernel.now + (FOREVER_NS if seconds is None else to_ns(seconds))
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        kernel.stop()

    clock.restart(kernel.now)
    with _interruptible(interrupt):
        kernel.run(end_ns, pacer=clock)
    if interrupted:
        return End.INTERRUPTED
    return End.TIME if kernel.now >= end_ns else End.DONE


def run_firmware(
    firmware: Firmware, board: PcBoard, *, seconds: float | None = None
) -> tuple[End, Process]:
    """Run a program on this machine until it returns, time is up, or Ctrl-C."""
    kernel = board.clock.kernel
    process = kernel.spawn(firmware(board), board.name)
    kernel.spawn(_stop_after(process, kernel.stop), f"end of {board.name}")
    return run_paced(board.clock, seconds=seconds), process


def _stop_after(process: Process, stop: Callable[[], None]) -> Program:
    yield Join(process)
    stop()


@contextmanager
def _interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C ends the run between two events; a second one is a ``KeyboardInterrupt`` on the
    spot.  Outside the main thread it is left to others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
