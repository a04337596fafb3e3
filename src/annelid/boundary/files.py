"""Reads files, TOML and JSON from outside, and writes files; a failure is one line of our own."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from annelid.boundary.plain import admit, shortened
from annelid.errors import InputError, MissingFile, OutputError, SpecError, UnknownName

BYTES_MAX: Final = 20_000_000
"""Of a file of text: scenarios have kilobytes, the metrics of a run have two."""
DIGITS_MAX: Final = 1000
"""In a row: no number needs them, and reading them takes time that grows with their square."""
NESTED_MAX: Final = 100
"""Brackets open at one time, counted before anything is parsed: a parser calls itself for each."""

KEY_PARTS_MAX: Final = 24
"""Of a dotted key or heading, as deep as tables may be: a parser's time grows with the square of
their number."""

_ONLY_LOOK: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""A pipe that nobody writes to is not waited for."""

_TOO_LONG = rf"(?P<digits>[0-9_]{{{DIGITS_MAX + 1}}})"
_KEY_PART = r"""(?:[\w-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')"""
_KEY = rf"(?P<key>(?<![\w-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{{KEY_PARTS_MAX}}})"
_TOML = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\\?\Z)|' + rf"'{{3}}.*?(?:'{{3}}|\Z)|{_KEY}"
    r'|"(?:\\.|[^"\\\n])*"?' + r"|'[^'\n]*'?|#[^\n]*|[\[{]|[\]}]|" + _TOO_LONG,
    re.DOTALL,
)
_JSON = re.compile(r'"(?:\\.|[^"\\])*"?|[\[{]|[\]}]|' + _TOO_LONG, re.DOTALL)
"""Texts (an open one ends with the file), comments, brackets, and numbers and keys beyond all
measure."""
_MOST: Final = {
    "digits": f"{DIGITS_MAX} digits",
    "key": f"{KEY_PARTS_MAX} parts of a key, with dots between them",
}


def read_bytes(path: Path, *, what: str = "file", most: int = BYTES_MAX) -> bytes:
    """A file's content; a folder, a missing or an oversized file is said in one sentence."""
    try:
        if not is_file(path):
            raise no_file(path, what)
        with os.fdopen(os.open(path, _ONLY_LOOK), "rb") as file:
            if (size := os.fstat(file.fileno()).st_size) > most:
                raise InputError(f"{path}: expected at most {most} bytes, got {size}")
            content = file.read(most + 1)  # files of the kernel have no size
            if content is None:
                raise InputError(f"{path}: expected a {what}, got one of the kernel's that waits")
            if len(content) > most:
                raise InputError(f"{path}: expected at most {most} bytes, got more")
            return content
    except FileNotFoundError:
        raise MissingFile(f"{path}: no such {what}") from None
    except BlockingIOError:
        raise InputError(f"{path}: expected a {what}, got one of the kernel's that waits") from None
    except ValueError as error:  # a name with a null byte
        raise InputError(f"{shortened(str(path))}: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: could not be read: {error.strerror or error}") from None


def is_file(path: Path) -> bool:
    """As ``Path.is_file``, which fails over a name that is too long."""
    try:
        return path.is_file()
    except OSError:
        return False


def no_file(path: Path, what: str = "file") -> InputError:
    """Why there is none to read: nothing there, a folder, a loop of links, a pipe."""
    shown = shortened(str(path), 300)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return MissingFile(f"{shown}: no such {what}")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        return MissingFile(f"{shown}: expected a {what}: {why}")
    if stat.S_ISDIR(mode):
        return MissingFile(f"{shown}: is a folder, expected a {what}")
    return InputError(f"{shown}: expected a {what}, got a device or a pipe")


def whole_path(path: Path | str) -> Path:
    """The whole path, links followed; of a loop of links, over which ``Path.resolve`` fails, as far
    as that goes."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:  # a name with a null byte
        raise InputError(f"{shortened(str(path))}: {error}") from None


def find_file(source: str | Path, what: str, shipped: Callable[[], Mapping[str, Path]]) -> Path:
    """The file of a path, or of the name of one that comes with Annelid."""
    path = Path(source)
    if path.suffix == ".toml" or is_file(path):
        if not is_file(path):
            raise no_file(path, f"{what} file")
        return path
    known = shipped()
    if str(source) not in known:
        raise UnknownName(what, str(source), known, where="expected a .toml file or a shipped name")
    return known[str(source)]


def read_toml(path: Path) -> dict[str, Any]:
    """The file's table, or one clear sentence about why there is none."""
    return parse_toml(_text(read_bytes(path, what="TOML file"), str(path), "TOML"), str(path))


def read_table(path: Path) -> dict[str, Any]:
    """The file's JSON object."""
    return parse_table(_text(read_bytes(path, what="JSON file"), str(path), "JSON"), str(path))


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """A text as TOML."""
    _require_readable(text, where, _TOML)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        raise SpecError(f"{where}: not valid TOML: {_why(error)}") from None
    admit(table, where)
    return table


def parse_table(text: str, where: str) -> dict[str, Any]:
    """A text that is one object of JSON."""
    _require_readable(text, where, _JSON)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        raise SpecError(f"{where}: not valid JSON: {_why(error)}") from None
    if not isinstance(value, dict):
        raise SpecError(f"{where}: expected a JSON object, got {type(value).__name__}")
    admit(value, where)
    return value


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """What cannot be written there is said in one sentence."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{place}: could not write it: {error.strerror or error}") from None


def write_file(path: Path, content: str | bytes) -> Path:
    """Write a file, and make the folders above it."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _text(data: bytes, where: str, kind: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(f"{where}: not valid {kind}: {error}") from None


def _require_readable(text: str, where: str, structure: re.Pattern[str]) -> None:
    if len(text) > BYTES_MAX:
        raise SpecError(f"{where}: expected at most {BYTES_MAX} characters, got {len(text)}")
    depth = 0
    for found in structure.finditer(text):
        sign = found[0][0]
        depth += (sign in "[{") - (sign in "]}")
        many = _MOST.get(found.lastgroup or "")
        if depth > NESTED_MAX:
            many = f"{NESTED_MAX} open brackets"
        if many is None:
            continue
        line = text.count("\n", 0, found.start()) + 1
        raise SpecError(f"{where}: line {line}: expected at most {many}")


def _why(error: BaseException) -> str:
    """A parser's message on one line."""
    words = " ".join(str(error).split())
    return shortened(words, 200) if words else type(error).__name__
