"""Module types, worlds, systems and behaviours of one's own, from a file given on the command
line.

``annelid run my.toml --plugin wheel.py`` executes ``wheel.py`` and lays what it defines on the
shelf: classes of modules, worlds and behaviours (:class:`annelid.behaviour.Behaviour`), and every
:class:`annelid.systems.System`.  A scenario cannot name a plugin: data that is passed on must not
run code.

Worker processes load the same files again; a file's module has the same name in all of them, so
what it defines can be pickled.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType as PythonModule
from typing import Any

from annelid.behaviour import Behaviour
from annelid.errors import InputError, MissingFile, SpecError
from annelid.robot import ModuleType
from annelid.systems import Extra, System, Systems
from annelid.worlds import World, kind_of

_MODULE_NEEDS = ("letter", "wire_id", "title", "capabilities_as_built")


@dataclass(frozen=True)
class Plugins:
    """What plugin files define: ``shelf(*plugins.modules)``, ``worlds(*plugins.worlds)``,
    ``Systems(*plugins.systems)``."""

    modules: tuple[type[ModuleType], ...] = ()
    worlds: tuple[type[World], ...] = ()
    systems: tuple[System, ...] = ()
    behaviours: tuple[type[Behaviour[Any]], ...] = ()
    """For the layers of a system, by their base classes (``System.layers``)."""
    extras: tuple[Extra, ...] = ()
    """What else a system takes (``System.extras``): a table of rules."""


def load(paths: Iterable[Path]) -> Plugins:
    """Execute each file once and collect what it defines itself."""
    modules: list[type[ModuleType]] = []
    worlds: list[type[World]] = []
    systems: list[System] = []
    behaviours: list[type[Behaviour[Any]]] = []
    extras: list[Extra] = []
    for path in dict.fromkeys(Path(path).resolve() for path in paths):
        module = _execute(path)
        found = _defined(module)
        usable = [kind for kind in found if not inspect.isabstract(kind)]
        own = [value for value in vars(module).values() if isinstance(value, System)]
        systems += own
        thinking = [kind for kind in _own(module) if issubclass(kind, Behaviour)]
        behaviours += thinking
        more = [value for value in vars(module).values() if isinstance(value, Extra)]
        extras += more
        if not usable and not own and not thinking and not more:
            raise InputError(_nothing(path, found))
        for kind in usable:
            _check(path, kind)
            if issubclass(kind, ModuleType):
                modules.append(kind)
            else:
                worlds.append(kind)
    Systems(*systems)  # refuses a name that is taken
    return Plugins(tuple(modules), tuple(worlds), tuple(systems), tuple(behaviours), tuple(extras))


def _execute(path: Path) -> PythonModule:
    if not path.is_file():
        what = "is a folder, expected a Python file" if path.is_dir() else "no such file"
        raise MissingFile(f"--plugin: {path}: {what}")
    name = f"annelid_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    loader = SourceFileLoader(name, str(path))
    spec = spec_from_loader(name, loader)
    if spec is None:
        raise InputError(f"--plugin: {path}: not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # pydantic looks a class's annotations up there
    try:
        # Not by the loader: its cache can miss an edit made within the same second.
        exec(loader.source_to_code(path.read_bytes(), str(path)), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        line = _line(path, error)
        place = f"{path}:{line}" if line else str(path)
        says = error.msg if isinstance(error, SyntaxError) else str(error)
        raise InputError(f"--plugin: {place}: {type(error).__name__}: {says}") from error
    return module


def _line(path: Path, error: BaseException) -> int | None:
    """The last line of the plugin that was being executed."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno for f in reversed(frames) if f.filename == str(path)), None)


def _defined(module: PythonModule) -> list[type[ModuleType] | type[World]]:
    return [kind for kind in _own(module) if issubclass(kind, ModuleType | World)]


def _own(module: PythonModule) -> list[type]:
    """In the order of the file; what it merely imports is not its own."""
    return [
        value
        for name, value in vars(module).items()
        if isinstance(value, type) and (value.__module__, value.__name__) == (module.__name__, name)
    ]


def _nothing(path: Path, found: list[type[ModuleType] | type[World]]) -> str:
    for kind in found:
        lacking = ", ".join(f"{name}()" for name in sorted(kind.__abstractmethods__))
        return f"--plugin: {path}: {kind.__name__} lacks {lacking}"
    return (
        f"--plugin: {path}: defines neither a module type (a subclass of "
        "annelid.robot.ModuleType) nor a world (a subclass of annelid.worlds.World) nor a system "
        "(an annelid.systems.System) nor a behaviour (a subclass of annelid.behaviour.Behaviour); "
        "`annelid new module NAME` writes one to start from"
    )


def _check(path: Path, kind: type[ModuleType] | type[World]) -> None:
    """What the base class declares without a value must be given one."""
    needs = _MODULE_NEEDS if issubclass(kind, ModuleType) else ("title",)
    if lacking := [name for name in needs if not hasattr(kind, name)]:
        raise InputError(f"--plugin: {path}: {kind.__name__} does not set {', '.join(lacking)}")
    if issubclass(kind, ModuleType):
        letter = kind.letter
        if not (len(letter) == 1 and letter.isascii() and letter.isupper()):
            raise InputError(
                f"--plugin: {path}: {kind.__name__}.letter: expected one capital letter, "
                f"got {letter!r}"
            )
    else:
        try:
            kind_of(kind)
        except SpecError as error:
            raise InputError(f"--plugin: {path}: {error}") from None
