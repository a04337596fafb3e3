"""A12: pitch and roll from a noisy accelerometer (001 eqs 6-7), over poses at rest.

A rotation module carries the sensor.  On a rough ramp it lies in any heading and on any of its
four sides; in a pipe a braked helicoidal module holds it at steeper slopes, up and down.  Truth is
the body's own attitude, taken apart by ``scipy`` in 001's order (heading, pitch, roll about z, x, y
of the sensor frame): a mix-up of frames, or of a sign, would show as tens of degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import degrees

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from annelid.modules import shelf
from annelid.modules.shells import FLAT
from annelid.motion.orientation import pitch_and_roll
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.physics.simulation import Simulation
from annelid.robot import RobotSpec, assemble
from annelid.worlds import parse_world, worlds

Floats = NDArray[np.float64]

SAMPLE_S = 0.015
"""The boards' loop (001 §4.1.1)."""
WINDOW = 10
"""Samples averaged for one answer: 150 ms."""
ANSWERS = 4
SETTLE_S = 0.6
STILL = 0.1
"""A pose counts as rest below this speed of the sensor's part, rad/s."""
ERROR_MAX = 1.0

SIDES_DEG = (0, 90, 180, 270)
RAMPS_DEG, HEADINGS_DEG = (0, 10, 20), (0, 60, 120, 180, 240, 300)
"""Lying across a ramp of 30° or more a module rolls off: no rest, no answer."""
PIPES_DEG = (-75, -60, -45, 45, 60, 75)
"""Straight up, roll has no meaning (001 eq 7)."""

SENSOR_AXES = np.array(((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
"""Columns: 001's right, forward, up in the body's forward, left, up."""


@dataclass(frozen=True)
class Pose:
    place: str
    slope_deg: float
    heading_deg: float
    side_deg: float
    seed: int


@dataclass(frozen=True)
class Reading:
    """Degrees; errors in pitch and roll."""

    truth: tuple[float, float]
    averaged: Floats
    """One row for each window."""
    single: Floats
    """One row for each sample."""
    still: bool


def read(pose: Pose) -> Reading:
    slope = pose.slope_deg
    holder = "H" if pose.place == "pipe" else "P"
    modules = [{"type": holder}, {"type": "R", "angle_deg": pose.side_deg}]
    robot = assemble(RobotSpec.parse({"modules": modules}, where="robot"), shelf())
    if pose.place == "pipe":
        way = [{"part": "straight", "length_mm": 400}]
        table = {"kind": "pipe", "slope_deg": slope, "parts": way, "launch": "closed"}
    else:
        table = {
            "kind": "plane",
            "slope_deg": slope,
            "heading_deg": pose.heading_deg,
            "height_mm": 1000 * FLAT,  # put down, not dropped: a fall would tip it over
            "surface": {"friction": 3.0},
        }
    sim = Simulation(robot, parse_world(table, worlds()), seed=pose.seed)
    sim.advance_to(round(SETTLE_S * 1e9))
    channels = [sim.sensors.names.index(f"R1.accelerometer.{axis}") for axis in "xyz"]
    body = sim.data.body("R1/middle")
    samples, truths = [], []
    for _ in range(WINDOW * ANSWERS):
        sim.advance_to(sim.now_ns + round(SAMPLE_S * 1e9))
        samples.append(sim.sensors.read()[channels])
        attitude = Rotation.from_matrix(body.xmat.reshape(3, 3) @ SENSOR_AXES)
        truths.append(attitude.as_euler("ZXY", degrees=True)[1:])
    truth = np.array(truths)
    means = np.reshape(samples, (ANSWERS, WINDOW, 3)).mean(axis=1)
    return Reading(
        truth=(float(truth[-1, 0]), float(truth[-1, 1])),
        averaged=_errors(means, truth[WINDOW - 1 :: WINDOW]),
        single=_errors(np.array(samples), truth),
        still=bool(np.abs(body.cvel[:3]).max() < STILL),
    )


def _errors(readings: Floats, truth: Floats) -> Floats:
    found = np.array([[degrees(angle) for angle in pitch_and_roll(*r)] for r in readings])
    wrapped: Floats = (found - truth + 180) % 360 - 180
    return wrapped


def poses(bench: Bench) -> list[Pose]:
    ramps = product(("ramp",), RAMPS_DEG, HEADINGS_DEG, SIDES_DEG)
    pipes = product(("pipe",), PIPES_DEG, (0,), SIDES_DEG)
    every = [*ramps, *pipes]
    chosen = every[::7] if bench.quick else every
    return [Pose(*where, seed=bench.seed + k) for k, where in enumerate(chosen)]


def experiment(bench: Bench) -> Outcome:
    readings = bench.map(read, poses(bench), what="reading poses")
    still = [reading for reading in readings if reading.still]
    averaged = np.concatenate([reading.averaged for reading in still])
    single = np.concatenate([reading.single for reading in still])
    worst_pitch, worst_roll = np.abs(averaged).max(axis=0).tolist()
    truth = np.array([reading.truth for reading in still])
    return Outcome(
        ours=(
            f"worst of {len(averaged)} answers in {len(still)} poses: pitch {worst_pitch:.2f}°, "
            f"roll {worst_roll:.2f}°"
        ),
        passed=max(worst_pitch, worst_roll) <= ERROR_MAX and len(still) == len(readings),
        note=(
            f"Noise 0.05 m/s² on each axis; mean of {WINDOW} samples, one every "
            f"{1000 * SAMPLE_S:.0f} ms. A single sample is off by "
            f"{np.sqrt(np.mean(single[:, 0] ** 2)):.2f}° in pitch and "
            f"{np.sqrt(np.mean(single[:, 1] ** 2)):.2f}° in roll (RMS; at worst "
            f"{np.abs(single).max():.1f}°). Pitch from {truth[:, 0].min():.0f}° to "
            f"{truth[:, 0].max():.0f}°, roll all round; {len(readings) - len(still)} of "
            f"{len(readings)} poses did not come to rest."
        ),
        values={
            "pitch_worst_deg": worst_pitch,
            "roll_worst_deg": worst_roll,
            "pitch_single_rms_deg": float(np.sqrt(np.mean(single[:, 0] ** 2))),
            "roll_single_rms_deg": float(np.sqrt(np.mean(single[:, 1] ** 2))),
            "poses": len(still),
            "poses_not_at_rest": len(readings) - len(still),
            "window_s": WINDOW * SAMPLE_S,
        },
        plots=(
            _figure("Pitch", 0, still),
            _figure("Roll", 1, still),
        ),
    )


def _figure(name: str, column: int, readings: list[Reading]) -> Figure:
    true = [reading.truth[column] for reading in readings for _ in range(ANSWERS)]
    errors = np.concatenate([reading.averaged[:, column] for reading in readings])
    return Figure(
        f"{name} from the accelerometer, at rest",
        f"true {name.lower()}, °",
        f"error of {name.lower()}, °",
        (Series.of(f"mean of {WINDOW} samples", true, errors, style="points"),),
    )
