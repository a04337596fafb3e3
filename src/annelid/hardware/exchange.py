"""The messages between a simulation and a program in another process: one JSON object a line.

::

    program      {"hello": "annelid central", "version": 1}
    simulation   {"hello": "annelid", "board": "PC", "ports": ["bus", …], "options": {…}}
    simulation   {"until_ns": 5000000, "heard": [["bus", 63, "3f0c…"]], "outcomes": [[7, "nack"]]}
    program      {"at_ns": 5000000, "sent": [[8, "bus", 12, "0c3f…"]], "logged": [["task", {…}]]}
    …            the last two again and again
    simulation   {"end": "duration"}

They take turns: the simulation says how far time has come and what has arrived; the program runs
up to that moment and says what it sent.  Neither goes on without the other, so it does not matter
how fast either machine or the line between them is, and a run is the same every time.  A turn is
the delay of the cable: 5 ms.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar, overload

from pydantic import Field

from annelid.boundary.files import parse_table
from annelid.errors import PortError, SpecError
from annelid.hardware.lines import Lines
from annelid.kernel import milliseconds
from annelid.spec import Spec

VERSION: Final = 1
TURN_NS: Final = milliseconds(5)
ANSWER_S: Final = 30.0
"""How long the other side may take over a turn before it counts as gone."""

FrameOf = tuple[str, int, str]
"""Port, address, bytes in hexadecimal."""


class ProgramHello(Spec):
    hello: Literal["annelid central"] = "annelid central"
    version: Literal[1] = VERSION


class SimulationHello(Spec):
    hello: Literal["annelid"] = "annelid"
    board: str
    ports: tuple[str, ...]
    options: dict[str, Any]
    """``control.options`` of the scenario, completed."""


class RunUntil(Spec):
    until_ns: Annotated[int, Field(ge=0)]
    heard: tuple[FrameOf, ...] = ()
    outcomes: tuple[tuple[int, str], ...] = ()


class Done(Spec):
    at_ns: int
    sent: tuple[tuple[int, str, int, str], ...] = ()
    logged: tuple[tuple[str, dict[str, Any]], ...] = ()


class TheEnd(Spec):
    end: str


S = TypeVar("S", bound=Spec)
T = TypeVar("T", bound=Spec)


def tell(lines: Lines, what: Spec) -> None:
    lines.send(what.model_dump_json())


@overload
def hear(lines: Lines, kind: type[S], /, *, seconds: float = ANSWER_S) -> S: ...


@overload
def hear(lines: Lines, kind: type[S], other: type[T], /) -> S | T: ...


def hear(lines: Lines, /, *kinds: type[Spec], seconds: float = ANSWER_S) -> Spec:
    """One of these; a :class:`PortError` if it does not come, or is none of them."""
    line = lines.receive(seconds)
    if line is None:
        raise PortError(f"{lines.address}: no answer within {seconds:g} s")
    try:
        table = parse_table(line, str(lines.address))
    except SpecError:
        table = {}
    for kind in kinds:
        if _first(kind) in table:
            try:
                return kind.parse(table, where=str(lines.address))
            except SpecError as error:
                raise PortError(str(error)) from None
    expected = " or ".join(map(_first, kinds))
    raise PortError(
        f"{lines.address}: expected a line of JSON with {expected}, got {line[:60]!a};"
        " is an annelid of this version at the other end?"
    )


def _first(kind: type[Spec]) -> str:
    """The field by which a message is known."""
    return next(iter(kind.model_fields))
