"""A lock: only one process at a time may use a folder of results."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from annelid.boundary.files import writing
from annelid.errors import InputError

LOCK: Final = ".lock"


@contextmanager
def locked(file: Path, *, what: str) -> Iterator[None]:
    """Hold a lock on ``file``, or say which process does; its folder is made where there is none.

    The system frees it when the process ends, however it ends; the file itself stays.
    """
    with writing(file.parent):
        file.parent.mkdir(parents=True, exist_ok=True)
        opened = file.open("ab+", buffering=0)
    with opened as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.seek(0)
            who = held.read().decode(errors="replace").strip() or "another process"
            raise InputError(
                f"{what} is being worked on by {who}; wait for it, or choose another --out"
            ) from None
        with writing(file):
            held.truncate(0)
            held.write(f"process {os.getpid()}\n".encode())
        yield
        held.truncate(0)
