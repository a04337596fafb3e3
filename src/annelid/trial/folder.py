"""The files of a run folder, and the next free folder name.

No wall clock in the name: ``runs/default-001`` is the first, ``default-002`` the second.
"""

from __future__ import annotations

import re
from pathlib import Path

from annelid.errors import OutputError

SCENARIO = "scenario.toml"
TRACE = "trace"
METRICS = "metrics.json"
PICTURE = "picture.png"
VIDEO = "video.mp4"
"""Drawn by the report, or by nobody."""
AS_BUILT = "as_built.json"
"""Only where the robot was drawn."""


def make_folder(folder: Path | None, *, runs: Path, name: str) -> Path:
    """``folder``, which must be new or empty, or the next of ``runs/name-001``, ``-002`` …"""
    try:
        if folder is not None:
            if folder.exists() and not folder.is_dir():
                kind = "a file" if folder.is_file() else "a device or a pipe"
                raise OutputError(f"{folder}: expected a new or empty folder, got {kind}")
            if folder.exists() and any(folder.iterdir()):
                raise OutputError(f"{folder}: expected a new or empty folder; something is in it")
            folder.mkdir(parents=True, exist_ok=True)
            return folder
        runs.mkdir(parents=True, exist_ok=True)
        pattern = re.compile(re.escape(name) + r"-(\d+)")
        found = (pattern.fullmatch(path.name) for path in runs.iterdir())
        number = max((int(match[1]) for match in found if match), default=0)
        while True:
            number += 1
            place = runs / f"{name}-{number:03d}"
            try:
                place.mkdir()
            except FileExistsError:
                continue  # somebody else took it just now
            return place
    except OSError as error:
        where = folder or runs
        raise OutputError(f"{where}: could not make the folder: {error.strerror}") from None
