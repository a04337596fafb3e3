"""What the boards can sense is what is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from tests.rigs import STRAIGHT, robot, simulation

from annelid.kernel import RandomStreams
from annelid.physics.sensor_row import BLOCK, Noise

QUIET = {"infrared_noise_mm": 0.0}


def test_infrared_measures_the_bore() -> None:
    """From a nose on the axis, a ray at 45° meets the wall of a 40 mm bore after
    (20 - 13.5/√2)·√2 mm."""
    sim = simulation(robot("T", T=QUIET), {**STRAIGHT, "gravity": 0.0})
    expected = (0.020 - 0.0135 / np.sqrt(2)) * np.sqrt(2)
    for side in ("left", "right", "up", "down"):
        assert sim.sensors.read_one(f"T1.infrared_{side}") == pytest.approx(expected, abs=1e-4)


def test_infrared_sees_an_obstacle_in_the_open_and_nothing_beyond_its_range() -> None:
    world = {
        "kind": "open-air",
        "obstacles": [{"shape": "wall", "from_mm": [-200, 60], "to_mm": [400, 60]}],
    }
    sim = simulation(robot("T", T=QUIET), world)
    at = sim.head()[1] + 0.0135 / np.sqrt(2)
    seen = sim.sensors.read_one("T1.infrared_left")
    assert seen == pytest.approx((0.055 - at) * np.sqrt(2), abs=1e-3)
    assert sim.sensors.read_one("T1.infrared_right") == pytest.approx(0.150)


def test_the_nose_feels_a_cap_but_not_the_floor() -> None:
    world = {
        "kind": "pipe",
        "parts": [{"part": "straight", "length_mm": 60}, {"part": "cap"}],
    }
    sim = simulation("TH", world)
    sim.advance(400)
    assert sim.sensors.read_one("T1.nose") == 0.0
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(6000)
    assert sim.sensors.read_one("T1.nose") > 0.1


def test_encoders_count_the_way_of_a_pushed_traveller() -> None:
    sim = simulation("HV", STRAIGHT)
    sim.actuators.write_one("H1.drive", 1.0)
    sim.advance(400)
    names = [f"V1.encoder{k}" for k in range(3)]
    start, begin = sim.head()[0], max(sim.sensors.read_one(n) for n in names)
    sim.advance(8000)
    way = sim.head()[0] - start
    counted = max(sim.sensors.read_one(n) for n in names) - begin
    assert way > 0.08
    assert counted == pytest.approx(way, rel=0.03)


def test_gravity_is_felt_in_the_frame_of_the_paper() -> None:
    """001 Fig 8: x lateral, y along the chain, z up: uphill, gravity is felt along +y."""
    sim = simulation("HR", {**STRAIGHT, "slope_deg": 30.0})
    sim.advance(1000)
    names = [f"R1.accelerometer.{axis}" for axis in "xyz"]
    mean = np.zeros(3)
    for _ in range(200):
        sim.advance(1)
        mean += [sim.sensors.read_one(name) for name in names]
    mean /= 200
    # The last module lies on the wall, tilted by a degree or two.
    assert mean == pytest.approx([0, 9.81 * 0.5, 9.81 * np.sqrt(0.75)], abs=0.45)


def test_climate_is_the_worlds() -> None:
    sim = simulation("N", {**STRAIGHT, "temperature_c": 41.0, "humidity_percent": 80.0})
    assert sim.sensors.read_one("N1.thermometer") == pytest.approx(41.0, abs=1.0)
    assert sim.sensors.read_one("N1.hygrometer") == pytest.approx(80.0, abs=3.0)


def test_asking_twice_in_a_step_gives_the_same_answer_and_the_next_step_another() -> None:
    sim = simulation("TR", STRAIGHT)
    first = sim.sensors.read()
    assert (sim.sensors.read() == first).all()
    sim.advance(1)
    assert (sim.sensors.read() != first).any()


def test_who_looks_how_often_changes_nothing() -> None:
    """Noise belongs to the step, also across blocks and for a camera."""
    seldom, often = (simulation("TR", STRAIGHT) for _ in range(2))
    for _ in range(600):
        often.advance(1)
        often.sensors.read()
    often.sensors.picture("T1.camera")
    seldom.advance(600)
    assert (seldom.sensors.read() == often.sensors.read()).all()
    assert (seldom.sensors.picture("T1.camera") == often.sensors.picture("T1.camera")).all()


def test_noise_has_the_deviation_it_should() -> None:
    noise = Noise(RandomStreams(3), "imu", 0.2, 3)
    rows = np.array([noise.at(step) for step in range(4 * BLOCK)])
    assert rows.shape == (4 * BLOCK, 3)
    assert rows.std() == pytest.approx(0.2, rel=0.05)
    assert len(np.unique(rows)) == rows.size
    assert Noise(RandomStreams(3), "imu", 0.0).at(7) == [0.0]


def test_the_camera_sees_a_hole_as_a_dark_spot_on_its_side() -> None:
    broken = {
        **STRAIGHT,
        "breaks": [
            {"part": "straight1", "along_mm": 60, "clock_deg": 90, "shape": "hole", "size_mm": 12}
        ],
    }
    whole_pipe = simulation("T", {**STRAIGHT, "gravity": 0.0}).sensors.picture("T1.camera")
    picture = simulation("T", {**broken, "gravity": 0.0}).sensors.picture("T1.camera")
    assert picture.shape == (240, 320)
    assert picture.dtype == np.uint8
    darker = whole_pipe.astype(int) - picture > 40
    assert 100 < darker.sum() < 20_000
    # Clock angles count to the right when looking forward.
    assert np.argwhere(darker)[:, 1].mean() > 160


def test_a_stripe_on_the_floor_is_seen() -> None:
    world = {
        "kind": "open-air",
        "stripes": [{"points_mm": [[20, 0], [600, 0]], "width_mm": 30, "grey": 0.0}],
    }
    picture = simulation("T", world).sensors.picture("T1.camera")
    below = picture[200]
    assert below[155:165].mean() < 20 < below[:40].mean()


@pytest.mark.parametrize(
    ("letters", "world"),
    [("TRRHV", STRAIGHT), ("RRRR", {"kind": "open-air"}), ("TNP", {"kind": "open-air"})],
)
def test_a_row_of_readings_is_what_boards_read_one_by_one(
    letters: str, world: Mapping[str, Any]
) -> None:
    sim = simulation(letters, world, seed=11)
    before = sim.sensors.read()
    for steps in (1, 300, 700):
        sim.advance(steps)
        row = sim.sensors.read()
        assert row.tolist() == [sim.sensors.read_one(name) for name in sim.sensors.names]
    assert row.tolist() != before.tolist()
