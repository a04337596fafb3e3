from __future__ import annotations

import csv
import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.offline.small import run, study

from annelid.errors import InputError, MissingFile, SpecError, UnknownName
from annelid.offline.export import export
from annelid.offline.folder import StoredStudy
from annelid.offline.store import VERSION, Evaluation, Store


def evaluation(genome: str, **more) -> Evaluation:
    return Evaluation(genome=genome, seed=3, state="ok", fields={"a": 1.5, "c": "TRH"}, **more)


def test_what_is_added_is_there_for_others_at_once(tmp_path: Path):
    path = tmp_path / "s.sqlite"
    with Store.open(path, make=True) as store, Store.open(path) as other:
        study_id = store.begin("one", "{}", {})
        kept = evaluation("01", score=1 / 3, runs=(0.1, 0.2), metrics=({"x": 1.0, "y": None},))
        store.add(study_id, kept)
        assert other.evaluations(study_id) == {"01": kept}


def test_several_studies_share_a_file(tmp_path: Path):
    with Store.open(tmp_path / "s.sqlite", make=True) as store:
        one, two = store.begin("one", "{}", {}), store.begin("two", "{}", {})
        store.add(one, evaluation("01", score=1.0))
        assert store.names == ("one", "two")
        assert not store.evaluations(two)
        with pytest.raises(UnknownName, match=r"'tow'.*'two'"):
            store.spec("tow")


def test_another_study_of_the_same_name_is_refused(tmp_path: Path):
    with Store.open(tmp_path / "s.sqlite", make=True) as store:
        store.begin("one", '{"seed": 1}', {})
        assert store.begin("one", '{"seed": 1}', {}) == 1
        with pytest.raises(SpecError, match="another study named 'one': its seed differs"):
            store.begin("one", '{"seed": 2}', {})


def test_a_store_of_another_version_is_refused(tmp_path: Path):
    path = tmp_path / "s.sqlite"
    Store.open(path, make=True).__exit__()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(SpecError, match=f"version {VERSION + 1}, this Annelid reads"):
        Store.open(path)


def test_what_is_no_store_is_refused(tmp_path: Path):
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"not a database, but long enough to be mistaken for one" * 40)
    with pytest.raises(SpecError, match="not a store of studies"):
        Store.open(path)
    foreign = tmp_path / "f.sqlite"
    with closing(sqlite3.connect(foreign)) as db:
        db.execute("CREATE TABLE t (x)")
    with pytest.raises(SpecError, match="somebody else's"):
        Store.open(foreign)
    with pytest.raises(MissingFile):
        Store.open(tmp_path / "none.sqlite")


def _hold(path: Path, ready, done) -> None:
    with Store.open(path, make=True) as store, store.locked("one"):
        ready.set()
        done.wait(20)


def test_a_second_process_is_refused_and_a_dead_one_lets_go(tmp_path: Path):
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    path = tmp_path / "s.sqlite"
    holder = context.Process(target=_hold, args=(path, ready, done))
    holder.start()
    assert ready.wait(20)
    with Store.open(path) as store:
        with (
            pytest.raises(InputError, match=f"worked on by process {holder.pid}"),
            store.locked("one"),
        ):
            pass
        with store.locked("two"):
            pass
        holder.kill()
        holder.join()
        with store.locked("one"):
            pass


def test_a_changed_past_is_noticed(tmp_path: Path):
    with Store.open(tmp_path / "s.sqlite", make=True) as store:
        one = store.begin("one", "{}", {})
        store.add_generation(one, 0, ["00", "01"])
        store.add_generation(one, 0, ["00", "01"])
        with pytest.raises(InputError, match="generation 0 is not what was asked for before"):
            store.add_generation(one, 0, ["00", "11"])


def test_export_as_csv_and_parquet(tmp_path: Path):
    path = tmp_path / "s.sqlite"
    result = run(study(), path)
    with Store.open(path) as store:
        kept = StoredStudy(store, "small")
    assert kept.best == result.best
    assert kept.finished
    with export(kept, tmp_path / "t.csv").open() as file:
        rows = list(csv.DictReader(file))
    table = pq.read_table(export(kept, tmp_path / "t.parquet")).to_pylist()
    assert len(rows) == len(table) == len(result.evaluations)
    assert [float(row["score"]) for row in rows] == [row["score"] for row in table]
    assert table[0]["metric.energy_j"] > 0
    with pytest.raises(InputError, match=r"ends in \.csv or \.parquet"):
        export(kept, tmp_path / "t.xlsx")
