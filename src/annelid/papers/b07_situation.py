"""B7: where the nose thinks it is, over pipes of 36 to 200 mm and open air (000 §4.1.5).

Each trial draws a bore, a roll and how the nose lies (in a narrow pipe anywhere between the walls,
in a wide one on its bottom, on open ground on the floor or raised by up to 40 mm), then gives the
behaviour seven looks between which the nose swings as in a gait.  The paper says what is to be told
apart and gives no rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import cos, pi, radians, sin
from typing import Final

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from annelid.electronics.board import Board
from annelid.electronics.circuit import Circuit
from annelid.kernel import Kernel, Program
from annelid.modules.shells import RADIUS
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import open_air, simulation, straight_pipe
from annelid.physics.simulation import Simulation
from annelid.systems.microtub.behaviours.stimuli import Situation, Stimuli
from annelid.systems.microtub.behaviours.surroundings import (
    LOOKS,
    NARROW,
    SituationAwareness,
)

BORES_MM: Final = (36, 40, 44, 48, 52, 54, 56, 58, 60, 70, 80, 100, 120, 140, 160, 180, 200)
WANTED: Final = 0.95
SWING_YAW, SWING_PITCH = radians(20), radians(10)
"""How far the nose swings between looks, where the pipe lets it."""
WALL_MM: Final = 60.0
"""Where the wall stands in the worlds that are not counted, beside the robot."""


@dataclass(frozen=True)
class Trial:
    """A world and what may be drawn in it."""

    bore_mm: float | None
    """None: open air."""
    wall: bool = False

    @property
    def truth(self) -> Situation:
        if self.bore_mm is None:
            return Situation.OPEN_AIR
        return Situation.NARROW_PIPE if self.bore_mm <= 1000 * NARROW else Situation.WIDE_PIPE


def right(trial: Trial, *, seed: int, draws: int) -> float:
    """Share of draws in which the behaviour ended with the truth."""
    if trial.bore_mm is None:
        reach = {"from_mm": [-300, WALL_MM], "to_mm": [900, WALL_MM]}
        world = open_air(obstacles=[{"shape": "wall", **reach}] if trial.wall else [])
    else:
        world = straight_pipe(length_mm=1500, bore_mm=trial.bore_mm)
    run = simulation("T", world, seed=seed, jitter=0.0)
    chance = np.random.default_rng((seed, round(trial.bore_mm or 0)))
    found = [_look_around(run, trial, chance) for _ in range(draws)]
    return sum(one is trial.truth for one in found) / draws


def _look_around(run: Simulation, trial: Trial, chance: np.random.Generator) -> Situation:
    room = 0.0 if trial.bore_mm is None else trial.bore_mm / 2000 - RADIUS
    lying = room >= RADIUS
    roll = chance.uniform(-pi, pi)
    if trial.bore_mm is None:
        raised = chance.uniform(0.0, 0.04) if chance.random() < 0.3 else 0.0
        middle = np.array([0.3, 0.0, RADIUS + raised])
        free = 1.0
    else:
        towards = chance.uniform(-0.3, 0.3) if lying else chance.uniform(-pi, pi)
        aside = room if lying else room * chance.uniform()
        middle = np.array([0.3, aside * sin(towards), -aside * cos(towards)])
        free = min(1.0, room / RADIUS)
    board = Circuit(Kernel(), run).add("T1", _idle).board
    stimuli = Stimuli(servos={}, sensors=board.sensors)
    behaviour = SituationAwareness()
    place = int(run.model.joint("T1/free").qposadr[0])
    for _ in range(LOOKS):
        yaw, pitch = free * chance.uniform(-1, 1, 2) * (SWING_YAW, SWING_PITCH)
        turn = Rotation.from_euler("ZYX", (yaw, -pitch, roll))
        run.advance(1)  # another step, another noise
        run.data.qpos[place : place + 3] = middle + turn.apply((RADIUS, 0.0, 0.0))
        run.data.qpos[place + 3 : place + 7] = turn.as_quat(scalar_first=True)
        run.data.qvel[:] = 0.0
        mujoco.mj_forward(run.model, run.data)
        list(behaviour.propose(stimuli))
    return stimuli.situation


def _idle(board: Board) -> Program:
    """The behaviour is asked directly: the nose is put where the draw says, tick by tick."""
    yield board.sleep(1.0)


def experiment(bench: Bench) -> Outcome:
    draws = 10 if bench.quick else 60
    pipes = [Trial(float(bore)) for bore in BORES_MM]
    trials = [*pipes, Trial(None), Trial(None, wall=True)]
    work = partial(right, seed=bench.seed, draws=draws)
    shares = dict(zip(trials, bench.map(work, trials, what="noses"), strict=True))
    kinds = {
        kind: float(
            np.mean([share for t, share in shares.items() if t.truth is kind and not t.wall])
        )
        for kind in (Situation.NARROW_PIPE, Situation.WIDE_PIPE, Situation.OPEN_AIR)
    }
    overall = float(np.mean(list(kinds.values())))
    beside_wall = shares[trials[-1]]
    worst = min(pipes, key=lambda trial: shares[trial])
    return Outcome(
        ours=f"{100 * overall:.1f} % right: "
        + ", ".join(f"{kind} {100 * share:.1f} %" for kind, share in kinds.items()),
        passed=overall >= WANTED,
        note=(
            f"{draws} draws in each of {len(BORES_MM)} bores and in open air, {LOOKS} looks each; "
            f"the three situations count alike. A pipe is narrow up to {1000 * NARROW:.0f} mm "
            f"(ours); the worst bore is {worst.bore_mm:.0f} mm with {100 * shares[worst]:.0f} %. "
            f"Not counted: on open ground with a wall {WALL_MM:.0f} mm beside the nose "
            f"{100 * beside_wall:.0f} % are right, the others take it for a wide pipe."
        ),
        values={
            "right_percent": 100 * overall,
            **{f"{kind.name.lower()}_percent": 100 * share for kind, share in kinds.items()},
            "beside_wall_percent": 100 * beside_wall,
        },
        plots=(
            Figure(
                "Situation awareness over the bore",
                "bore, mm",
                "right, %",
                (
                    Series.of("measured", BORES_MM, [100 * shares[t] for t in pipes]),
                    Series.of("wanted", (36, 200), (100 * WANTED,) * 2, style="dashed"),
                ),
            ),
        ),
    )
