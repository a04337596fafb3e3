"""A timer: a call in the future that can be cancelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annelid.kernel.loop import Kernel


class Timer:
    """Made by :meth:`Kernel.call_at`.

    A cancelled one stays in the queue, dead, because taking it out of a heap would cost more; the
    kernel sweeps when there are many.
    """

    __slots__ = ("_kernel", "fn", "live", "t_ns")

    def __init__(self, kernel: Kernel, t_ns: int, fn: Callable[[], Any]) -> None:
        self._kernel = kernel
        self.t_ns = t_ns
        self.fn = fn
        self.live = True

    def cancel(self) -> None:
        """Call it off; harmless when it has happened."""
        if self.live:
            self.live = False
            self._kernel.timer_cancelled()


def run_timer(timer: Timer) -> None:
    """What the queue holds for every timer, which is how the kernel knows them."""
    if timer.live:
        timer.live = False
        timer.fn()
