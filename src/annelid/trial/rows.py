"""Reads results that are kept line by line while a command works, so that a kill loses none."""

from __future__ import annotations

import os
from collections.abc import Set
from pathlib import Path
from typing import Any

from annelid.boundary.files import parse_table
from annelid.errors import SpecError


def read_rows(path: Path, needed: Set[str]) -> list[dict[str, Any]]:
    """Whole lines only: the last one may have been cut by a kill.  ``needed`` are the fields that
    every line has."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        os.truncate(path, len(whole))
    lines = whole.decode("utf-8", errors="replace").splitlines()
    rows = [parse_table(line, f"{path}: line {place}") for place, line in enumerate(lines, 1)]
    for place, row in enumerate(rows, 1):
        if missing := sorted(needed - row.keys()):
            raise SpecError(
                f"{path}: line {place}: no {missing[0]!r}: this file is of another kind"
            )
    return rows
