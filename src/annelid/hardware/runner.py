"""Runs a kernel in real time until something ends it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from annelid.electronics.board import Firmware
from annelid.hardware.board import PcBoard
from annelid.hardware.real_time import RealTime
from annelid.kernel import SECOND, Join, Process, Program
from annelid.kernel import seconds as to_ns
from annelid.trial.interrupt import interruptible

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
    with interruptible(interrupt):
        kernel.run(end_ns, pacer=clock)
    if interrupted:
        return End.INTERRUPTED
    return End.TIME if kernel.now >= end_ns else End.DONE


def run_firmware(
    firmware: Firmware, board: PcBoard, clock: RealTime, *, seconds: float | None = None
) -> tuple[End, Process]:
    """Run a program on this machine until it returns, time is up, or Ctrl-C."""
    kernel = board.kernel
    process = kernel.spawn(firmware(board), board.name)
    kernel.spawn(_stop_after(process, kernel.stop), f"end of {board.name}")
    return run_paced(clock, seconds=seconds), process


def _stop_after(process: Process, stop: Callable[[], None]) -> Program:
    yield Join(process)
    stop()
