"""``annelid`` in processes of its own, all of which end with the test."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

ANNELID = Path(sys.executable).with_name("annelid")
PATIENCE_S = 300.0


class Annelid:
    """One process; its output is gathered as it comes."""

    def __init__(self, *words: str) -> None:
        self._process = subprocess.Popen(
            [ANNELID, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = ""
        self.errors = ""

    def await_line(self, part: str) -> Self:
        """Read until somebody says it."""
        assert self._process.stdout is not None
        alarm = threading.Timer(PATIENCE_S, self._process.kill)
        alarm.start()
        try:
            for line in self._process.stdout:
                self.said += line
                if part in line:
                    return self
        finally:
            alarm.cancel()
        raise AssertionError(f"never said {part!r}: {self.said}{self.finish()} {self.errors}")

    def type(self, *lines: str) -> Self:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()
        return self

    def kill(self) -> None:
        self._process.kill()

    def interrupt(self) -> None:
        self._process.send_signal(2)

    def finish(self) -> int:
        """The exit code, once it has ended by itself."""
        said, errors = self._process.communicate(timeout=PATIENCE_S)
        self.said += said
        self.errors += errors
        return self._process.returncode

    def end(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


@contextmanager
def annelid(*words: str) -> Iterator[Annelid]:
    process = Annelid(*words)
    try:
        yield process
    finally:
        process.end()
