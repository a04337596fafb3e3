"""Does what a page shows, block by block, as a reader would: files are saved, commands typed."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import AnnelidError

SHORT: Mapping[str, tuple[str, ...]] = {
    "run": ("--duration", "0.2", "--no-video"),
    "sweep": ("--set", "duration_s=0.05", "--repeats", "1", "--workers", "1"),
    "console": ("--no-open", "--port", "0"),
    "reproduce": ("--help",),
    "bench": ("--help",),
}
"""What is added to a command so that it is over soon; the last of an option counts."""

REFUSED = "is refused"
"""In the comment behind a command that the page shows as a mistake."""


@dataclass(frozen=True)
class Block:
    """One block of code of a page."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """Where the reader is to save it: ``# elbow.toml`` is its first line."""
        found = re.match(r"# (?:append to )?([\w.-]+\.(?:toml|py))\n", self.text)
        return found[1] if found else None

    def save(self, folder: Path) -> None:
        assert self.file, f"a block of {self.language} without the name of its file: {self.text}"
        path = folder / self.file
        before = path.read_text() if self.text.startswith("# append") else ""
        path.write_text(before + self.text)


def blocks(page: str) -> list[Block]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [Block(language, text) for language, text in found]


def lines(block: Block) -> Iterator[tuple[list[str], bool]]:
    """The commands of a block as words, and whether each is shown as a mistake."""
    for line in block.text.splitlines():
        if words := shlex.split(line, comments=True):
            yield words, REFUSED in line


def do(page: str, folder: Path, env: Mapping[str, str]) -> str:
    """Save every file and type every command of a page, in order; what the commands printed."""
    printed = []
    for block in blocks(page):
        if block.language in ("toml", "python"):
            block.save(folder)
        elif block.language == "sh":
            for words, refused in lines(block):
                said, code = (here if words[0] == "annelid" else typed)(words, folder, env)
                assert code == (2 if refused else 0), f"{shlex.join(words)}: {said}"
                assert not refused or len(said.splitlines()) == 1, said
                printed.append(said)
    return "\n".join(printed)


def here(words: list[str], folder: Path, env: Mapping[str, str]) -> tuple[str, int]:
    """As ``typed``, in this process: most of a short command's time goes into its imports.
    ``> FILE`` is understood."""
    if "console" in words:
        return typed(words, folder, env)
    words, into = (words[:-2], words[-1]) if ">" in words else (words, None)
    with chdir(folder):
        ran = CliRunner().invoke(app, [*words[1:], *SHORT.get(words[1], ())])
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
