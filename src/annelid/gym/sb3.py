"""Takes the network out of an agent of Stable-Baselines3, as a policy that a scenario can run."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from annelid.control.policy import Policy
from annelid.errors import InputError
from annelid.gym.env import ScenarioEnv


def policy_of_sb3(model: Any, env: gymnasium.Env[Any, Any]) -> Policy:
    """What ``model`` (PPO or A2C with ``MlpPolicy``) does without chance, in ``env``.

    ``env`` is one like those it was trained with.  Observations may have been normalised
    (``VecNormalize``); no other wrapper may have changed observations or actions.
    """
    core = env.unwrapped
    if not isinstance(core, ScenarioEnv):
        raise InputError(f"expected an environment of annelid, got {type(core).__name__}")
    if model.observation_space != core.observation_space or model.action_space.shape != (
        len(core.actions),
    ):
        raise InputError(
            f"expected a model of {len(core.observations)} observations and {len(core.actions)} "
            f"actions, got {model.observation_space.shape} and {model.action_space.shape}"
        )
    network = model.policy
    layers = [each for each in network.mlp_extractor.policy_net if hasattr(each, "weight")]
    bends = {type(e).__name__ for e in network.mlp_extractor.policy_net if not hasattr(e, "weight")}
    if bends - {"Tanh", "ReLU"} or len(bends) > 1:
        raise InputError(f"expected an activation Tanh or ReLU, got {', '.join(sorted(bends))}")
    layers.append(network.action_net)
    mean = np.zeros_like(core.observation_space.low)
    scale = np.ones_like(mean)
    normalised = model.get_vec_normalize_env()
    if normalised is not None and normalised.norm_obs:
        mean = normalised.obs_rms.mean.astype(np.float32)
        scale = np.sqrt(normalised.obs_rms.var + normalised.epsilon).astype(np.float32)
    return Policy(
        layers=tuple((_array(each.weight), _array(each.bias)) for each in layers),
        observe=(mean, scale),
        observations=tuple(signal.name for signal in core.observations),
        actions=tuple(signal.name for signal in core.actions),
        interface=core.interface,
        tick_ms=core.scenario.control.tick_ms,
        activation="relu" if bends == {"ReLU"} else "tanh",
    )


def _array(parameter: Any) -> Any:
    return parameter.detach().cpu().numpy().astype(np.float32)
