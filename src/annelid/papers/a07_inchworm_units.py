"""A7: units of several supports and extensions (001 §6.5, 000 Fig 20).

Three statements, three measurements.  Extensions in a row add their strokes: speed against the
number of E.  Supports in a row add their grip: the pull that a chain holds, and the slope that it
holds in a slippery pipe, against the number of S.  Two inchworms in one chain, each with its own
cycle (Fig 20 g), do not work, because the supports of one hold what the other wants to move: speed
against the shift between the two cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any, Final

import numpy as np

from annelid.motion.inchworm import PHASE_S, PHASES
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import drive, simulation, straight_pipe
from annelid.physics.simulation import Simulation

PERIOD: Final = PHASE_S * len(PHASES)
CYCLES: Final = 8
AHEAD: Final = 0.3
"""How far in the pipe the robots start, m."""

SPEED_CHAINS: Final = ("SES", "SEES", "SEEES", "SEEEES")
GRIP_CHAINS: Final = ("SES", "SSESS", "SSSESSS")

SLIPPERY: Final = 0.05
"""Factor on all friction where slopes are held: dry tips (0.8) hold every slope."""

SLIPPED: Final = 0.002
"""A chain that has moved this far does not hold, m."""

PULL_N_S, TILT_RAD_S, SPREAD_S = 8.0, pi / 12, 0.6
"""How fast the pull grows and the pipe tilts, once the supports have spread."""

BLOCKED: Final = 0.1
"""Below this share of the single unit's speed nothing moves."""

SHIFTS: Final = tuple(k * PHASE_S for k in range(len(PHASES)))


@dataclass(frozen=True)
class Walk:
    letters: str
    gaits: Sequence[Mapping[str, Any]]
    seed: int


def walk(given: Walk) -> float:
    """Speed over whole cycles, cm/s."""
    run = simulation(given.letters, straight_pipe(), seed=given.seed, ahead_m=AHEAD)
    begin = 0.2 + 2 * PERIOD
    rows = drive(
        run,
        given.gaits,
        begin + CYCLES * PERIOD,
        lambda now: (now.now_ns / 1e9, now.progress()),
    )
    t, way = np.array(rows).T
    first, last = np.interp((begin, begin + CYCLES * PERIOD), t, way)
    return 100 * float(last - first) / (CYCLES * PERIOD)


@dataclass(frozen=True)
class Holding:
    letters: str
    what: str
    """``pull`` or ``slope``"""
    seed: int


def hold(given: Holding) -> float:
    """The pull (N) or slope (degrees) at which a chain with all supports spread gives way.

    The pull acts on the tail.  The slope is made by turning gravity, which to a straight pipe is
    the same as tilting it, so that one run goes through all slopes.
    """
    run = simulation(given.letters, straight_pipe(), seed=given.seed, ahead_m=AHEAD)
    spread = [{"gait": "hold", "modules": "S", "pose": {"grip": 90}}]
    drive(run, spread, SPREAD_S, lambda now: None)
    if given.what == "slope":
        run.model.geom_friction[:, 0] *= SLIPPERY
    tail = run.model.body(f"{run.robot.modules[-1].name}/front").id
    g = run.world.gravity
    began, from_where = run.now_ns, run.progress()

    def load(now: Simulation) -> tuple[float, float]:
        t = (now.now_ns - began) / 1e9
        if given.what == "pull":
            now.data.xfrc_applied[tail, 0] = -PULL_N_S * t
            return PULL_N_S * t, now.progress()
        slope = min(TILT_RAD_S * t, pi / 2)
        now.model.opt.gravity[:] = (-g * sin(slope), 0.0, -g * cos(slope))
        return np.degrees(slope), now.progress()

    rows = drive(run, [{**spread[0], "ramp_s": 0.0}], 6.5, load)
    for size, place in rows:
        if from_where - place > SLIPPED:
            return float(size)
    return float(rows[-1][0])


def two_units(shift: float) -> list[dict[str, Any]]:
    """S E S S E S as two inchworms, the second ``shift`` seconds behind the first."""
    return [
        {"gait": "inchworm", "front": "S1", "extend": "E1", "rear": "S2"},
        {"gait": "inchworm", "front": "S3", "extend": "E2", "rear": "S4", "from_s": shift},
    ]


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 3))
    unit = [{"gait": "inchworm"}]
    walks = [Walk(letters, unit, seed) for letters in SPEED_CHAINS for seed in seeds]
    walks += [Walk("SESSES", two_units(shift), seed) for shift in SHIFTS for seed in seeds]
    speeds = np.array(bench.map(walk, walks, what="A7")).reshape(-1, len(seeds)).mean(axis=1)
    speed = dict(zip(SPEED_CHAINS, speeds.tolist(), strict=False))
    shifted = speeds[len(SPEED_CHAINS) :].tolist()
    holds = [Holding(c, what, s) for what in ("pull", "slope") for c in GRIP_CHAINS for s in seeds]
    held = np.array(bench.map(hold, holds, what="A7")).reshape(2, len(GRIP_CHAINS), -1)
    pull, slope = held.mean(axis=2).tolist()
    faster = speed["SES"] < speed["SEES"] < speed["SEEES"]
    firmer = bool((np.diff(pull) > 0).all() and (np.diff(slope) > 0).all())
    blocked = abs(shifted[0]) < BLOCKED * speed["SES"]
    three = "/".join(f"{speed[letters]:.1f}" for letters in SPEED_CHAINS[:3])
    return Outcome(
        ours=(
            f"1/2/3 E: {three} cm/s; 2/4/6 S hold {'/'.join(f'{p:.0f}' for p in pull)} N and "
            f"{'/'.join(f'{s:.0f}' for s in slope)}°; (g): {shifted[0]:.2f} cm/s"
        ),
        passed=faster and firmer and blocked,
        note=(
            f"(g) is blocked when both units walk in step, as modules on one clock do; the second "
            f"unit half a period late reaches {max(shifted):.1f} cm/s, because the supports that "
            "stand side by side then hold together.  Slopes are held in a pipe of "
            f"{SLIPPERY:.2f} of dry friction.  Four E: {speed['SEEEES']:.1f} cm/s: a longer unit "
            f"is heavier to push.  {len(seeds)} runs each, dcmotor servos, 0.5 ms"
        ),
        values={
            **{f"speed_{letters}_cm_s": speed[letters] for letters in SPEED_CHAINS},
            **{f"pull_{c}_n": p for c, p in zip(GRIP_CHAINS, pull, strict=True)},
            **{f"slope_{c}_deg": s for c, s in zip(GRIP_CHAINS, slope, strict=True)},
            "speed_g_in_step_cm_s": shifted[0],
            "speed_g_best_cm_s": max(shifted),
        },
        plots=(
            Figure(
                "Extensions add speed",
                "extension modules",
                "speed (cm/s)",
                (Series.of("level pipe", range(1, 5), [*speed.values()]),),
            ),
            Figure(
                "Supports add grip",
                "support modules",
                "pull held (N), slope held (°)",
                (
                    Series.of("pull, dry (N)", (2, 4, 6), pull),
                    Series.of("slope, slippery (°)", (2, 4, 6), slope, style="dashed"),
                ),
            ),
            Figure(
                "Two inchworms in one chain (000 Fig 20 g)",
                "second unit late by (s)",
                "speed (cm/s)",
                (Series.of("S E S S E S", SHIFTS, shifted),),
            ),
        ),
    )
