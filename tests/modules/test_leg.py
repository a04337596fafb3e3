"""The climber's trunk and leg: geometry, masses, and the stance they begin in (FACTS §4)."""

from __future__ import annotations

from math import radians

import mujoco
import numpy as np
import pytest
from tests.systems.climber.climbs import hexapod, on_plane

from annelid.errors import SpecError
from annelid.modules.hub import HEXAPOD, Hub
from annelid.modules.leg import Leg


def test_six_legs_and_trunk_weigh_three_kilograms() -> None:
    body, leg = Hub().body(), Leg().body()
    assert body.mass + 6 * leg.mass == pytest.approx(3.0)


@pytest.mark.parametrize("wrist", [0, 1, 2, 3])
@pytest.mark.parametrize("ankle_mm", [0.0, 40.0])
def test_feet_begin_where_the_stance_says(wrist: int, ankle_mm: float) -> None:
    """Through the engine: 200 mm out from their mounts, 90 mm below the trunk's middle."""
    tibia = 163.0 - ankle_mm
    sim = on_plane(hexapod(leg={"wrist": wrist, "ankle_mm": ankle_mm, "tibia_mm": tibia}))
    mujoco.mj_kinematics(sim.model, sim.data)
    trunk = sim.placement("Y1").at
    for number, place in enumerate(HEXAPOD, 1):
        foot = sim.data.body(f"L{number}/tip").xpos - trunk
        out = np.array([np.cos(radians(place.yaw_deg)), np.sin(radians(place.yaw_deg))])
        expected = np.array([place.x_mm, place.y_mm]) / 1000 + 0.2 * out
        assert foot[:2] == pytest.approx(expected, abs=1e-6)
        assert foot[2] == pytest.approx(-0.09, abs=1e-6)


def test_a_foot_out_of_reach_is_refused() -> None:
    with pytest.raises(SpecError, match=r"cannot stand 400 mm out and 90 mm below"):
        Leg.parse({"length_mm": 400}, where="leg")


def test_a_trunk_has_a_face_for_every_leg() -> None:
    places = ({"x_mm": 0, "y_mm": 120, "yaw_deg": 90}, {"x_mm": 0, "y_mm": -120, "yaw_deg": 270})
    body = Hub.parse({"places": places}, where="hub").body()
    assert [face.name for face in body.faces] == ["leg1", "leg2"]
