"""The seal of a run: digests of its scenario, metrics, events and trace, written when it ends.

A folder that is opened is held against its seal.  What was changed afterwards is refused and named;
a run without a seal was cut off (or is still going on) and opens as far as it goes.  The seal
shows damage and careless edits.  Somebody who makes a new seal over false numbers is found out by
``annelid replay --check``, which computes everything anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Final

from annelid.boundary.files import read_table
from annelid.errors import InputError, SpecError
from annelid.kernel.trace.disk import SUFFIX
from annelid.trial.folder import AS_BUILT, METRICS, SCENARIO, TRACE

SEAL: Final = "seal.json"
FORMAT: Final = 1
NO_SEAL: Final = "it has no seal: it was cut off, is still going on, or is of an older version"


def seal(folder: Path) -> None:
    """Close a run that has ended; whole or not at all, whatever the disk does."""
    files = {str(path.relative_to(folder)): _digest(path) for path in _sealed(folder)}
    text = json.dumps({"format": FORMAT, "files": files, "seal": _all(files)}, indent=2)
    draft = folder / f"{SEAL}.part"
    try:
        draft.write_text(text + "\n", encoding="utf-8")
        draft.replace(folder / SEAL)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def sealed(folder: Path) -> bool:
    """Whether the run ended and is as it was recorded; an error names what was changed."""
    path = folder / SEAL
    if not path.is_file():
        return False
    table = read_table(path)
    files = table.get("files")
    if table.get("format") != FORMAT or not isinstance(files, dict):
        raise SpecError(f"{path}: expected a seal of format {FORMAT}")
    if table.get("seal") != _all(files):
        raise SpecError(f"{path}: the seal itself was changed after the run")
    there = {str(each.relative_to(folder)): each for each in _sealed(folder)}
    for name in sorted(files.keys() | there.keys()):
        if name not in there:
            raise SpecError(f"{folder}: {name} is missing; the run had it when it was sealed")
        if name not in files:
            raise SpecError(f"{folder}: {name} was added after the run was sealed")
        if files[name] != _digest(there[name]):
            raise SpecError(f"{folder}: {name} was changed after the run was sealed")
    return True


def _sealed(folder: Path) -> Iterator[Path]:
    """What a seal is over; pictures, videos and reports can be drawn again."""
    for name in (SCENARIO, METRICS, AS_BUILT):
        if (folder / name).is_file():
            yield folder / name
    yield from sorted(path for path in (folder / TRACE).glob(f"*{SUFFIX}") if path.is_file())


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()
    except OSError as error:
        raise InputError(f"{path}: could not be read: {error.strerror or error}") from None


def _all(files: dict[str, str]) -> str:
    text = json.dumps(files, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()
