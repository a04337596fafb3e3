"""A real Dask scheduler with real worker processes, started and killed here."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.offline.small import SCENARIO, run, study

from annelid.errors import AnnelidError, InputError, WorkersLost
from annelid.offline.executors import cluster
from annelid.offline.search import Standing, search
from annelid.offline.store import Store
from annelid.trial.pool import Pool, open_pool
from annelid.trial.sweep import Sweep
from annelid.trial.vary import parse_vary

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.timeout(300),
]


class Cluster:
    """A scheduler and two workers without nannies: a killed one stays dead."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._stack = stack
        address = folder / "scheduler.json"
        self.scheduler = self._start(
            "dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(address)
        )
        self.address = _address(address)
        self.workers = [
            self._start("dask_worker", self.address, "--nthreads", "1", "--no-nanny")
            for _ in range(2)
        ]

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def wait_for_workers(self) -> None:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=300)


def _address(file: Path) -> str:
    """The scheduler may be in the middle of writing it."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        with suppress(FileNotFoundError, json.JSONDecodeError):
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.02)
    raise TimeoutError(file)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path, stack)


def test_a_worker_killed_in_mid_generation_changes_nothing(dask: Cluster, tmp_path: Path):
    made = study(budget={"generations": 2})
    alone = run(made, tmp_path / "alone.sqlite")
    dask.wait_for_workers()
    killed: list[int] = []

    def kill_one(now: Standing) -> None:
        if now.done == 1 and not killed:
            dask.workers[0].kill()
            killed.append(now.todo)

    with (
        Store.open(tmp_path / "s.sqlite", make=True) as store,
        cluster(made, dask.address) as evaluate,
    ):
        together = search(made, store, evaluate, listen=kill_one)
    assert killed
    assert killed[0] > 2, "there was nothing left to do"
    assert dask.workers[0].wait(10) != 0
    assert together.evaluations == alone.evaluations
    assert together.best == alone.best


@pytest.mark.slow
def test_a_lost_cluster_is_told_and_what_was_done_is_kept(dask: Cluster, tmp_path: Path):
    made = study()
    dask.wait_for_workers()

    def kill_all(now: Standing) -> None:
        if now.done == 2:
            for process in (dask.scheduler, *dask.workers):
                process.kill()

    with (
        Store.open(tmp_path / "s.sqlite", make=True) as store,
        pytest.raises(WorkersLost, match=r"the cluster at tcp://.* was lost.*--resume"),
        cluster(made, dask.address) as evaluate,
    ):
        search(made, store, evaluate, listen=kill_all)
    with Store.open(tmp_path / "s.sqlite") as store:
        assert len(store.evaluations(1)) >= 2
    assert run(made, tmp_path / "s.sqlite").evaluations == run(made, tmp_path / "w").evaluations


def test_a_sweep_is_the_same_there(dask: Cluster, tmp_path: Path):
    planned = Sweep(SCENARIO, [parse_vary("jitter_deg=0.5,1")], repeats=2)
    dask.wait_for_workers()
    with open_pool(cluster=dask.address) as pool:
        there = planned.run(tmp_path / "there", pool=pool)
    here = planned.run(tmp_path / "here", pool=Pool())
    assert there.summary == here.summary
    assert sorted(map(str, there.trials)) == sorted(map(str, here.trials))


def test_nobody_at_the_address_is_told_at_once():
    said = r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"
    with pytest.raises(AnnelidError, match=said), cluster(study(), "tcp://127.0.0.1:9"):
        pass


@pytest.mark.parametrize(
    "address", ["", " ", "foo://x:1", "://x", "tcp://", "tcp://a:b", "tcp://a:99999", "\x00"]
)
def test_an_address_that_dask_does_not_know_is_refused_at_once(
    address: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="--cluster: expected an address as tcp://HOST:PORT"):
        open_pool(cluster=address)
    assert capfd.readouterr().err == ""
