"""The parts of a command: its level, who may send it to whom, and its forms.

**Addresses** (000 §3.3): 0 is for all, 1 to 62 are modules, 63 is the central control (CC).  The
operator is not on the bus and has none in the paper; 64 is proposed, which no module can have.

**Routes.**  A frame whose sender cannot send such a command is no sound frame.  Modules talk to
the CC or to each other (§5.1) but never to all at once: the byte after I2C's general call is the
sender, and chips take 04H and 06H there for "reset".  63 is odd, which I2C leaves to us.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Literal

from annelid.electronics.port import EVERYONE
from annelid.errors import InputError
from annelid.systems.microtub.protocol.parameters import Parameter

MODULES: Final = range(1, 63)
CC: Final = 63
OPERATOR: Final = 64

Level = Literal["LLC1", "LLC2", "HLC"]
Form = tuple[Parameter, ...]
"""The parameters of a command, in order."""


class ProtocolError(InputError):
    """A frame that cannot be sent: command, parameter, what is allowed, what was given."""


class CommandDirection(Enum):
    """Who sends a command to whom; the value is how it is written."""

    TO_MODULES = "CC → module"
    FROM_MODULE = "module → CC"
    FROM_OPERATOR = "operator → CC"
    TO_OPERATOR = "CC → operator"

    @property
    def senders(self) -> range:
        return _ROUTES[self][0]

    @property
    def receivers(self) -> range:
        return _ROUTES[self][1]


_ROUTES: Final = {
    CommandDirection.TO_MODULES: (range(CC, CC + 1), range(EVERYONE, CC)),
    CommandDirection.FROM_MODULE: (MODULES, range(1, CC + 1)),
    CommandDirection.FROM_OPERATOR: (range(OPERATOR, OPERATOR + 1), range(CC, CC + 1)),
    CommandDirection.TO_OPERATOR: (range(CC, CC + 1), range(OPERATOR, OPERATOR + 1)),
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Command:
    """One row of the table; it is itself and no other, so it compares by identity."""

    level: Level
    table: int | None
    """Of 000, where it is listed; None: an extension."""
    opcode: int
    """Proposed; the paper prints none."""
    name: str
    directions: tuple[CommandDirection, ...]
    title: str
    meaning: str
    forms: tuple[Form, ...] = ((),)
    """Alternatives; which one a frame has shows in its types and its first Enum."""
    says: str = ""
    """What a person reads, with {} for the parameters; empty: the title and the parameters."""
    by_kinds: dict[bytes, tuple[Form, ...]] = field(init=False)
    """Type bytes to the forms that have them."""
    routes: frozenset[int] = field(init=False)
    """``route(sender, to)`` of all who may."""

    def __post_init__(self) -> None:
        by_kinds: dict[bytes, tuple[Form, ...]] = {}
        for form in self.forms:
            kinds = bytes(parameter.kind for parameter in form)
            by_kinds[kinds] = (*by_kinds.get(kinds, ()), form)
        routes = frozenset(
            route(sender, to)
            for direction in self.directions
            for sender in direction.senders
            for to in direction.receivers
        )
        object.__setattr__(self, "by_kinds", by_kinds)
        object.__setattr__(self, "routes", routes)

    @property
    def full_name(self) -> str:
        """With the level, because STP, RST, SIE and AIE occur on two."""
        return f"{self.level}.{self.name}"

    def __repr__(self) -> str:
        return self.full_name


def route(sender: int, to: int) -> int:
    """Both addresses as one number."""
    return sender << 8 | to


def who(address: int) -> str:
    """An address for people."""
    return {EVERYONE: "all", CC: "CC", OPERATOR: "operator"}.get(address, str(address))
