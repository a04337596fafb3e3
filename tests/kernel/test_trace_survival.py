"""Killed, torn, or out of disk: what was written before stays readable."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from annelid.errors import OutputError, SpecError
from annelid.kernel.trace import DiskSink, Trace, TraceReader, events

WRITER = """
import sys
from pathlib import Path
import numpy as np
from annelid.kernel.trace import DiskSink, Trace

trace = Trace(DiskSink(Path(sys.argv[1])), block_rows=256)
servos = trace.table("servos", {f"c{i}": "rad" for i in range(30)})
t = 0
while True:
    servos.append(t, np.full(30, float(t)))
    trace.events.append(t, "R1", "message", {"t": t})
    t += 1
"""


@pytest.mark.parametrize("bytes_before_kill", [100_000, 1_234_567, 3_000_001])
def test_a_run_killed_while_writing_is_readable(tmp_path: Path, bytes_before_kill: int) -> None:
    folder = tmp_path / "trace"
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], env={"PYTHONPATH": ":".join(sys.path)}
    )
    file = folder / "servos.arrow"
    deadline = time.monotonic() + 300
    while not (file.exists() and file.stat().st_size > bytes_before_kill):
        assert time.monotonic() < deadline
        assert child.poll() is None
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL

    reader = TraceReader(folder)
    rows = reader.read("servos")
    n = len(rows["time_ns"])
    block = 256 * 31 * 8
    assert n * 31 * 8 > bytes_before_kill - 1.1 * block  # all but the one that was being written
    assert np.array_equal(rows["time_ns"], np.arange(n))
    assert np.array_equal(rows["c29"], np.arange(float(n)))
    assert not reader.complete("servos")
    seen = events(reader)
    assert [e.detail["t"] for e in seen] == list(range(len(seen)))
    assert abs(len(seen) - n) <= 256


def test_a_file_cut_at_any_byte_gives_all_its_whole_batches(tmp_path: Path) -> None:
    path = tmp_path / "power.arrow"
    with Trace(DiskSink(tmp_path), block_rows=10) as trace:
        table = trace.table("power", {"v": "V", "a": "A"})
        schema = path.stat().st_size
        for i in range(40):
            table.append(i, [i, -i])
    whole = path.read_bytes()
    counts = []
    for length in range(schema, len(whole) + 1):
        path.write_bytes(whole[:length])
        reader = TraceReader(tmp_path)
        rows = reader.read("power")
        n = len(rows["v"])
        assert np.array_equal(rows["a"], -np.arange(float(n)))
        assert reader.complete("power") == (length == len(whole))
        counts.append(n)
    assert counts == sorted(counts)
    assert sorted(set(counts)) == [0, 10, 20, 30, 40]


def test_a_file_cut_in_its_schema_says_so(tmp_path: Path) -> None:
    Trace.to_folder(tmp_path).close()
    path = tmp_path / "events.arrow"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(SpecError, match="cut off before its first row"):
        TraceReader(tmp_path).read("events")


@contextmanager
def largest_file(limit: int) -> Iterator[None]:
    """The operating system refuses to let any file grow beyond ``limit`` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_write_the_system_cuts_short_leaves_the_batches_before_it(tmp_path: Path) -> None:
    def run() -> None:
        with Trace(DiskSink(tmp_path), block_rows=64) as trace:
            table = trace.table("servos", {f"c{i}": "rad" for i in range(10)})
            for i in range(5000):
                table.append(i, np.full(10, float(i)))

    reason = r"servos\.arrow: could not write the trace: File too large"
    with pytest.raises(OutputError, match=reason), largest_file(50_000):
        run()
    reader = TraceReader(tmp_path)
    n = len(reader.read("servos")["c0"])
    assert n >= 448
    assert n % 64 == 0
    assert not reader.complete("servos")
    assert not reader.complete("events")


def test_a_full_disk_is_one_clear_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = os.write, [20_000]

    def write(handle: int, data: bytes) -> int:
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, data[: left[0]])
        left[0] -= done
        return done

    trace = Trace(DiskSink(tmp_path), block_rows=16)
    table = trace.table("power", {"v": "V"})
    monkeypatch.setattr(os, "write", write)

    def run() -> None:
        for i in range(10_000):
            table.append(i, [i])

    with pytest.raises(OutputError) as caught:
        run()
    trace.close()
    assert str(caught.value) == (
        f"{tmp_path}/power.arrow: could not write the trace: No space left on device;"
        " what was written is readable"
    )
    values = TraceReader(tmp_path).read("power")["v"]
    assert len(values) > 100
    assert np.array_equal(values, np.arange(float(len(values))))
