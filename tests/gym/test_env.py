"""Scenarios as environments of Gymnasium."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

import annelid.gym
from annelid.errors import InputError
from annelid.gym import TASKS, ScenarioEnv
from annelid.physics.render import available
from annelid.trial.run import Trial

SMALL: dict[str, Any] = {
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "duration_s": 0.4,
    "jitter_deg": 1.0,
    "physics": {"timestep_ms": 2.0, "servo": "quasi-static"},
    "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
}


def small(**given: Any) -> ScenarioEnv:
    return ScenarioEnv(SMALL, **given)


def episode(env: ScenarioEnv, seed: int, *, chance: int = 0) -> tuple[np.ndarray, float, Any]:
    """All observations, the sum of the rewards and the last info of random actions."""
    draw = np.random.default_rng(chance)
    seen, info = env.reset(seed=seed)
    rows, total, over = [seen], 0.0, False
    while not over:
        action = draw.uniform(-1, 1, env.action_space.shape)
        seen, reward, terminated, truncated, info = env.step(action.astype(np.float32))
        rows.append(seen)
        total += reward
        over = terminated or truncated
    return np.array(rows), total, info


@pytest.mark.parametrize("task", [name for name in TASKS if name != "Scenario"])
def test_every_task_passes_gymnasiums_checker(task: str) -> None:
    made = gymnasium.make(f"annelid/{task}-v0", duration_s=0.06 * TASKS[task].get("every", 1))
    check_env(made.unwrapped, skip_render_check=True)
    made.close()


def test_spaces_have_names_units_and_bounds() -> None:
    env = small()
    assert [(each.name, each.unit) for each in env.actions] == [
        ("R1.yaw", "rad"),
        ("R1.pitch", "rad"),
        ("R2.yaw", "rad"),
        ("R2.pitch", "rad"),
    ]
    assert env.actions[0].high == pytest.approx(np.pi / 2, abs=0.01)
    units = {each.name: each.unit for each in env.observations}
    assert units["R1.yaw"] == "rad"
    assert units["speed[R1.yaw]"] == "rad/s"
    assert units["R2.accelerometer.z"] == "m/s²"
    drive = ScenarioEnv("push", modules="H1")
    assert [(each.name, each.unit, each.low) for each in drive.actions] == [
        ("H1.drive", "level", -1.0)
    ]
    cups = ScenarioEnv("climber", modules="L1")
    assert [(each.name, each.unit) for each in cups.actions][-1] == ("L1.cup", "on")


def test_a_seed_repeats_the_episode_bit_for_bit() -> None:
    first, again, other = (episode(small(), seed)[0] for seed in (7, 7, 8))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    env = small()
    episode(env, 3)
    assert np.array_equal(episode(env, 7)[0], first)  # whatever was before


def test_the_reward_is_what_the_metrics_amount_to(tmp_path: Path) -> None:
    weights = {"progress_m": 10.0, "energy_j": -2.0, "time_s": 0.5}
    (tmp_path / "reward.toml").write_text("progress_m = 10\nenergy_j = -2\ntime_s = 0.5\n")
    env = small(reward=weights)
    total, info = episode(env, 1)[1:]
    metrics = env._trial.tally.metrics(env.sim, "duration", wall_s=0.0)
    assert total == pytest.approx(10 * metrics.progress_m - 2 * metrics.energy_j + 0.5 * 0.4)
    assert info["stopped"] == "duration"
    assert episode(small(reward=tmp_path / "reward.toml"), 1)[1] == total
    assert episode(small(), 1)[1] == pytest.approx(metrics.progress_m)


@pytest.mark.parametrize("given", [{"adds": True}, {"scales": True}, {"scales": True, "every": 5}])
def test_a_command_of_nothing_is_the_gaits_run(given: dict[str, Any]) -> None:
    env = small(**given)
    env.reset(seed=5)
    zero = np.zeros(env.action_space.shape, np.float32)
    while not env.step(zero)[3]:
        pass
    alone = Trial(env.scenario.model_copy(update={"seed": 5}))
    alone.measure()
    assert np.array_equal(env.sim.data.qpos, alone.sim.data.qpos)
    episode(env, 5)
    assert not np.array_equal(env.sim.data.qpos, alone.sim.data.qpos)


def test_it_ends_by_time_by_arriving_and_by_falling() -> None:
    def end(env: ScenarioEnv) -> tuple[bool, bool, dict[str, Any]]:
        env.reset(seed=0)
        terminated = truncated = False
        while not (terminated or truncated):
            *_, terminated, truncated, info = env.step(np.ones(len(env.actions), np.float32))
        return terminated, truncated, info

    assert end(small(adds=True))[:2] == (False, True)
    drive: dict[str, Any] = {"robot__chain": "TH", "control__gaits": [], "duration_s": 2.0}
    pipe = ScenarioEnv("push", modules="H", success__progress_m=0.01, **drive)
    terminated, _, info = end(pipe)
    assert (terminated, info["stopped"], info["is_success"]) == (True, "goal", True)
    overhead = {"kind": "plane", "slope_deg": 120}
    terminated, _, info = end(small(adds=True, world=overhead, duration_s=3.0))
    assert (terminated, info["stopped"]) == (True, "fell")
    assert abs(info["progress_m"]) < 0.1  # falling is not getting anywhere


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ([0.0, np.nan, 0.0, 0.0], r"R1.pitch: expected -1 to 1 \(-1.571 to 1.571 rad\), got nan"),
        ([0.0, 0.0, 9.0, 0.0], "action: R2.yaw: expected .* got 9"),
        (
            [0.0, 0.0],
            r"expected 4 numbers from -1 to 1 \(R1.yaw, .*got an array of \(2,\)",
        ),
        ("left", "action: expected 4 numbers from -1 to 1"),
        (None, "action: expected 4 numbers from -1 to 1"),
        ([0.0, 1j, 0.0, 0.0], "action: expected 4 numbers from -1 to 1"),
    ],
)
def test_a_bad_action_is_told_in_one_line(action: Any, says: str) -> None:
    env = small()
    env.reset(seed=0)
    with pytest.raises(InputError, match=says) as raised:
        env.step(action)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"scenario": {**SMALL, "robot": {"chain": "PP"}, "control": {}}}, "nothing to command"),
        ({"scenario": "snake", "modules": "H"}, "unknown module 'H'"),
        ({"scenario": "rolling-track", "adds": True}, "there are no gaits to add to"),
        ({"scenario": "rolling-track", "scales": True}, "there are no gaits to scale"),
        ({"scenario": "snake", "scales": True, "adds": True}, "expected adds or scales, got both"),
        ({"scenario": "snake", "every": 0}, "every: "),
        ({"scenario": "snake", "reward": {"progres_m": 1.0}}, "Did you mean 'progress_m'"),
        ({"scenario": "snake", "reward": {"progress_m": "much"}}, "expected a number"),
        ({"scenario": "snake", "render_mode": "human"}, "render_mode: expected rgb_array"),
        ({"scenario": "snake", "reach": 2.0}, "reach"),
        ({"scenario": "snail"}, "unknown scenario 'snail'"),
        ({}, "expected a scenario: gymnasium.make"),
        ({"scenario": 7}, "scenario: expected a name, a file or a table, got 7"),
        ({"scenario": "snake", "reward": [1.0]}, r"expected a table of weights .* got \[1.0\]"),
        ({"scenario": "snake", "plugins": "mine.py"}, "expected a list of files, got 'mine.py'"),
        (
            {"scenario": {**SMALL, "faults": [{"fault": "dead_board", "board": "R1", "at_s": 0}]}},
            "cannot be an environment: faults.0",
        ),
    ],
)
def test_what_cannot_be_an_environment_is_told_in_one_line(
    given: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says) as raised:
        ScenarioEnv(**given)
    assert "\n" not in str(raised.value)


def test_a_seed_that_no_scenario_can_have_is_refused() -> None:
    with pytest.raises(InputError, match="seed: expected a whole number of at most 18 digits"):
        small().reset(seed=2**63)


def test_step_before_reset_and_after_the_end_is_refused() -> None:
    env = small()
    with pytest.raises(InputError, match=r"call reset\(\) first"):
        env.step(np.zeros(4, np.float32))
    episode(env, 0)
    with pytest.raises(InputError, match=r"call reset\(\) first"):
        env.step(np.zeros(4, np.float32))


def test_two_processes_do_what_one_does() -> None:
    def run(vector: Any) -> np.ndarray:
        rows, _ = vector.reset(seed=[3, 4])
        seen = [rows]
        for k in range(5):
            seen.append(vector.step(np.full((2, 4), 0.1 * k, np.float32))[0])
        vector.close()
        return np.array(seen)

    makers = [small, small]
    vector = AsyncVectorEnv(makers)
    pids = {process.pid for process in vector.processes}
    assert len(pids | {os.getpid()}) == 3  # each has a process of its own
    apart = run(vector)
    assert np.array_equal(apart, run(SyncVectorEnv(makers)))
    assert not np.array_equal(apart[:, 0], apart[:, 1])


def test_faults_happen_and_another_episode_begins_whole() -> None:
    table = {**SMALL, "faults": [{"fault": "limp_servo", "servo": "R1.pitch", "at_s": 0.1}]}
    env, whole = ScenarioEnv(table), small()
    first, again, healthy = episode(env, 2)[0], episode(env, 2)[0], episode(whole, 2)[0]
    assert np.array_equal(first, again)
    assert np.array_equal(first[:5], healthy[:5])
    assert not np.array_equal(first, healthy)


def test_it_is_rendered() -> None:
    if (why := available()) is not None:
        pytest.skip(why)
    env = small(render_mode="rgb_array")
    env.reset(seed=0)
    before = env.render()
    for _ in range(10):
        env.step(np.full(4, 0.8, np.float32))
    after = env.render()
    assert before is not None
    assert after is not None
    assert before.shape == after.shape == (360, 640, 3)
    assert not np.array_equal(before, after)
    assert small().render() is None
    env.close()


def test_its_module_is_imported_by_name() -> None:
    made = gymnasium.make("annelid.gym:annelid/Scenario-v0", scenario=SMALL)
    assert isinstance(made.unwrapped, annelid.gym.ScenarioEnv)


def test_between_two_decisions_the_factors_of_the_gait_stay() -> None:
    env = small(scales=True, every=5, reach=0.5)  # every 100 ms
    assert [(each.low, each.high, each.unit) for each in env.actions] == [(0.5, 1.5, "times")] * 4
    rows, _, info = episode(env, 0)
    assert len(rows) == 5
    assert info["time_s"] == pytest.approx(0.4)
    env.reset(seed=env.scenario.seed)
    while not env.step(np.ones(4, np.float32))[3]:
        pass
    alone = Trial(env.scenario.model_copy(update={"duration_s": 0.38}))
    alone.measure()  # at the end of an episode the last command is not yet given
    told = alone.sim.actuators.targets
    assert np.abs(told).max() > 0.01
    assert env.sim.actuators.targets == pytest.approx(1.5 * told)


def test_an_episode_lasts_whole_ticks() -> None:
    env = small(duration_s=0.05)  # of 20 ms
    rows, _, info = episode(env, 0)
    assert info["time_s"] == pytest.approx(0.06)
    assert len(rows) == 4
    assert not np.array_equal(rows[-1], rows[-2])
