"""The result of a landscape: a score for every point, from CPU or GPU.

Scores are distances as in the study's runs; a robot that has fallen, or whose numbers ran away,
counts 0.  A GPU computes in single precision and a gait is chaotic, so the two are compared over
many gaits: how far they differ, beside how far two runs on this machine differ that start a hair
apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.boundary.arrays import read_arrays
from annelid.offline.escape import SUNK
from annelid.offline.study import Study

Floats = NDArray[np.float64]

TOPPLED_DEG = 60.0
"""Where the study does not say."""
BIAS, CORRELATION = 0.05, 0.1
"""The tolerance to which two computations agree (``Agreement.within``)."""


@dataclass(frozen=True)
class Landscape:
    fields: tuple[str, ...]
    points: int
    """Along each field."""
    table: Floats
    """A row per gait: its values."""
    scores: Floats
    """Distance, m; 0: fallen over, NaN: not computed."""
    run_s: float
    compile_s: float
    device: str
    engine: str
    """What stepped it, with its version."""
    date: str
    """On which it was put together."""

    @property
    def best(self) -> int:
        return int(np.nanargmax(self.scores))

    def at(self, row: int) -> dict[str, float]:
        return dict(zip(self.fields, self.table[row].tolist(), strict=True))

    def nearest(self, values: Mapping[str, Any]) -> int:
        """The row nearest to a point, each field measured by its range."""
        low, high = self.table.min(axis=0), self.table.max(axis=0)
        there = np.array([float(values[field]) for field in self.fields])
        return int(np.argmin((((self.table - there) / (high - low)) ** 2).sum(axis=1)))

    def rank(self, row: int) -> int:
        """From 1."""
        return 1 + int((self.scores > self.scores[row]).sum())


def from_batch(study: Study, job: Mapping[str, Any], result: Mapping[str, Any]) -> Landscape:
    """Scores from what ``warp_batch`` has written."""
    distance = distances(result)
    lost = toppled(result, study.spec.fitness.topple_deg or TOPPLED_DEG) | ~sane(result)
    lost |= fell(result)
    scores = np.full(len(job["table"]), np.nan)
    scores[: len(distance)] = np.where(lost, 0.0, distance)
    return Landscape(
        tuple(str(field) for field in job["fields"]),
        int(job["points"]),
        np.asarray(job["table"], float),
        scores,
        float(result["run_s"]),
        float(result["compile_s"]),
        str(result["device"]),
        str(result["engine"]),
        today(),
    )


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def distances(result: Mapping[str, Any]) -> Floats:
    """Between the robots' centres at the beginning and at the end, m."""
    centre = np.asarray(result["centre"], float)
    distance: Floats = np.linalg.norm(centre[-1] - centre[0], axis=1)
    return distance


def toppled(result: Mapping[str, Any], limit_deg: float) -> NDArray[np.bool_]:
    """Whose modules lean further to a side (``annelid.offline.evaluate.lean``)."""
    w, x, y, z = np.moveaxis(np.asarray(result["turn"], float), -1, 0)
    sideways = np.abs(np.clip(2 * (y * z + w * x), -1.0, 1.0)).mean(axis=1)
    fallen: NDArray[np.bool_] = np.degrees(np.arcsin(sideways)) > limit_deg
    return fallen


def fell(result: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Of whom some module is below the ground: over an edge, or through it."""
    below: NDArray[np.bool_] = np.asarray(result["place"], float)[..., 2].min(axis=1) < -SUNK
    return below


def sane(result: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Whose numbers did not run away."""
    finite: NDArray[np.bool_] = np.isfinite(np.asarray(result["qpos"], float)).all(axis=1)
    return finite


def read(path: Path) -> dict[str, Any]:
    """A job or a result."""
    return dict(read_arrays(path, what="job or result of a landscape"))


@dataclass(frozen=True)
class Agreement:
    """Two computations of the same gaits."""

    rows: tuple[int, ...]
    theirs: Floats
    ours: Floats
    """On this machine's cores, double precision, the same start."""
    again: Floats
    """As ``ours``, from another start."""

    @property
    def difference(self) -> float:
        """Median of how far theirs are off, m."""
        return float(np.median(np.abs(self.theirs - self.ours)))

    @property
    def chance(self) -> float:
        """The same between two starts on this machine, m."""
        return float(np.median(np.abs(self.again - self.ours)))

    @property
    def bias(self) -> float:
        """Mean of theirs minus mean of ours, over the mean of ours."""
        return float((self.theirs.mean() - self.ours.mean()) / self.ours.mean())

    @property
    def bias_error(self) -> float:
        """Standard error of ``bias``: what chance makes of so few chaotic gaits."""
        apart = self.theirs - self.ours
        return float(apart.std(ddof=1) / np.sqrt(len(apart)) / self.ours.mean())

    @property
    def correlation(self) -> float:
        return float(np.corrcoef(self.theirs, self.ours)[0, 1])

    @property
    def chance_correlation(self) -> float:
        """The same between two starts on this machine: no other engine can do better."""
        return float(np.corrcoef(self.again, self.ours)[0, 1])

    @property
    def within(self) -> bool:
        """The stated tolerance: no bias beyond two standard errors and ``BIAS``, and a correlation
        that is less than two starts' by no more than ``CORRELATION``."""
        unbiased = abs(self.bias) <= max(BIAS, 2 * self.bias_error)
        return unbiased and self.correlation >= self.chance_correlation - CORRELATION

    @property
    def told(self) -> str:
        return (
            f"{len(self.rows)} gaits on the cores as well: mean {self.bias:+.1%} ± "
            f"{self.bias_error:.1%}, median difference {self.difference * 1000:.1f} mm (two starts "
            f"on the cores: {self.chance * 1000:.1f} mm), correlation {self.correlation:.2f} (two "
            f"starts: {self.chance_correlation:.2f}), fallen over {(self.theirs == 0).mean():.1%} "
            f"({(self.ours == 0).mean():.1%} and {(self.again == 0).mean():.1%})"
        )
