"""Turns the runs of a genome into its score, the same for runs on CPU and GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annelid.offline.fitness import Fitness, scored


@dataclass(frozen=True)
class Try:
    """A run or a computation, not yet judged: judging may raise, and its numbers are kept then."""

    numbers: Mapping[str, Any]
    value: Callable[[], float]
    """What it is worth, if it is not lost."""
    lost: str | None = None
    """Why it does not count: the robot fell, left the world, or its numbers ran away."""
    simulating_s: float = 0.0
    """CPU time."""


def judged(fitness: Fitness, tries: Sequence[Try]) -> dict[str, Any]:
    """Score and statistics as an :class:`~annelid.offline.store.Evaluation` keeps them.

    A lost run counts as the fitness says (``lost``), however far it came.
    """
    floor = 0.0 if fitness.lost is None else fitness.lost
    values = [float(one.value()) if one.lost is None else floor for one in tries]
    lost = [f"run {k}: {one.lost}" for k, one in enumerate(tries) if one.lost is not None]
    return {
        "state": "ok",
        **vars(scored(values, fitness.across)),
        "why": "; ".join(lost) or None,
    }
