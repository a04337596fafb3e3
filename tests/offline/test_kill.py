"""SIGKILL at any moment: nothing is lost, and the end is the same bit for bit."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.offline.small import SCENARIO, run, table

from annelid.offline.folder import STORE
from annelid.offline.study import load_study
from annelid.trial.toml import dumps

ANNELID = Path(sys.executable).with_name("annelid")

pytestmark = pytest.mark.timeout(300)
"""Processes that are waited for: a busy machine takes its time."""


def _evolve(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [str(ANNELID), "evolve", "s.toml", "--out", "study", "--no-report", *more]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _count(store: Path) -> int:
    if not store.exists():
        return 0
    try:
        with closing(sqlite3.connect(store, timeout=60)) as db:
            return int(db.execute("SELECT count(*) FROM evaluation").fetchone()[0])
    except sqlite3.OperationalError:  # the tables are not there yet
        return 0


def _contents(store: Path) -> list[list[tuple[object, ...]]]:
    """Everything but what is about the machine's time."""
    with closing(sqlite3.connect(store)) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(evaluation)")]
        kept = [name for name in columns if name not in ("wall_s", "cpu_s", "simulating_s")]
        return [
            db.execute(f"SELECT {', '.join(kept)} FROM evaluation ORDER BY genome").fetchall(),
            db.execute("SELECT * FROM generation ORDER BY number").fetchall(),
            db.execute("SELECT * FROM study").fetchall(),
        ]


def _children(process: int) -> list[int]:
    listing = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in listing.split()]


@pytest.mark.slow
def test_killed_twice_it_ends_bit_identical(tmp_path: Path):
    file = tmp_path / "s.toml"
    scenario = {**SCENARIO, "duration_s": 2.0}
    file.write_text(dumps(table(scenario=scenario, budget={"generations": 5})))
    store = tmp_path / "study" / STORE

    workers: list[int] = []
    for goal, more in ((3, ("--workers", "2")), (14, ("--workers", "1", "--resume"))):
        process = _evolve(tmp_path, *more)
        deadline = time.monotonic() + 300
        while _count(store) < goal and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        workers += _children(process.pid)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()
        assert process.returncode == -signal.SIGKILL, said
        assert _count(store) >= goal

    last = _evolve(tmp_path, "--workers", "1", "--resume")
    out, err = last.communicate(timeout=300)
    assert last.returncode == 0, (out, err)

    whole = tmp_path / "whole.sqlite"
    run(load_study(file), whole)
    assert _contents(store) == _contents(whole)
    deadline = time.monotonic() + 300
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()], "workers were left behind"


def test_ctrl_c_loses_nothing(tmp_path: Path):
    scenario = {**SCENARIO, "duration_s": 5.0}
    text = dumps(table(scenario=scenario, budget={"generations": 500}))
    (tmp_path / "s.toml").write_text(text)
    store = tmp_path / "study" / STORE
    process = _evolve(tmp_path, "--workers", "2")
    deadline = time.monotonic() + 300
    while _count(store) < 3 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert b"--resume goes on" in err
    assert _count(store) >= 3
