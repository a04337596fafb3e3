"""Parts of a board or robot by name; a wrong name raises an error that lists the right ones."""

from __future__ import annotations

from typing import Never, TypeVar

from annelid.errors import UnknownName

T = TypeVar("T")


class NamedParts(dict[str, T]):
    """A dict whose missing keys say what there is, and where."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__()
        self._what = what
        self._where = where

    def __missing__(self, name: str) -> Never:
        raise UnknownName(self._what, name, self, where=self._where)
