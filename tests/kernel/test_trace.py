"""A trace gives back what was recorded, the same bytes for the same run."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annelid.errors import InputError, MissingFile, OutputError, UnknownName
from annelid.kernel import SECOND
from annelid.kernel.trace import DiskSink, MemorySink, Trace, TraceReader, digest, events

CHANNELS = {"servo_rad[R1.pitch]": "rad", "servo_a[R1.pitch]": "A", "é": ""}


def record(trace: Trace, *, rows: int = 300, bend: float = 0.0) -> None:
    servos = trace.table("servos", CHANNELS)
    power = trace.table("power", {"v": "V"})
    for i in range(rows):
        t_ns = i * 15_000_000
        servos.append(t_ns, np.array([i, -i / 3, math.nan]) + bend * (i == rows - 1))
        if i % 7 == 0:
            power.append(t_ns, [12.0])
            trace.events.append(t_ns, "R1", "message", {"to": i, "bytes": b"\xa0\x01"})


def test_what_was_recorded_is_read_back_with_its_units(tmp_path: Path) -> None:
    with Trace.to_folder(tmp_path / "trace") as trace:
        record(trace)
    reader = TraceReader(tmp_path / "trace")
    assert reader.tables == ["events", "power", "servos"]
    assert reader.schema("servos").units == {"time_ns": "ns", **CHANNELS}
    rows = reader.read("servos")
    assert list(rows) == ["time_ns", *CHANNELS]
    assert np.array_equal(rows["time_ns"], np.arange(300) * 15_000_000)
    assert np.array_equal(rows["servo_a[R1.pitch]"], -np.arange(300) / 3)
    assert np.isnan(rows["é"]).all()
    assert reader.arrow("power").num_rows == 43
    assert all(reader.complete(table) for table in reader.tables)


def test_any_arrow_reader_opens_the_files(tmp_path: Path) -> None:
    with Trace.to_folder(tmp_path) as trace:
        record(trace)
    import pyarrow as pa

    with pa.OSFile(str(tmp_path / "servos.arrow")) as file:
        table = pa.ipc.open_stream(file).read_all()
    assert table.num_rows == 300
    assert table.schema.field("servo_a[R1.pitch]").metadata == {b"unit": b"A"}


def test_memory_and_disk_hold_the_same(tmp_path: Path) -> None:
    memory = MemorySink()
    with Trace(memory, DiskSink(tmp_path), block_rows=50) as trace:
        record(trace)
    assert digest(memory) == digest(tmp_path) == digest(TraceReader(tmp_path))


def test_the_same_run_leaves_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with Trace.to_folder(tmp_path / name) as trace:
            record(trace)
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_the_digest_sees_the_last_bit_and_nothing_else() -> None:
    def of(block_rows: int = 64, **how: Any) -> str:
        memory = MemorySink()
        with Trace(memory, block_rows=block_rows) as trace:
            record(trace, **how)
        return digest(memory)

    assert of(block_rows=7) == of(block_rows=512)
    assert of(bend=1e-13) != of()
    assert of(rows=299) != of()


def test_events_can_be_asked_for_by_kind_and_source() -> None:
    trace, memory = Trace.in_memory()
    trace.events.append(5, "R1", "fault", {"servo": "pitch"})
    trace.events.append(5, "R2", "decision", {"winner": "stop", "why": {"heat": 81.5}})
    trace.events.append(9, "R1", "decision")
    trace.close()
    assert [e.sequence for e in events(memory)] == [0, 1, 2]
    assert [(e.time_ns, e.source) for e in events(memory, kind="decision")] == [
        (5, "R2"),
        (9, "R1"),
    ]
    assert events(memory, kind="decision", by="R2")[0].detail["why"] == {"heat": 81.5}


def test_details_are_strict_json_whatever_comes() -> None:
    trace, memory = Trace.in_memory()
    detail = {
        "nan": math.nan,
        "inf": [np.float32(math.inf)],
        "bytes": b"\x01\xff",
        "array": np.arange(3),
        "int": np.int64(4),
        3: "key",
        "set": {2, 1},
    }
    trace.events.append(0, "x", "y", detail)  # type: ignore[arg-type]
    trace.close()

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    text = memory.read("events")["detail"][0]
    assert json.loads(text, parse_constant=refuse) == {
        "nan": "nan",
        "inf": ["inf"],
        "bytes": "01ff",
        "array": [0, 1, 2],
        "int": 4,
        "3": "key",
        "set": [1, 2],
    }
    with pytest.raises(InputError, match="got object"):
        trace.events.append(0, "x", "y", {"a": object()})


def test_all_tables_leave_memory_when_virtual_time_passes_the_mark(tmp_path: Path) -> None:
    trace = Trace.to_folder(tmp_path)
    rare, often = trace.table("rare", {"v": "V"}), trace.table("often", {"v": "V"})
    rare.append(10, [1.0])
    assert len(TraceReader(tmp_path).read("rare")["v"]) == 0
    often.append(SECOND, [2.0])
    assert len(TraceReader(tmp_path).read("rare")["v"]) == 1
    assert not TraceReader(tmp_path).complete("rare")
    trace.close()
    trace.close()
    assert TraceReader(tmp_path).complete("rare")


def test_an_exception_in_the_run_still_leaves_the_last_rows(tmp_path: Path) -> None:
    def run() -> None:
        with Trace.to_folder(tmp_path) as trace:
            trace.table("power", {"v": "V"}).append(10, [1.0])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run()
    assert TraceReader(tmp_path).read("power")["v"].tolist() == [1.0]


def test_mistakes_are_refused_by_name(tmp_path: Path) -> None:
    trace, memory = Trace.in_memory()
    table = trace.table("servos", CHANNELS)
    table.append(100, [1, 2, 3])
    assert trace.table("servos", CHANNELS) is table
    with pytest.raises(InputError, match=r"'servos': values: expected 3, got 2"):
        table.append(100, [1, 2])
    with pytest.raises(InputError, match="went back from 100 to 99"):
        table.append(99, [1, 2, 3])
    with pytest.raises(InputError, match="channels it was made with"):
        trace.table("servos", {"other": "rad"})
    for name in ("events", "../x", "Servos", ""):
        with pytest.raises(InputError, match="table: expected a name"):
            trace.table(name, {"v": "V"})
    with pytest.raises(UnknownName, match="Did you mean 'servos'"):
        memory.read("servo")
    with pytest.raises(MissingFile, match="nowhere"):
        TraceReader(tmp_path / "nowhere")


def test_an_old_trace_is_never_overwritten(tmp_path: Path) -> None:
    Trace.to_folder(tmp_path).close()
    with pytest.raises(OutputError, match="a trace is here already"):
        Trace.to_folder(tmp_path)


def test_arrow_is_loaded_only_when_a_file_is_opened() -> None:
    code = "import sys, annelid.kernel, annelid.kernel.trace; sys.exit('pyarrow' in sys.modules)"
    path = {"PYTHONPATH": ":".join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=path, check=False).returncode == 0
