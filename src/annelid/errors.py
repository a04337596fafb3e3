"""All errors that Annelid raises on purpose, as one tree.

::

    AnnelidError
    ├── InputError            what the user gave cannot be used
    │   ├── UnknownName       a letter, world, field, servo … that does not exist
    │   │   └── UnknownKey    a table or column that a run has not; also a KeyError
    │   ├── SpecError         a file or field that does not parse or does not fit
    │   ├── GeometryError     parts that do not fit, overlap or are too small
    │   └── MissingFile       a path that leads nowhere
    ├── OutputError           results could not be written (full disk, no permission)
    ├── PortError             a serial port that was there is gone
    ├── WorkersLost           processes or a cluster that did the work died, or do not answer
    ├── SimulationError       the physics left the ground it is valid on
    ├── ProgramError          a program crashed, or never let time pass (annelid.kernel)
    └── MissingDependency     an optional part of the machine is not installed

The command line prints ``str(error)`` and exits with ``exit_code``; nobody sees a traceback for
a mistake of their own.  A message says where, what was expected, what was found, and what is
available.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class AnnelidError(Exception):
    """Root of the tree; catching it catches everything Annelid raises on purpose."""

    exit_code = 2

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel from process to process, whatever their constructors take."""
        return _remade, (type(self), self.args, vars(self))


def _remade(kind: type[AnnelidError], args: tuple[Any, ...], state: dict[str, Any]) -> AnnelidError:
    error = kind.__new__(kind, *args)
    vars(error).update(state)
    return error


class InputError(AnnelidError):
    """What the user gave cannot be used."""


class UnknownName(InputError):
    """A name that is not on the list, with the list and the nearest spelling."""

    def __init__(
        self,
        what: str,
        got: str,
        available: Iterable[str],
        *,
        where: str = "",
        brought: bool = False,
    ) -> None:
        """``brought``: a plugin may bring more of them."""
        self.available = sorted(available)
        folded = {name.casefold(): name for name in self.available}
        near = difflib.get_close_matches(got.casefold(), folded, n=1)
        hint = f" Did you mean {folded[near[0]]!r}?" if near else ""
        place = f"{where}: " if where else ""
        choices = ", ".join(self.available) or "none"
        own = "; one of your own needs --plugin FILE" if brought else ""
        super().__init__(f"{place}unknown {what} {got!r}.{hint} Available: {choices}{own}")


class UnknownKey(UnknownName, KeyError):
    """A name looked up as in a dict; it is a ``KeyError`` too."""

    __str__ = Exception.__str__  # a KeyError shows its message in quotes


class SpecError(InputError):
    """A file or field that does not parse or does not fit."""


class GeometryError(InputError):
    """Parts that do not fit, overlap or are too small for what must go through them."""


class MissingFile(InputError):
    """A path that leads nowhere."""


class OutputError(AnnelidError):
    """Results could not be written; what was written before stays readable."""


class PortError(AnnelidError):
    """A port that was there is gone: unplugged, or closed at its other end."""


class WorkersLost(AnnelidError):
    """Workers died or do not answer; the results that came before are kept."""


class SimulationError(AnnelidError):
    """The physics left the ground it is valid on (an exploding state, an unusable model)."""


class MissingDependency(AnnelidError):
    """An optional part of the machine is missing; the message says what to install."""


@contextmanager
def needing(extra: str, who: str) -> Iterator[None]:
    """Say what to install where an import inside fails: ``with needing("gpu", "--gpu"): …``."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingDependency(
            f"{who} needs {error.name}: pip install 'annelid[{extra}]'"
        ) from None
