"""Does what a page shows, block by block, as a reader would.

=======================  =======================================================================
block                    what is done with it
=======================  =======================================================================
``sh``                   every line is typed; ``# is refused`` behind one that shows a mistake
``toml``, ``python``     saved, if its first line names a file (``# elbow.toml``)
``toml``                 else added to the scenario that its first line names (``# in snake``), and
                         checked
``python``               else run, with the names that the page has made so far
``python``               behind a link to a file of the sources: found in that file, word by word
``text``                 nothing: a drawing
=======================  =======================================================================

Two marks, which the reader sees as well, keep something from being run: ``# by hand: …`` behind a
line (two machines, a cable, minutes) and ``# needs annelid[train]`` as a first line.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import typer
from typer.testing import CliRunner

import annelid
from annelid.cli.main import app
from annelid.errors import AnnelidError

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text()
LANGUAGES = ("sh", "toml", "python", "text")

SHORT: Mapping[str, tuple[str, ...]] = {
    "run": ("--duration", "0.1", "--no-report"),
    "sweep": ("--set", "duration_s=0.05", "--repeats", "1", "--workers", "1"),
    "compare": ("--repeats", "1", "--workers", "1"),
    "evolve": (
        *("--generations", "1", "--workers", "1", "--no-report", "--set", "optimiser.population=4"),
        *("--set", "repeats.runs=1", "--set", "set.duration_s=1"),
    ),
    "console": ("--no-open", "--port", "0"),
    "operate": ("--duration", "0.1"),
    "campaign": ("--faults", "1", "--workers", "1"),
    "fuzz": ("--inputs", "5", "--frames", "5", "--no-surroundings", "--kills", "0"),
    "strangers": ("--help",),
    "networks": ("--help",),
    "range": ("--help",),
    "reproduce": ("--help",),
    "bench": ("--help",),
}
"""What is added to a command so that it is over soon; the last of an option counts.  Those that
take minutes whatever they are given are only asked for their help."""

USAGE: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for an unknown option."""

REFUSED, BY_HAND = "is refused", "# by hand:"
"""In the comment behind a command: the page shows it as a mistake; nobody can type it here."""

EXTRAS: Mapping[str, str] = {"train": "stable_baselines3", "export": "mcap", "gym": "gymnasium"}
"""A package of each extra that a block may need."""


@dataclass(frozen=True)
class Block:
    """One block of code of a page."""

    language: str
    text: str
    source: str = ""
    """The file of the sources that it is a part of."""

    @property
    def file(self) -> str | None:
        """Where the reader is to save it: ``# elbow.toml`` is its first line."""
        found = re.match(r"(?:#:schema .*\n)?# (?:append to )?([\w.-]+\.(?:toml|py))\n", self.text)
        return found[1] if found else None

    @property
    def scenario(self) -> tuple[str, list[str]] | None:
        """The shipped scenario, or the file of the page, that it is a part of; and the plugin that
        it needs."""
        found = re.match(r"# in ([\w.-]+)(?:, with ([\w-]+\.py))?\n", self.text)
        return (found[1], [found[2]] if found[2] else []) if found else None

    @property
    def lacks(self) -> str | None:
        """The extra that it needs and that is not there."""
        found = re.match(r"# needs annelid\[(\w+)\]\n", self.text)
        return found[1] if found and find_spec(EXTRAS[found[1]]) is None else None

    def save(self, folder: Path) -> None:
        assert self.file, f"a block of {self.language} without the name of its file: {self.text}"
        path = folder / self.file
        before = path.read_text() if self.text.startswith("# append") else ""
        path.write_text(before + self.text)


def blocks(page: str) -> list[Block]:
    fenced = r"(?:\]\(\.\./(src/[\w/]+\.py)\):\n\n)?^```(\w*)\n(.*?)^```$"
    found = re.findall(fenced, page, re.DOTALL | re.MULTILINE)
    return [Block(language, text, source) for source, language, text in found]


def lines(block: Block) -> Iterator[tuple[list[str], str]]:
    """The commands of a block as words, and as they stand there."""
    for line in block.text.splitlines():
        if words := shlex.split(line, comments=True):
            yield words, line


def do(page: str, folder: Path, env: Mapping[str, str]) -> str:
    """Everything that a page shows, in order; what the commands printed."""
    printed = []
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.lacks:
            continue
        if block.source:
            assert block.text in (ROOT / block.source).read_text(), block.text
        elif block.file:
            block.save(folder)
        elif block.language == "toml":
            add(block, folder)
        elif block.language == "python":
            with chdir(folder), hurried():
                exec(compile(block.text, block.text.splitlines()[0], "exec"), names)
        elif block.language == "sh":
            for words, line in lines(block):
                if words[0] == "make":
                    assert re.search(rf"^{words[1]}:.* ## ", MAKEFILE, re.MULTILINE), line
                if words[0] == "make" or BY_HAND in line:
                    continue
                refused = REFUSED in line
                said, code = (here if words[0] == "annelid" else typed)(words, folder, env)
                assert code == (2 if refused else 0), f"{line}: {said}"
                assert not refused or len(said.splitlines()) == 1, said
                printed.append(said)
    return "\n".join(printed)


@contextmanager
def hurried() -> Iterator[None]:
    """What ``SHORT`` is to commands, to the functions of the library."""
    quick: dict[str, Any] = {
        "run": partial(annelid.run, duration_s=0.1),
        "sweep": partial(annelid.sweep, duration_s=0.05, workers=1),
        "compare": partial(annelid.compare, workers=1),
        "evolve": partial(
            annelid.evolve, optimiser__population=4, repeats__runs=1, set__duration_s=1, workers=1
        ),
    }
    given: dict[str, Any] = {"run": {"duration_s"}, "sweep": {"repeats"}, "compare": {"repeats"}}
    given["evolve"] = {"generations"}

    def short(name: str) -> Any:
        def call(*what: Any, **options: Any) -> Any:
            for option in given[name] & options.keys():
                options[option] = 0.1 if option == "duration_s" else 1
            return quick[name](*what, **options)

        return call

    for name in quick:
        setattr(annelid, name, short(name))
    try:
        yield
    finally:
        for name in quick:
            delattr(annelid, name)


def add(block: Block, folder: Path) -> None:
    """Check a part of a scenario in the scenario that it names."""
    assert block.scenario, f"a block of toml that says neither its file nor its scenario: {block}"
    name, plugins = block.scenario
    shipped = (ROOT / "src/annelid/scenarios").rglob(f"{name}.toml")
    whole = next(shipped, folder / name)
    table = merged(tomllib.loads(whole.read_text()), tomllib.loads(block.text))
    with chdir(folder):
        annelid.load(table, plugins=plugins)


def merged(table: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, anything else is replaced."""
    out = dict(table)
    for key, value in part.items():
        before = out.get(key)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            other = "chain" if "modules" in value else None  # a robot is either
            held = {name: each for name, each in before.items() if name != other}
            out[key] = merged(held, value)
        else:
            out[key] = value
    return out


def understood(words: list[str], *, whole: bool = True) -> None:
    """Say what ``annelid`` would say to unknown commands, options and kinds of values, without
    doing anything.  What is not ``whole`` may leave an argument out."""
    words = words[: words.index(">")] if ">" in words else words
    command = _whole_command()
    with command.make_context("annelid", list(words[1:2])) as context:
        command = command.get_command(context, words[1])
        rest = list(words[2:])
        assert command is not None, f"annelid has no command {words[1]!r}"
        if hasattr(command, "get_command") and rest:
            inner = command.get_command(context, rest[0])
            assert inner is not None, f"annelid {words[1]} has no command {rest[0]!r}"
            command, rest = inner, rest[1:]
        try:
            command.make_context(words[1], rest, parent=context)
        except USAGE as error:
            if whole or "Missing" not in str(error):
                raise AssertionError(f"{shlex.join(words)}: {error}") from None


@cache
def _whole_command() -> Any:
    return typer.main.get_command(app)


def here(words: list[str], folder: Path, env: Mapping[str, str]) -> tuple[str, int]:
    """As ``typed``, in this process: most of a short command's time goes into its imports.
    ``> FILE`` is understood."""
    if "console" in words:
        return typed(words, folder, env)
    words, into = (words[:-2], words[-1]) if ">" in words else (words, None)
    with chdir(folder):
        short = () if "--show" in words else SHORT.get(words[1], ())
        ran = CliRunner().invoke(app, [*words[1:], *short])
    if into is not None:
        (folder / into).write_text(ran.stdout)
    if isinstance(ran.exception, AnnelidError):
        return str(ran.exception), ran.exception.exit_code
    return ran.output + str(ran.exception or ""), ran.exit_code


def typed(words: list[str], folder: Path, env: Mapping[str, str]) -> tuple[str, int]:
    """What a command prints, and its exit code."""
    program, *rest = words
    if program == "annelid":
        rest += SHORT.get(rest[0], ())
        program = str(Path(sys.executable).with_name("annelid"))
    elif program == "python":
        program = sys.executable
    if rest[0] == "console":
        return opened([program, *rest], folder, env)
    ran = subprocess.run(
        [program, *rest], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    return ran.stdout + ran.stderr, ran.returncode


def opened(line: list[str], folder: Path, env: Mapping[str, str]) -> tuple[str, int]:
    """A console serves its page until it is stopped."""
    with subprocess.Popen(
        line,
        cwd=folder,
        env={**env, "PYTHONUNBUFFERED": "1"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1:]
        try:
            assert address, process.stderr.read() if process.stderr else ""
            assert b"<html" in urlopen(address[0], timeout=20).read().lower()
        finally:
            process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    return said, 0 if process.returncode == 143 else process.returncode


def environment(folder: Path) -> dict[str, str]:
    """This one, where ``folder`` can also be imported from first."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path}
