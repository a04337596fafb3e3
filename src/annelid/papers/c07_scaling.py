"""C7: how long it takes to be in step, and what staying so costs, with 4 to 64 modules (002 §3).

Roles are in step after d times the height of the tree, which is long, and from then on every
module needs one signal a cycle and nobody waits, however many there are and however they are
docked: chains and random trees.  A gait table with a master and hormones begin almost at once; but
they send a message to every module before every step, and hormones that are answered make each
step longer by a way through the body and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from math import inf
from typing import Final

import numpy as np

from annelid.motion.roles import STEPS
from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.conro_bodies import deepest, random_tree
from annelid.papers.cycles import COARSE, CYCLE_S, in_step_from, misses, options, wire
from annelid.systems.conro.spec import ConroSpec
from annelid.trial.load import load, resolve
from annelid.trial.replay import Run

SIZES: Final = (4, 8, 16, 32, 64)
TREES: Final = 3
"""Random trees of each size."""
METHODS: Final = ("roles", "gait-table", "hormone", "hormone-both-ways")
DELAY: Final = STEPS // 5
CYCLES: Final = 4
"""Looked at, once in step."""
NEAR: Final = 0.05
"""How far a start may be from d × height, and a cycle from being the same for all N."""
SLACK: Final = 3 / 180
LATE: Final = 0.05
"""Of a cycle, by which a module may signal later than a cycle after the time before: each notices
its parent's signal at its next step, and in 63 docks a few steps add up."""

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
    share: float
    """Of d × height that this is."""
    height: int
    cycle_s: float
    messages: float
    """That a module hears in a cycle; the root hears none."""


def tree(modules: int, seed: int) -> Case:
    fields = {**COARSE, **random_tree(modules, seed), "record.state_hz": 0}
    robot, _ = resolve(load("caterpillar", overrides=fields))
    _, steps, height = deepest(robot, ConroSpec(parent="back"))
    fields["duration_s"] = ((steps + height) / STEPS + CYCLES) * CYCLE_S
    return Case("caterpillar", fields)


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
    spec, (robot, _) = options(run), resolve(run.scenario)
    last, delays, height = deepest(robot, spec)
    signals = [s for s in wire(run) if s["to"]]
    heard = np.array([s["end_ns"] for s in signals if f"{last}.{spec.parent}" in s["to"]]) * 1e-9
    steps = (len(heard) - 1) * (STEPS if spec.method == "roles" else 1)
    cycle_s = float(heard[-1] - heard[0]) / steps * STEPS
    within = sum(heard[0] <= s["start_ns"] * 1e-9 < heard[-1] for s in signals)
    begin, end = heard[[0, -1]] / CYCLE_S
    since = begin
    if spec.method == "roles":
        since = in_step_from(misses(run), begin=begin, end=end, slack=SLACK)
    kept = since <= begin + 1 + LATE  # everybody has signalled by then
    return Cost(
        start=float(heard[0]) if kept else inf,
        share=float(heard[0]) / (delays / STEPS * CYCLE_S) if kept else inf,
        height=height,
        cycle_s=cycle_s,
        messages=within / float(heard[-1] - heard[0]) * cycle_s / (len(robot.modules) - 1),
    )


def experiment(bench: Bench) -> Outcome:
    sizes = SIZES[:3:2] if bench.quick else SIZES
    keys = list(product(METHODS, reversed(sizes)))
    found = bench.trials({key: case(*key) for key in keys}, judge)
    costs = {key: cost for key, (cost,) in found.items()}
    drawn = range(bench.seed, bench.seed + (1 if bench.quick else TREES))
    grown = bench.trials({(n, k): tree(n, k) for n in reversed(sizes) for k in drawn}, judge)
    trees = {key: cost for key, (cost,) in grown.items()}
    roled = [*(costs["roles", n] for n in sizes), *trees.values()]
    starts = [cost.share for cost in roled]
    cycles = {m: [costs[m, n].cycle_s for n in sizes] for m in METHODS}
    cycles_all = [cost.cycle_s for cost in roled]
    constant = max(cycles_all) / min(cycles_all) - 1
    grows = all(b > (1 + NEAR) * a for a, b in pairwise(cycles["hormone-both-ways"]))
    few, most = sizes[0], sizes[-1]
    roles, hormone = costs["roles", most], costs["hormone", most]
    return Outcome(
        ours=(
            f"start {min(starts):.2f} to {max(starts):.2f} × d × height on chains and "
            f"{len(trees)} random trees; then {roles.messages:.1f} signals a module and cycle, "
            f"cycles alike to {constant:.1%} for N = {few} … {most}; hormones both ways: "
            f"a cycle takes {cycles['hormone-both-ways'][-1] / roles.cycle_s:.1f} times as long "
            f"at {most}"
        ),
        passed=(
            max(abs(start - 1) for start in starts) <= NEAR
            and constant <= NEAR
            and all(abs(cost.messages - 1) <= NEAR for cost in roled)
            and grows
        ),
        note=(
            f"Chains, and trees of {min(c.height for c in trees.values())} to "
            f"{max(c.height for c in trees.values())} docks in height, drawn at random; start, "
            "cycle and messages from the signals on record.  In a chain of "
            f"{most} modules roles are in step after {roles.start:.0f} s, hormones and a master's "
            f"table after {hormone.start:.2f} s, for {hormone.messages:.0f} messages a module and "
            "cycle.  Modules of the compared methods act the moment a message comes."
        ),
        values={
            f"{kind}_{n}_{name}": value
            for (kind, n), cost in (
                *costs.items(),
                *(((f"tree{k}", n), cost) for (n, k), cost in trees.items()),
            )
            for name, value in vars(cost).items()
        },
        plots=(
            Figure(
                "Start of roles against height",
                "docks from the root to the last",
                "s",
                tuple(
                    Series.of(kind, [c.height for c in some], [c.start for c in some])
                    for kind, some in (
                        ("chains", [costs["roles", n] for n in sizes]),
                        ("random trees", sorted(trees.values(), key=lambda c: c.height)),
                    )
                ),
            ),
            *(
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
        ),
    )
