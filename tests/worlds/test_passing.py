"""What gets through a pipe: rigid pieces through fittings, weight against thrust."""

from __future__ import annotations

import pytest

from annelid.modules import shelf
from annelid.robot.hauling import Hauling
from annelid.robot.robot import assemble, chain
from annelid.worlds.passing import reaches
from annelid.worlds.pipe import PipeNetwork


def hauling(letters: str) -> Hauling:
    return Hauling.of([module.type for module in assemble(chain(letters), shelf()).modules])


def reachable(letters: str, *parts: dict[str, object], **pipe: float) -> list[bool]:
    straight = {"part": "straight", "length_mm": 300}
    behind = [] if parts[-1]["part"] == "tee" else [straight]
    spec = PipeNetwork.model_validate({**pipe, "parts": [straight, *parts, *behind]})
    return [each.reachable for each in reaches(spec.tubes(), hauling(letters))]


def tee(angle_deg: float) -> dict[str, object]:
    return {"part": "tee", "run_mm": 200, "branch_mm": 150, "branch_angle_deg": angle_deg}


def test_a_chain_is_as_heavy_as_its_modules_and_pushes_as_its_drive() -> None:
    survey = hauling("TRRHRRVP")
    assert survey.weight == pytest.approx(1.74, abs=0.01)
    assert survey.thrust(0.040) == pytest.approx(0.83, abs=0.01)
    assert survey.thrust(0.044) < 0.7 < survey.thrust(0.042)
    assert survey.thrust(0.044, level=0.5) < survey.thrust(0.044)
    assert [round(1000 * piece.length) for piece in survey.pieces] == [45, 34, 66, 34, 77]


@pytest.mark.parametrize(("angle", "branch"), [(30, True), (45, True), (90, False)])
def test_a_sharp_branch_is_too_much_for_long_pieces(angle: float, branch: bool) -> None:
    assert reachable("TRRHRRVP", tee(angle), bore_mm=40) == [True, branch]


def test_short_pieces_get_where_long_ones_do_not() -> None:
    assert reachable("TRR", tee(90), bore_mm=40)[1] is False  # nothing pushes it
    elbow: dict[str, object] = {"part": "elbow", "radius_mm": 45}
    assert reachable("TRRHRRVP", elbow, bore_mm=38.5) == [False]
    assert reachable("TRRHRRVP", elbow, bore_mm=42) == [True]


@pytest.mark.parametrize("slope", [-30, 30])
def test_weight_counts_there_and_back(slope: float) -> None:
    end: dict[str, object] = {"part": "straight", "length_mm": 200}
    assert reachable("TRRHRRVP", end, slope_deg=slope / 3) == [True]
    assert reachable("TRRHRRVP", end, slope_deg=slope) == [False]
    assert reachable("TRRHRRHVP", end, slope_deg=slope) == [True]
