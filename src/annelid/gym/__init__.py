"""Scenarios as environments of Gymnasium, to train policies that then run in scenarios.

::

    import gymnasium

    import annelid.gym

    env = gymnasium.make("annelid/Crawl-v0")
    env = gymnasium.make("annelid/Scenario-v0", scenario="push", robot__chain="TRRH")

The environment is the trial itself, with its faults, falls and metrics; an agent stands where a
policy stands in a scenario (``annelid.control``), so that a trained policy does there what it did
here, bit for bit.  Importing this package registers the names (``tasks``);
``gymnasium.make("annelid.gym:annelid/Crawl-v0")`` imports it by itself.
"""

from annelid.errors import needing

with needing("gym", "annelid.gym"):
    import gymnasium as _gymnasium

from annelid.control.policy import Policy, load_policy, save_policy
from annelid.gym.env import ScenarioEnv
from annelid.gym.sb3 import policy_of_sb3
from annelid.gym.tasks import TASKS, register

register()
