"""Checks a table that was read from outside: depth, number of values, numbers that are numbers."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

from annelid.boundary.quantities import fault_of
from annelid.errors import SpecError

DEPTH_MAX: Final = 24
"""Tables and lists within each other; a scenario with every option has nine."""
VALUES_MAX: Final = 500_000
"""Numbers, texts and names of a whole table."""
TABLES_MAX: Final = 2000
"""In one list: parts of a pipe, modules, obstacles, gaits, faults, commands.  Each is built."""
TEXT_MAX: Final = 1_000_000
"""Characters of one text; a program may have 200 000."""
WHOLE_MAX: Final = 2**63
"""Whole numbers are smaller: they go through 64 bits of the engine and of SQLite."""
TURNING: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Classes of the signs that turn the direction of writing (Unicode Annex 9)."""


def admit(data: Any, where: str) -> None:
    """Raise a :class:`SpecError` of one line that names the place, or let it pass.

    What a table holds besides plain data (objects of a script) is not from outside and is left
    alone.
    """
    for fault in _faults(data):
        raise SpecError(f"{where}: {fault}")


def _faults(data: Any) -> Iterator[str]:
    """Level by level, not by recursion: depth is what is to be checked."""
    level: list[tuple[str, str, Any]] = [("", "", data)]
    seen = 0
    for _ in range(DEPTH_MAX + 1):
        below: list[tuple[str, str, Any]] = []
        for place, field, value in level:
            if isinstance(value, Mapping):
                for key, item in value.items():
                    name = str(key)
                    below.append((f"{place}.{name}" if place else name, name, item))
            elif isinstance(value, list | tuple):
                tables = sum(isinstance(item, Mapping) for item in value)
                if tables > TABLES_MAX:
                    yield f"{shortened(place)}: expected at most {TABLES_MAX:,}, got {tables:,}"
                below += [(f"{place}.{k}", field, item) for k, item in enumerate(value)]
            elif fault := _fault(field, value):
                yield f"{shortened(place)}: {fault}" if place else fault
        seen += len(below)
        if seen > VALUES_MAX:
            yield f"expected at most {VALUES_MAX} values in all"
            return
        if not below:
            return
        level = below
    yield f"{shortened(level[0][0])}: expected at most {DEPTH_MAX} tables within each other"


def _fault(field: str, value: Any) -> str | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        if abs(value) >= WHOLE_MAX:
            return "expected a whole number of at most 18 digits"
        return fault_of(field, value)
    if isinstance(value, float):
        return (
            fault_of(field, value)
            if math.isfinite(value)
            else f"expected a finite number, got {value}"
        )
    if isinstance(value, str):
        if len(value) > TEXT_MAX:
            return f"expected at most {TEXT_MAX} characters, got {len(value)}"
        if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
            return "expected text, got half of a character (a lone surrogate)"
    return None


def shortened(text: str, most: int = 80) -> str:
    """A text of somebody else's, fit for one line of a message."""
    plain = text if text.isprintable() else ascii(text)[1:-1]
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def visible(text: str) -> str:
    """With its control characters shown as such (``\\x1b``): a terminal obeys them.

    So are characters that turn the order of the others; line ends and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(ascii(sign)[1:-1] if _obeyed(sign) else sign for sign in text)


def _obeyed(sign: str) -> bool:
    return sign not in "\n\t" and (
        unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(sign) in TURNING
    )
