"""The cable pulls as the capstan's formula says, and does not push."""

from __future__ import annotations

from math import acos, exp
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.rigs import simulation

from annelid.errors import SpecError
from annelid.physics import tether
from annelid.physics.simulation import Simulation
from annelid.worlds import parse_world, worlds
from annelid.worlds.tubes import Tube

DRAG = 0.5
ELBOW = {"part": "elbow", "radius_mm": 60}
STRAIGHT = {"part": "straight", "length_mm": 300}
SPEED = 0.6
"""Fast enough for all of the friction to be there, m/s."""


def pulled(parts: list[dict[str, Any]], bend_friction: float, **cable: Any) -> Simulation:
    given = {"drag_n_per_m": DRAG, "bend_friction": bend_friction, **cable}
    world = {"kind": "pipe", "parts": parts, "tether": given, "gravity": 0.0}
    return simulation("P", world, timestep_ms=1.0)


def put(sim: Simulation, part: str, along: float, speed: float = SPEED) -> tuple[float, float]:
    """Set the tail on the centre line of a part and let it go on for two steps; (pull back along
    its axis, paid out)."""
    tube = network(sim).tube(part)
    point, tangent, up = tube.frame(along)
    turn = np.empty(4)
    mujoco.mju_mat2Quat(turn, np.stack([tangent, np.cross(up, tangent), up], axis=1).ravel())
    sim.data.qpos[:7] = [*point, *turn]
    sim.data.qvel[:] = 0.0
    sim.data.qvel[:3] = speed * tangent
    mujoco.mj_forward(sim.model, sim.data)
    sim.advance(1)
    sim.data.qvel[:3] = speed * tangent
    sim.advance(1)
    body = int(sim.data.userdata[tether.USERDATA + tether.BODY])
    force = sim.data.xfrc_applied[body]
    assert force[3:] == pytest.approx(0)
    return float(-force[:3] @ sim.data.xmat[body].reshape(3, 3)[:, 0]), tether.paid_out(sim.data)


def network(sim: Simulation) -> Any:
    assert sim.plan.scenery.tubes is not None
    return sim.plan.scenery.tubes


def capstan(route: tuple[Tube, ...], begun: float, along: float, friction: float) -> float:
    """Tension by small pieces of the route: drag, and friction times what a turn presses."""
    tension, where = 0.0, route[0].along + begun
    end, piece = route[-1].along + along, 1e-4
    tangent: np.ndarray | None = None
    while where < end:
        tube = [t for t in route if t.along <= where + 1e-12][-1]
        here = tube.frame(where - tube.along)[1]
        if tangent is not None:
            tension *= exp(friction * acos(min(1.0, float(here @ tangent))))
        tension += DRAG * min(piece, end - where)
        tangent, where = here, where + piece
    return tension


@pytest.mark.parametrize("friction", [0.0, 0.25, 0.6])
@pytest.mark.parametrize("elbows", [0, 1, 2])
def test_every_elbow_multiplies_the_pull(elbows: int, friction: float):
    parts = [STRAIGHT, *[ELBOW, STRAIGHT] * elbows]
    sim = pulled(parts, friction)
    last = f"straight{elbows + 1}"
    begun = float(sim.data.userdata[tether.USERDATA + tether.BEGUN])
    pull, paid = put(sim, last, 0.25)
    route = network(sim).route_to(last)
    along = paid + begun + route[0].along - route[-1].along
    assert along == pytest.approx(0.25, abs=2e-3), "two steps further"
    expected = capstan(route, begun, along, friction)
    assert pull == pytest.approx(expected, rel=2e-3)
    if friction == 0.0:
        assert pull == pytest.approx(DRAG * paid, rel=1e-6)
    elif elbows:
        before, _ = put(sim, "straight1", 0.3)
        assert pull > before * exp(friction * np.pi / 2 * elbows)


@pytest.mark.parametrize("along", [0.01, 0.05, 0.09])
def test_in_the_middle_of_a_bend_it_has_grown_so_far(along: float):
    sim = pulled([STRAIGHT, ELBOW, STRAIGHT], 0.4)
    begun = float(sim.data.userdata[tether.USERDATA + tether.BEGUN])
    pull, paid = put(sim, "elbow1", along)
    route = network(sim).route_to("elbow1")
    along = paid + begun + route[0].along - route[-1].along
    assert pull == pytest.approx(capstan(route, begun, along, 0.4), rel=2e-3)


def test_a_branch_is_another_way_than_the_run_and_is_left_behind_on_the_way_back():
    tee = {"part": "tee", "run_mm": 200, "branch_mm": 150, "branch_angle_deg": 45}
    sim = pulled([STRAIGHT, tee, STRAIGHT], 0.5)
    first, _ = put(sim, "straight1", 0.2)
    run, far = put(sim, "tee1", 0.19)
    branch, near = put(sim, "tee1.branch", 0.09)
    assert near == pytest.approx(far, abs=1e-3)
    corner, _ = put(sim, "tee1", 0.1 - 0.04)
    drag_since = branch - corner * exp(0.5 * np.pi / 4)
    assert branch > run * 1.3
    assert DRAG * 0.09 < drag_since < DRAG * 0.2
    assert put(sim, "straight1", 0.2)[0] == first


def test_it_is_slack_for_a_robot_that_goes_back_and_at_rest():
    sim = pulled([STRAIGHT, ELBOW, STRAIGHT], 0.25)
    assert put(sim, "straight2", 0.2, speed=-SPEED)[0] == 0.0
    assert put(sim, "straight2", 0.2, speed=0.0)[0] == pytest.approx(0.0, abs=1e-6)


def test_at_its_end_it_holds_whichever_way():
    sim = pulled([STRAIGHT, ELBOW, STRAIGHT], 0.0, length_m=0.3)
    assert put(sim, "straight1", 0.25)[0] < 0.2
    for speed in (SPEED, -SPEED):
        pull, paid = put(sim, "straight2", 0.2, speed=speed)
        assert pull > 0.99 * tether.TAUT * (paid - 0.3)


def test_in_the_open_only_the_length_counts():
    cable = {"drag_n_per_m": DRAG, "bend_friction": 2.0}
    sim = simulation("P", {"kind": "open-air", "gravity": 0.0, "tether": cable}, timestep_ms=1.0)
    sim.data.qpos[2] = 1.0
    for _ in range(500):
        sim.data.qvel[0] = 0.5
        sim.advance(1)
    assert tether.paid_out(sim.data) == pytest.approx(0.25, abs=0.01)
    assert -sim.data.xfrc_applied[1, 0] == pytest.approx(DRAG * tether.paid_out(sim.data), rel=0.05)


def test_a_cut_does_not_take_the_cable_in():
    world = {"kind": "pipe", "parts": [STRAIGHT], "tether": {"drag_n_per_m": 0.0}}
    sim = simulation("THPP", world, timestep_ms=1.0)
    sim.actuators.write(np.ones(len(sim.actuators.names)))
    sim.advance(3000)
    before = tether.paid_out(sim.data)
    assert before > 0.02
    sim.cut("P1.back", "P2.front")
    sim.advance(1)
    assert tether.paid_out(sim.data) == pytest.approx(before, abs=1e-3)


def test_a_robot_is_slower_with_the_cable_round_two_elbows():
    parts = [{"part": "straight", "length_mm": 60}, ELBOW, ELBOW, STRAIGHT]
    ways = []
    for friction in (0.0, 1.0):
        given = {"drag_n_per_m": 0.6, "bend_friction": friction}
        sim = simulation("HP", {"kind": "pipe", "parts": parts, "tether": given}, timestep_ms=1.0)
        sim.actuators.write(np.ones(len(sim.actuators.names)))
        sim.advance(12_000)
        ways.append(sim.progress())
    assert ways[0] > 0.2
    assert ways[1] < ways[0] - 0.01


@pytest.mark.parametrize(
    ("cable", "message"),
    [
        ({"bend_friction": -0.1}, "bend_friction.*at least 0"),
        ({"bend_friction": 9}, "bend_friction.*at most 2"),
        ({"drag_n_per_m": -1}, "drag_n_per_m.*at least 0"),
        ({"length_m": 0}, "length_m.*more than 0"),
    ],
)
def test_what_no_cable_is_like_is_refused_in_one_line(cable: dict[str, float], message: str):
    with pytest.raises(SpecError, match=message) as refused:
        parse_world({"kind": "pipe", "tether": cable}, worlds())
    assert "\n" not in str(refused.value)
