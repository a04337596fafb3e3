"""C7: how long it takes to be in step, and what staying so costs, with 4 to 64 modules (002 §3).

Roles are in step after d times the height of the tree, which is long, and from then on every
module needs one signal a cycle and nobody waits, however many there are.  A gait table with a
master and hormones begin almost at once; but they send a message to every module before every
step, and hormones that are answered make each step longer by a way through the body and back.

Boards and light alone: where nobody looks at the physics none is made.  Only how far clocks part a
chain is read off servos, and speeds off bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from annelid.kernel import seconds
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.in_step import in_step_from
from annelid.papers.role_run import RoleRun, per_cycle

SIZES: Final = (4, 8, 16, 32, 64)
METHODS: Final = ("roles", "gait-table", "hormone", "hormone-both-ways")
DRIFTING: Final = ("roles", "gait-table", "gait-table-open-loop")
DRIFT_PPM, AFTER = 2000.0, 20
"""Clocks for the comparison of how steps are kept, and cycles after which it is made."""
CYCLES: Final = 4
"""Looked at, once in step."""
NEAR: Final = 0.05
"""How far a start may be from d × height, and a cycle from being the same for all N."""


@dataclass(frozen=True)
class Run:
    method: str
    modules: int


@dataclass(frozen=True)
class Cost:
    start_s: float
    """Until the last module has had its first message, which sets it in step; infinite where roles
    are not from then on."""
    height_s: float
    """d × the height of the tree."""
    cycle_s: float
    messages: float
    """Of a module in a cycle."""


def measure(given: Run, *, seed: int) -> Cost:
    spec = {"role": "caterpillar", "method": given.method}
    run = RoleRun(spec, modules=given.modules, seed=seed)
    role, net = run.network.role, run.network
    (delay,) = role.delays.values()
    roles = given.method == "roles"
    wait_s = (given.modules - 1) * (delay + 1) * net.step_s if roles else 0.0
    run.kernel.run(seconds(wait_s + CYCLES * net.cycle_s))
    wire = [detail for _, _, kind, detail in run.events if kind == "wire"]
    last = f"C{given.modules}.{role.parent}"
    heard = np.array([d["end_ns"] for d in wire if last in d["to"]]) * 1e-9
    steps = len(heard) - 1 if not roles else (len(heard) - 1) * role.period
    cycle_s = (heard[-1] - heard[0]) / steps * role.period
    within = [d for d in wire if heard[0] <= d["start_ns"] * 1e-9 < heard[-1]]
    cycles = (heard[-1] - heard[0]) / cycle_s
    begun, end = heard[0] / net.cycle_s, heard[-1] / net.cycle_s
    order = [node.name for node in net.modules]
    kept = not roles or in_step_from(run, order, begin=begun, end=end) < begun + 1
    return Cost(
        start_s=float(heard[0]) if kept else float("inf"),
        height_s=(given.modules - 1) * delay * net.step_s,
        cycle_s=float(cycle_s),
        messages=float(len(within) / cycles / given.modules),
    )


def steps_off(method: str, *, seed: int) -> float:
    """By how many steps a lag between neighbours of eight is off at worst, after a while of clocks
    that are not alike: from the targets of a whole cycle."""
    options = {"role": "caterpillar", "method": method, "drift_ppm": DRIFT_PPM}
    run = RoleRun(options, seed=seed)
    role = run.network.role
    (delay,) = role.delays.values()
    samples = 36
    turns = np.zeros(len(run.network.modules), dtype=complex)
    for k in range(samples):
        run.run(AFTER + k / samples)
        angles = np.array([node.board.servos["pitch"].target for node in run.network.modules])
        turns += angles * np.exp(-2j * np.pi * k / samples)
    lags = -np.diff(np.angle(turns)) / (2 * np.pi) * role.period
    off = (lags - delay + role.period / 2) % role.period - role.period / 2
    return float(np.abs(off).max())


def speed(method: str, *, seed: int) -> float:
    """Of a caterpillar of eight, cm/s."""
    run = RoleRun({"role": "caterpillar", "method": method}, seed=seed)
    return per_cycle(run.path(3, 7)) / run.network.cycle_s * 100


def experiment(bench: Bench) -> Outcome:
    sizes = SIZES[::2] if bench.quick else SIZES
    todo = [Run(method, modules) for modules in reversed(sizes) for method in METHODS]
    costs = dict(
        zip(todo, bench.map(partial(measure, seed=bench.seed), todo, what="C7"), strict=True)
    )
    off = dict(
        zip(
            DRIFTING,
            bench.map(partial(steps_off, seed=bench.seed), DRIFTING, what="C7"),
            strict=True,
        )
    )
    speeds = dict(
        zip(METHODS, bench.map(partial(speed, seed=bench.seed), METHODS, what="C7"), strict=True)
    )
    values = {f"{method}_cm_s": found for method, found in speeds.items()}
    for given, cost in costs.items():
        name = f"{given.method}_{given.modules}"
        values |= {
            f"{name}_start_s": cost.start_s,
            f"{name}_cycle_s": cost.cycle_s,
            f"{name}_messages_per_module_and_cycle": cost.messages,
        }
    values |= {f"{method}_steps_off_after_{AFTER}_cycles": found for method, found in off.items()}
    ours = {n: costs[Run("roles", n)] for n in sizes}
    starts = {n: cost.start_s / cost.height_s for n, cost in ours.items()}
    values |= {f"roles_{n}_start_per_d_height": ratio for n, ratio in starts.items()}
    cycles = {m: [costs[Run(m, n)].cycle_s for n in sizes] for m in METHODS}
    constant = max(cycles["roles"]) / min(cycles["roles"]) - 1
    grown = cycles["hormone-both-ways"][-1] / cycles["roles"][-1]
    few, most = sizes[0], sizes[-1]
    return Outcome(
        ours=(
            f"start {min(starts.values()):.2f} to {max(starts.values()):.2f} × d × height; then "
            f"{ours[most].messages:.1f} signals a module and cycle, cycles alike to "
            f"{constant:.1%} for N = {few} … {most}; hormones both ways: a cycle takes {grown:.1f} "
            f"times as long at {most}"
        ),
        passed=(
            max(abs(ratio - 1) for ratio in starts.values()) <= NEAR
            and constant <= NEAR
            and all(abs(cost.messages - 1) <= NEAR for cost in ours.values())
            and _grows(cycles["hormone-both-ways"])
        ),
        note=(
            f"At {most} modules roles are in step after {ours[most].start_s:.0f} s, "
            f"hormones and a master's table after {costs[Run('hormone', most)].start_s:.2f} s, for "
            f"{costs[Run('hormone', most)].messages:.0f} messages a module and cycle.  With clocks "
            f"off by up to {DRIFT_PPM / 1e4:g} % lags of eight are off by {off['roles']:.1f} steps "
            f"of 180 after {AFTER} cycles, by {off['gait-table-open-loop']:.1f} in an open-loop "
            f"table.  Eight modules crawl at {speeds['roles']:.1f} cm/s, and at "
            f"{speeds['hormone-both-ways']:.1f} with hormones both ways.  Modules of the compared "
            "methods act the moment a message comes"
        ),
        values=values,
        plots=(
            _figure("In step after", "s", sizes, costs, "start_s"),
            _figure("A cycle", "s", sizes, costs, "cycle_s"),
            _figure("Messages of a module in a cycle", "messages", sizes, costs, "messages"),
        ),
    )


def _grows(cycles: list[float]) -> bool:
    return all(later > 1.05 * sooner for sooner, later in pairwise(cycles))


def _figure(
    title: str, unit: str, sizes: tuple[int, ...], costs: Mapping[Run, Cost], field: str
) -> Figure:
    series = (
        Series(
            method,
            tuple(float(n) for n in sizes),
            tuple(float(getattr(costs[Run(method, n)], field)) for n in sizes),
        )
        for method in METHODS
    )
    return Figure(title, "modules", unit, tuple(series))
