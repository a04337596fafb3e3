"""The pool that runs many trials in parallel: for sweeps, searches and claims.

::

    with processes(4, go_on="the same command goes on from there") as pool:
        for found in pool.map(Prepared(make, (definition,)), items):
            …

The work runs here, in processes of this machine, on a Dask cluster, or in any executor
(:mod:`annelid.trial.crews`).  An error or Ctrl-C within the ``with`` ends the workers at once;
results that were handed out before stay with the caller.
"""

from __future__ import annotations

import functools
import os
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from annelid.errors import WorkersLost
from annelid.trial.crews import Borrowed, Cluster, Crew, Processes

Given = TypeVar("Given")
Found = TypeVar("Found")

Tell = Callable[[int, int], None]
"""``(items done, items in all)``"""


@dataclass(frozen=True)
class Prepared(Generic[Given, Found]):
    """Work that loads something first, once in each worker: ``make(*of)`` gives the function.

    ``make`` is a function of a module; ``of`` is all that it depends on.
    """

    make: Callable[..., Callable[[Given], Found]]
    of: tuple[Hashable, ...]

    def __call__(self, given: Given) -> Found:
        found: Found = _made(self.make, self.of, threading.get_ident())(given)
        return found


@functools.lru_cache(maxsize=32)
def _made(make: Callable[..., Any], of: tuple[Hashable, ...], thread: int) -> Callable[[Any], Any]:
    """One for every thread: it may hold a simulation.  Dask's workers have several threads."""
    made: Callable[[Any], Any] = make(*of)
    return made


class Pool:
    """Use it in a ``with``; without a crew the work is done in this process."""

    def __init__(self, crew: Crew | None = None, *, go_on: str = "") -> None:
        """``go_on`` tells the user how to continue after workers were lost."""
        self._crew = crew
        self._go_on = go_on
        self._here: dict[Prepared[Any, Any], Callable[[Any], Any]] = {}

    def map(
        self,
        work: Callable[[Given], Found],
        items: Iterable[Given],
        *,
        ordered: bool = False,
        tell: Tell | None = None,
    ) -> Iterator[Found]:
        """``work`` on each item; each result as soon as it is there, or in the order of the items.

        ``work`` is a function of a module, or :class:`Prepared`.  ``tell`` is called after each
        result has been used.
        """
        todo = list(items)
        results = self._in_here(work, todo) if self._crew is None else self._by(work, todo, ordered)
        for done, found in enumerate(results, 1):
            yield found
            if tell is not None:
                tell(done, len(todo))

    def _in_here(self, work: Callable[[Given], Found], todo: Sequence[Given]) -> Iterator[Found]:
        if isinstance(work, Prepared):  # for as long as the pool: a plugin may be edited later
            if work not in self._here:
                self._here[work] = work.make(*work.of)
            work = self._here[work]
        return map(work, todo)

    def _by(
        self, work: Callable[[Given], Found], todo: Sequence[Given], ordered: bool
    ) -> Iterator[Found]:
        crew = self._crew
        assert crew is not None
        waiting = deque(enumerate(todo))
        at_work: dict[Future[Found], int] = {}
        early: dict[int, Found] = {}
        turn = 0
        try:
            while waiting or at_work:
                while waiting and len(at_work) < crew.room:
                    place, item = waiting.popleft()
                    at_work[crew.submit(work, item)] = place
                for future in wait(at_work, return_when=FIRST_COMPLETED).done:
                    place, found = at_work.pop(future), future.result()
                    if not ordered:
                        yield found
                        continue
                    early[place] = found
                    while turn in early:
                        yield early.pop(turn)
                        turn += 1
        except crew.lost as error:
            crew.end(at_once=True)  # the next call begins with new ones, where there can be
            raise WorkersLost(f"{crew.fault(error)}; {self._go_on}") from error

    def close(self, *, at_once: bool = False) -> None:
        """``at_once``: without waiting for the work in hand."""
        if self._crew is not None:
            self._crew.end(at_once=at_once)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close(at_once=error is not None)


def cores() -> int:
    """Cores that this process may use: the number of workers, unless told otherwise."""
    return len(os.sched_getaffinity(0))


def processes(workers: int | None = None, *, go_on: str = "") -> Pool:
    """Processes of this machine, as many as cores unless told otherwise; one: this process."""
    number = workers or cores()
    return Pool(None if number == 1 else Processes(number), go_on=go_on)


def open_pool(workers: int | None = None, *, cluster: str | None = None, go_on: str = "") -> Pool:
    """Processes here, or the workers of the Dask scheduler at the address ``cluster``."""
    if cluster is not None:
        return Pool(Cluster(cluster), go_on=go_on)
    return processes(workers, go_on=go_on)


def borrowed(executor: Executor, *, go_on: str = "") -> Pool:
    """An executor of the caller's, who also closes it."""
    return Pool(Borrowed(executor), go_on=go_on)
