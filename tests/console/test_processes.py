"""What a program does to its process reaches nobody else, and nothing outlives the server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.console.conftest import wait_for

from annelid.console.session import Session
from annelid.trial.load import parse
from annelid.trial.outside import Reprogram
from annelid.trial.replay import Run

CRAWL = {
    "name": "watched",
    "robot": {"chain": "CC"},
    "world": {"kind": "open-air"},
    "physics": {"timestep_ms": 2, "servo": "quasi-static"},
    "control": {"system": "conro"},
}

HOLD = """
def program(board):
    while True:
        board.servos["pitch"].target = 0.5
        yield board.sleep(0.05)
"""

FAILING = """
import os, sys
def program(board):
    yield board.sleep(0.05)
    {does}
    yield board.sleep(0.05)
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    session = Session(runs=tmp_path_factory.mktemp("watched") / "runs")
    yield session
    session.close()


def _holds(session: Session) -> bool:
    built, readings = session.built, session.readings
    if built is None or readings is None:
        return False
    pitch = [servo.name for servo in built.servos].index("C1.pitch")
    return abs(float(readings.target[pitch]) - 0.5) < 1e-6


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("sum(iter(int, 1))", "line 5 on C1 never lets time pass"),
        pytest.param("raise SystemExit", "line 5", marks=pytest.mark.slow),
        pytest.param("[0] * 10 ** 12", "line 5", marks=pytest.mark.slow),
        pytest.param("os._exit(0)", "process ended", marks=pytest.mark.slow),
    ],
    ids=["endless in C", "SystemExit", "memory", "exit"],
)
def test_a_program_that_ends_its_process_is_told_and_the_one_before_goes_on(
    session: Session, does: str, told: str
) -> None:
    said: list[str] = []
    session.notice = lambda _, text, __: said.append(text)
    session.open(parse(CRAWL), paused=False)
    wait_for(lambda: session.now_s > 0.1, "it runs")
    session.do(Reprogram(boards=("C1",), source=HOLD))
    wait_for(lambda: _holds(session), "the good program acts")
    session.do(Reprogram(boards=("C1",), source=FAILING.format(does=does)))

    def heard() -> bool:
        failed = [e.detail["where"] for e in session.events if e.kind == "program failed"]
        return any(told in each for each in (*said, *failed))

    wait_for(heard, "it is told")
    since = session.now_s
    wait_for(lambda: session.readings is not None and session.now_s > since + 0.3, "it goes on")
    wait_for(lambda: _holds(session), "with the program before")


SERVER = """
import sys, time
from pathlib import Path
from annelid.console.session import Session
from annelid.trial.load import parse
if __name__ == "__main__":
    session = Session(runs=Path(sys.argv[1]))
    session.open(parse({table!r}), paused=False)
    while session.now_s < 0.2:
        time.sleep(0.02)
    print(session._worker._process.pid, session.built.folder, flush=True)
    time.sleep(300)
"""


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_a_killed_server_leaves_a_whole_run_and_nothing_else(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER.format(table=CRAWL))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, script, tmp_path / "runs"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as server:
        assert server.stdout is not None
        pid, folder = server.stdout.readline().split()
        assert _runs(int(pid))
        os.kill(server.pid, signal.SIGKILL)
    wait_for(lambda: not _runs(int(pid)), "the simulation ends with its server", within_s=10)
    assert Run(folder).whole
    assert Run(folder).metrics.stopped == "interrupted"
    assert not list(temporary.iterdir())
