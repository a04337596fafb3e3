"""Casts: a module's role from its own connectors and what its parent says."""

from __future__ import annotations

from dataclasses import replace
from math import degrees

import pytest

from annelid.errors import InputError
from annelid.motion.casts import Cast, alone, walker
from annelid.motion.roles import caterpillar


def test_a_walker_s_legs_are_mirrored_and_swing_between_standing_and_lifted() -> None:
    spine, left, right = walker().roles
    pitch = [degrees(left.action(t)["pitch"]) for t in range(left.period)]
    assert (min(pitch), max(pitch)) == pytest.approx((-90, -20))
    for t in range(0, left.period, 7):
        assert left.action(t)["yaw"] == pytest.approx(-right.action(t)["yaw"])
        assert left.action(t)["pitch"] == right.action(t)["pitch"]
    assert spine.delays == {"right": 45, "back": 90, "left": 135}


@pytest.mark.parametrize(
    ("parent", "connector", "came_by", "role"),
    [
        (0, "left", "back", "left leg"),
        (0, "right", "back", "right leg"),
        (0, "back", "front", "spine"),
        (0, "left", "front", None),  # a spine does not hang sideways
        (1, "left", "back", None),  # nor a leg on a leg
    ],
)
def test_a_signal_tells_the_role(
    parent: int, connector: str, came_by: str, role: str | None
) -> None:
    cast = walker()
    chosen = cast.chosen(cast.signal(cast.roles[parent], connector), came_by)
    assert (chosen.name if chosen else None) == role


@pytest.mark.parametrize("rubbish", [b"", b"\x00", b"\x07\x00", b"\x00\x09", b"\x00\x00\x00"])
def test_rubbish_is_no_signal(rubbish: bytes) -> None:
    assert walker().chosen(rubbish, "back") is None


@pytest.mark.parametrize(
    ("docked", "sure"),
    [
        (set(), True),
        ({"left"}, True),
        ({"front", "back", "right"}, True),
        ({"back"}, False),  # a leg, or a head without legs
        ({"front"}, False),
    ],
)
def test_connectors_alone_tell_a_spine_with_legs(docked: set[str], sure: bool) -> None:
    local = walker().local(docked)
    assert (local is not None and local.name == "spine") is sure
    assert alone(caterpillar(8)).local(docked) is not None


def test_casts_that_contradict_themselves() -> None:
    role = caterpillar(8)
    with pytest.raises(InputError, match=r"horn at caterpillar\.back: expected .*: caterpillar"):
        Cast((role,), {("caterpillar", "back"): "horn"})
    with pytest.raises(InputError, match="must have one period"):
        Cast((role, replace(role, name="other", period=90)), {})
