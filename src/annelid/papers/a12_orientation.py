"""A12: pitch and roll from a noisy accelerometer (001 eqs 6-7), over poses at rest.

A rotation module carries the sensor.  On a rough ramp it lies in any heading and on any of its
four sides; in a pipe a braked helicoidal module holds it at steeper slopes, up and down.  Truth is
the body's own attitude, taken apart by ``scipy`` in 001's order (heading, pitch, roll about z, x, y
of the sensor frame): a mix-up of frames, or of a sign, would show as tens of degrees.

Every pose is taken by another module, whose zeros are drawn.  As on a bench, the module is
calibrated first: it is laid on its four sides on the level, nose up and nose down, and its zeros
follow from what it reads there (``motion/zeros.py``).  No pose is both calibrated with and judged.

The same seed is the same module in all its runs; the row checks that by what each run has written
down as built.  But it is also the same noise at the same time of a run.  So each pose of the
calibration is read later than the one before, and all of them later than the judged one: the noise
of an answer is never that of the calibration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from annelid.motion import accelerometer_zeros, pitch_and_roll
from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

WINDOW, ANSWERS = 20, 2
"""Samples averaged for one answer (300 ms), and answers of a pose: the last 0.6 s.  The mean of ten
leaves a sensor without any zero error 1.2° of roll once in 1152 answers, in a pipe of 75°."""
STILL_DEG: Final = 0.86
"""A pose counts as rest if the attitude changes by less in the last window: 0.05 rad/s."""
ERROR_MAX: Final = 1.0

SIDES_DEG = (0, 90, 180, 270)
RAMPS_DEG, HEADINGS_DEG = (5, 10, 20), (0, 60, 120, 180, 240, 300)
"""Lying across a ramp of 30° or more a module rolls off: no rest, no answer.  The level is where
it is calibrated."""
PIPES_DEG = (-75, -60, -45, 45, 60, 75)
"""Straight up, roll has no meaning (001 eq 7)."""

FIELDS: Final = {
    "slope": "world.slope_deg",
    "heading": "world.heading_deg",
    "side": "robot.modules.1.angle_deg",
}

Pose = tuple[str, Mapping[str, float]]
"""A shipped scenario, and how the module lies in it."""
BENCH_POSES: Final[tuple[Pose, ...]] = (
    *(("a12-ramp", {"slope": 0.0, "heading": 0.0, "side": float(side)}) for side in SIDES_DEG),
    ("a12-pipe", {"slope": 90, "side": 0}),
    ("a12-pipe", {"slope": -90, "side": 0}),
)
"""In which a module is calibrated."""
SETTLE_S, READ_S = 0.6, 0.6
"""Of a run: until the module has come to rest, and what is read then."""

SENSOR_AXES = np.array(((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
"""Columns: 001's right, forward, up in the body's forward, left, up."""


@dataclass(frozen=True)
class Reading:
    """Degrees; rows of pitch and roll."""

    truth: Floats
    """For each sample."""
    samples: Floats
    """What the accelerometer read, m/s²: rows of x, y, z."""
    built: tuple[float, ...]
    """Zero errors that were drawn, as shares of the range."""

    def errors(self, zeros: Floats) -> Floats:
        """For each window, with these zeros taken off, m/s²."""
        means = self.samples.reshape(ANSWERS, WINDOW, 3).mean(axis=1) - zeros
        told = np.degrees([pitch_and_roll(*mean) for mean in means])
        return _wrapped(told - self.truth[WINDOW - 1 :: WINDOW])

    @property
    def still(self) -> bool:
        return bool(np.abs(_wrapped(self.truth[-WINDOW:] - self.truth[-1])).max() < STILL_DEG)


def judge(run: Run) -> Reading:
    (states,) = run.states()
    last = range(len(states.qpos))[-WINDOW * ANSWERS :]
    truth = np.array([_attitude(states.show(frame).data.body("R1/middle").xmat) for frame in last])
    sensors = run["sensors"]
    read = [sensors[f"R1.accelerometer.{axis}"][last.start :] for axis in "xyz"]
    built = run.as_built.sensor("R1.accelerometer").offset
    return Reading(truth, np.column_stack(read), built)


def _attitude(turned: Floats) -> Floats:
    turn = Rotation.from_matrix(turned.reshape(3, 3) @ SENSOR_AXES)
    return np.asarray(turn.as_euler("ZXY", degrees=True)[1:])


def _wrapped(angles: Floats) -> Floats:
    return np.asarray((angles + 180) % 360 - 180)


def another(seed: int, *, pose: int) -> dict[str, Any]:
    """Every pose is that of another module."""
    return {"seed": 1000 * seed + pose}


def judged_poses() -> list[Pose]:
    poses: list[Pose] = [
        ("a12-ramp", {"slope": slope, "heading": heading, "side": side})
        for slope, heading, side in product(RAMPS_DEG, HEADINGS_DEG, SIDES_DEG)
    ]
    return poses + [
        ("a12-pipe", {"slope": slope, "side": side})
        for slope, side in product(PIPES_DEG, SIDES_DEG)
    ]


def case(pose: Pose, module: int, **fields: Any) -> Case:
    """The module with this number, laid down so."""
    scenario, lies = pose
    own = {FIELDS[name]: value for name, value in lies.items()}
    return Case(scenario, {**own, **fields}, partial(another, pose=module))


def calibration(module: int) -> dict[tuple[int, str], Case]:
    """One pose after the other: each has another time, and so other noise."""
    return {
        (module, f"bench {k}"): case(pose, module, duration_s=round(SETTLE_S + (k + 2) * READ_S, 3))
        for k, pose in enumerate(BENCH_POSES)
    }


def zeros(poses: Sequence[Reading]) -> Floats:
    """Of the module that was laid down in these poses, m/s²."""
    return np.array(accelerometer_zeros([pose.samples.mean(axis=0) for pose in poses]))


@dataclass(frozen=True)
class Judged:
    """One module: its calibration, and what it told in another pose."""

    poses: Sequence[Reading]
    drawn: Reading
    nominal: Reading
    """In the same pose, with the zeros where they should be."""

    @property
    def still(self) -> bool:
        return all(each.still for each in (*self.poses, self.drawn, self.nominal))

    @property
    def same(self) -> bool:
        """Whether it was the same sensor on the bench and in the judged pose."""
        return all(pose.built == self.drawn.built for pose in self.poses)

    @property
    def errors(self) -> dict[str, Floats]:
        """Degrees, rows of pitch and roll: calibrated, as drawn, and without zero errors."""
        none = np.zeros(3)
        found = {
            CALIBRATED: self.drawn.errors(zeros(self.poses)),
            RAW: self.drawn.errors(none),
            NOMINAL: self.nominal.errors(none),
        }
        return {name: np.abs(each) for name, each in found.items()}


CALIBRATED, RAW, NOMINAL = "calibrated", "raw", "without_offset"


def judged(bench: Bench) -> list[Judged]:
    poses = list(enumerate(judged_poses()))[:: 7 if bench.quick else 1]
    cases: dict[tuple[int, str], Case] = {}
    for module, pose in poses:
        cases[module, RAW] = case(pose, module)
        cases[module, NOMINAL] = case(pose, module, **{"tolerances.sensor_offset_percent": 0.0})
        cases |= calibration(module)
    runs = {key: one for key, (one,) in bench.trials(cases, judge).items()}
    return [
        Judged([runs[key] for key in calibration(m)], runs[m, RAW], runs[m, NOMINAL])
        for m, _ in poses
    ]


def cured(calibrated: Rate, raw: Rate) -> bool:
    """Whether it is the calibration that makes answers right: without it they have to fail."""
    return raw.good < raw.of and calibrated.above(raw)


def experiment(bench: Bench) -> Outcome:
    found = judged(bench)
    still = [each for each in found if each.still]
    moved, other = len(found) - len(still), sum(not each.same for each in found)
    each = [one.errors for one in still]
    errors = {name: np.concatenate([one[name] for one in each]) for name in each[0]}
    worst = {name: rows.max(axis=0) for name, rows in errors.items()}
    pitch, roll = worst[CALIBRATED]
    within = {
        name: Rate.count((rows.max(axis=1) <= ERROR_MAX).tolist()) for name, rows in errors.items()
    }
    truth = np.concatenate([one.drawn.truth for one in still])
    return Outcome(
        ours=(
            f"calibrated: {within[CALIBRATED].value:.0%} of {len(errors[RAW])} answers within "
            f"{ERROR_MAX:g}° ({within[CALIBRATED].low:.0%} to {within[CALIBRATED].high:.0%}), "
            f"worst pitch {pitch:.2f}°, roll {roll:.2f}°; not calibrated: "
            f"{within[RAW].value:.0%}, worst {worst[RAW][0]:.2f}° and {worst[RAW][1]:.2f}°"
        ),
        passed=(
            max(pitch, roll) <= ERROR_MAX
            and cured(within[CALIBRATED], within[RAW])
            and not moved
            and not other
        ),
        note=(
            f"{len(still)} poses, each by another module; {moved} did not come to rest.  The zero "
            "of each axis is off by 0.5 % of its range (1 standard deviation).  Calibration: "
            f"{len(BENCH_POSES)} other poses (four sides on the level, nose up and nose down), "
            f"{READ_S:g} s of readings in each, three numbers to keep for a module; no attitude "
            "has to be known.  The control is the same module without its calibration, which must "
            f"fail: the 95 % intervals of the two rates do not meet.  {other or 'No'} module had "
            "other zeros on the bench than in its pose.  Without any zero error the worst are "
            f"{worst[NOMINAL][0]:.2f}° and {worst[NOMINAL][1]:.2f}°.  Noise 0.05 m/s² on each "
            f"axis, mean of {WINDOW} samples.  Pitch from {truth[:, 0].min():.0f}° to "
            f"{truth[:, 0].max():.0f}°, roll all round."
        ),
        values={
            **{
                f"{what}_worst_{name}_deg": float(worst[name][k])
                for name in worst
                for k, what in enumerate(("pitch", "roll"))
            },
            **{f"within_rate_{name}": rate.value for name, rate in within.items()},
            "poses": len(still),
            "poses_not_at_rest": moved,
            "modules_with_other_zeros": other,
        },
    )
