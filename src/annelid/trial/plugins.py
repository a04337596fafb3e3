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
import sys
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import MappingProxyType
from types import ModuleType as PythonModule
from typing import Any, TypeVar

from annelid.boundary.files import is_file, no_file, read_bytes, whole_path
from annelid.errors import InputError, MissingFile, SpecError
from annelid.kernel.process import what_of
from annelid.registry import KINDS, PLUGINS, Kind, KindTable, kind

Member = TypeVar("Member")

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
        module = _execute(path)
        found = [(each, thing) for thing in _own(module) for each in kinds if each.is_member(thing)]
        if not found:
            raise InputError(_nothing(path, module, kinds))
        for each, thing in found:
            try:
                each.key(thing)
            except SpecError as error:
                raise InputError(f"--plugin: {path}: {error}") from None
            except Exception as error:  # a class of theirs may have anything for a name
                raise InputError(f"--plugin: {path}: {_named(thing)}: {what_of(error)}") from error
            brought.setdefault(each.name, []).append(thing)
    plugins = Plugins(MappingProxyType({name: tuple(them) for name, them in brought.items()}))
    try:
        for name in brought:
            plugins.table(kind(name))  # refuses a name that is taken
    except SpecError as error:
        raise InputError(f"--plugin: {', '.join(map(str, files))}: {error}") from None
    return plugins


def _named(thing: object) -> str:
    return str(getattr(thing, "__name__", type(thing).__name__))


def _execute(path: Path) -> PythonModule:
    if not is_file(path):
        raise MissingFile(f"--plugin: {no_file(path, 'Python file')}")
    name = f"annelid_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    text = read_bytes(path, what="Python file")
    mark = hashlib.sha256(text).hexdigest()
    known = sys.modules.get(name)
    if known is not None and vars(known).get(MARK) == mark:
        return known  # its classes stay the same: what was made of them can still be pickled
    loader = SourceFileLoader(name, str(path))
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise InputError(f"--plugin: {path}: not a Python file")
    module = module_from_spec(spec)
    module.__file__ = str(path)
    sys.modules[name] = module  # pydantic looks a class's annotations up there
    try:
        # Not by the loader: its cache can miss an edit made within the same second.
        exec(loader.source_to_code(text, str(path)), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        line = _line(path, error)
        place = f"{path}:{line}" if line else str(path)
        says = error.msg if isinstance(error, SyntaxError) else str(error)
        raise InputError(f"--plugin: {place}: {type(error).__name__}: {says}") from error
    vars(module)[MARK] = mark
    return module


def _line(path: Path, error: BaseException) -> int | None:
    """The last line of the plugin that was being executed."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno for f in reversed(frames) if f.filename == str(path)), None)


def _own(module: PythonModule) -> list[object]:
    """In the order of the file; what it merely imports is not its own."""
    tree = ast.parse(Path(str(module.__file__)).read_bytes())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {(each.asname or each.name) for node in imports for each in node.names}
    return [
        value
        for name, value in vars(module).items()
        if not name.startswith("__")
        and name not in imported
        and not (isinstance(value, type) and value.__module__ != module.__name__)
    ]


def _nothing(path: Path, module: PythonModule, kinds: list[Kind[Any]]) -> str:
    for thing in _own(module):
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
