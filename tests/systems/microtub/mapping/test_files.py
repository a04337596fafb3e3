"""Maps as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.systems.microtub.mapping.walks import Explorer, network

from annelid.errors import SpecError
from annelid.systems.microtub.mapping import MapSpec, PipeMap, from_spec, to_spec


@pytest.fixture
def kept() -> dict[str, Any]:
    """As it stands in a trace."""
    said: dict[str, Any] = json.loads(to_spec(Explorer(network()).explore()).model_dump_json())
    return said


def _read(data: dict[str, Any]) -> PipeMap:
    return from_spec(MapSpec.parse(data, where="map"))


def test_written_and_read(kept: dict[str, Any]):
    tee = next(place for place in kept["places"] if place["kind"] == "junction")
    assert tee["along_m"] == pytest.approx(0.654, abs=1e-3)
    assert len(tee["ways"]) == 2
    assert to_spec(_read(kept)).model_dump(mode="json") == kept


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
def test_a_spoilt_map_is_refused(kept: dict[str, Any], spoil: Any, said: str):
    spoil(kept)
    with pytest.raises(SpecError, match=said):
        _read(kept)
