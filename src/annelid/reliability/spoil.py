"""Spoils texts, bytes and tables at random, the way accidents and attackers do."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

Draw = np.random.Generator

NASTY: Final[tuple[str, ...]] = (
    *("0", "-1", "1e15", "-1e15", "1e300", "1e-300", "1e400", "nan", "-inf", "9223372036854775808"),
    *("9" * 5000, "true", '""', '"\\u0000"', '"\\ud800"', "[]", "{}", "[[]]", "'x'", "1979-05-27"),
    *("[" * 3000, "{a = " * 50, '"' * 7, "'''", "\\", "\x00", "\x7f", "é", "\u202e", "]" * 10),
    *(
        "0x7fffffffffffffff",
        "1_000_000_000",
        "-0.0",
        "3.0e+05",
        '"../../etc/passwd"',
        '"/dev/zero"',
    ),
    '"' + "x" * 5000 + '.stl"',
    *("a." * 3000 + "a", "--1", "\u00b2", "..", ".0.", ".x.y", ".-1", "a" * 70, "(", "://", "%00"),
)
"""Values and pieces that have hurt parsers before."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORD = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_-]*')


def text(given: str, draw: Draw) -> str:
    """One to four changes."""
    for _ in range(int(draw.integers(1, 5))):
        given = _pick(_TEXT, draw)(given, draw)
    return given


def data(given: bytes, draw: Draw) -> bytes:
    """One to four changes."""
    for _ in range(int(draw.integers(1, 5))):
        given = _pick(_BYTES, draw)(given, draw)
    return given


def fields(given: str, draw: Draw) -> str:
    """A dotted name that goes too far, not far enough, or another way."""
    parts = given.split(".")
    place = int(draw.integers(len(parts) + 1))
    match int(draw.integers(4)):
        case 0:
            parts.insert(place, str(_pick(STEPS, draw)))
        case 1:
            parts = parts[: max(place, 1)]
        case 2:
            parts[min(place, len(parts) - 1)] = str(_pick(STEPS, draw))
        case _:
            parts += [str(_pick(STEPS, draw)) for _ in range(int(draw.integers(1, 4)))]
    return ".".join(parts)


STEPS: Final = ("0", "1", "9", "-1", "x", "", "a.b", "kind", "each", "\u00b2", "9" * 400)


def place(path: Path, draw: Draw) -> str:
    """Put something that is no file in the place of a file, and say what."""
    path.unlink(missing_ok=True)
    match what := str(draw.choice(("nothing", "loop", "folder", "pipe", "device", "dangling"))):
        case "loop":
            path.symlink_to(path.name)
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "dangling":
            path.symlink_to("nowhere")
    return what


def table(given: Any, draw: Draw, *, depth: int = 0) -> Any:
    """One value somewhere in it."""
    if isinstance(given, dict) and given and draw.random() < 0.9:
        key = str(draw.choice(list(given)))
        if draw.random() < 0.1:
            return {name: value for name, value in given.items() if name != key}
        return {**given, key: table(given[key], draw, depth=depth + 1)}
    if isinstance(given, list | tuple) and given and draw.random() < 0.9:
        place = int(draw.integers(len(given)))
        changed = [*given]
        changed[place] = table(changed[place], draw, depth=depth + 1)
        return changed
    return _pick(_VALUES, draw)()


def _pick(choices: Sequence[Any], draw: Draw) -> Any:
    return choices[int(draw.integers(len(choices)))]


def _place(given: Sequence[Any], draw: Draw) -> int:
    return int(draw.integers(len(given) + 1))


def _replaced(pattern: re.Pattern[str], given: str, new: str, draw: Draw) -> str:
    found = list(pattern.finditer(given))
    if not found:
        return given + new
    one = _pick(found, draw)
    return given[: one.start()] + new + given[one.end() :]


def _number(given: str, draw: Draw) -> str:
    return _replaced(_NUMBER, given, str(_pick(NASTY, draw)), draw)


def _word(given: str, draw: Draw) -> str:
    words = _WORD.findall(given) or ["x"]
    new = _pick(words, draw) if draw.random() < 0.5 else _pick(NASTY, draw)
    return _replaced(_WORD, given, str(new), draw)


def _lines(given: str, draw: Draw) -> str:
    lines = given.splitlines(keepends=True) or [""]
    place = int(draw.integers(len(lines)))
    match int(draw.integers(3)):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[int(draw.integers(len(lines)))])
        case _:
            other = int(draw.integers(len(lines)))
            lines[place], lines[other] = lines[other], lines[place]
    return "".join(lines)


def _piece(given: str, draw: Draw) -> str:
    place = _place(given, draw)
    return given[:place] + str(_pick(NASTY, draw)) + given[place:]


def _cut(given: str, draw: Draw) -> str:
    first, last = sorted((_place(given, draw), _place(given, draw)))
    return given[:first] + given[last:] if draw.random() < 0.7 else given[:first]


def _bit(given: bytes, draw: Draw) -> bytes:
    if not given:
        return b"\x00"
    spoilt = bytearray(given)
    for _ in range(int(draw.integers(1, 9))):
        spoilt[int(draw.integers(len(spoilt)))] = int(draw.integers(256))
    return bytes(spoilt)


def _cut_bytes(given: bytes, draw: Draw) -> bytes:
    first, last = sorted((_place(given, draw), _place(given, draw)))
    return given[:first] + given[last:] if draw.random() < 0.5 else given[:first]


def _doubled(given: bytes, draw: Draw) -> bytes:
    first, last = sorted((_place(given, draw), _place(given, draw)))
    return given[:last] + given[first:last][:65536] + given[last:]


def _noise(given: bytes, draw: Draw) -> bytes:
    place = _place(given, draw)
    return given[:place] + draw.bytes(int(draw.integers(1, 64))) + given[place:]


_TEXT: Final[tuple[Callable[[str, Draw], str], ...]] = (
    _number,
    _number,
    _word,
    _lines,
    _piece,
    _cut,
)
_BYTES: Final[tuple[Callable[[bytes, Draw], bytes], ...]] = (
    _bit,
    _bit,
    _cut_bytes,
    _doubled,
    _noise,
)


def _deep() -> Any:
    value: Any = 0
    for _ in range(2000):
        value = [value]
    return value


_VALUES: Final[tuple[Callable[[], Any], ...]] = (
    lambda: None,
    lambda: -1,
    lambda: 10**40,
    lambda: 1e300,
    lambda: float("nan"),
    lambda: float("-inf"),
    lambda: "",
    lambda: "\ud800",
    lambda: "x" * 10_000,
    list,
    dict,
    lambda: True,
    lambda: [0.0] * 5000,
    _deep,
)
