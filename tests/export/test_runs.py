"""Exported runs are read by other tools, with every number in them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from pyarrow import csv, parquet

import annelid
from annelid.export.forms import export

SCENARIO = {
    "robot": {"chain": "TR"},
    "world": {"kind": "open-air"},
    "duration_s": 0.2,
    "control": {"gaits": [{"gait": "hold", "modules": "R", "pose": {"yaw": 20}}]},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> annelid.Run:
    return annelid.run(SCENARIO, out=tmp_path_factory.mktemp("run") / "r")


def test_csv_has_units_and_parquet_the_same_numbers(run: annelid.Run, tmp_path: Path) -> None:
    folder = export(run.folder, "csv", tmp_path / "csv")
    table = csv.read_csv(Path(folder) / "robot.csv")
    assert table["progress (m)"].to_pylist() == pytest.approx(run["robot"]["progress"].tolist())
    folder = export(run.folder, "parquet", tmp_path / "parquet")
    assert {path.stem for path in Path(folder).iterdir()} == set(run.tables)
    kept = parquet.read_table(Path(folder) / "robot.parquet")
    assert kept["progress"].to_pylist() == run["robot"]["progress"].tolist()
    assert kept.schema.field("progress").metadata[b"unit"] == b"m"


def test_mcap_has_transforms_joints_readings_and_events(run: annelid.Run, tmp_path: Path) -> None:
    from mcap.reader import make_reader

    place = export(run.folder, "mcap", tmp_path / "r.mcap")
    found: dict[str, list[tuple[int, dict]]] = {}  # type: ignore[type-arg]
    with Path(place).open("rb") as file:
        for _, channel, message in make_reader(file).iter_messages():
            found.setdefault(channel.topic, []).append((message.log_time, json.loads(message.data)))
    assert set(found) == {"/tf", "/joint_states", "/robot", "/sensors", "/events"}
    time_ns, last = found["/tf"][-1]
    assert time_ns == 200_000_000
    head = next(each for each in last["transforms"] if each["child_frame_id"] == "T1")
    assert head["translation"]["x"] == run["modules"]["x[T1]"][-1]
    joints = {each["name"]: each["position"] for each in found["/joint_states"][-1][1]["joints"]}
    assert joints["R1.yaw"] == run["actuators"]["position[R1.yaw]"][-1]
    assert found["/sensors"][-1][1]["T1.nose"] == run["sensors"]["T1.nose"][-1]
    assert found["/events"][0][1]["message"].startswith("start")


def test_rerun_has_every_module(run: annelid.Run, tmp_path: Path) -> None:
    pytest.importorskip("rerun")
    place = export(run.folder, "rerun", tmp_path / "r.rrd")
    assert Path(place).stat().st_size > 10_000
    assert np.all([b"world/T1" in Path(place).read_bytes()])
