"""Centre of mass, the bed of springs and its limits, against the engine and plain statics."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from tests.systems.climber.climbs import ClimbRun, hexapod, on_plane

from annelid.modules.servos import A1_16
from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.model import Climber, read_robot

G = 9.81


def leaning(slope_deg: float) -> np.ndarray:
    """Gravity in a body that climbs straight up a slope."""
    slope = np.radians(slope_deg)
    return G * np.array([-np.sin(slope), 0.0, -np.cos(slope)])


@pytest.fixture(scope="module")
def climber() -> Climber:
    return read_robot(hexapod())


@pytest.mark.parametrize("leg", [{}, {"wrist": 2}, {"ankle_mm": 40, "tibia_mm": 123}])
def test_centre_of_mass_is_the_engines(leg: dict[str, float]) -> None:
    robot = hexapod(leg=leg)
    model = read_robot(robot)
    sim = on_plane(robot)
    rng = np.random.default_rng(1)
    for _ in range(5):
        q = rng.uniform(model.legs.low, model.legs.high)
        for name, row in zip(model.names, q, strict=True):
            for joint, angle in zip(model.joints, row, strict=True):
                sim.data.joint(f"{name}/{joint}").qpos[0] = angle
        mujoco.mj_kinematics(sim.model, sim.data)
        mujoco.mj_comPos(sim.model, sim.data)
        trunk = sim.data.body("Y1/trunk")
        true = trunk.xmat.reshape(3, 3).T @ (sim.centre() - trunk.xpos)
        # A wrist's weight is counted as if its cup looked along the last link.
        assert model.masses.centre(q) == pytest.approx(true, abs=1e-3 if "wrist" in leg else 1e-6)


def test_weight_asks_of_joints_what_virtual_work_says(climber: Climber) -> None:
    masses, small = climber.masses, 1e-6
    weights = np.concatenate([masses.masses.coxae[None], masses.masses.links.T])
    q = np.random.default_rng(2).uniform(climber.legs.low, climber.legs.high)
    pull = np.array([1.0, -3.0, -9.0])
    for joint in range(3):
        step = small * np.eye(3)[joint]
        moved = (masses.centres(q + step) - masses.centres(q - step)) / (2 * small)
        work = np.einsum("kn,kni,i->n", weights, moved, pull)
        assert masses.torques(q, pull)[:, joint] == pytest.approx(work, abs=1e-7)


@pytest.mark.parametrize("slope", [0, 45, 90, 180])
@pytest.mark.parametrize(("led", "even"), [(True, False), (True, True), (False, False)])
def test_forces_balance_the_weight(climber: Climber, slope: float, led: bool, even: bool) -> None:
    q = climber.legs.inverse(climber.stance)
    gravity = leaning(slope)
    loads = climber.forces.loads(q, gravity, np.ones(6), led=led, even=even)
    arms = climber.stance - climber.masses.centre(q)
    assert loads.forces.sum(axis=0) == pytest.approx(-climber.masses.total * gravity)
    assert np.cross(arms, loads.forces).sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_lifted_leg_bears_nothing(climber: Climber) -> None:
    q = climber.legs.inverse(climber.stance)
    cases = climber.forces.without(np.ones(6))
    loads = climber.forces.loads(q, leaning(90), cases)
    assert np.abs(np.diagonal(loads.normal)).max() < 1e-4
    assert np.diagonal(loads.shear).max() < 1e-4


@pytest.mark.parametrize("slope", [0, 90, 180])
def test_a_led_robot_uses_its_cups_less_than_a_sprung_one(climber: Climber, slope: float) -> None:
    """On a ceiling less than half: sprung feet strain sideways with more than their weight."""
    q = climber.legs.inverse(climber.stance)
    led, sprung = (
        climber.forces.loads(q, leaning(slope), np.ones(6), led=which) for which in (True, False)
    )
    assert led.shear_use.max() < sprung.shear_use.max() * (0.5 if slope == 180 else 0.95)
    assert sprung.torque_use.max() < led.torque_use.max()


@pytest.mark.parametrize("slope", range(30, 181, 30))
def test_evened_out_the_worst_leg_bears_less_whichever_is_lifted(
    climber: Climber, slope: float
) -> None:
    """On a wall a fifth less at least."""
    q = climber.legs.inverse(climber.stance)
    cases = climber.forces.without(np.ones(6))
    plain, evened = (
        climber.forces.loads(q, leaning(slope), cases, even=even).strain(climber.forces.grip)
        for even in (False, True)
    )
    assert (evened < plain).all()
    assert evened.max() < plain.max() * (0.82 if slope == 90 else 1.0)


@pytest.mark.parametrize("slope", [0.0, 90.0, 180.0])
@pytest.mark.parametrize(("steps", "part"), [(2**20, 8), (1024, 5)])
def test_the_model_foresees_the_engines_contact_forces(slope: float, steps: int, part: int) -> None:
    """Standing still on six cups, within an eighth of a foot's share of the weight; a fifth where
    feet strain against each other by the steps of their encoders."""
    servo = A1_16.model_copy(update={"angle_steps": steps})
    run = ClimbRun({"way": []}, robot=hexapod(leg={"servo": servo}), slope_deg=slope)
    run.run(3.0)
    now = run.now
    q = now.stance_joints(now.wish)
    gravity = now.gravity_at(now.wish)
    told = run.net.climber.forces.loads(q, gravity, now.vacuum, normal=UP, even=True)
    share = run.net.climber.masses.total * G / 6
    assert np.abs(told.forces - run.contact_forces()).max() < share / part
