"""Maps as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.systems.microtub.mapping.walks import Explorer, network

from annelid.errors import MissingFile, OutputError, SpecError
from annelid.systems.microtub.mapping import read_map, to_spec, write_map


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return write_map(Explorer(network()).explore(), tmp_path / "map.json")


def test_written_and_read(kept: Path):
    data = json.loads(kept.read_text())
    tee = next(place for place in data["places"] if place["kind"] == "junction")
    assert tee["along_m"] == pytest.approx(0.654, abs=1e-3)
    assert len(tee["ways"]) == 2
    assert to_spec(read_map(kept)).model_dump(mode="json") == data


def _loop(data: dict[str, Any]) -> None:
    data["places"][0]["stretch"] = 1


def _nowhere(data: dict[str, Any]) -> None:
    data["stretches"][1]["end"] = 99


def _robot(data: dict[str, Any]) -> None:
    data["robot_stretch"] = 99


def _version(data: dict[str, Any]) -> None:
    data["format"] = 2


def _field(data: dict[str, Any]) -> None:
    data["places"][0]["kind"] = "lake"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_loop, "does not lead back to the start"),
        (_nowhere, "start, end or length is wrong"),
        (_robot, "there is no stretch 99"),
        (_version, "expected 1, got 2"),
        (_field, "places.0.kind"),
    ],
)
def test_a_spoilt_file_is_refused(kept: Path, spoil: Any, said: str):
    data = json.loads(kept.read_text())
    spoil(data)
    kept.write_text(json.dumps(data))
    with pytest.raises(SpecError, match=said):
        read_map(kept)


def test_no_file_and_no_json(tmp_path: Path):
    with pytest.raises(MissingFile):
        read_map(tmp_path / "map.json")
    (tmp_path / "map.json").write_text("{")
    with pytest.raises(SpecError, match="not valid JSON"):
        read_map(tmp_path / "map.json")
    with pytest.raises(OutputError):
        write_map(Explorer(network()).explore(), tmp_path / "no" / "map.json")
