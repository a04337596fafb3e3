"""The workers of a pool: processes of this machine, a Dask cluster, or a given executor."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from time import sleep
from types import ModuleType
from typing import Any, Final, Protocol

from annelid.boundary.plain import shortened
from annelid.errors import InputError, WorkersLost, needing
from annelid.trial.interrupt import STOPPING

ROOM = 256
"""Where nobody says how many workers there are."""

PORT_MAX: Final = 65535
Errors = tuple[type[BaseException], ...]


class Crew(Protocol):
    room: int
    """Items that are handed out before the first is done: enough that nobody waits, few enough that
    nothing need be taken back."""
    lost: Errors
    """What is raised when the workers, rather than the work, are at fault."""

    def fault(self, error: BaseException) -> str:
        """One of these errors, for the user."""

    def submit(self, work: Callable[[Any], Any], item: Any) -> Future[Any]: ...

    def end(self, *, at_once: bool) -> None:
        """Let the workers go; ``at_once``: whatever they are doing."""


class Processes:
    """Processes of this machine, started when they are needed.

    They end with this process, however it ends.  Signals that a terminal or a service manager
    sends to the whole group are left to this process.
    """

    lost: Errors = (BrokenExecutor,)

    def __init__(self, number: int) -> None:
        self._number = number
        self.room = 2 * number
        self._executor: ProcessPoolExecutor | None = None

    def fault(self, error: BaseException) -> str:
        return "a worker process died (out of memory?)"

    def submit(self, work: Callable[[Any], Any], item: Any) -> Future[Any]:
        if self._executor is None:
            from annelid.physics.warm import for_workers  # not in a worker, which begins here

            for_workers()
            # Started afresh: a fork would copy an engine that has callbacks installed.
            spawn = multiprocessing.get_context("spawn")
            resource_tracker.ensure_running()  # it lets signals through while it starts
            self._executor = ProcessPoolExecutor(
                self._number, mp_context=spawn, initializer=end_with_parent
            )
        with _spawning():
            return self._executor.submit(work, item)

    def end(self, *, at_once: bool) -> None:
        executor, self._executor = self._executor, None
        if executor is None:
            return
        if at_once:
            for worker in list((executor._processes or {}).values()):
                worker.kill()
        executor.shutdown()


class Cluster:
    """The workers of a Dask scheduler.  A task whose worker dies is given to another one."""

    def __init__(self, address: str) -> None:
        with needing("cluster", "--cluster"):
            from distributed import Client, KilledWorker
        _require_address(address)
        self._address = address
        self.lost: Errors = (BrokenExecutor, CancelledError, OSError, RuntimeError, KilledWorker)
        try:
            self._client = Client(address, timeout="5s", set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise WorkersLost(
                f"--cluster: no Dask scheduler answers at {address}: {error}"
            ) from None
        self._executor = self._client.get_executor(pure=False)
        self.room = max(ROOM, 2 * sum(self._client.nthreads().values()))

    def fault(self, error: BaseException) -> str:
        return f"the cluster at {self._address} was lost ({_reason(error)})"

    def submit(self, work: Callable[[Any], Any], item: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(work, item)
        return future

    def end(self, *, at_once: bool) -> None:
        self._client.close(timeout=2)


def _require_address(address: str) -> None:
    """Dask's own word on a wrong one is a traceback from another thread, 15 s later."""
    from distributed.comm.addressing import parse_host_port
    from distributed.comm.registry import backends

    scheme, between, place = address.rpartition("://")
    good = bool(place.strip()) and place.isprintable() and (not between or scheme in backends)
    if good and scheme != "inproc":
        try:
            good = 0 <= parse_host_port(place, 0)[1] <= PORT_MAX
        except ValueError:
            good = False
    if not good:
        known = ", ".join(f"{name}://" for name in sorted(backends))
        raise InputError(
            f"--cluster: expected an address as tcp://HOST:PORT (one of {known}), "
            f"got {shortened(address)!r}"
        )


class Borrowed:
    """An executor that somebody else opens and closes."""

    room = ROOM
    lost: Errors = (BrokenExecutor, CancelledError)

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def fault(self, error: BaseException) -> str:
        return f"the executor was lost ({_reason(error)})"

    def submit(self, work: Callable[[Any], Any], item: Any) -> Future[Any]:
        return self._executor.submit(work, item)

    def end(self, *, at_once: bool) -> None:
        pass


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@contextmanager
def _spawning() -> Iterator[None]:
    """While a process may be started: it inherits that these signals are blocked, and does not
    import the user's script again, which would run it once more where it has no guard."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        signal.pthread_sigmask(signal.SIG_SETMASK, before)  # one that waited is raised here


def end_with_parent(*, after_s: float = 0.0) -> None:
    """In a worker: nobody else ends us when the parent is killed; ``after_s``: time to tidy up."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        given = (parent.sentinel, after_s)
        threading.Thread(target=_wait_for_end, args=given, daemon=True).start()


def _wait_for_end(sentinel: int, after_s: float) -> None:
    connection.wait([sentinel])
    sleep(after_s)
    os._exit(1)
