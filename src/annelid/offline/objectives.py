"""Objectives: fitness functions written in Python, instead of weighted metrics.

::

    [fitness]
    own = "even-pace"

``OBJECTIVES`` says how one is brought (``annelid.registry``): as an ``Objective``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from annelid.registry import Kind
from annelid.trial.metrics import Metrics


@dataclass(frozen=True)
class Objective:
    """What a study names by ``fitness.own``."""

    name: str
    title: str
    """One line about it."""
    judge: Callable[[Metrics], float]
    """From what a run amounted to, to its value; more is better."""


OBJECTIVES: Final[Kind[Objective]] = Kind(
    name="objective",
    plural="objectives",
    base=Objective,
    key=lambda objective: str(objective.name),
    instances=True,
)
