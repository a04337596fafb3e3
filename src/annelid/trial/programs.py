"""Replaces the program of a board during a run by one that a user wrote.

A text is one of two things: a function ``program(board)``, or the file of the program
that runs on the board already, edited; of that the function of the same name is taken, with the
arguments it had.

It never runs unasked: not from a scenario, and from a run folder only where that is allowed
(``outside.require_no_programs``).  One that fails gives way to the program before it.
"""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from annelid.electronics.board import Board, Firmware
from annelid.electronics.node import Node
from annelid.errors import InputError
from annelid.kernel import Program
from annelid.kernel.process import what_of

ENTRY: Final = "program"
"""Name of the function that a user's program defines."""

FILE: Final = "<program {board}>"
"""Where tracebacks say that it is, one for each board."""
IN_PROGRAM: Final = re.compile(r"<program ([^>]*)>")

FAILED: Final = "program failed"
"""Kind of event, under the board's name: where and why, and that the one before goes on."""

TEMPLATE = '''\
from math import radians, sin


def program(board):
    """Turns every servo of this module to and fro."""
    t = 0.0
    while True:
        for servo in board.servos.values():
            servo.target = radians(30) * sin(3 * t)
        t += 0.02
        yield board.sleep(0.02)
'''


def source_of(firmware: Firmware) -> str:
    """The file of the program that runs on a board."""
    inner = _innermost(firmware)
    file = inspect.getsourcefile(inner if isinstance(inner, FunctionType) else type(inner))
    return TEMPLATE if file is None else Path(file).read_text(encoding="utf-8")


def executed(source: str, board: str) -> dict[str, Any]:
    """The names that a text defines; what does not compile or run is refused, with the line."""
    file = FILE.format(board=board)
    try:
        code = compile(source, file, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if not isinstance(error, SyntaxError) or error.lineno is None:  # null bytes
            why = str(error) or "too much in it"
            raise InputError(f"this is no text of a program: {why}") from None
        text = (error.text or "").strip()
        raise InputError(f"line {error.lineno}: {error.msg}: {text}") from None
    names: dict[str, Any] = {"__name__": "annelid_program", "__file__": file}
    try:
        exec(code, names)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  whatever a user's text does, we say where
        raise InputError(f"{where(error)}: {type(error).__name__}: {error}") from None
    return names


def written(source: str, before: Firmware, *, board: str) -> Firmware:
    """The text as firmware of ``board`` in the place of ``before``."""
    names = executed(source, board)
    own = names.get(ENTRY)
    old = getattr(_innermost(before), "__name__", ENTRY)
    found = own or names.get(old)
    if not callable(found):
        other = "" if old == ENTRY else f" or {old}(board, …)"
        raise InputError(f"expected a function {ENTRY}(board){other} in the program")
    new: Firmware = found if own is not None else _with_arguments_of(before, found)
    return partial(guarded, new=new, before=before)


def guarded(board: Board, *, new: Firmware, before: Firmware) -> Program:
    """``new`` for as long as it goes well, then ``before``."""
    try:
        return (yield from new(board))
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001  the board goes on, whatever it was
        detail = {"error": what_of(error), "where": where(error)}
        board.log(FAILED, detail)
    return (yield from before(board))


def where(error: BaseException) -> str:
    """The line of the written program in which it happened."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if IN_PROGRAM.fullmatch(frame.filename)]
    return f"line {lines[-1]}" if lines else "outside of the program's own lines"


def reprogram(node: Node, firmware: Firmware) -> None:
    """Flash it and begin anew; a board that is off or dead begins with it when it starts."""
    node.firmware = firmware
    node.reset("reprogrammed")


def _innermost(firmware: Firmware) -> Any:
    """The function, or the object, that is called with the board at last."""
    inner: Any = firmware
    while isinstance(inner, partial):
        inner = inner.keywords["before"] if inner.func is guarded else inner.func
    return inner


def _with_arguments_of(before: Firmware, function: Callable[..., Program]) -> Firmware:
    inner: Any = before
    while isinstance(inner, partial) and inner.func is guarded:
        inner = inner.keywords["before"]
    if isinstance(inner, partial):
        return partial(function, *inner.args, **inner.keywords)
    return function
