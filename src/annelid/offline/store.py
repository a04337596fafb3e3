"""The store: every evaluation of every study, in one SQLite file.

An evaluation is committed before anything is built on it, so that a kill at any moment costs at
most what was being simulated.  The write-ahead log lets others read meanwhile.  One process at a
time works on a study; a lock that the system lets go with its process says so, however it ended.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, Self

from annelid.errors import InputError, MissingFile, OutputError, SpecError, UnknownName
from annelid.trial.lock import locked

VERSION: Final = 1
"""Of the tables below; a file of another version is refused, not guessed at."""
APPLICATION: Final = 0x414E4E4C  # "ANNL"

_TABLES: Final = """
CREATE TABLE study (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    spec TEXT NOT NULL
);
CREATE TABLE evaluation (
    study INTEGER NOT NULL REFERENCES study,
    genome TEXT NOT NULL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL,
    score REAL,
    mean REAL,
    low REAL,
    spread REAL,
    runs TEXT NOT NULL,
    fields TEXT NOT NULL,
    metrics TEXT NOT NULL,
    why TEXT,
    wall_s REAL NOT NULL,
    cpu_s REAL NOT NULL,
    simulating_s REAL NOT NULL,
    PRIMARY KEY (study, genome)
) WITHOUT ROWID;
CREATE TABLE generation (
    study INTEGER NOT NULL REFERENCES study,
    number INTEGER NOT NULL,
    genomes TEXT NOT NULL,
    PRIMARY KEY (study, number)
) WITHOUT ROWID;
"""

State = Literal["ok", "failed", "refused"]


@dataclass(frozen=True)
class Evaluation:
    """One genome and what became of it."""

    genome: str
    """Its key (``Space.key``)."""
    seed: int
    state: State
    """``failed``: it could not be built, blew up, or its fitness was no number; ``refused``: a
    constraint kept it from the simulator."""
    fields: Mapping[str, Any]
    score: float | None = None
    mean: float | None = None
    low: float | None = None
    spread: float | None = None
    runs: tuple[float, ...] = ()
    metrics: tuple[Mapping[str, Any], ...] = ()
    """Of each run."""
    why: str | None = None
    """It failed, or which of its runs were lost."""
    wall_s: float = field(default=0.0, compare=False)
    cpu_s: float = field(default=0.0, compare=False)
    simulating_s: float = field(default=0.0, compare=False)
    """CPU time of stepping, or of a whole trial where boards run; the rest of ``cpu_s`` is ours."""


_COLUMNS: Final = tuple(Evaluation.__dataclass_fields__)
_AS_JSON: Final = ("runs", "fields", "metrics")


class Store:
    """A file of studies; ``with Store.open(path) as store``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    @classmethod
    def open(cls, path: Path, *, make: bool = False) -> Self:
        """An existing file, or with ``make`` a new one."""
        fresh = not path.exists() or path.stat().st_size == 0
        if fresh and not make:
            raise MissingFile(f"{path}: no such store of studies")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(path, isolation_level=None, timeout=30.0)
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"{path}: cannot be opened: {error}") from None
        store = cls(path, db)
        try:
            store._prepare()
        except sqlite3.DatabaseError as error:
            db.close()
            raise SpecError(f"{path}: not a store of studies: {error}") from None
        except BaseException:
            db.close()
            raise
        return store

    def _prepare(self) -> None:
        db = self._db
        version = db.execute("PRAGMA user_version").fetchone()[0]
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise SpecError(f"{self.path}: a database of somebody else's, not a store of studies")
        if tables and version != VERSION:
            raise SpecError(
                f"{self.path}: store of version {version}, this Annelid reads version {VERSION}; "
                "export it with the Annelid that made it, or begin a new one"
            )
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            # One transaction: a kill leaves an empty file or a whole one.  Another process may
            # have been quicker.
            with self._transaction():
                if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    for statement in _TABLES.split(";"):
                        db.execute(statement)
                    db.execute(f"PRAGMA application_id = {APPLICATION}")
                    db.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise OutputError(f"{self.path}: could not be written: {error}") from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -- studies --------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._db.execute("SELECT name FROM study ORDER BY id"))

    def begin(self, name: str, definition: str, spec: Mapping[str, Any]) -> int:
        """The study of that name, made if it is new; another one of the same name is refused."""
        text = json.dumps(spec, ensure_ascii=False)
        with self._transaction():
            row = self._db.execute(
                "SELECT id, definition FROM study WHERE name = ?", (name,)
            ).fetchone()
            if row is None:
                made = self._db.execute(
                    "INSERT INTO study (name, definition, spec) VALUES (?, ?, ?)",
                    (name, definition, text),
                )
                return int(made.lastrowid or 0)
            if row[1] != definition:
                other = _difference(row[1], definition)
                raise SpecError(
                    f"{self.path}: holds another study named {name!r}: {other}; "
                    "choose another name or --out"
                )
            self._db.execute("UPDATE study SET spec = ? WHERE id = ?", (text, row[0]))
            return int(row[0])

    def spec(self, name: str) -> dict[str, Any]:
        spec: dict[str, Any] = json.loads(self._study(name)[1])
        return spec

    def id(self, name: str) -> int:
        return int(self._study(name)[0])

    def _study(self, name: str) -> tuple[int, str]:
        row = self._db.execute("SELECT id, spec FROM study WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise UnknownName("study", name, self.names, where=str(self.path))
        return int(row[0]), str(row[1])

    # -- evaluations ----------------------------------------------------------------------------

    def add(self, study: int, evaluation: Evaluation) -> None:
        """Committed when this returns."""
        row = asdict(evaluation)
        values = [json.dumps(row[name]) if name in _AS_JSON else row[name] for name in _COLUMNS]
        marks = ", ".join("?" * (len(values) + 1))
        with self._transaction():
            self._db.execute(
                f"INSERT OR IGNORE INTO evaluation (study, {', '.join(_COLUMNS)}) VALUES ({marks})",
                [study, *values],
            )

    def evaluations(self, study: int) -> dict[str, Evaluation]:
        """By genome."""
        query = f"SELECT {', '.join(_COLUMNS)} FROM evaluation WHERE study = ? ORDER BY genome"
        found = {}
        for values in self._db.execute(query, (study,)):
            row = dict(zip(_COLUMNS, values, strict=True))
            row |= {name: json.loads(row[name]) for name in _AS_JSON}
            row["runs"], row["metrics"] = tuple(row["runs"]), tuple(row["metrics"])
            found[row["genome"]] = Evaluation(**row)
        return found

    def add_generation(self, study: int, number: int, genomes: Sequence[str]) -> None:
        """What was asked for, in order; the same again on a resumed study."""
        text = json.dumps(list(genomes))
        with self._transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO generation VALUES (?, ?, ?)", (study, number, text)
            )
            kept = self._db.execute(
                "SELECT genomes FROM generation WHERE study = ? AND number = ?", (study, number)
            ).fetchone()[0]
        if kept != text:
            raise InputError(
                f"{self.path}: generation {number} is not what was asked for before; the code or a "
                "library has changed since. Begin anew with another --out"
            )

    def generations(self, study: int) -> list[list[str]]:
        rows = self._db.execute(
            "SELECT genomes FROM generation WHERE study = ? ORDER BY number", (study,)
        )
        return [json.loads(row[0]) for row in rows]

    # -- who works on it ------------------------------------------------------------------------

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Nobody else may work on this study meanwhile; let go by the system with the process."""
        place = self.path.with_name(f"{self.path.name}.{name}.lock")
        with locked(place, what=f"{self.path}: study {name!r}"):
            yield


def _difference(before: str, now: str) -> str:
    """The first part in which two definitions differ."""
    old, new = json.loads(before), json.loads(now)
    parts = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return "its " + ", ".join(parts) + " differ" + ("s" if len(parts) == 1 else "")
