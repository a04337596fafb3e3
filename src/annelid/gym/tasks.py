"""Named tasks: shipped scenarios with an interface and a reward, registered with Gymnasium.

=========================  ====================================================================
``annelid/Scenario-v0``    any scenario: ``gymnasium.make(..., scenario="push")``
``annelid/Crawl-v0``       six rotation modules crawl over open ground
``annelid/Forward-v0``     the same six, straight ahead: how far does each joint have to swing?
``annelid/Roll-v0``        eight rotation modules roll sideways
``annelid/Elbow-v0``       a chain with a drive gets round an elbow
``annelid/Slope-v0``       six rotation modules climb a slope of 10°
``annelid/Tee-v0``         a chain with a drive gets through a tee
``annelid/Track-v0``       eight CONRO modules, docked to a loop, roll
``annelid/Climber-v0``     six legs with suction cups walk over a floor
=========================  ====================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

NAMESPACE: Final = "annelid"
ENTRY: Final = "annelid.gym.env:ScenarioEnv"

_QUICK: Final = {
    "physics__timestep_ms": 2.0,
    "physics__servo": "quasi-static",
    "control__tick_ms": 40.0,
}
"""The settings that searches use in open air; gaits of a second need no decision in 20 ms."""

_CHAIN_IN_PIPE: Final = {"robot__chain": "TRRH", "physics__timestep_ms": 1.0, "duration_s": 30.0}

TASKS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "Scenario": {},
        "Crawl": {
            "scenario": "snake",
            "reward": {"distance_m": 1.0},
            "adds": True,
            "reach": 0.5,
            "sensors": False,
            **_QUICK,
        },
        "Forward": {
            "scenario": "snake",
            "reward": {"progress_m": 1.0},
            "scales": True,
            "every": 10,
            "sensors": False,
            **_QUICK,
        },
        "Roll": {
            "scenario": "snake",
            "robot__chain": "RRRRRRRR",
            "control__gaits": [{"gait": "snake", "move": "roll"}],
            "reward": {"distance_m": 1.0},
            "adds": True,
            "reach": 0.5,
            **_QUICK,
        },
        "Elbow": {"scenario": "push", **_CHAIN_IN_PIPE},
        "Slope": {
            "scenario": "snake",
            "world": {"kind": "plane", "slope_deg": 10.0},
            "adds": True,
            "reach": 0.5,
            **_QUICK,
        },
        "Tee": {
            "scenario": "push",
            "world__parts": [
                {"part": "straight", "length_mm": 200},
                {"part": "tee", "branch_angle_deg": 45, "run_mm": 200, "branch_mm": 150},
                {"part": "straight", "length_mm": 250},
            ],
            **_CHAIN_IN_PIPE,
        },
        "Track": {"scenario": "rolling-track", "clock_s": 2.0, "duration_s": 12.0, **_QUICK},
        "Climber": {"scenario": "climber", "duration_s": 20.0, "reach": 0.3, **_QUICK},
    }
)
"""Name to what :class:`annelid.gym.ScenarioEnv` is made with."""


def register() -> None:
    """Make the names known to Gymnasium; once is enough."""
    import gymnasium

    for name, given in TASKS.items():
        known = f"{NAMESPACE}/{name}-v0"
        if known not in gymnasium.registry:
            # The order of calls is checked by the environment itself, and in one line.
            gymnasium.register(
                known, ENTRY, kwargs=dict(given), order_enforce=False, disable_env_checker=True
            )
