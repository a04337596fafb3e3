"""Pictures: what is to be seen is in them, or one line says what is missing."""

import subprocess
import sys

import numpy as np
import pytest

from annelid.errors import MissingDependency
from annelid.modules import shelf
from annelid.physics import render, view
from annelid.physics.simulation import Simulation
from annelid.robot import assemble
from annelid.robot.robot import chain
from annelid.worlds import parse_world, worlds


@pytest.fixture(scope="module")
def sim() -> Simulation:
    world = parse_world({"kind": "pipe"}, worlds())
    return Simulation(assemble(chain("TRHV"), shelf()), world)


def test_a_picture_shows_the_robot_or_one_line_says_what_to_install(sim):
    reason = render.available()
    if reason is not None:
        assert reason == render.INSTALL
        return
    states = [sim.data.qpos.copy()]
    there = view.follow(sim.plan, states, aspect=16 / 9, direction=(90.0, -35.0))[0]
    with render.Painter(sim.model, width=320, height=180) as painter:
        picture = painter.frame(states[0], there)
        again = painter.frame(states[0], there)
        away = painter.frame(states[0], there.moved_to((0.0, 0.0, 5.0)))
    assert picture.shape == (180, 320, 3)
    assert (picture == again).all()
    red, green = picture[..., 0].astype(float), picture[..., 1].astype(float)
    reds = (red > 100) & (red > 2.2 * green)
    left, right = np.flatnonzero(reds.any(axis=0))[[0, -1]]
    assert left > 160, "the red head is at the right end"
    assert right < 319, "all of it is in the picture"
    assert np.ptp(away.reshape(-1, 3), axis=0).max() < 60, "there is nothing but sky"


def test_switched_off_is_one_line_and_an_error_of_ours(sim, monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    reason = render.available()
    assert reason is not None
    assert "\n" not in reason
    with pytest.raises(MissingDependency, match="MUJOCO_GL=disabled"):
        render.Painter(sim.model)


def test_a_machine_without_drivers_says_what_to_install():
    code = (
        "from annelid.physics import render;"
        "render._back_ends = lambda wish: [lambda: (_ for _ in ()).throw(OSError('no EGL'))];"
        "print(render.available())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == render.INSTALL + "\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("MUJOCO_EGL_DEVICE_ID", "The MUJOCO_EGL_DEVICE_ID environment variable must be …"),
        ("PYOPENGL_PLATFORM", "Cannot use EGL rendering platform. PYOPENGL_PLATFORM is 99"),
    ],
)
def test_a_wrong_variable_is_not_told_as_something_to_install(
    sim, monkeypatch: pytest.MonkeyPatch, name: str, words: str
):
    def fails(*_: int) -> None:
        raise RuntimeError(words)

    monkeypatch.setattr(render, "_back_ends", lambda _: [lambda: fails])
    monkeypatch.setenv("MUJOCO_GL", "egl")
    monkeypatch.delenv(name, raising=False)
    with pytest.raises(MissingDependency, match="apt-get"):  # the control: it is not set
        render.Painter(sim.model)
    monkeypatch.setenv(name, "99")
    with pytest.raises(MissingDependency, match=f"no pictures: {name}='99' does not work"):
        render.Painter(sim.model)


@pytest.mark.parametrize("aspect", [0.5, 16 / 9])
@pytest.mark.parametrize("direction", [None, (90.0, -35.0), (40.0, -10.0)])
def test_everything_fits_and_touches_the_frame(aspect, direction):
    points = np.random.default_rng(1).uniform((-1, -0.2, 0), (1, 0.5, 0.3), (200, 3))
    seen = view.fit(points, fovy=28.0, aspect=aspect, direction=direction)
    right, up, forward = view._axes(seen.azimuth_deg, seen.elevation_deg)
    eye = np.array(seen.at) - seen.distance * forward
    depth = (points - eye) @ forward
    half = np.tan(np.radians(14.0))
    across = np.abs((points - eye) @ right) / (depth * half * aspect)
    along = np.abs((points - eye) @ up) / (depth * half)
    assert (depth > 0).all()
    largest = max(across.max(), along.max())
    assert 0.75 < largest < 1.0


def test_a_camera_that_follows_glides(sim):
    start = sim.data.qpos.copy()
    states = []
    for k in range(48):
        moved = start.copy()
        moved[0] += 0.002 * k + (0.01 if k % 2 else -0.01)
        states.append(moved)
    views = view.follow(sim.plan, states, aspect=1.5, direction=(90.0, -35.0))
    steps = np.diff([one.at[0] for one in views])
    assert np.abs(steps).max() < 0.006, "shaking of 20 mm a frame is smoothed"
    assert views[-1].at[0] - views[0].at[0] > 0.06
    assert len({one.distance for one in views}) == 1


@pytest.mark.parametrize("slope", [0.0, 45.0, 90.0, 135.0, 180.0])
def test_walls_and_ceilings_are_seen_from_their_own_side(slope):
    """From behind, the engine draws a plane as a mist in front of the robot."""
    world = parse_world({"kind": "plane", "slope_deg": slope}, worlds())
    here = Simulation(assemble(chain("TRHV"), shelf()), world)
    seen = view.overview(here.plan, [here.data.qpos], aspect=16 / 9)
    forward = view._axes(seen.azimuth_deg, seen.elevation_deg)[2]
    normal = np.array([-np.sin(np.radians(slope)), 0.0, np.cos(np.radians(slope))])
    assert forward @ normal < -0.3
    assert forward @ normal > -0.95
    lamps = here.model.light_dir @ normal
    assert (lamps < -0.3).all(), "a lamp is behind it"
