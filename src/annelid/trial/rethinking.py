"""A behaviour written anew while a run goes on, on the boards that are to think so.

The programs of a system make their behaviours themselves, by the names of their classes.  A board
that is to have another one runs its program with those names exchanged, for as long as the program
is at work and no longer, so that its neighbours go on as they were.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from annelid.behaviour import Behaviour
from annelid.electronics.board import Board, Firmware
from annelid.errors import InputError, UnknownName
from annelid.kernel import Program
from annelid.trial.programs import executed, guarded

SYSTEMS = "annelid.systems."


def behaviours() -> dict[str, type[Behaviour[Any]]]:
    """Those of the systems that are in use, by name."""
    found: dict[str, type[Behaviour[Any]]] = {}
    waiting: list[type[Behaviour[Any]]] = [Behaviour]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.name and kind.__module__.startswith(SYSTEMS):
                found[kind.name] = kind
    return dict(sorted(found.items()))


def source_of_behaviour(kind: type[Behaviour[Any]]) -> str:
    file = inspect.getsourcefile(kind)
    return "" if file is None else Path(file).read_text(encoding="utf-8")


def rethought(source: str, name: str, before: Firmware) -> Firmware:
    """The program ``before`` with the behaviour of this name as the text has it."""
    known = behaviours()
    if name not in known:
        raise UnknownName("behaviour", name, known)
    old = known[name]
    new = executed(source).get(old.__name__)
    if not (isinstance(new, type) and issubclass(new, Behaviour)):
        raise InputError(f"expected a class {old.__name__}(Behaviour) in the text")
    if new.name != name:
        raise InputError(f"name: expected {name!r}, by which others know it, got {new.name!r}")
    thinking = partial(exchanged, old=old, new=new, before=before)
    return partial(guarded, new=thinking, before=before)


def exchanged(board: Board, *, old: type, new: type, before: Firmware) -> Program:
    """``before``, which finds ``new`` wherever it looks for ``old``."""
    places = [
        (vars(module), name)
        for key, module in list(sys.modules.items())
        if key.startswith(SYSTEMS)
        for name, value in list(vars(module).items())
        if value is old
    ]
    program = before(board)
    value: Any = None
    try:
        while True:
            with _put(places, new, old):
                try:
                    wait = program.send(value)
                except StopIteration as end:
                    return end.value
            value = yield wait
    finally:
        program.close()


@contextmanager
def _put(places: list[tuple[dict[str, Any], str]], new: type, old: type) -> Iterator[None]:
    for names, name in places:
        names[name] = new
    try:
        yield
    finally:
        for names, name in places:
            names[name] = old
