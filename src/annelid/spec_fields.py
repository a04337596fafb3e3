"""Lists the fields of a spec with unit, default, bounds and meaning.

The meaning is the string below a field.  It is read from the source when somebody asks, so that
importing a spec stays quick.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic.fields import FieldInfo

from annelid.spec import Spec

UNITS: Final = {
    "mm": "mm",
    "cm": "cm",
    "m": "m",
    "deg": "°",
    "rad": "rad",
    "ms": "ms",
    "us": "µs",
    "ns": "ns",
    "s": "s",
    "hz": "Hz",
    "ppm": "ppm",
    "percent": "%",
    "g": "g",
    "kg": "kg",
    "n": "N",
    "nm": "N·m",
    "j": "J",
    "a": "A",
    "ma": "mA",
    "mah": "mAh",
    "v": "V",
    "volts": "V",
    "w": "W",
    "wh": "Wh",
    "ohm": "Ω",
    "c": "°C",
}
"""By the last words of a field's name."""
PER: Final = "per"

LONGEST: Final = 40


@dataclass(frozen=True)
class Described:
    """One field."""

    name: str
    unit: str
    default: str
    """``required`` where there is none."""
    bounds: str
    """``0 … 90``, or the words that may be written."""
    meaning: str

    def holding(self, value: str) -> Described:
        """The same field with this value in the place of its default."""
        return replace(self, default=value)


def described(spec: type[Spec]) -> list[Described]:
    """All fields of a spec, in their order."""
    meanings = _meanings(spec)
    return [
        Described(
            name,
            unit_of(name),
            _default(field),
            _bounds(field),
            meanings.get(name, ""),
        )
        for name, field in spec.model_fields.items()
    ]


def unit_of(name: str) -> str:
    """What the end of a field's name says: ``speed_m_s`` is in m/s, ``drag_n_per_m`` in N/m."""
    words = name.split("_")
    ends = len(words)
    while ends > 1 and (words[ends - 1] in UNITS or words[ends - 1] == PER):
        ends -= 1
    if ends == 1 and PER in words[1:] and words[0] in UNITS:
        ends = 0  # ohm_per_m
    units = [UNITS[word] for word in words[ends:] if word != PER]
    if len(units) < 2:  # the last word alone, or none
        return "".join(units)
    return f"{'·'.join(units[:-1])}/{units[-1]}"


def members(spec: type[Spec]) -> dict[str, list[type[Spec]]]:
    """Fields that take tables, and the specs of those tables: the parts of a pipe."""
    found = {name: list(_specs(field.annotation)) for name, field in spec.model_fields.items()}
    return {name: specs for name, specs in found.items() if specs}


def first_line(thing: Any) -> str:
    """Of its docstring, not what a class inherits; else of its file, which then is about it."""
    kind = thing if isinstance(thing, type) else type(thing)
    text = vars(kind).get("__doc__") or sys.modules[kind.__module__].__doc__ or ""
    lines = inspect.cleandoc(text).split("\n\n")[0]
    return _plain(lines)


def _meanings(spec: type[Spec]) -> dict[str, str]:
    """The string below each field, the nearest class first."""
    found: dict[str, str] = {}
    for kind in spec.__mro__:
        if kind is Spec or not issubclass(kind, Spec):
            continue
        try:
            path = Path(inspect.getfile(kind))
            own = _strings(path, path.stat().st_mtime_ns).get(kind.__qualname__, {})
        except (OSError, TypeError, SyntaxError):
            continue  # made in a prompt: there is no source to read
        found = {**own, **found}
    return found


@cache
def _strings(path: Path, _changed: int) -> dict[str, dict[str, str]]:
    """By class of a file: the string below each of its fields.  Read once, and again when the file
    was changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name: {
            field.target.id: _plain(after.value.value)
            for field, after in pairwise(node.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def _plain(text: str) -> str:
    """On one line, without marks for a machine."""
    return re.sub(r"(?::\w+:)?`{1,2}(.*?)`{1,2}", r"\1", " ".join(text.split()))


def _bounds(field: FieldInfo) -> str:
    words = _words(field.annotation)
    if words:
        return " | ".join(words)
    low = high = ""
    for rule in _rules(field):
        match rule:
            case Ge(ge=value):
                low = f"{value:g} …"
            case Gt(gt=value):
                low = f"above {value:g} …"
            case Le(le=value):
                high = f"{value:g}"
            case Lt(lt=value):
                high = f"below {value:g}"
            case MinLen(min_length=count):
                low = f"{count} or more …"
            case MaxLen(max_length=count):
                high = f"at most {count}"
    if low and not high:
        return low.removesuffix(" …") if low.startswith("above") else low.replace(" …", " or more")
    if high and not low:
        return high if high.startswith(("below", "at most")) else f"up to {high}"
    return f"{low} {high}".strip()


def _rules(field: FieldInfo) -> Iterator[Any]:
    yield from field.metadata
    yield from _annotated(field.annotation)


def _annotated(kind: Any) -> Iterator[Any]:
    """Of ``Annotated`` parts of a union; a field's own are in its metadata."""
    if get_origin(kind) is Annotated:
        _, *rules = get_args(kind)
        for rule in rules:
            yield from rule.metadata if isinstance(rule, FieldInfo) else (rule,)
    elif get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from _annotated(each)


def _words(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [str(word) for word in get_args(kind)]
    if get_origin(kind) in (Union, UnionType, Annotated):
        return [word for each in get_args(kind) for word in _words(each)]
    if kind is bool:
        return ["true", "false"]
    return []


def _specs(kind: Any) -> Iterator[type[Spec]]:
    if isinstance(kind, type) and get_origin(kind) is None:
        if issubclass(kind, Spec) and not inspect.isabstract(kind):
            yield kind
        return
    for each in get_args(kind):
        if each is not NoneType and not isinstance(each, str | FieldInfo):
            yield from _specs(each)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return shown(field.get_default(call_default_factory=True))


def shown(value: Any) -> str:
    """A value in a few characters."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:g}"
    name = getattr(value, "name", None)
    text = name if isinstance(name, str) else str(value)
    if isinstance(value, Spec) and not isinstance(name, str):
        text = ", ".join(["as below", *_set_otherwise(value)])
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _set_otherwise(value: Spec) -> list[str]:
    """The fields of a default that are not what their own class says."""
    fields = type(value).model_fields
    return [
        f"{name} {shown(getattr(value, name))}"
        for name, field in fields.items()
        if not field.is_required()
        and getattr(value, name) != field.get_default(call_default_factory=True)
    ]
