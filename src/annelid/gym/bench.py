"""Measures the steps of an environment against the bare engine's, over the same ground.

An agent that acts at random takes the environment through an episode, once to keep the state of
the physics at every control tick and the commands that it then was given.  Then, in turns: the
episode again, and the engine alone, set to each of those states and commands and stepped to the
next.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import process_time
from typing import Any, Final

import gymnasium
import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.control.interface import Reals
from annelid.gym import env as environment
from annelid.gym.tasks import TASKS
from annelid.physics import electrics
from annelid.physics.native import set_callback
from annelid.physics.simulation import Simulation
from annelid.trial.bench_row import BenchRow

MEASURED: Final[Mapping[str, Mapping[str, Any]]] = {**TASKS, "Scenario": {"scenario": "snake"}}
LIMIT: Final = 0.8
SPAN_S: Final = 10.0
KEPT: Final = mujoco.mjtState.mjSTATE_INTEGRATION

Seconds = NDArray[np.float64]

States = list[tuple[NDArray[np.float64], NDArray[np.float64]]]
"""Of the physics before every control tick, and the engine's controls during it."""


def steps_beside_engine(*, quick: bool) -> list[BenchRow]:
    """Steps a second of the environment, as a part of the bare engine's."""
    return [_row(task, repeats=3 if quick else 9) for task in MEASURED]


def _row(task: str, *, repeats: int) -> BenchRow:
    env = environment.ScenarioEnv(**{**MEASURED[task], "duration_s": SPAN_S})
    draw = np.random.default_rng(0)
    step_ms = env.step_ns / 1e6
    count = round(SPAN_S * 1000 / step_ms)
    actions = [
        draw.uniform(-0.3, 0.3, env.action_space.shape).astype(np.float32) for _ in range(count)
    ]
    (states, taken), sim = states_of(env, actions), env.sim
    actions = actions[:taken]
    steps = env.scenario.control.tick_ns // sim.step_ns
    turns = [(_episode(env, actions), _engine(sim, states, steps)) for _ in range(repeats)]
    ours, bare = (np.min(each, axis=0).sum() for each in zip(*turns, strict=True))
    return BenchRow(
        f"bare mj_step / steps of annelid/{task}-v0 ({env.scenario.name}), CPU time",
        bare / ours,
        "×",
        LIMIT,
        f"{len(actions) / ours:.0f} steps of {step_ms:g} ms a second, one "
        f"reset in {len(actions)}, {len(env.observations)} numbers seen, {len(env.actions)} "
        f"commanded; physics at {env.scenario.physics.timestep_ms:g} ms; bare: the same model from "
        f"the same state with the same commands at every step, without our electronics; CPU "
        f"time, of each step the least of {repeats} turns",
        above=True,
    )


def states_of(env: environment.ScenarioEnv, actions: list[Reals]) -> tuple[States, int]:
    """Of an episode, which may end before the actions do; and how many of them it took."""
    env.reset(seed=0)
    before: list[NDArray[np.float64]] = []
    commands: list[NDArray[np.float64]] = []
    model, data = env.sim.model, env.sim.data

    def look() -> None:
        before.append(np.empty(mujoco.mj_stateSize(model, KEPT)))
        mujoco.mj_getState(model, data, before[-1], KEPT)
        commands.append(data.ctrl.copy())  # of the tick before

    env.watch(look)
    taken = 0
    for action in actions:
        *_, terminated, truncated, _ = env.step(action)
        taken += 1
        if terminated or truncated:
            break
    commands.append(data.ctrl.copy())
    return list(zip(before, commands[1:], strict=True)), taken


def _episode(env: gymnasium.Env[Reals, Reals], actions: list[Reals]) -> Seconds:
    """CPU time of the reset and of every step: the least of several turns is what a step takes
    when nobody interrupts it."""
    marks = [process_time()]
    env.reset(seed=0)
    marks.append(process_time())
    for action in actions:
        env.step(action)
        marks.append(process_time())
    return np.diff(marks)


def _engine(sim: Simulation, states: States, steps: int) -> Seconds:
    """Of the engine alone, over the same ground."""
    set_callback("passive", None)
    try:
        marks = [process_time()]
        for state, commands in states:
            mujoco.mj_setState(sim.model, sim.data, state, KEPT)
            sim.data.ctrl[:] = commands
            mujoco.mj_step(sim.model, sim.data, steps)
            marks.append(process_time())
    finally:
        electrics.install()
    return np.diff(marks)
