"""C7: how long it takes to be in step, and what staying so costs, with 4 to 64 modules (002 §3).

Roles are in step after d times the height of the tree, which is long, and from then on every
module needs one signal a cycle and nobody waits, however many there are.  A gait table with a
master and hormones begin almost at once; but they send a message to every module before every
step, and hormones that are answered make each step longer by a way through the body and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from math import inf
from typing import Final

import numpy as np

from annelid.motion.roles import STEPS
from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.cycles import COARSE, CYCLE_S, in_step_from, misses, options, wire
from annelid.trial.replay import Run

SIZES: Final = (4, 8, 16, 32, 64)
METHODS: Final = ("roles", "gait-table", "hormone", "hormone-both-ways")
DELAY: Final = STEPS // 5
CYCLES: Final = 4
"""Looked at, once in step."""
NEAR: Final = 0.05
"""How far a start may be from d × height, and a cycle from being the same for all N."""
SLACK: Final = 3 / 180

FIGURES: Final = (
    ("start", "In step after", "s"),
    ("cycle_s", "A cycle", "s"),
    ("messages", "Messages of a module in a cycle", "messages"),
)


@dataclass(frozen=True)
class Cost:
    start: float
    """Until the last module has had its first message, which sets it in step, s; infinite where
    roles are not from then on."""
    cycle_s: float
    messages: float
    """Of a module in a cycle."""


def case(method: str, modules: int) -> Case:
    wait = (modules - 1) * (DELAY + 1) / STEPS if method == "roles" else 0.0
    fields = {
        **COARSE,
        "robot.chain": "C" * modules,
        "duration_s": (wait + CYCLES) * CYCLE_S,
        "control.options.method": method,
        "record.state_hz": 0,
    }
    return Case("caterpillar", fields)


def judge(run: Run) -> Cost:
    """By the signals that the module farthest from the root hears."""
    method, modules = options(run).method, run.metrics.modules
    signals = wire(run)
    heard = np.array([s["end_ns"] for s in signals if "C1.back" in s["to"]]) * 1e-9
    steps = (len(heard) - 1) * (STEPS if method == "roles" else 1)
    cycle_s = float(heard[-1] - heard[0]) / steps * STEPS
    within = sum(heard[0] <= s["start_ns"] * 1e-9 < heard[-1] for s in signals)
    begin, end = heard[[0, -1]] / CYCLE_S
    since = begin
    if method == "roles":  # everybody signals once within a cycle, give or take a step or two
        since = in_step_from(misses(run), begin=begin, end=end, slack=SLACK)
    kept = since <= begin + 1 + SLACK
    return Cost(
        start=float(heard[0]) if kept else inf,
        cycle_s=cycle_s,
        messages=within / float(heard[-1] - heard[0]) * cycle_s / modules,
    )


def experiment(bench: Bench) -> Outcome:
    sizes = SIZES[:3:2] if bench.quick else SIZES
    keys = list(product(METHODS, reversed(sizes)))
    found = bench.trials({key: case(*key) for key in keys}, judge)
    costs = {key: cost for key, (cost,) in found.items()}
    starts = [costs["roles", n].start / ((n - 1) * DELAY / STEPS * CYCLE_S) for n in sizes]
    cycles = {m: [costs[m, n].cycle_s for n in sizes] for m in METHODS}
    constant = max(cycles["roles"]) / min(cycles["roles"]) - 1
    grows = all(b > (1 + NEAR) * a for a, b in pairwise(cycles["hormone-both-ways"]))
    few, most = sizes[0], sizes[-1]
    roles, hormone = costs["roles", most], costs["hormone", most]
    return Outcome(
        ours=(
            f"start {min(starts):.2f} to {max(starts):.2f} × d × height; then "
            f"{roles.messages:.1f} signals a module and cycle, cycles alike to {constant:.1%} for "
            f"N = {few} … {most}; hormones both ways: a cycle takes "
            f"{cycles['hormone-both-ways'][-1] / roles.cycle_s:.1f} times as long at {most}"
        ),
        passed=(
            max(abs(start - 1) for start in starts) <= NEAR
            and constant <= NEAR
            and all(abs(costs["roles", n].messages - 1) <= NEAR for n in sizes)
            and grows
        ),
        note=(
            "Chains; start, cycle and messages from the signals on record.  At "
            f"{most} modules roles are in step after {roles.start:.0f} s, hormones and a master's "
            f"table after {hormone.start:.2f} s, for {hormone.messages:.0f} messages a module and "
            "cycle.  Modules of the compared methods act the moment a message comes."
        ),
        values={
            f"{method}_{n}_{name}": value
            for (method, n), cost in costs.items()
            for name, value in vars(cost).items()
        },
        plots=tuple(
            Figure(
                title,
                "modules",
                unit,
                tuple(
                    Series.of(method, sizes, [getattr(costs[method, n], field) for n in sizes])
                    for method in METHODS
                ),
            )
            for field, title, unit in FIGURES
        ),
    )
