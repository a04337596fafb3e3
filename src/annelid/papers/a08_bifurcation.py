"""A8: a support holds the robot while rotation modules turn at a bifurcation (001 §6.6).

In the mouth of a branch the helicoidal module loses its grip, and a robot on a slope slides back.
The same robot, with its rotation modules rocking the pusher off the edges and into the branch
(``annelid.motion.bifurcation``), once with its support holding whenever the robot slips and once
with the support folded all the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import radians
from typing import Any, Final

import numpy as np

from annelid.motion.bifurcation import Backbone, Junction
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import along, robot, simulation
from annelid.physics.simulation import Simulation
from annelid.robot.module import Action
from annelid.trial.summary import wilson
from annelid.worlds import World, parse_world, worlds

CHAIN: Final = "TRRHRRS"
SLOPES_DEG: Final = (0.0, 7.0)
RUNS, QUICK_RUNS = 20, 2
BRANCH_DEG: Final = 45.0
ENTRY_MM, RUN_MM, BRANCH_MM, LEG_MM = 40.0, 140.0, 90.0, 350.0
CORNER: Final = (ENTRY_MM + RUN_MM / 2) / 1000
TICK_S: Final = 0.015
ADJUST: Final = 13
"""Ticks between two orders to the joints: 0.2 s, as over the bus."""
LEAD: Final = radians(5)
LIMIT_S, STUCK_S = 70.0, 25.0
OFF_THE_RUN: Final = 0.03
SLIPPED: Final = 0.0005
"""Back from the furthest point: the support grips, m."""
HOLD_S: Final = 0.6
"""How long it holds before the robot tries again."""


@dataclass(frozen=True)
class Try:
    slope_deg: float
    holds: bool
    into: bool
    seed: int


class Climb:
    """One robot at one bifurcation."""

    def __init__(self, sim: Simulation, junction: Junction, *, holds: bool) -> None:
        self.sim, self._junction, self._holds = sim, junction, holds
        self._body = Backbone.of([module.type for module in sim.robot.modules])
        place = sim.actuators.place
        rotating = [m.name for m in sim.robot.modules if Action.TURN in m.type.actions()]
        self._yaws = [place(f"{name}.yaw") for name in rotating]
        self._pitches = [place(f"{name}.pitch") for name in rotating]
        self._servos = [*self._yaws, *self._pitches]
        self._drive, self._grip = place("H1.drive"), place("S1.grip")
        self._spread = sim.robot["S1"].type.actions()[Action.EXTEND]["grip"]
        self._steps = round(TICK_S * 1e9) // sim.step_ns
        self._wanted = np.zeros(len(sim.actuators))
        self._best = -np.inf
        self._hold_until_s = 0.0

    def run(self) -> bool:
        """Whether the last module gets through into the leg that was chosen."""
        tail, leg = self.sim.robot.modules[-1].name, "branch" if self._junction.into else "run"
        end = CORNER + (0.04 if self._junction.into else RUN_MM / 2000)
        ticks, best_tick = 0, 0
        while ticks * TICK_S < LIMIT_S:
            way = along(self.sim, tail)
            if way > self._best + 0.001:
                best_tick = ticks
            if (ticks - best_tick) * TICK_S > STUCK_S:
                return False
            self._tick(ticks, way)
            ticks += 1
            if way > end:
                return self._leg() == leg
        return False

    def _leg(self) -> str:
        """By the side: the run is straight, the branch leaves level with it."""
        return "branch" if abs(self.sim.head()[1]) > OFF_THE_RUN else "run"

    def _tick(self, ticks: int, way: float) -> None:
        sim, now_s = self.sim, ticks * TICK_S
        nose = way + self._body.length - self.sim.robot.modules[-1].type.length
        if ticks % ADJUST == 0:
            bends = (
                self._junction.bends(nose, self._body, now_s)
                if not self._junction.over(nose, self._body)
                else [(0.0, 0.0)] * len(self._yaws)
            )
            self._wanted[self._yaws] = [bend[0] for bend in bends]
            self._wanted[self._pitches] = [bend[1] for bend in bends]
        if self._holds and way < self._best - SLIPPED and now_s > self._hold_until_s + HOLD_S:
            self._hold_until_s = now_s + HOLD_S
        self._best = max(self._best, way)
        angles = sim.actuators.position()
        values = self._wanted.copy()
        servos = self._servos
        values[servos] = np.clip(values[servos], angles[servos] - LEAD, angles[servos] + LEAD)
        values[self._drive] = 1.0
        values[self._grip] = self._spread if now_s < self._hold_until_s else 0.0
        sim.actuators.write(values)
        sim.advance(self._steps)


def pipe(given: Try) -> tuple[World, float]:
    """A climbing pipe with a branch to either side; and where the branch leaves, rad."""
    draw = np.random.default_rng(given.seed)
    right = bool(draw.integers(2))
    tee: dict[str, Any] = {
        "part": "tee",
        "roll_deg": 180.0 if right else 0.0,
        "branch_angle_deg": BRANCH_DEG,
        "run_mm": RUN_MM,
        "branch_mm": BRANCH_MM,
    }
    parts = [
        {"part": "straight", "length_mm": ENTRY_MM},
        tee,
        {"part": "straight", "length_mm": LEG_MM, "at": "tee1.run"},
        {"part": "straight", "length_mm": LEG_MM, "at": "tee1.branch"},
    ]
    table = {
        "kind": "pipe",
        "bore_mm": 40.0 * draw.uniform(0.99, 1.01),
        "slope_deg": given.slope_deg,
        "parts": parts,
    }
    return parse_world(table, worlds()), radians(180.0 if right else 0.0)


def passes(given: Try) -> bool:
    world, towards = pipe(given)
    slippery = np.random.default_rng(given.seed + 1000).uniform(0.9, 1.1)
    each = {letter: {"friction": 0.15 * slippery} for letter in set(CHAIN)}
    sim = simulation(robot(CHAIN, **each), world, seed=given.seed, timestep_ms=1.0)
    junction = Junction(CORNER, towards, given.into)
    return Climb(sim, junction, holds=given.holds).run()


def experiment(bench: Bench) -> Outcome:
    runs = QUICK_RUNS if bench.quick else RUNS
    cells = list(product(SLOPES_DEG, (True, False)))
    todo = [Try(slope, holds, True, bench.seed + k) for slope, holds in cells for k in range(runs)]
    found = bench.map(passes, todo, what="A8")
    good = {cell: sum(found[place * runs : (place + 1) * runs]) for place, cell in enumerate(cells)}
    values: dict[str, float] = {}
    for (slope, holds), count in good.items():
        name = f"{'holding' if holds else 'folded'}_{slope:.0f}deg"
        values |= {name: count / runs, f"{name}_low": wilson(count, runs)[0]}
    steep = SLOPES_DEG[-1]
    better = wilson(good[steep, True], runs)[0] > wilson(good[steep, False], runs)[1]
    told = "; ".join(
        f"at {slope:.0f}° {good[slope, True]}/{runs} with, {good[slope, False]}/{runs} without"
        for slope in SLOPES_DEG
    )
    return Outcome(
        ours=f"into the branch: {told} the support holding",
        passed=better,
        note=(
            f"{CHAIN} into a branch of {BRANCH_DEG:.0f}°, to either side, bore ±1 %, friction ±10 %"
            f"; judged at {steep:.0f}° uphill, where the 95 % intervals must not meet.  It "
            f"grips for {HOLD_S:.1f} s whenever the robot has slipped back by "
            f"{1000 * SLIPPED:.1f} mm; the rotation modules rock and bend alike in both.  Way from "
            "the physics: what is compared is the hold."
        ),
        values=values,
        plots=(
            Figure(
                "Into a branch, uphill",
                "slope (degrees)",
                "share of runs that passed",
                tuple(
                    Series.of(
                        label, SLOPES_DEG, [good[slope, holds] / runs for slope in SLOPES_DEG]
                    )
                    for label, holds in (("support holds", True), ("support folded", False))
                ),
            ),
        ),
    )
