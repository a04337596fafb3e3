"""The robot that a command is asked about: modules as letters, or that of a shipped scenario."""

from __future__ import annotations

import hashlib
import json
from typing import Any

Fields = dict[str, Any]
"""Of a scenario's ``[robot]``."""


def robot_named(name: str) -> Fields:
    """``TRRH`` or ``survey``, with the parameters that the scenario gives its modules."""
    from annelid.errors import InputError
    from annelid.trial.load import load, shipped

    if name not in shipped():
        return {"chain": name}
    robot = load(name).robot
    if robot.chain is None:
        raise InputError(f"robot: that of {name} is no chain of letters")
    return dict(robot.model_dump(mode="json", exclude_defaults=True))


def label(robot: Fields) -> str:
    """Its letters, for the name of a file; other parameters than usual give another one."""
    if set(robot) == {"chain"}:
        return str(robot["chain"])
    told = json.dumps(robot, sort_keys=True).encode()
    return f"{robot['chain']}-{hashlib.sha256(told).hexdigest()[:6]}"
