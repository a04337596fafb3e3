"""The bare engine goes over the same ground as the environment that is measured against it."""

from __future__ import annotations

from itertools import pairwise

import mujoco
import numpy as np
import pytest

from annelid.gym import ScenarioEnv
from annelid.gym.bench import KEPT, states_of

TABLE = {
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "duration_s": 0.4,
    "physics": {"timestep_ms": 2.0, "servo": "quasi-static"},
    "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
}


@pytest.mark.parametrize("every", [1, 4])
def test_from_every_state_the_engine_comes_to_the_next(every: int) -> None:
    env = ScenarioEnv(TABLE, scales=True, every=every)
    actions = [np.full(4, 0.5, np.float32)] * 100
    states, taken = states_of(env, actions)
    assert (len(states), taken) == (20, 20 // every)  # ticks of 20 ms, and decisions
    model, data = env.sim.model, env.sim.data
    for (state, commands), (following, _) in pairwise(states):
        mujoco.mj_setState(model, data, state, KEPT)
        data.ctrl[:] = commands
        mujoco.mj_step(model, data, 10)
        reached = np.empty_like(state)
        mujoco.mj_getState(model, data, reached, KEPT)
        data.ctrl[:] = 0.0
        mujoco.mj_setState(model, data, following, KEPT)
        wanted = data.qpos.copy()
        mujoco.mj_setState(model, data, reached, KEPT)
        assert np.array_equal(data.qpos, wanted)
