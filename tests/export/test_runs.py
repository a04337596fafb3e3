"""Exported runs are read by other tools, with every number in them."""

from __future__ import annotations

import base64
import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pyarrow import csv, parquet

import annelid
from annelid.export.forms import export
from annelid.trial.run import Trial

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
    known = {"/tf", "/joint_states", "/robot", "/sensors", "/events", "/T1/camera"}
    assert set(found) == known
    time_ns, last = found["/tf"][-1]
    assert time_ns == 200_000_000
    head = next(each for each in last["transforms"] if each["child_frame_id"] == "T1")
    assert head["translation"]["x"] == run["modules"]["x[T1]"][-1]
    joints = {each["name"]: each["position"] for each in found["/joint_states"][-1][1]["joints"]}
    assert joints["R1.yaw"] == run["actuators"]["position[R1.yaw]"][-1]
    assert found["/sensors"][-1][1]["T1.nose"] == run["sensors"]["T1.nose"][-1]
    assert found["/events"][0][1]["message"].startswith("start")


def test_mcap_has_what_the_camera_saw(tmp_path: Path) -> None:
    from mcap.reader import make_reader

    def pictures(wall_mm: float) -> list[np.ndarray]:
        wall = {"shape": "wall", "from_mm": [wall_mm, -200], "to_mm": [wall_mm, 200]}
        world = {"kind": "open-air", "obstacles": [wall]}
        made = annelid.run({**SCENARIO, "world": world}, out=tmp_path / f"run{wall_mm}")
        place = export(made.folder, "mcap", tmp_path / f"{wall_mm}.mcap")
        with Path(place).open("rb") as file:
            read = [
                json.loads(message.data)
                for schema, channel, message in make_reader(file).iter_messages(["/T1/camera"])
                if schema is not None and schema.name == "foxglove.CompressedImage"
            ]
        assert read[0]["frame_id"] == "T1"
        assert [each["timestamp"]["nsec"] for each in read] == [0, 200_000_000]
        opened = [Image.open(BytesIO(base64.b64decode(each["data"]))) for each in read]
        return [np.asarray(each) for each in opened]

    near, far = pictures(100.0), pictures(600.0)
    assert near[0].ndim == 2
    assert near[0].mean() > far[0].mean() + 5  # the lamp lights what is near
    trial = Trial(annelid.load(SCENARIO))
    assert not np.array_equal(near[0], trial.sim.sensors.picture("T1.camera"))


def test_rerun_has_every_module(run: annelid.Run, tmp_path: Path) -> None:
    pytest.importorskip("rerun")
    place = export(run.folder, "rerun", tmp_path / "r.rrd")
    assert Path(place).stat().st_size > 10_000
    assert np.all([b"world/T1" in Path(place).read_bytes()])
