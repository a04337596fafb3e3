"""Writes TOML that :mod:`tomllib` reads back unchanged.

A run folder keeps its scenario in full; the same file must give the same run again, so floats are
written with all their digits.  TOML has no null: a field without a value is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from annelid.errors import SpecError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDE = 90
"""Longest list on one line, in characters."""


def dumps(data: Mapping[str, Any]) -> str:
    """The document: plain values first, then tables, in the order of ``data``."""
    return "\n".join(_table(data, ())).strip() + "\n"


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    present = {key: value for key, value in data.items() if value is not None}
    below = {key: value for key, value in present.items() if _is_table(value)}
    lines = [f"{_key(key)} = {_value(v)}" for key, v in present.items() if key not in below]
    for key, value in below.items():
        place = (*path, key)
        title = ".".join(map(_key, place))
        if isinstance(value, Mapping):
            lines += ["", f"[{title}]", *_table(value, place)]
        else:
            for item in value:
                lines += ["", f"[[{title}]]", *_table(item, place)]
    return lines


def _is_table(value: Any) -> bool:
    """A table, or a list of nothing but tables, which reads better under headings of its own."""
    if isinstance(value, Mapping):
        return True
    return _is_list(value) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(value: str) -> str:
    """JSON's escapes are TOML's, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(str(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, Mapping):
        inner = (f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None)
        return "{" + ", ".join(inner) + "}"
    if _is_list(value) and None not in value:
        items = [_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= _WIDE else "[\n    " + ",\n    ".join(items) + ",\n]"
    raise SpecError(f"TOML has no way to write {value!r} ({type(value).__name__})")
