"""Roles: formulas that close loops, and periods that delays fit."""

from __future__ import annotations

from cmath import exp
from math import degrees, tau

import pytest

from annelid.errors import InputError
from annelid.motion.roles import ROLES, Role, Swing, caterpillar, rolling_track


def test_the_caterpillar_is_the_papers() -> None:
    role = caterpillar(8)
    angles = [degrees(role.action(t)["pitch"]) for t in range(role.period)]
    assert (max(angles), min(angles)) == pytest.approx((50, -50))
    assert {role.action(t)["yaw"] for t in range(role.period)} == {0.0}
    assert role.delays == {"back": role.period / 5}


@pytest.mark.parametrize("modules", [6, 8, 10, 12, 14, 22])
def test_a_track_closes_at_every_moment(modules: int) -> None:
    role = rolling_track(modules)
    for t in range(0, role.period, 7):
        bends = [role.action(t - k * role.delays["back"])["pitch"] for k in range(modules)]
        assert sum(bends) == pytest.approx(tau)
        heading, end = 0.0, 0j
        for bend in bends:
            heading += bend
            end += exp(1j * heading)
        assert abs(end) < 1e-9


@pytest.mark.parametrize("modules", [4, 7])
def test_a_track_needs_an_even_number_from_six(modules: int) -> None:
    with pytest.raises(InputError, match=f"an even number of modules, 6 or more, got {modules}"):
        rolling_track(modules)


@pytest.mark.parametrize("delay", [180, 200, -1])
def test_a_delay_beyond_the_period_says_so(delay: int) -> None:
    with pytest.raises(InputError, match=f"expected 0 to 179 steps, got {delay}"):
        Role("late", {"pitch": Swing(1.0)}, {"back": delay})


def test_other_roles_that_contradict_themselves() -> None:
    with pytest.raises(InputError, match="2 steps or more, got 1"):
        Role("short", {}, {}, period=1)
    with pytest.raises(InputError, match="front is the parent connector"):
        Role("both", {}, {"front": 3})


@pytest.mark.parametrize("name", ROLES)
def test_roles_go_by_their_names(name: str) -> None:
    assert ROLES[name](8, 90).name == name
