"""What console, report and command line show of a system, as data.

A system writes these down and draws nothing; ``annelid.console`` and ``annelid.report`` draw them
for every system alike, a plugin's too::

    System(
        …,
        words=Words(parse=parse_saying),
        panel=Panel((Form("Lamp", {"On": "lamp {v}", "Off": "lamp 0"}, (Number("v", 5),)),)),
        sections=(Section("Light", (Table("lit", ("level",)), Plot("lit", ("level",)))),),
    )
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from annelid.errors import SpecError
from annelid.registry import load_place

Place = str | Callable[..., Any]
"""A function or class, or where it stands: ``"package.module:name"``, imported when it is used."""


def found(place: Place) -> Any:
    """What stands there."""
    if not isinstance(place, str):
        return place
    try:
        return load_place(place)
    except (ImportError, AttributeError, ValueError) as error:
        raise SpecError(f"expected a place package.module:name, got {place!r}: {error}") from error


def _no_words(_: str) -> list[str]:
    return []


def _no_help() -> list[str]:
    return []


def _as_told(told: str) -> str:
    return told


@dataclass(frozen=True)
class Words:
    """What an operator can type at the system's terminal."""

    parse: Callable[[str], object]
    """Raises an :class:`~annelid.errors.InputError` for a line that makes no sense."""
    completions: Callable[[str], list[str]] = _no_words
    """How the last word of a line may go on."""
    help_lines: Callable[[], list[str]] = _no_help
    """One or more lines for each command."""
    silent: Mapping[str, Any] = field(default_factory=dict)
    """Options with which the scenario's own operator says nothing, so that a person can."""
    plain: Callable[[str], str] = _as_told
    """An answer as it was recorded, in plain words: without what is there for the wire."""


@dataclass(frozen=True)
class Apart:
    """A board whose program may run in another process."""

    board: str
    options: Mapping[str, Any]
    """With which the board waits for that process."""
    command: str
    """That starts the process, followed by an address: ``annelid central``."""


@dataclass(frozen=True)
class Number:
    """A field of a form."""

    name: str
    value: float
    label: str = ""
    """With its unit; empty: the name."""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Text:
    """A field of a form into which words are typed."""

    name: str
    value: str
    label: str = ""
    """Empty: the name."""


@dataclass(frozen=True)
class Form:
    """Buttons, each of which says a line at the terminal, and what is to be put into the line."""

    title: str
    buttons: Mapping[str, str]
    """What stands on the button, and the line it says; ``{name}`` is replaced by that field."""
    fields: tuple[Number | Text, ...] = ()

    def __post_init__(self) -> None:
        names = [each.name for each in self.fields]
        for line in self.buttons.values():
            for _, name, _, _ in Formatter().parse(line):
                if name is not None and name not in names:
                    known = ", ".join(names) or "none"
                    raise SpecError(
                        f"form {self.title!r}: {line!r}: unknown field {name!r}; known: {known}"
                    )


@dataclass(frozen=True)
class Table:
    """Events of one kind: a row for each, with its time, its source and these fields."""

    kind: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Plot:
    """Curves over time from the events of one kind: one for each field and source, or for each
    number where a field is a list."""

    kind: str
    fields: tuple[str, ...]
    label: str = ""
    """Of the vertical axis, with the unit; empty: the fields' names."""
    each: str = ""
    """What the numbers of a list belong to: ``leg`` names its curves leg 1, leg 2 …"""
    levels: Mapping[str, float | str] = field(default_factory=dict)
    """Lines across the plot by name: a number, or the field of the first event that has it."""


@dataclass(frozen=True)
class Columns:
    """Curves over time: columns of a table of the trace (``"actuators"``, ``"robot"``).  A live run
    has no tables, so the console leaves them to the report."""

    table: str
    columns: tuple[str, ...]
    """By name, or all of a quantity: ``target`` for ``target[R1.yaw]``, ``target[R2.yaw]`` …"""
    label: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, tables and plots below it: in the report, and in the console's tab See."""

    title: str
    parts: tuple[Table | Plot | Columns, ...]
    about: str = ""
    """What there is to see, in a sentence."""


@dataclass(frozen=True)
class Panel:
    """How the console operates a system, besides the line that anything can be typed into."""

    forms: tuple[Form, ...] = ()
    operate: Place | None = None
    """More in the tab Operate: ``operate(desk, built)`` lays itself out inside of it."""
    see: Place | None = None
    """More in the tab See: ``see(desk, built)`` lays itself out, and its ``draw()`` is called as a
    tab's is."""
    own_options: bool = False
    """Whether ``operate`` has a form of the options itself; else the console makes one."""
