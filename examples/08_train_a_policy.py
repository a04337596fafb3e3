"""Train a policy by PPO until it beats the shipped gait, then run it as a controller.

Needs ``pip install 'annelid[train]'``.  Six rotation modules crawl straight ahead
(annelid/Forward-v0).  The gait goes on; every 0.4 s the agent says how far each joint swings, from
not at all to twice as far as the gait has it.  Both are compared on seeds that training never saw.
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

TASK = "annelid.gym:annelid/Forward-v0"
LOOKS, FRESH = range(500_000, 500_003), 1_000_000
"""Seeds by which training is ended, and the first of those for the comparison."""
CASES = {
    "as trained": {},
    "robots drawn from tolerances": {"tolerances__draw": True},
    "servos as DC motors, 0.5 ms": {"physics__servo": "dcmotor", "physics__timestep_ms": 0.5},
}
"""What the gait and the policy are compared in; training knew only the first."""


class UntilItIsBetter(BaseCallback):
    """Ends the training when the slowest run of the policy is so many times as fast as the fastest
    of the gait, or after so many minutes."""

    def __init__(self, env: gymnasium.Env, out: Path, *, times: float, minutes: float) -> None:
        super().__init__()
        self.env, self.out, self.times = env, out, times
        self.begin, self.limit_s = monotonic(), 60 * minutes
        self.gait = max(speeds(env.unwrapped.scenario, LOOKS, out / "gait"))
        self.updates, self.better = 0, False

    def _on_rollout_start(self) -> None:
        """Once in five updates of the network."""
        self.updates += 1
        if self.updates % 5 == 0:
            self.better = self._slowest() >= self.times * self.gait

    def _on_step(self) -> bool:
        return not self.better and monotonic() < self.begin + self.limit_s

    def _slowest(self) -> float:
        place = self.out / f"after-{self.num_timesteps}"
        file = save_policy(policy_of_sb3(self.model, self.env), place / "forward.safetensors")
        slowest = min(speeds(with_policy(self.env, file), LOOKS, place))
        passed = monotonic() - self.begin
        print(
            f"{passed:5.0f} s {self.num_timesteps:6} steps {1000 * slowest:6.1f} mm/s", flush=True
        )
        return slowest


def with_policy(env: gymnasium.Env, file: Path) -> annelid.Scenario:
    """The task's scenario with the policy as its controller: ``[control] policy = …``."""
    return annelid.load(env.unwrapped.scenario, control__policy=str(file.resolve()))


def speeds(scenario: annelid.Scenario, seeds: range, runs: Path) -> list[float]:
    """Metres a second straight ahead, one run for each seed."""
    made = [annelid.run(scenario, seed=seed, out=runs / str(seed)) for seed in seeds]
    return [run.metrics.speed_m_s for run in made]


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--times", type=float, default=2.0, help="so much faster than the gait")
    asked.add_argument("--minutes", type=float, default=12, help="train for so long at most")
    asked.add_argument("--runs", type=int, default=5, help="runs to compare by, of each case")
    asked.add_argument("--out", type=Path, default=Path("forward"), help="folder for the results")
    given = asked.parse_args()

    torch.set_num_threads(1)
    env = gymnasium.make(TASK)
    envs = VecNormalize(SubprocVecEnv([partial(gymnasium.make, TASK)] * 2), gamma=0.9)
    agent = PPO(
        "MlpPolicy",
        envs,
        n_steps=200,
        batch_size=100,
        gamma=0.9,
        learning_rate=1e-3,
        policy_kwargs={"log_std_init": -0.7, "net_arch": [32, 32]},
        seed=0,
        device="cpu",
    )
    watch = UntilItIsBetter(env, given.out, times=given.times, minutes=given.minutes)
    agent.learn(10_000_000, callback=watch)
    envs.close()

    file = save_policy(policy_of_sb3(agent, env), given.out / "forward.safetensors")
    took = (monotonic() - watch.begin) / 60
    print(f"{agent.num_timesteps} steps in {took:.1f} minutes; {file}")
    seeds = range(FRESH, FRESH + given.runs)
    print("| straight ahead, 10 s | shipped gait | policy |\n|---|---|---|")
    both = {"gait": env.unwrapped.scenario, "policy": with_policy(env, file)}
    for number, (case, fields) in enumerate(CASES.items(), 1):
        cells = []
        for name, scenario in both.items():
            place = given.out / f"{name}-{number}"
            made = [1000 * each for each in speeds(annelid.load(scenario, **fields), seeds, place)]
            cells.append(f"{min(made):.0f} to {max(made):.0f} mm/s")
        print(f"| {case} | {' | '.join(cells)} |", flush=True)
