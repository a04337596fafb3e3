"""Loads plugin files that are given on the command line.

``annelid run my.toml --plugin wheel.py`` executes ``wheel.py`` and adds what it defines to the
registry (``annelid.registry``): module types, worlds, gaits, servos, systems, links, behaviours,
faults, objectives, measures, optimisers.  A scenario cannot name a plugin: data that is passed on
must not run code.

Worker processes load the same files again; a file's module has the same name in all of them, so
what it defines can be pickled.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import MappingProxyType
from types import ModuleType as PythonModule
from typing import Any, TypeVar

from annelid.boundary.files import read_bytes, whole_path
from annelid.boundary.plain import shortened
from annelid.errors import InputError, SpecError
from annelid.registry import KINDS, PLUGINS, Kind, KindTable, kind

Member = TypeVar("Member")

WORDS_MAX = 300
MARK = "__annelid_text__"
"""In a plugin's module: which text was executed."""


@dataclass(frozen=True)
class Plugins:
    """What plugin files define, by kind."""

    brought: Mapping[str, tuple[Any, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Name of a kind to its members, in the order of the files."""
    _tables: dict[str, KindTable[Any]] = field(default_factory=dict, repr=False, compare=False)

    def table(self, kind: Kind[Member]) -> KindTable[Member]:
        """All members of a kind: the core's, installed packages' and these."""
        if kind.name not in self._tables:
            self._tables[kind.name] = kind.table(*self.of(kind))
        return self._tables[kind.name]

    def of(self, kind: Kind[Member]) -> tuple[Member, ...]:
        """Those of the plugin files alone."""
        return self.brought.get(kind.name, ())

    @property
    def context(self) -> dict[str, Any]:
        """For the validation of specs in which they may be named."""
        return {PLUGINS: self}


def load(paths: Iterable[Path | str]) -> Plugins:
    """Execute each file once, and again when it was edited, and collect what it defines itself."""
    if isinstance(paths, str | Path):
        raise InputError(f"plugins: expected a list of files, got {str(paths)!r}; write [...]")
    brought: dict[str, list[Any]] = {}
    files = dict.fromkeys(whole_path(path) for path in paths)
    kinds = [kind(name) for name in KINDS] if files else []
    for path in files:
        own = _execute(path)
        found = []
        for name, thing in own.items():
            with blaming(path, name):
                for each in kinds:
                    if each.is_member(thing):
                        found.append((each, thing))
                        each.key(thing)  # raises where its name or what it declares does not fit
        if not found:
            raise InputError(_nothing(path, own, kinds))
        for each, thing in found:
            brought.setdefault(each.name, []).append(thing)
    plugins = Plugins(MappingProxyType({name: tuple(them) for name, them in brought.items()}))
    try:
        for name in brought:
            plugins.table(kind(name))  # refuses a name that is taken
    except SpecError as error:
        raise InputError(f"--plugin: {', '.join(map(str, files))}: {error}") from None
    return plugins


@contextmanager
def blaming(path: Path, name: str = "") -> Iterator[None]:
    """Whatever is raised in here is a fault of that plugin, told in one line: a plugin may raise
    anything, and so may its classes and the words of its errors.  Only Ctrl-C is the user's."""
    streams = sys.stdout, sys.stderr
    who = f"{name}: " if name else ""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except SpecError as error:  # of ours: what was declared does not fit
        if not name:
            raise _fault(path, error, who) from error
        raise InputError(f"--plugin: {path}: {error}") from None
    except BaseException as error:
        raise _fault(path, error, who, _declared(path, name)) from error
    finally:
        closed = [n for n, each in (("stdout", streams[0]), ("stderr", streams[1])) if _shut(each)]
        for stream in closed:
            number = 1 if stream == "stdout" else 2
            setattr(sys, stream, open(number, "w", errors="replace", closefd=False))  # noqa: SIM115
    if closed:
        raise InputError(f"--plugin: {path}: closed sys.{closed[0]}, which others need")


def _shut(stream: Any) -> bool:
    return stream is not None and getattr(stream, "closed", False) is True


def _fault(path: Path, error: BaseException, who: str, line: int | None = None) -> InputError:
    line = _line(path, error) or line
    place = f"{path}:{line}" if line else str(path)
    return InputError(f"--plugin: {place}: {who}{words_of(error)}")


def words_of(error: BaseException) -> str:
    """Kind and message on one line, also of an error that cannot tell them."""
    name = type.__getattribute__(type(error), "__name__")
    try:
        says = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:  # noqa: BLE001  it is not ours
        return f"{name}, whose message cannot be told"
    says = re.sub(r" at 0x[0-9a-f]+", "", " ".join(says.split()))
    return f"{name}: {shortened(says, WORDS_MAX)}" if says else str(name)


def _execute(path: Path) -> dict[str, object]:
    """What it defines itself, by name."""
    try:
        text = read_bytes(path, what="Python file")
    except InputError as error:
        raise type(error)(f"--plugin: {error}") from None
    name = f"annelid_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    mark = hashlib.sha256(text).hexdigest()
    known = sys.modules.get(name)
    if isinstance(known, PythonModule) and vars(known).get(MARK) == mark:
        # Its classes stay the same: what was made of them can still be pickled.
        return _own(known, name, text)
    loader = SourceFileLoader(name, str(path))
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise InputError(f"--plugin: {path}: not a Python file")
    module = module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[name] = module  # pydantic looks a class's annotations up there
    try:
        with blaming(path):
            # Not by the loader: its cache can miss an edit made within the same second.
            exec(loader.source_to_code(text, str(path)), vars(module))
    except BaseException:
        sys.modules.pop(name, None)  # it may have gone by itself
        raise
    sys.modules[name] = module
    module.__file__ = str(path)  # whatever it calls itself: libraries look for modules by that
    vars(module)[MARK] = mark
    return _own(module, name, text)


def _line(path: Path, error: BaseException) -> int | None:
    """The last line of the plugin that was being executed."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno for f in reversed(frames) if f.filename == str(path)), None)


def _declared(path: Path, name: str) -> int | None:
    """The line where a plugin's class begins, for a fault that has no line of its own."""
    tree = ast.parse(path.read_bytes()) if name else None
    classes = [] if tree is None else [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    return next((node.lineno for node in classes if node.name == name), None)


def _own(module: PythonModule, called: str, text: bytes) -> dict[str, object]:
    """In the order of the file; what it merely imports is not its own."""
    imports = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Import | ast.ImportFrom)]
    imported = {(each.asname or each.name) for node in imports for each in node.names}
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("__")
        and name not in imported
        and not (isinstance(value, type) and _home(value) != called)
    }


def _home(thing: type) -> object:
    """Its module, whatever its metaclass would say."""
    try:
        return type.__getattribute__(thing, "__module__")
    except AttributeError:
        return None


def _nothing(path: Path, own: Mapping[str, object], kinds: list[Kind[Any]]) -> str:
    for thing in own.values():
        for each in kinds:
            if not (isinstance(thing, type) and not each.instances):
                continue
            if issubclass(thing, each.base) and inspect.isabstract(thing):
                lacking = ", ".join(
                    f"{name}()" for name in sorted(getattr(thing, "__abstractmethods__", ()))
                )
                return f"--plugin: {path}: {thing.__name__} lacks {lacking}"
    wanted = "; ".join(f"{each.name}: {each.wanted}" for each in kinds)
    return (
        f"--plugin: {path}: defines nothing that can be used; expected one of: {wanted}; "
        "`annelid new KIND NAME` writes one to start from"
    )
