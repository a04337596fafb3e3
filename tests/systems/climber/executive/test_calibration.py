"""Zeros of joints from feet that stay where they are, with encoders of steps."""

from __future__ import annotations

import numpy as np
from tests.systems.climber.climbs import hexapod

from annelid.systems.climber.executive.calibration import Calibration
from annelid.systems.climber.executive.centre import fit
from annelid.systems.climber.executive.pose import BodyPose, turned
from annelid.systems.climber.model import read_robot

ZERO = np.radians(1.0)


def strain_and_drift(seed: int, *, zero: float) -> tuple[float, float]:
    """The body goes about on standing feet: (m by which feet do not fit together at the end, m by
    which the body is astray), with a filter that expects zeros off by ``zero``."""
    climber = read_robot(hexapod())
    legs, step = climber.legs, climber.encoder_step
    chance = np.random.default_rng(seed)
    true = chance.normal(0.0, ZERO, (climber.count, legs.joints))
    body = BodyPose.of((0.0, 0.0, 0.09))
    ground = body.out(climber.stance)
    filter_ = Calibration(legs, step=step, zero=max(zero, 1e-9))

    def read(pose: BodyPose) -> np.ndarray:
        shaft = legs.inverse(pose.into(ground)) - true
        return np.asarray(np.round(shaft / step) * step)

    anchors = body.out(legs.forward(read(body)))
    filter_.begin(body, read(body), anchors, list(range(climber.count)))
    for leg in range(climber.count):
        filter_.flatten(leg, anchors)
    pose = body
    for number in range(120):
        phase = 2 * np.pi * number / 60
        way = np.array([0.04 * np.sin(phase), 0.03 * np.sin(2 * phase), 0.09])
        pose = BodyPose(way, turned(np.array([0.0, 0.0, 0.1 * np.cos(phase)])))
        q = read(pose) + filter_.zeros
        filter_.look(fit(legs.forward(q), anchors), q, anchors, list(range(climber.count)))
    feet = legs.forward(read(pose) + filter_.zeros)
    found = fit(feet, anchors)
    worst = float(np.linalg.norm(found.out(feet) - anchors, axis=1).max())
    return worst, float(np.linalg.norm(found.at - pose.at))


def test_feet_that_stand_still_tell_the_zeros() -> None:
    seeds = (3, 4, 5)
    found = np.array([strain_and_drift(seed, zero=ZERO) for seed in seeds])
    without = np.array([strain_and_drift(seed, zero=0.0) for seed in seeds])
    assert found.max() < 0.0008
    assert (found.mean(axis=0) < 0.75 * without.mean(axis=0)).all(), "as good without it"
