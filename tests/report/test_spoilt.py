"""A run folder that was tampered with is refused in one line, or drawn."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from annelid.errors import SpecError, UnknownKey
from annelid.kernel.trace import DiskSink, Trace
from annelid.report import write_report
from annelid.report.plots import Curve
from annelid.report.recording import Recording


@pytest.fixture
def unsealed(run_folder: Path, tmp_path: Path) -> Path:
    place = tmp_path / "run"
    shutil.copytree(run_folder, place)
    (place / "seal.json").unlink()
    return place


@pytest.mark.parametrize("other", ["modules", "events", "state_0"])
def test_swapped_tables_are_told(unsealed: Path, other: str) -> None:
    shutil.copy(unsealed / "trace" / f"{other}.arrow", unsealed / "trace" / "robot.arrow")
    with pytest.raises(SpecError, match=f"expected the table 'robot' of a trace, got .*{other}"):
        write_report(unsealed, video=False)


def test_a_table_without_its_columns_is_told(unsealed: Path) -> None:
    with Trace(DiskSink(unsealed / "other")) as trace:
        trace.table("robot", {"progress": "m", "x": "m"}).append(0, [0.0, 0.0])
    (unsealed / "other" / "robot.arrow").replace(unsealed / "trace" / "robot.arrow")
    with pytest.raises(UnknownKey, match=r"unknown column 'energy'\. Available: progress"):
        Recording(unsealed).column("robot", "energy")


def test_a_curve_has_as_many_values_up_as_across() -> None:
    with pytest.raises(SpecError, match="curve 'a': expected 2 values, got 1"):
        Curve([1, 2], [1], "a")
