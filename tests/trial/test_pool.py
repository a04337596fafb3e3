"""The pool of sweeps, searches and claims: same results, no process left, nothing done twice."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.offline.small import SCENARIO, table

from annelid.errors import InputError, OutputError, WorkersLost
from annelid.trial.lock import locked
from annelid.trial.pool import Pool, Prepared, processes
from annelid.trial.sweep import Sweep
from annelid.trial.toml import dumps
from annelid.trial.vary import parse_vary

pytestmark = pytest.mark.timeout(300)
"""Processes that are waited for: a busy machine takes its time."""

ANNELID = Path(sys.executable).with_name("annelid")
SWEEP = ("sweep", "s.toml", "--vary", "jitter_deg=0:5:1", "--out", "out", "--no-report")
USERS = {
    "sweep": SWEEP,
    "search": ("evolve", "study.toml", "--out", "out", "--no-report"),
    "claims": ("reproduce", "A3", "--html", "out/report.html"),
}


def counter(start: int) -> Callable[[int], tuple[int, int]]:
    """Counts what this worker has done since it was prepared."""
    done = 0

    def count(given: int) -> tuple[int, int]:
        nonlocal done
        done += 1
        return start + given, done

    return count


def pid_after(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def die(given: int) -> int:
    if given == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return given


def wait_for(truth: Callable[[], object], what: str) -> None:
    end = time.monotonic() + 300
    while not truth():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    try:
        listing = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in listing.split()]


def running(pid: int) -> bool:
    """Neither gone nor a zombie that only its parent has not asked for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def started(
    folder: Path, *words: str, duration_s: float = 3.0, workers: int = 2
) -> Iterator[subprocess.Popen[str]]:
    """The command; ended here if the test does not."""
    scenario = {**SCENARIO, "duration_s": duration_s}
    (folder / "s.toml").write_text(dumps(scenario))
    (folder / "study.toml").write_text(dumps(table(scenario=scenario, budget={"generations": 2})))
    command = [str(ANNELID), *words, "--workers", str(workers)]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_results_in_order_or_as_they_come():
    with processes(2) as pool:
        assert list(pool.map(abs, range(-9, 0), ordered=True)) == list(range(9, 0, -1))
        assert sorted(pool.map(abs, range(-9, 0))) == list(range(1, 10))
        assert list(pool.map(abs, [])) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_prepared_is_prepared_once(workers: int):
    told: list[tuple[int, int]] = []
    with processes(workers) as pool:
        found = list(
            pool.map(Prepared(counter, (100,)), range(6), tell=lambda *now: told.append(now))
        )
        found += pool.map(Prepared(counter, (100,)), range(6, 12))
    assert sorted(value for value, _ in found) == list(range(100, 112))
    assert max(count for _, count in found) >= 12 / workers, "it was prepared anew"
    assert told == [(done, 6) for done in range(1, 7)]


def test_an_error_of_the_work_is_the_callers_and_the_pool_goes_on():
    with processes(2) as pool:
        with pytest.raises(ZeroDivisionError):
            list(pool.map((1).__truediv__, [1, 0, 2], ordered=True))
        assert list(pool.map(abs, [-1, -2], ordered=True)) == [1, 2]


def test_a_dead_worker_is_one_error_and_new_ones_take_over():
    with processes(2, go_on="do it again") as pool:
        with pytest.raises(
            WorkersLost, match=r"^a worker process died \(out of memory\?\); do it again$"
        ):
            list(pool.map(die, range(4)))
        assert list(pool.map(abs, [-1, -2], ordered=True)) == [1, 2]


def interrupt(workers: set[int]) -> None:
    """Ctrl-C when two results are there and the other work is long."""
    with processes(2) as pool:
        for pid in pool.map(pid_after, [0, 0, 600, 600]):
            workers.add(pid)
            if len(children(os.getpid())) >= 3:
                raise KeyboardInterrupt


def test_ctrl_c_ends_the_workers_at_once():
    workers: set[int] = set()
    with pytest.raises(KeyboardInterrupt):
        interrupt(workers)
    wait_for(lambda: not any(map(running, workers)), "workers were left")


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(
        "print('begun')\n"
        "from annelid.trial.pool import processes\n"
        "with processes(2) as pool:\n"
        "    print(list(pool.map(abs, [-1, -2], ordered=True)))\n"
    )
    said = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert said.stdout == "begun\n[1, 2]\n"


@pytest.mark.parametrize("words", USERS.values(), ids=USERS)
def test_no_process_outlives_a_killed_parent(tmp_path: Path, words: tuple[str, ...]):
    with started(tmp_path, *words, duration_s=600.0) as process:
        wait_for(
            lambda: len(children(process.pid)) >= 3 or process.poll() is not None,
            "no two workers and the tracker of their semaphores",
        )
        workers = children(process.pid)
        assert process.poll() is None
        process.kill()
        wait_for(lambda: not any(map(running, workers)), "workers were left")


def rows(folder: Path) -> list[str]:
    trials = folder / "out" / "trials.jsonl"
    return sorted(trials.read_text().splitlines()) if trials.exists() else []


def scores(folder: Path) -> list[tuple[str, float]]:
    store = folder / "out" / "studies.sqlite"
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT genome, score FROM evaluation ORDER BY genome").fetchall()
    except sqlite3.OperationalError:  # not there yet
        return []


@pytest.mark.parametrize(
    ("user", "results", "again"),
    [
        ("sweep", rows, ()),
        pytest.param("search", scores, ("--resume",), marks=pytest.mark.slow),
    ],
)
def test_sigterm_keeps_what_is_done_and_the_rest_comes_out_the_same(
    tmp_path: Path,
    user: str,
    results: Callable[[Path], list[object]],
    again: tuple[str, ...],
):
    for name in ("stopped", "whole"):
        (tmp_path / name).mkdir()
    with started(tmp_path / "stopped", *USERS[user]) as process:
        wait_for(lambda: results(tmp_path / "stopped"), "no result came")
        workers = children(process.pid)
        os.killpg(process.pid, signal.SIGTERM)  # workers too, as a service manager does
        _, said = process.communicate(timeout=300)
    assert process.returncode == 143
    (message,) = [line for line in said.splitlines() if line.startswith("annelid: ")]
    assert message.startswith("annelid: interrupted; ")
    wait_for(lambda: not any(map(running, workers)), "workers were left")
    with started(tmp_path / "whole", *USERS[user], workers=1) as process:
        assert process.wait(300) == 0
    assert len(results(tmp_path / "stopped")) < len(results(tmp_path / "whole"))
    with started(tmp_path / "stopped", *USERS[user], *again) as process:
        assert process.wait(300) == 0
    assert results(tmp_path / "stopped") == results(tmp_path / "whole")


@pytest.mark.parametrize("user", ["sweep", "search"])
def test_a_folder_in_use_is_refused(tmp_path: Path, user: str):
    (tmp_path / "out").mkdir()
    with (
        locked(tmp_path / "out" / ".lock", what="here"),
        started(tmp_path, *USERS[user]) as process,
    ):
        _, said = process.communicate(timeout=300)
    assert process.returncode == 2
    assert said == (
        f"annelid: out is being worked on by process {os.getpid()}; wait for it, or choose "
        "another --out\n"
    )


def test_a_lock_is_free_again_afterwards(tmp_path: Path):
    for _ in range(2):
        with locked(tmp_path / ".lock", what="here"):
            pass
    with (
        locked(tmp_path / ".lock", what="here"),
        pytest.raises(InputError, match="here is being"),
        locked(tmp_path / ".lock", what="here"),
    ):
        pass


def test_a_lock_that_cannot_be_written_names_its_place(tmp_path: Path):
    """As on a full disk."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
    try:
        with (
            pytest.raises(OutputError, match=r"\.lock: could not write it: "),
            locked(tmp_path / ".lock", what="here"),
        ):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)


def test_trials_do_not_depend_on_the_number_of_workers(tmp_path: Path):
    def swept(pool: Pool, out: Path) -> list[str]:
        planned = Sweep(SCENARIO, [parse_vary("jitter_deg=0.5,1")], repeats=2)
        found = planned.run(out, pool=pool).trials
        return sorted(json.dumps(row) for row in found)

    with processes(3) as pool:
        assert swept(pool, tmp_path / "many") == swept(Pool(), tmp_path / "one")
