"""What is affordable: cost is computed before it is paid, and refused with the number."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from annelid.errors import InputError

MODULES_MAX: Final = 500
"""Of one robot; building and stepping grow faster than their number."""
TRIALS_MAX: Final = 200_000
"""Of one sweep; at a second each, two days."""
MESH_BYTES_MAX: Final = 50_000_000
"""Of an STL or OBJ file; it is read as a whole."""
POLICY_BYTES_MAX: Final = 50_000_000
"""Of the file of a trained policy; those of these robots have some ten thousand."""
GENOMES_MAX: Final = 100_000
"""Of one generation of a search; they are in memory all at once."""
GIGABYTE: Final = 1_000_000_000


def require_at_most(what: str, got: int, most: int, *, where: str) -> None:
    """Refuse more than ``most`` of something."""
    if got > most:
        raise InputError(f"{where}: expected at most {most:,} {what}, got {got:,}")


def require_room(place: Path, size: float, *, what: str) -> None:
    """Refuse what will not fit on the disk of ``place``, of which only a parent may exist."""
    there = place.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    try:
        total, _, free = shutil.disk_usage(there)
    except OSError:
        return  # a disk that does not tell is found out by writing
    if total and size > free:
        raise InputError(
            f"{what} would write about {in_bytes(size)}; {in_bytes(free)} are free in {there}"
        )


def in_bytes(size: float) -> str:
    """In the unit in which people can read it."""
    for unit, name in ((GIGABYTE, "GB"), (1_000_000, "MB"), (1000, "kB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size:.0f} bytes"
