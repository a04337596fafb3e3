"""Networks drawn from a description: as described, the same for the same number, kept by a run."""

from __future__ import annotations

from typing import Any

import pytest

from annelid.errors import SpecError
from annelid.trial.load import load
from annelid.worlds import parse_world, worlds
from annelid.worlds.pipe import Elbow, Straight, Tee
from annelid.worlds.pipe_network import SERIES, DrawnPipes

DESCRIBED: dict[str, Any] = {
    "kind": "pipe-network",
    "bores_mm": [39, 42],
    "slopes_deg": [2, 12],
    "elbows": [1, 3],
    "elbow_angles_deg": [45, 90],
    "elbow_radii_mm": [50, 90],
    "branches": [0, 2],
    "branch_angles_deg": [40, 80],
    "straights_mm": [160, 300],
    "holes": [1, 2],
}


def drawn(number: int = 0, **more: Any) -> DrawnPipes:
    world = parse_world({**DESCRIBED, "number": number, **more}, worlds())
    assert isinstance(world, DrawnPipes)
    return world


@pytest.mark.parametrize("number", range(900, 912))
def test_every_network_is_as_described(number: int) -> None:
    world = drawn(number)
    elbows = [part for part in world.parts if isinstance(part, Elbow)]
    tees = [part for part in world.parts if isinstance(part, Tee)]
    straights = [part.length_mm for part in world.parts if isinstance(part, Straight)]
    assert 39 <= world.bore_mm <= 42
    assert 2 <= world.slope_deg <= 12
    assert 1 <= len(elbows) <= 3
    assert 0 <= len(tees) <= 2
    assert all(45 <= each.angle_deg <= 90 and 50 <= each.radius_mm <= 90 for each in elbows)
    assert all(40 <= each.branch_angle_deg <= 80 for each in tees)
    assert all(160 <= each <= 300 for each in straights)
    assert 1 <= len(world.breaks) <= 2
    assert world.scenery(0.4).tubes is not None  # with room for a robot behind the inlet


def test_the_same_number_is_the_same_network_and_another_is_another() -> None:
    assert drawn(5) == drawn(5)
    assert drawn(5).parts != drawn(6).parts


def test_what_was_drawn_is_kept_with_its_description() -> None:
    world = drawn(5)
    assert parse_world(world.model_dump(mode="json"), worlds()) == world
    moved = [{**part.model_dump(mode="json")} for part in world.parts]
    moved[0]["length_mm"] += 1.0
    kept = parse_world({**world.model_dump(mode="json"), "parts": moved}, worlds())
    assert isinstance(kept, DrawnPipes)
    assert kept.parts[0].model_dump()["length_mm"] == moved[0]["length_mm"]


def test_a_changed_description_is_drawn_anew() -> None:
    world = drawn(5)
    other = parse_world({**world.model_dump(mode="json"), "number": 6}, worlds())
    assert isinstance(other, DrawnPipes)
    assert other.parts == drawn(6).parts


@pytest.mark.parametrize("number", range(920, 924))
def test_crosses_reducers_and_loops_are_laid_when_asked_for(number: int) -> None:
    more: dict[str, Any] = {"crosses": [1, 1], "reducers": [1, 1], "loops": [1, 1]}
    world = drawn(number, elbows=[0, 1], branches=[0, 1], **more)
    kinds = [part.part for part in world.parts]
    assert kinds.count("cross") == kinds.count("reducer") == kinds.count("close") == 1
    tubes = world.tubes()
    assert len(tubes.seams()) == 1
    assert len(tubes.ends()) == 1 + 2 + kinds.count("tee") - 2
    bores = {round(2000 * tube.radius_end, 6) for tube in tubes.tubes}
    assert len(bores) == 2
    assert all(39 <= bore <= 42 for bore in bores)


TEES = {"branch_angles_deg": [40, 90]}


def test_a_series_has_the_bore_and_the_fittings_that_are_sold() -> None:
    for number in range(6):
        world = drawn(number, series="steel-medium-40", elbow_radii_mm=[38, 58], **TEES)
        assert world.bore_mm == pytest.approx(41.9)
        elbows = [part for part in world.parts if isinstance(part, Elbow)]
        assert {part.radius_mm for part in elbows} <= {38.1, 57.15}
        assert {part.angle_deg for part in elbows} <= {45, 90}
    copper = drawn(3, series="copper-42x1.5", **TEES)
    assert copper.bore_mm == 39
    assert all(50 <= part.radius_mm <= 90 for part in copper.parts if isinstance(part, Elbow))
    assert all(series.source for series in SERIES.values())


def test_level_pipes_stay_level_and_rise_is_kept() -> None:
    flat = drawn(8, plane="level", slopes_deg=[0, 0])
    low, high = flat.tubes().bounding_box()
    assert high[2] - low[2] < 0.045
    for number in range(10):
        low, high = drawn(number, rise_mm=150).tubes().bounding_box()
        assert max(high[2], -low[2]) <= 0.15


def test_a_scenario_takes_one_by_its_number() -> None:
    fields = {"world": {**DESCRIBED, "number": 3}}
    scenario = load("explore-straight", overrides=fields)
    again = load(scenario, overrides={"world.number": 4})
    assert isinstance(again.world, DrawnPipes)
    assert again.world.parts == drawn(4).parts


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("bores_mm", [10, 20], "bores_mm"),
        ("bores_mm", [44, 40], "lower number first"),
        ("elbows", [2, 1], "lower number first"),
        ("branch_angles_deg", [10, 90], "branch_angles_deg"),
        # the inlet climbs by 2° at least
        pytest.param("rise_mm", 1, "could be laid", marks=pytest.mark.slow),
        ("plane", "steep", "plane"),
        ("series", "lead-40", "steel-medium-40"),
        ("crosses", [1, 0], "lower number first"),
        ("colour", "red", "colour"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(field: str, value: object, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        drawn(0, **{field: value})


SOLD: dict[str, Any] = {"kind": "pipe-network", "series": "steel-medium-40"}


@pytest.mark.parametrize(
    ("world", "says"),
    [
        ({**SOLD, "bores_mm": [36, 37]}, "bores_mm: the series steel-medium-40 has 41.9, got 36"),
        ({**SOLD, "elbow_radii_mm": [50, 90]}, "elbow_radii_mm: .* has 38.1, 57.15, got 50 to 90"),
        ({"kind": "pipe-network", "parts": [{"part": "cap"}]}, "parts: it is drawn from"),
        ({"kind": "pipe-network", "bore_mm": 40}, "bore_mm: it is drawn from"),
    ],
)
def test_what_would_be_drawn_over_is_refused_in_one_line(world: Any, says: str) -> None:
    with pytest.raises(SpecError, match=says) as told:
        parse_world(world, worlds())
    assert "\n" not in str(told.value)


def test_a_span_that_a_series_fits_is_no_contradiction() -> None:
    """Nor are the defaults, which a world that was drawn before has written down."""
    one = parse_world({**SOLD, "bores_mm": [41, 43]}, worlds())
    assert isinstance(one, DrawnPipes)
    assert one.bore_mm == pytest.approx(41.9)
    two = parse_world({**one.model_dump(mode="json"), "number": 5}, worlds())
    assert two != one
