"""Train a policy by PPO until it beats the shipped gait, then run it as a controller.

Needs ``pip install 'annelid[train]'``.  The agent corrects the gait of six rotation modules that
crawl over open ground (annelid/Crawl-v0).  Both are compared on seeds that training never saw.
"""

import argparse
from functools import partial
from pathlib import Path
from time import monotonic

import gymnasium
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import SubprocVecEnv, VecNormalize

import annelid
from annelid.gym import policy_of_sb3, save_policy

TASK = "annelid.gym:annelid/Crawl-v0"
FRESH = 1_000_000


class UntilTimeIsUp(BaseCallback):
    """Ends the training after so many minutes."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.end = monotonic() + 60 * minutes

    def _on_step(self) -> bool:
        return monotonic() < self.end


def speeds(scenario: annelid.Scenario, runs: Path, count: int) -> list[float]:
    """Metres a second from the start, one run for each of so many fresh seeds."""
    seeds = range(FRESH, FRESH + count)
    made = [annelid.run(scenario, seed=seed, out=runs / str(seed)) for seed in seeds]
    return [run.metrics.distance_m / run.metrics.time_s for run in made]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=12, help="train for so long at most")
    asked.add_argument("--steps", type=int, default=10_000_000, help="or for so many steps")
    asked.add_argument("--runs", type=int, default=10, help="runs to compare by")
    asked.add_argument("--out", type=Path, default=Path("crawl"), help="folder for the results")
    given = asked.parse_args()

    torch.set_num_threads(1)
    envs = VecNormalize(SubprocVecEnv([partial(gymnasium.make, TASK)] * 2), gamma=0.98)
    agent = PPO(
        "MlpPolicy",
        envs,
        n_steps=500,
        batch_size=250,
        gamma=0.98,
        learning_rate=5e-4,
        policy_kwargs={"log_std_init": -2.0, "net_arch": [64, 64]},
        seed=0,
        device="cpu",
    )
    agent.learn(given.steps, callback=UntilTimeIsUp(given.minutes))
    envs.close()

    env = gymnasium.make(TASK)
    file = save_policy(policy_of_sb3(agent, env), given.out / "crawl.safetensors")
    gait = env.unwrapped.scenario
    trained = annelid.load(gait, control__policy=str(file))
    before = speeds(gait, given.out / "gait", given.runs)
    after = speeds(trained, given.out / "policy", given.runs)
    print(f"{agent.num_timesteps} steps; {file}")
    print(f"the gait   {1000 * min(before):6.1f} to {1000 * max(before):6.1f} mm/s")
    print(f"the policy {1000 * min(after):6.1f} to {1000 * max(after):6.1f} mm/s")
