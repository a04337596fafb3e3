"""CONRO bodies with legs, and where their modules are in their cycles: shared by C9 and C10."""

from __future__ import annotations

from cmath import exp, phase, pi
from collections.abc import Mapping, Sequence
from math import tau
from typing import Any, Final

import numpy as np

from annelid.modules import shelf
from annelid.motion.casts import Cast
from annelid.papers.role_run import RoleRun
from annelid.robot import Robot, RobotSpec, assemble

SIDES: Final = ("left", "right")
SAMPLES: Final = 36
"""Of a cycle, to find where in it a module is."""


def legged(
    pairs: int,
    *,
    beside: Mapping[str, Sequence[float]] | None = None,
    **each: Any,
) -> Robot:
    """Spine S1, S2 … with legs L1, R1, L2 …; what ``beside`` names is not docked to the spine and
    begins there (mm from the start); ``each``: parameters of every module."""
    beside = beside or {}
    places = range(1, pairs + 1)
    docks = [(f"S{k}.back", f"S{k + 1}.front") for k in places[:-1]]
    docks += [(f"S{k}.{side}", f"{leg(side, k)}.back") for k in places for side in SIDES]
    names = [f"S{k}" for k in places] + [leg(side, k) for k in places for side in SIDES]
    modules = [
        {"type": "C", "name": name, **({"at_mm": tuple(beside[name])} if name in beside else {})}
        for name in names
    ]
    kept = [{"a": a, "b": b} for a, b in docks if b.partition(".")[0] not in beside]
    table = {"modules": modules, "docks": kept, "each": {"C": each}}
    return assemble(RobotSpec.parse(table, where="robot"), shelf())


def leg(side: str, pair: int) -> str:
    return f"{side[0].upper()}{pair}"


def phases(run: RoleRun, cast: Cast, cycle: float) -> dict[str, float]:
    """Where every module is in its cycle at the beginning of that one, as a part of it: the first
    harmonic of what its yaw servo is told in it, compared with its role's."""
    named = {"S": cast.roles[0], "L": cast.roles[1], "R": cast.roles[2]}
    told: dict[str, list[float]] = {node.name: [] for node in run.network.modules}
    for sample in range(SAMPLES):
        run.run(cycle + sample / SAMPLES)
        for node in run.network.modules:
            told[node.name].append(node.board.servos["yaw"].target)
    turns = np.exp(-1j * tau * np.arange(SAMPLES) / SAMPLES)
    found = {}
    for name, angles in told.items():
        swing = named[name[0]].motion["yaw"]
        seen = complex(np.nan_to_num(angles) @ turns)
        found[name] = phase(seen / (swing.amplitude * exp(1j * (swing.lead - pi / 2)))) / tau % 1
    return found


def out_of_step(found: Mapping[str, float], cast: Cast) -> float:
    """By how much of a cycle the worst dock misses its delay."""
    spine = cast.root
    pairs = len([name for name in found if name.startswith("S")])
    lags = [(f"S{k}", f"S{k + 1}", spine.delays["back"]) for k in range(1, pairs)]
    for k in range(1, pairs + 1):
        lags += [(f"S{k}", leg(side, k), spine.delays[side]) for side in SIDES]
    misses = [
        (found[parent] - found[child] - delay / spine.period + 0.5) % 1 - 0.5
        for parent, child, delay in lags
    ]
    return max(abs(miss) for miss in misses)
