"""Zeros of joints from feet that stay where they are, with encoders of steps."""

from __future__ import annotations

import numpy as np
import pytest
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


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_feet_that_stand_still_tell_the_zeros(seed: int) -> None:
    strain, drift = strain_and_drift(seed, zero=ZERO)
    without, _ = strain_and_drift(seed, zero=0.0)
    assert strain < 0.0008
    assert drift < 0.0006
    assert without > 1.2 * strain, "as good without it"
