"""Which judge measured a row of the kept table: a digest of the files that decide its verdict.

A row is judged by its own module, by what that module takes from others of this folder, and by the
scenarios and studies that it names or has run.  When one of these files changes, a number from
before was measured with an older judge, and the table has to say so.  The frame of all rows
(``FRAME``) is left out: it carries numbers and judges none.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    modules = _modules(claim.file, folder)
    examples, own = scenarios(), scenarios(claims=True)
    shipped = {**examples, **own}
    words = {word for source in modules.values() for word in _words(source)}
    # A gait may have the name of an example.  So examples count where they have run, and where
    # nothing is said of runs.
    named = (words & set(own if runs else shipped)) | (set(runs) & set(shipped))
    parts = {f"{name}.py": source for name, source in modules.items()}
    for name in named:
        parts |= _with_meshes(shipped[name])
    if SEARCHED in modules:
        searches = studies()
        parts |= {f"study {name}": searches[name].read_bytes() for name in words & set(searches)}
    whole = sha256()
    for name, content in sorted(parts.items()):
        whole.update(f"{name}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()[:16]


def standing(record: Mapping[str, Any] | None, claim: Claim | None) -> Standing:
    """How a kept row stands towards the claims of today.  A row that has no claim any more, and one
    without a digest (they were not always kept), were measured with an older judge."""
    if record is None:
        return "not measured"
    kept = record.get("judge")
    if kept is None or claim is None:
        return "older judge"
    return "current" if kept == digest(claim, record["runs"]) else "older judge"


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


def _modules(first: str, folder: Path) -> dict[str, bytes]:
    """The source of a module and of those of this folder that it imports, and they."""
    found: dict[str, bytes] = {}
    todo = [first]
    while todo:
        name = todo.pop()
        if name not in found and name not in FRAME and (folder / f"{name}.py").is_file():
            found[name] = (folder / f"{name}.py").read_bytes()
            todo += _imports(found[name])
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


def _with_meshes(scenario: Path) -> dict[str, bytes]:
    """A scenario, and files beside it that it names."""
    text = scenario.read_bytes()
    beside = [path for path in scenario.parent.iterdir() if path.suffix != ".toml"]
    named = [path for path in beside if path.is_file() and path.name.encode() in text]
    return {path.name: path.read_bytes() for path in (scenario, *named)}
