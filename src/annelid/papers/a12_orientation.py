"""A12: pitch and roll from a noisy accelerometer (001 eqs 6-7), over poses at rest.

A rotation module carries the sensor.  On a rough ramp it lies in any heading and on any of its
four sides; in a pipe a braked helicoidal module holds it at steeper slopes, up and down.  Truth is
the body's own attitude, taken apart by ``scipy`` in 001's order (heading, pitch, roll about z, x, y
of the sensor frame): a mix-up of frames, or of a sign, would show as tens of degrees.

Every pose is taken by another module.  What its sensor's zero is off by is part of the error; the
same poses with the zeros taken out show what noise and equations leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from annelid.motion.orientation import pitch_and_roll
from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

WINDOW, ANSWERS = 10, 4
"""Samples averaged for one answer (150 ms), and answers of a pose: the last 0.6 s."""
STILL_DEG: Final = 0.86
"""A pose counts as rest if the attitude changes by less in the last window: 0.1 rad/s."""
ERROR_MAX: Final = 1.0

SIDES_DEG = (0, 90, 180, 270)
RAMPS_DEG, HEADINGS_DEG = (0, 10, 20), (0, 60, 120, 180, 240, 300)
"""Lying across a ramp of 30° or more a module rolls off: no rest, no answer."""
PIPES_DEG = (-75, -60, -45, 45, 60, 75)
"""Straight up, roll has no meaning (001 eq 7)."""

FIELDS: Final = {
    "slope": "world.slope_deg",
    "heading": "world.heading_deg",
    "side": "robot.modules.1.angle_deg",
}

SENSOR_AXES = np.array(((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
"""Columns: 001's right, forward, up in the body's forward, left, up."""


@dataclass(frozen=True)
class Reading:
    """Degrees; rows of pitch and roll."""

    truth: Floats
    """For each sample."""
    errors: Floats
    """For each window."""

    @property
    def still(self) -> bool:
        return bool(np.abs(_wrapped(self.truth[-WINDOW:] - self.truth[-1])).max() < STILL_DEG)


def judge(run: Run) -> Reading:
    (states,) = run.states()
    last = range(len(states.qpos))[-WINDOW * ANSWERS :]
    truth = np.array([_attitude(states.show(frame).data.body("R1/middle").xmat) for frame in last])
    sensors = run["sensors"]
    read = [sensors[f"R1.accelerometer.{axis}"][last.start :] for axis in "xyz"]
    samples = np.column_stack(read)
    means = samples.reshape(ANSWERS, WINDOW, 3).mean(axis=1)
    told = np.degrees([pitch_and_roll(*mean) for mean in means])
    return Reading(truth, _wrapped(told - truth[WINDOW - 1 :: WINDOW]))


def _attitude(turned: Floats) -> Floats:
    turn = Rotation.from_matrix(turned.reshape(3, 3) @ SENSOR_AXES)
    return np.asarray(turn.as_euler("ZXY", degrees=True)[1:])


def _wrapped(angles: Floats) -> Floats:
    return np.asarray((angles + 180) % 360 - 180)


def another(seed: int, *, pose: int) -> dict[str, Any]:
    """Every pose is that of another module."""
    return {"seed": 1000 * seed + pose}


def cases(*, quick: bool) -> dict[tuple[str, bool], Case]:
    """By pose, and by whether the sensor's zero is where it should be."""
    poses: list[tuple[str, dict[str, float]]] = [
        ("a12-ramp", {"slope": slope, "heading": heading, "side": side})
        for slope, heading, side in product(RAMPS_DEG, HEADINGS_DEG, SIDES_DEG)
    ]
    poses += [("a12-pipe", {"slope": s, "side": side}) for s, side in product(PIPES_DEG, SIDES_DEG)]
    found = {}
    for number, (scenario, pose) in list(enumerate(poses))[:: 7 if quick else 1]:
        lies = {FIELDS[name]: value for name, value in pose.items()}
        for exact in (False, True):
            fields = {**lies, **({"tolerances.sensor_offset_percent": 0.0} if exact else {})}
            varied = partial(another, pose=number)
            found[f"{number}", exact] = Case(scenario, fields, varied)
    return found


def experiment(bench: Bench) -> Outcome:
    runs = bench.trials(cases(quick=bench.quick), judge)
    found = {
        exact: [one for (_, is_exact), (one,) in runs.items() if is_exact is exact]
        for exact in (False, True)
    }
    still = {exact: [each for each in found[exact] if each.still] for exact in found}
    errors = {
        exact: np.abs(np.concatenate([each.errors for each in still[exact]])) for exact in found
    }
    (pitch, roll), (least_pitch, least_roll) = (errors[exact].max(axis=0) for exact in found)
    within = Rate.count((errors[False].max(axis=1) <= ERROR_MAX).tolist())
    truth = np.concatenate([each.truth for each in still[False]])
    moved = len(found[False]) - len(still[False])
    return Outcome(
        ours=(
            f"{within.value:.0%} of {len(errors[False])} answers within {ERROR_MAX:g}° "
            f"({within.low:.0%} to {within.high:.0%}); worst pitch {pitch:.2f}°, roll {roll:.2f}°"
        ),
        passed=max(pitch, roll) <= ERROR_MAX and not moved,
        note=(
            f"{len(still[False])} poses, each by another module; {moved} did not come to rest.  "
            "The zero of each axis is off by 0.5 % of its range (1 standard deviation); without "
            f"that the worst are {least_pitch:.2f}° and {least_roll:.2f}°.  Noise 0.05 m/s² on "
            f"each axis, mean of {WINDOW} samples.  Pitch from {truth[:, 0].min():.0f}° to "
            f"{truth[:, 0].max():.0f}°, roll all round."
        ),
        values={
            "pitch_worst_deg": pitch,
            "roll_worst_deg": roll,
            "pitch_worst_without_offset_deg": least_pitch,
            "roll_worst_without_offset_deg": least_roll,
            "within_rate": within.value,
            "poses": len(still[False]),
            "poses_not_at_rest": moved,
        },
    )
