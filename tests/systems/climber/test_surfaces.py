"""Surfaces that bend: the world rolls along under the robot."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from tests.systems.climber.climbs import PHYSICS, ClimbRun, hexapod

from annelid.electronics.circuit import Circuit
from annelid.errors import InputError, SpecError
from annelid.kernel import Kernel
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.systems.climber.executive.pose import turned
from annelid.systems.climber.network import build
from annelid.systems.climber.planner.ground import Ground
from annelid.systems.climber.spec import ClimberSpec
from annelid.worlds.plane import Plane
from annelid.worlds.scenery import Block, Pose, Scenery
from annelid.worlds.world import World

RADIUS = 0.6


def feet_on_drum(turn: float) -> np.ndarray:
    """Footholds on a drum along y, seen where it is inclined by ``turn`` rad."""
    flat = np.array([[x, y] for x in (-0.2, 0.0, 0.2) for y in (-0.25, 0.25)])
    high = np.sqrt(RADIUS**2 - flat[:, 0] ** 2) - RADIUS
    return np.column_stack([flat, high]) @ turned(np.array([0.0, turn, 0.0])).T


def test_feet_show_how_a_drum_bends_and_is_inclined() -> None:
    ground = Ground(curved=True)
    feet = feet_on_drum(0.1)
    for foot in feet:
        ground.found(foot)
    normal = ground.normals(np.zeros((1, 3)))[0]
    assert np.arctan2(normal[0], normal[2]) == pytest.approx(0.1, abs=0.02)
    by = ground.levelling(np.zeros(3), feet)
    ground.roll(by)
    level = ground.normals(by.out(np.zeros((1, 3))))[0]
    assert level == pytest.approx([0.0, 0.0, 1.0], abs=0.02)
    assert by.out(feet)[:, 2].mean() == pytest.approx(0.0, abs=1e-9)
    ahead, behind = ground.normals(np.array([[0.2, 0.0, 0.0], [-0.2, 0.0, 0.0]]))[:, 0]
    assert ahead - behind == pytest.approx(0.4 / RADIUS, rel=0.25)


def test_a_drum_with_patches_is_refused() -> None:
    spots = [{"x_mm": 0, "y_mm": 0, "radius_mm": 20}]
    with pytest.raises(SpecError, match="expected a flat shape, got a drum"):
        Plane.parse({"kind": "plane", "shape": "drum", "patches": spots}, where="world")


NEAR = {"length_mm": 170.0}
"""Feet stand nearer to the body than as shipped: on a bend of 0.5 m legs then reach down."""


def walks(run: ClimbRun, way_mm: float, until_s: float) -> None:
    """A way is told along the surface; the body, above it, goes farther."""
    before = run.sim.placement("Y1").at.copy()
    while run.time_s < until_s and not run.now.arrived:
        run.run(run.time_s + 0.5)
        assert not run.now.critical
    assert run.now.arrived, run.now.blocked
    moved = 1000 * float(np.linalg.norm(run.sim.placement("Y1").at - before))
    assert 0.8 * way_mm < moved < 1.6 * way_mm


def on_bend(
    way_mm: float, shape: str, radius_mm: float, *, leg: dict[str, Any], **start: Any
) -> ClimbRun:
    return ClimbRun(
        {"way": [{"x_mm": way_mm}], "surface": "curved"},
        robot=hexapod(leg=leg),
        begun_s=4.5,
        shape=shape,
        radius_mm=radius_mm,
        **{"height_mm": 66.0, **start},
    )


def test_it_walks_on_the_side_of_a_dome_of_half_a_metre() -> None:
    run = on_bend(60, "dome", 500.0, leg=NEAR, slope_deg=90.0, heading_deg=40.0)
    walks(run, 60, 40.0)
    assert len(set(run.pattern)) > 3, "legs have stepped"


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["drum", "dome"])
@pytest.mark.parametrize("seed", [811, 812])
def test_it_walks_on_bends_of_chance(shape: str, seed: int) -> None:
    """Any slope, overhanging ones with the cups that a plane of that slope needs."""
    chance = np.random.default_rng(seed)
    run = on_bend(
        150,
        shape,
        float(chance.uniform(500, 1500)),
        leg={**NEAR, "suction_n": 45.0},
        slope_deg=float(chance.uniform(0, 180)),
        heading_deg=float(chance.uniform(0, 360)),
    )
    walks(run, 150, 70.0)


@pytest.mark.slow
def test_with_feet_as_far_out_as_shipped_a_narrow_dome_ends_in_a_stop_in_words() -> None:
    run = on_bend(150, "dome", 500.0, leg={}, slope_deg=1.0, heading_deg=16.0)
    while run.time_s < 120.0 and not run.now.critical:
        run.run(run.time_s + 0.5)
    assert "cannot reach" in run.now.critical
    assert "reaches no place ahead" in run.now.blocked
    assert run.now.standing.sum() >= 5, "it holds on"


def test_a_bend_too_steep_for_the_cups_is_said_at_once() -> None:
    run = on_bend(60, "dome", 500.0, leg=NEAR, slope_deg=120.0, heading_deg=40.0)
    assert "cups of 30 N hold here and do not walk" in run.now.critical
    assert not run.pattern


@pytest.mark.parametrize(
    ("told", "world", "words"),
    [
        ("flat", {"shape": "drum"}, "expected 'curved' on a plane of the shape 'drum', got 'flat'"),
        ("flat", {"shape": "dome"}, "expected 'curved' on a plane of the shape 'dome', got 'flat'"),
        ("curved", {}, "expected 'flat' on a plane of the shape 'flat', got 'curved'"),
    ],
)
def test_a_surface_that_is_not_what_the_robot_is_told_is_refused(
    told: str, world: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words) as refused:
        ClimbRun({"surface": told}, **world)
    assert "\n" not in str(refused.value)


class Bench(World):
    """A level bench with an edge 150 mm ahead of the start."""

    title: ClassVar[str] = "a bench"

    kind: Literal["bench"] = "bench"

    def scenery(self, robot_length: float) -> Scenery:
        top = Block(shape="box", size=(1.0, 1.0, 0.05), at=(-0.85, 0.0, -0.05), name="bench")
        return Scenery(start=Pose((0.0, 0.0, 0.0908)), blocks=(top,))


def test_a_start_across_an_edge_is_refused() -> None:
    sim = Simulation(hexapod(), Bench(), Physics.parse(PHYSICS, where="physics"))
    with pytest.raises(
        InputError, match=r"no surface below the foot of leg \d; begin away from edge"
    ):
        build(ClimberSpec(), Circuit(Kernel(), sim))
