"""Which judge measured a row of the kept table: a digest of the files that decide its verdict.

A row is judged by its own module, by what that module takes from others of this folder, and by the
scenarios and studies that it names or has run.  When one of these files changes, a number from
before was measured with an older judge, and the table has to say so.  The frame of all rows
(``FRAME``) is left out: it carries numbers and judges none.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

from annelid.offline.study import shipped as studies
from annelid.papers.claim import Claim
from annelid.trial.load import shipped as scenarios

FOLDER: Final = Path(__file__).parent
FRAME: Final = frozenset(
    {"__init__", "bench", "case", "claim", "curves", "judged_by", "pages", "record"}
)
PACKAGE: Final = "annelid.papers"
SEARCHED: Final = "study_run"
"""Rows that import it are measured with shipped studies."""

Standing = Literal["current", "older judge", "not measured"]
"""Of a row: measured by the judge as it is now, by an earlier one, or never."""


def digest(claim: Claim, runs: Collection[str], *, folder: Path = FOLDER) -> str:
    """Of everything that judges this row; ``runs``: names of the scenarios that it has run."""
    whole = sha256()
    for name, path in sorted(_judges(claim, runs, folder).items()):
        content = path.read_bytes()
        whole.update(f"{name}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()[:16]


def _judges(claim: Claim, runs: Collection[str], folder: Path) -> dict[str, Path]:
    """The files that decide its verdict."""
    modules = _modules(claim.file, folder)
    examples, own = scenarios(), scenarios(claims=True)
    shipped = {**examples, **own}
    words = {word for path in modules.values() for word in _words(path.read_bytes())}
    # A gait may have the name of an example.  So examples count where they have run, and where
    # nothing is said of runs.
    named = (words & set(own if runs else shipped)) | (set(runs) & set(shipped))
    found = {f"{name}.py": path for name, path in modules.items()}
    for name in named:
        found |= {path.name: path for path in _with_meshes(shipped[name])}
    if SEARCHED in modules:
        searches = studies()
        found |= {f"study {name}": searches[name] for name in words & set(searches)}
    return found


def standing(record: Mapping[str, Any] | None, claim: Claim | None) -> Standing:
    """How a kept row stands towards the claims of today.  One that has no claim any more was
    measured with an older judge.  Digests were not always kept: where one is missing, the files are
    held against those of the commit that measured the row."""
    if record is None:
        return "not measured"
    if claim is None:
        return "older judge"
    runs = record.get("runs") or ()
    if (kept := record.get("judge")) is not None:
        same = kept == digest(claim, runs)
    else:
        commit = record.get("commit")
        same = commit is not None and unchanged_since(commit, _judges(claim, runs, FOLDER).values())
    return "current" if same else "older judge"


def unchanged_since(commit: str, paths: Iterable[Path]) -> bool:
    """Whether files of a checkout are as they were then; False where git cannot tell."""
    words = ["git", "-C", str(FOLDER), "diff", "--quiet", commit, "--", *map(str, paths)]
    try:
        return subprocess.run(words, capture_output=True, check=False, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def unmeasured(claim: Claim) -> Mapping[str, Any]:
    """What the table shows of a row that was never measured."""
    return {
        "id": claim.id,
        "claim": claim.title,
        "paper": claim.paper,
        "kind": claim.kind,
        "ours": "–",
        "verdict": "–",
        "date": "–",
    }


def standings(
    records: Sequence[Mapping[str, Any]], claims: Sequence[Claim]
) -> list[tuple[Mapping[str, Any], Standing]]:
    """Every row in the order of the claims, measured or not; then what else is kept."""
    kept = {record["id"]: record for record in records}
    ids = {claim.id for claim in claims}
    return [
        (kept.get(claim.id, unmeasured(claim)), standing(kept.get(claim.id), claim))
        for claim in claims
    ] + [(record, standing(record, None)) for name, record in kept.items() if name not in ids]


def _modules(first: str, folder: Path) -> dict[str, Path]:
    """A module and those of this folder that it imports, and they."""
    found: dict[str, Path] = {}
    todo = [first]
    while todo:
        name = todo.pop()
        path = folder / f"{name}.py"
        if name not in found and name not in FRAME and path.is_file():
            found[name] = path
            todo += _imports(path.read_bytes())
    return found


def _imports(source: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module == PACKAGE:
                yield from (alias.name for alias in node.names)
            elif node.module.startswith(f"{PACKAGE}."):
                yield node.module.removeprefix(f"{PACKAGE}.")


def _words(source: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _with_meshes(scenario: Path) -> list[Path]:
    """A scenario, and files beside it that it names."""
    text = scenario.read_bytes()
    beside = [path for path in scenario.parent.iterdir() if path.suffix != ".toml"]
    return [scenario, *(p for p in beside if p.is_file() and p.name.encode() in text)]
