"""What an operator may say to a climber."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annelid.errors import InputError, SpecError
from annelid.systems.climber.planner.orders import WalkingStyle
from annelid.systems.climber.sayings import parse_saying, places_of
from annelid.systems.climber.spec import ClimberSpec


def test_a_place_to_go_to() -> None:
    (there,) = places_of("go 300 -50 90")
    assert there.at == pytest.approx([0.3, -0.05, 0.0])
    assert there.turn @ np.array([1.0, 0.0, 0.0]) == pytest.approx([0.0, 1.0, 0.0])


def test_another_gait() -> None:
    assert parse_saying("gait Cyclic") is WalkingStyle.CYCLIC
    assert not places_of("gait free")


def test_the_end_of_a_critical_stop() -> None:
    assert not parse_saying(" Release ")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "go",
        "go 3",
        "go 1 2 3 4",
        "go there now",
        "go nan 0",
        "go 1e9 0",
        "release 3",
        "gait",
        "gait fast",
    ],
)
def test_anything_else_is_refused_with_what_was_expected(line: str) -> None:
    with pytest.raises(InputError, match="expected release, or go X Y"):
        parse_saying(line)


@pytest.mark.parametrize(
    "order", [{"do": "go"}, {"do": "release", "way": [{"x_mm": 30}]}], ids=["go", "release"]
)
def test_an_order_that_says_half_is_refused(order: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="expected a way with go, and none with release"):
        ClimberSpec.parse({"operator": [{"at_s": 1.0, **order}]}, where="options")
