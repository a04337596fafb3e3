"""What a user may write, what they get, and what they are told when it does not fit."""

import math
from typing import Any

import numpy as np
import pytest

from annelid.errors import GeometryError, SpecError, UnknownName
from annelid.worlds.pipe import PipeNetwork
from annelid.worlds.tubes import TubeNetwork

S: dict[str, Any] = {"part": "straight", "length_mm": 200}


def tubes(*parts: dict[str, Any], **fields: Any) -> TubeNetwork:
    return PipeNetwork.parse({"parts": list(parts), **fields}, where="world").tubes()


def end_of(net: TubeNetwork) -> tuple[np.ndarray, np.ndarray]:
    tube = net.tubes[-1]
    point, tangent, _ = tube.frame(tube.length)
    return point, tangent


@pytest.mark.parametrize(
    ("roll", "point", "tangent"),
    [
        (0, (0.26, 0.06, 0), (0, 1, 0)),
        (90, (0.26, 0, 0.06), (0, 0, 1)),
        (180, (0.26, -0.06, 0), (0, -1, 0)),
    ],
)
def test_an_elbow_turns_left_and_rolls_up(roll, point, tangent):
    end, direction = end_of(tubes(S, {"part": "elbow", "roll_deg": roll}))
    assert end == pytest.approx(point, abs=1e-12)
    assert direction == pytest.approx(tangent, abs=1e-12)


def test_up_is_carried_around_bends():
    """Left, then "up" again means the world's up; up, then left means the world's left."""
    left_up = tubes({"part": "elbow"}, {"part": "elbow", "roll_deg": 90})
    assert end_of(left_up)[1] == pytest.approx((0, 0, 1), abs=1e-12)
    up_left = tubes({"part": "elbow", "roll_deg": 90}, {"part": "elbow"})
    assert end_of(up_left)[1] == pytest.approx((0, 1, 0), abs=1e-12)


def test_slope_climbs_and_roll_turns_right():
    assert end_of(tubes(S, slope_deg=30))[0] == pytest.approx(
        (0.2 * math.cos(math.pi / 6), 0, 0.1), abs=1e-12
    )
    # rolled a quarter to the right, what bent up now bends right
    end, _ = end_of(tubes({"part": "elbow", "roll_deg": 90}, roll_deg=90))
    assert end == pytest.approx((0.06, -0.06, 0), abs=1e-12)


def test_names_and_outlets():
    net = tubes(
        S,
        {"part": "tee"},
        {"part": "elbow", "name": "up", "roll_deg": 90},
        {"part": "straight", "length_mm": 50, "at": "tee1.branch"},
        {"part": "cap"},
        {"part": "straight", "length_mm": 70, "at": "up"},
    )
    assert [t.part for t in net.tubes] == [
        "straight1",
        "tee1",
        "tee1.branch",
        "up",
        "straight2",
        "straight3",
    ]
    assert net.tube("straight2").closed_end
    assert [t.part for t in net.main_route()] == ["straight1", "tee1", "up", "straight3"]
    assert net.length() == pytest.approx(0.2 + 0.12 + 0.06 * math.pi / 2 + 0.07)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([{"part": "straight", "length_mm": 0}], "'straight1'.*length_mm.*got 0"),
        ([{"part": "straight", "length_mm": -5}], "length_mm.*got -5"),
        ([{"part": "straight", "length_mm": float("nan")}], "length_mm"),
        ([S, {"part": "elbow", "radius_mm": 15}], "'elbow1'.*radius_mm.*half the bore"),
        ([{"part": "elbow", "angle_deg": 0}], "'elbow1'.*angle_deg"),
        ([{"part": "elbow", "angle_deg": 181}], "angle_deg.*at most 180"),
        ([{"part": "reducer", "length_mm": 20, "bore_mm": 30}], "'reducer1'.*bore_mm.*36 to 200"),
        ([{"part": "reducer", "length_mm": 5, "bore_mm": 80}], "'reducer1'.*length_mm"),
        ([{"part": "tee", "run_mm": 35}], "'tee1'.*run_mm.*mouth"),
        ([{"part": "tee", "branch_mm": 15}], "'tee1'.*branch_mm.*mouth"),
        ([{"part": "tee", "branch_angle_deg": 10}], "branch_angle_deg"),
        ([S, {"part": "cap"}, S], "'straight2'.*nothing fits after 'cap1'"),
        ([{"part": "cap"}], "first part"),
        ([S, S | {"name": "b"}, S | {"at": "straight1"}], "already used by 'b'"),
        ([S] + [{"part": "elbow"}] * 4 + [S], "overlap"),
        ([{"part": "tee", "branch_bore_mm": 50}], "'tee1'.*branch_bore_mm.*at most the bore"),
        ([{"part": "cross", "run_mm": 35}], "'cross1'.*run_mm.*mouth"),
        ([{"part": "tee"}, S, {"part": "close", "to": "tee1.branch"}], "does not face.*90.0°"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(parts, words):
    with pytest.raises((GeometryError, SpecError), match=words):
        tubes(*parts)


def test_unknown_names_and_bad_specs():
    with pytest.raises(UnknownName, match=r"cross1\.left, cross1\.right"):
        tubes({"part": "cross"}, S | {"at": "cross1.up"})
    with pytest.raises(UnknownName, match=r"to: unknown outlet.*tee1\.branch"):
        tubes({"part": "tee"}, S, {"part": "close", "to": "tee1.out"})
    with pytest.raises(UnknownName, match=r"tee1\.branch"):
        tubes({"part": "tee"}, S | {"at": "tee1.brunch"})
    with pytest.raises(GeometryError, match=r"bore_mm.*36 to 200"):
        tubes(S, bore_mm=20)
    with pytest.raises(SpecError, match="new name"):
        tubes(S | {"name": "a"}, S | {"name": "a"})
    with pytest.raises(SpecError, match="at least one part"):
        tubes()
    with pytest.raises(SpecError, match="lenght_mm"):
        tubes({"part": "straight", "lenght_mm": 3})
    with pytest.raises(SpecError, match=r"parts\.0"):
        tubes({"part": "spiral"})


def test_breaks_must_lie_in_their_part():
    with pytest.raises(GeometryError, match=r"'straight1'.*along_mm"):
        tubes(S, breaks=[{"part": "straight1", "along_mm": 198, "size_mm": 10}])
    with pytest.raises(UnknownName, match="straight1"):
        tubes(S, breaks=[{"part": "straigth1", "along_mm": 10}])
    with pytest.raises(GeometryError, match="size_mm"):
        tubes(S, breaks=[{"part": "straight1", "along_mm": 10, "size_mm": -1}])


def test_round_trip_through_data():
    spec = PipeNetwork.parse({"parts": [S, {"part": "tee"}], "bore_mm": 50}, where="world")
    assert PipeNetwork.parse(spec.model_dump(), where="again") == spec
