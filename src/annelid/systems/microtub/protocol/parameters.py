"""The parameters of a command: the types of 000, Table 1, with the range of each use.

On the wire a parameter is one byte that says its type and then its data (000 §3.3); the type also
says how long it is.  Where Table 1 cannot hold what Tables 6 and 8 ask for, we say how it does:

- *Bool* has "1 bit" there; on a bus of bytes it takes one, 0 or 1.
- RPL's coordinates and a temperature can be negative: a *Value* read as two's complement.
- An orientation goes beyond an *Angle*'s ±90°: a *Value* of 0 to 359 degrees.
- *ModuleID* is any small letter, not only {r, e, s, h, c}, so that a new module type has a place.
- *String* is printable ASCII, so that no frame can upset the screen it is shown on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from struct import Struct
from typing import Any, ClassVar, Final, Protocol

from annelid.systems.microtub.protocol.enums import WireEnum

Value = int | bool | str
"""What programs see of a parameter; enums are ints with a name."""

TEXT_MAX: Final = 255
"""The length of a String is one byte."""


class ParameterType(IntEnum):
    """The type byte (000, Table 1)."""

    ANGLE = 1
    ENUM = 2
    STRING = 3
    VALUE = 4
    BOOL = 5
    MODULE_ID = 6
    MDL = 7

    @property
    def title(self) -> str:
        """As the paper spells it."""
        return _TITLES[self]

    @property
    def size(self) -> int:
        """Bytes of data after the type byte; 0 where a length byte comes first."""
        return SIZES[self]


_TITLES: Final = {
    ParameterType.ANGLE: "Angle",
    ParameterType.ENUM: "Enum",
    ParameterType.STRING: "String",
    ParameterType.VALUE: "Value",
    ParameterType.BOOL: "Bool",
    ParameterType.MODULE_ID: "ModuleID",
    ParameterType.MDL: "MDL",
}

UNKNOWN_SIZE: Final = -1
SIZES: Final = (UNKNOWN_SIZE, 1, 1, 0, 2, 1, 1, 0)
"""By type byte; what is beyond is unknown, too."""


class Parameter(Protocol):
    """One parameter of one command: how it is called, checked, written and read."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> ParameterType: ...

    @property
    def allowed(self) -> str:
        """The range in words, for errors and for the documentation."""

    def fits(self, value: Any) -> bool:
        """Whether ``value`` can be sent."""

    def put(self, value: Any) -> bytes:
        """Type byte and data of a value that fits."""

    def take(self, raw: bytes) -> Value | None:
        """The value that these data mean, without type and length; None: out of range."""

    def show(self, value: Any) -> str:
        """For people."""


@dataclass(frozen=True, slots=True)
class NumberParameter:
    """An Angle or a Value, within the limits of this use."""

    name: str
    kind: ParameterType
    low: int
    high: int
    unit: str = ""
    _put: Callable[..., bytes] = field(init=False, repr=False, compare=False)
    _take: Callable[[bytes], tuple[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        letter = "b" if self.kind is ParameterType.ANGLE else "h" if self.signed else "H"
        object.__setattr__(self, "_put", Struct(f">B{letter}").pack)
        object.__setattr__(self, "_take", Struct(f">{letter}").unpack)

    @property
    def signed(self) -> bool:
        """Two's complement."""
        return self.low < 0

    @property
    def allowed(self) -> str:
        return f"{self.low} to {self.high}{self.unit and ' ' + self.unit}"

    def fits(self, value: Any) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def put(self, value: Any) -> bytes:
        return self._put(self.kind, value)

    def take(self, raw: bytes) -> int | None:
        value = self._take(raw)[0]
        return value if self.low <= value <= self.high else None

    def show(self, value: Any) -> str:
        return f"{value}°" if self.unit == "degrees" else f"{value}{self.unit and ' ' + self.unit}"


@dataclass(frozen=True, slots=True)
class EnumParameter:
    """An Enum: some or all members of one of the tables of ``enums.py``."""

    name: str
    members: tuple[WireEnum, ...]
    kind: ClassVar[ParameterType] = ParameterType.ENUM
    _known: dict[int, WireEnum] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", {int(member): member for member in self.members})

    @property
    def allowed(self) -> str:
        return ", ".join(f"{int(m)} {m.meaning}" for m in self.members)

    def fits(self, value: Any) -> bool:
        return isinstance(value, int) and type(value) is not bool and value in self._known

    def put(self, value: Any) -> bytes:
        return bytes((ParameterType.ENUM, value))

    def take(self, raw: bytes) -> WireEnum | None:
        return self._known.get(raw[0])

    def show(self, value: Any) -> str:
        return self._known[value].meaning


@dataclass(frozen=True, slots=True)
class FlagParameter:
    """A Bool."""

    name: str
    kind: ClassVar[ParameterType] = ParameterType.BOOL
    allowed: ClassVar[str] = "False or True"

    def fits(self, value: Any) -> bool:
        return type(value) is bool

    def put(self, value: Any) -> bytes:
        return bytes((ParameterType.BOOL, value))

    def take(self, raw: bytes) -> bool | None:
        return raw[0] == 1 if raw[0] <= 1 else None

    def show(self, value: Any) -> str:
        return "yes" if value else "no"


@dataclass(frozen=True, slots=True)
class TextParameter:
    """A String, ModuleID or MDL: characters of a certain pattern."""

    name: str
    kind: ParameterType
    allowed: str
    pattern: str
    _match: Callable[[str], object] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_match", re.compile(self.pattern, re.ASCII).fullmatch)

    def fits(self, value: Any) -> bool:
        return isinstance(value, str) and self._match(value) is not None

    def put(self, value: Any) -> bytes:
        data: bytes = value.encode("ascii")
        if self.kind is ParameterType.MODULE_ID:
            return bytes((self.kind,)) + data
        return bytes((self.kind, len(data))) + data

    def take(self, raw: bytes) -> str | None:
        text = raw.decode("latin-1")
        return text if self._match(text) else None

    def show(self, value: Any) -> str:
        return repr(value) if self.kind is ParameterType.STRING else str(value)


MDL_PATTERN: Final = "[0-3]{17}"
"""000 §3.4.3; ``robot.Capabilities`` says what the digits mean."""
MDL_ALLOWED: Final = "17 digits from 0 to 3"


def angle(name: str) -> NumberParameter:
    """Degrees; a servo that counts from 0 to 180 takes this plus 90."""
    return NumberParameter(name, ParameterType.ANGLE, -90, 90, "degrees")


def count(name: str, unit: str = "", *, high: int = 0xFFFF) -> NumberParameter:
    """A Value as Table 1 has it, from 0."""
    return NumberParameter(name, ParameterType.VALUE, 0, high, unit)


def signed(name: str, unit: str) -> NumberParameter:
    """A Value that can be negative."""
    return NumberParameter(name, ParameterType.VALUE, -0x8000, 0x7FFF, unit)


def percent(name: str) -> NumberParameter:
    """Of the full amount, either way."""
    return NumberParameter(name, ParameterType.VALUE, -100, 100, "%")


def choice(name: str, *members: WireEnum) -> EnumParameter:
    return EnumParameter(name, members)


def text(name: str) -> TextParameter:
    return TextParameter(
        name,
        ParameterType.STRING,
        f"up to {TEXT_MAX} printable ASCII characters",
        f"[ -~]{{0,{TEXT_MAX}}}",
    )


MODULE_ID: Final = TextParameter(
    "id", ParameterType.MODULE_ID, "one small letter: r, e, s, h, c …", "[a-z]"
)
MDL: Final = TextParameter("mdl", ParameterType.MDL, MDL_ALLOWED, MDL_PATTERN)
MDL_TEXT: Final = TextParameter("mdl", ParameterType.STRING, MDL_ALLOWED, MDL_PATTERN)
"""AMC's: Table 5 sends the same digits as a String."""
