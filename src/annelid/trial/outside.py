"""Events from outside a run: typed commands, faults, changed gaits, programs.

Each is a frozen spec.  It takes effect between two events of the run, and the trace records it in
full as an event of the source ``outside``.  A replay applies it again at the same moment
(:func:`recorded`): scenario, seed and these events determine the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from annelid.boundary.plain import admit
from annelid.electronics.elsewhere import Logged, Passed, RemoteTurn, Sent
from annelid.electronics.faults import Fault
from annelid.errors import InputError
from annelid.kernel.trace.reader import Event
from annelid.motion import Gait
from annelid.spec import Spec, faults_named

OUTSIDE: Final = "outside"
"""Source of these events in the trace; their kind is ``do``."""

SOURCE_MAX = 200_000
"""Characters of a program."""


class Say(Spec):
    """A line typed at the operator's terminal: ``EXP``, ``SIR 3``, ``go 300 50``, ``stop``."""

    do: Literal["say"] = "say"
    line: Annotated[str, Field(min_length=1, max_length=200)]


class InjectFault(Spec):
    """A fault by hand; its own moment does not count."""

    do: Literal["break"] = "break"
    fault: Fault


class Retune(Spec):
    """Other gaits from now on, in step with those before."""

    do: Literal["retune"] = "retune"
    gaits: tuple[Gait, ...]


class Reprogram(Spec):
    """Another program on these boards, which begin anew with it (``trial/programs.py``)."""

    do: Literal["reprogram"] = "reprogram"
    boards: Annotated[tuple[str, ...], Field(min_length=1)]
    source: Annotated[str, Field(max_length=SOURCE_MAX)]


class Rethink(Spec):
    """Another behaviour of this name on these boards, which begin anew with it
    (``trial/layers.py``)."""

    do: Literal["rethink"] = "rethink"
    boards: Annotated[tuple[str, ...], Field(min_length=1)]
    behaviour: str
    source: Annotated[str, Field(max_length=SOURCE_MAX)]


class Speak(Spec):
    """A turn of a program that runs elsewhere (``electronics/elsewhere.py``): frames and log."""

    do: Literal["speak"] = "speak"
    board: str
    sent: tuple[tuple[int, str, int, str], ...] = ()
    """Number, port, address, bytes in hexadecimal."""
    logged: tuple[tuple[str, dict[str, Any]], ...] = ()
    gone: bool = False

    def turn(self) -> RemoteTurn:
        try:
            sent = tuple(
                Sent(number, Passed(port, address, bytes.fromhex(data)))
                for number, port, address, data in self.sent
            )
        except ValueError as error:
            raise InputError(f"speak: expected bytes in hexadecimal: {error}") from None
        return RemoteTurn(sent, tuple(Logged(*each) for each in self.logged), self.gone)


Outside = Annotated[
    Say | InjectFault | Retune | Reprogram | Rethink | Speak, Field(discriminator="do")
]

_ADAPTER: TypeAdapter[Outside] = TypeAdapter(Outside)


@dataclass(frozen=True)
class Timed:
    """When it took effect, ns."""

    t_ns: int
    what: Outside


def parse_outside(
    table: Any, *, where: str = OUTSIDE, context: Mapping[str, Any] | None = None
) -> Outside:
    """From a table, with errors that name the field."""
    admit(table, where)
    with faults_named(where):
        return _ADAPTER.validate_python(table, context=dict(context or {}))


def recorded(
    happened: Iterable[Event], *, context: Mapping[str, Any] | None = None
) -> tuple[Timed, ...]:
    """What came from outside in a run, from its events."""
    return tuple(
        Timed(event.time_ns, parse_outside({"do": event.kind, **event.detail}, context=context))
        for event in happened
        if event.source == OUTSIDE
    )


def require_no_programs(outside: Sequence[Timed]) -> None:
    """A run folder is data: what it holds is run only where somebody says so."""
    if any(isinstance(each.what, Reprogram | Rethink) for each in outside):
        raise InputError(
            "programs were written on the page while this run went on, and running it again "
            "runs them: allow that with --programs, if you trust where the run comes from"
        )
