"""Lists the fields of a spec with unit, default, bounds and meaning.

The meaning is the string below a field.  It is read from the source when somebody asks, so that
importing a spec stays quick.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic.fields import FieldInfo

from annelid.spec import Spec

UNITS: Final = {
    "_rad_s": "rad/s",
    "_mm": "mm",
    "_cm": "cm",
    "_m": "m",
    "_deg": "°",
    "_rad": "rad",
    "_ms": "ms",
    "_us": "µs",
    "_ns": "ns",
    "_s": "s",
    "_hz": "Hz",
    "_ppm": "ppm",
    "_g": "g",
    "_kg": "kg",
    "_n": "N",
    "_nm": "N·m",
    "_a": "A",
    "_v": "V",
    "_w": "W",
    "_wh": "Wh",
    "_ohm": "Ω",
    "_c": "°C",
}
"""By the end of a field's name."""

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


def described(spec: type[Spec]) -> list[Described]:
    """All fields of a spec, in their order."""
    meanings = _meanings(spec)
    return [
        Described(
            name,
            next((unit for end, unit in UNITS.items() if name.endswith(end)), ""),
            _default(field),
            _bounds(field),
            meanings.get(name, ""),
        )
        for name, field in spec.model_fields.items()
    ]


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
            tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
        except (OSError, TypeError, SyntaxError):
            continue  # made in a prompt: there is no source to read
        (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef)][:1] or [[]]
        for node, after in pairwise(body):
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
                and isinstance(after.value.value, str)
            ):
                found.setdefault(node.target.id, _plain(after.value.value))
    return found


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
        text = "as below"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
