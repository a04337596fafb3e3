"""Commands of the command line that belong to one system.

They are listed before any system's code is imported, because ``annelid --help`` has to be quick; so
they are named in a file of their own, ``systems/NAME/verbs.py``, and not in the ``System``.  An
installed package adds its own by an entry point in the group ``annelid.verbs``: its name is the
command's, its value the place of a function or of a ``typer.Typer``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Final

from annelid.systems.front import Place, found

BUILT_IN: Final = (
    "annelid.systems.microtub.verbs:VERBS",
    "annelid.systems.erekobot.verbs:VERBS",
    "annelid.systems.climber.verbs:VERBS",
)
ENTRY_POINTS: Final = "annelid.verbs"


@dataclass(frozen=True)
class Verb:
    name: str
    """``infer``, or ``study learn`` for a command of a group."""
    about: str
    """One line."""
    place: Place
    """A function with typer's annotations, or a ``typer.Typer``."""


def verbs() -> Iterator[Verb]:
    """Of the built-in systems and of installed packages."""
    for table in BUILT_IN:
        yield from found(table)
    for point in entry_points(group=ENTRY_POINTS):
        package = "" if point.dist is None else f"Of the package {point.dist.name}."
        yield Verb(point.name, package, point.value)
