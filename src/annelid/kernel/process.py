"""A running program: how the kernel resumes it, ends it and reports its failure.

A process ends in one of three ways: its program returns (``DONE``), somebody kills it
(``KILLED``: power off, reset, detached), or it raises (``CRASHED``).  A kill closes the
generator, so ``finally`` blocks run and can release a bus.
"""

from __future__ import annotations

import re
import sys
import traceback
from enum import Enum
from heapq import heappush
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annelid.errors import AnnelidError, InputError
from annelid.kernel.waits import Program, Sleep, Until, Wait, Waiter

if TYPE_CHECKING:
    from annelid.kernel.anyof import Branch
    from annelid.kernel.loop import Kernel


_OURS = (str(Path(__file__).parents[1]), sys.base_prefix, sys.prefix)
"""Folders of this package and of Python: their lines are not a user's."""


class ProgramError(AnnelidError):
    """A program raised; the message begins with its name, ``__cause__`` is what it raised."""


class Livelock(ProgramError):
    """Virtual time stands still, because programs go on waking each other in one instant."""


class ProcessState(Enum):
    """Where a process is in its life."""

    RUNNING = "running"
    DONE = "done"
    KILLED = "killed"
    CRASHED = "crashed"


class Process:
    """A running program.  Made by :meth:`Kernel.spawn`."""

    __slots__ = (
        "_doomed",
        "_program",
        "_send",
        "_wait",
        "_waiters",
        "branches",
        "contain",
        "error",
        "kernel",
        "name",
        "priority",
        "result",
        "resume",
        "state",
    )

    def __init__(
        self, kernel: Kernel, program: Program, name: str, *, priority: int, contain: bool
    ) -> None:
        self.kernel = kernel
        self.name = name
        self.priority = priority
        self.contain = contain
        self.state = ProcessState.RUNNING
        self.result: Any = None
        self.error: BaseException | None = None
        self.resume = self._resume  # bound once: the queue holds it, twice per tick
        self._program = program
        self._send = program.send
        self._wait: Wait | None = None
        self._waiters: dict[Waiter, None] = {}
        self.branches: list[Branch] = []
        self._doomed = False

    def __repr__(self) -> str:
        return f"<Process {self.name!r} {self.state.value}>"

    @property
    def alive(self) -> bool:
        return self.state is ProcessState.RUNNING

    def kill(self) -> None:
        """End the program where it waits; one that kills itself ends at its next ``yield``.

        A message already handed to the program in this instant is lost with it.
        """
        if not self.alive or self._doomed:
            return
        self._doomed = True
        if self.kernel.current is self:
            return
        if self._wait is not None:
            self._wait.disarm(self)
        self._close()

    # -- as a waiter ---------------------------------------------------------------------------

    def fire(self, value: Any) -> None:
        self.kernel.push(self.kernel.now, self.priority, self.resume, value)

    def fire_now(self, value: Any) -> None:
        self._resume(value)

    def fire_at(self, t_ns: int) -> None:
        self.kernel.push(t_ns, self.priority, self.resume, None)

    def forget_time(self) -> None:
        """Nothing to do: the queue's entry finds the process ended."""

    def add_waiter(self, waiter: Waiter) -> None:
        if self.alive:
            self._waiters[waiter] = None
        else:
            waiter.fire(self)

    def drop_waiter(self, waiter: Waiter) -> None:
        self._waiters.pop(waiter, None)

    # -- running -------------------------------------------------------------------------------

    def _resume(self, value: Any) -> None:
        if self.state is not ProcessState.RUNNING:
            return
        kernel = self.kernel
        kernel.current = self
        try:
            wait = self._send(value)
            # Nine waits in ten are for a moment: their arm() written out, for half the price.
            at = None
            if type(wait) is Until:
                at = wait.t_ns
            elif type(wait) is Sleep and type(wait.ns) is int:
                at = kernel.now + wait.ns
            if type(at) is int and at >= kernel.now and not self._doomed:
                self._wait = wait
                kernel.sequence = sequence = kernel.sequence + 1
                heappush(kernel.queue, (at, self.priority, sequence, self.resume, None))
                return
            while not self._doomed:
                self._wait = wait
                try:
                    wait.arm(self)
                    return
                except (InputError, AttributeError, TypeError) as fault:
                    # The program asked for the impossible: let it fail at that line.
                    refusal = _refusal(wait, fault)
                    if refusal is fault:
                        wait.disarm(self)
                    wait = self._program.throw(refusal)
        except StopIteration as stop:
            self.result = stop.value
            self._end(ProcessState.DONE)
            return
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a program may raise anything, SystemExit too
            self._crash(error)
            return
        finally:
            kernel.current = None
        self._close()

    def _close(self) -> None:
        try:
            self._program.close()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  in a finally, as above
            self._crash(error)
        else:
            self._end(ProcessState.KILLED)

    def _crash(self, error: BaseException) -> None:
        """Record, then raise or contain.

        A full disk or a physics that blew up is not the program's doing and is never contained.
        """
        self.error = error
        self._end(ProcessState.CRASHED)
        self.kernel.record(
            self.name,
            "crash",
            {"error": what_of(error), "where": where_of(error)},
        )
        if isinstance(error, AnnelidError) and not isinstance(error, InputError):
            raise error
        if not self.contain:
            raise ProgramError(f"{self.name}: {what_of(error)} ({where_of(error)})") from error

    def _end(self, state: ProcessState) -> None:
        self.state = state
        self._wait = None
        self.kernel.processes.pop(self, None)
        waiters, self._waiters = self._waiters, {}
        for waiter in waiters:
            waiter.fire(self)


def _refusal(wait: object, fault: Exception) -> Exception:
    if isinstance(fault, InputError):
        return fault.with_traceback(None)  # its place is the line that yielded
    return InputError(
        f"yield: expected a wait (Sleep, Until, Receive, Edge, Join, AnyOf), got {wait!r}"
    )


def what_of(error: BaseException) -> str:
    """An error in words, without addresses of memory: the same run must tell the same."""
    return re.sub(r" at 0x[0-9a-f]+", "", f"{type(error).__name__}: {error}")


def where_of(error: BaseException) -> str:
    """``file:line`` without folders, which name a machine: the innermost line that a user wrote,
    or where there is none the innermost line."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "unknown place"
    theirs = [each for each in frames if not each.filename.startswith(_OURS)]
    last = (theirs or frames)[-1]
    return f"{last.filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{last.lineno}"
