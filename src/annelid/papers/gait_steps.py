"""Reads a recorded run of ErekoBots: its options, the gait's start, every step of a module."""

from __future__ import annotations

from annelid.kernel.trace import Event
from annelid.systems.erekobot.network import HOST_NAME
from annelid.systems.erekobot.spec import ErekobotSpec
from annelid.trial.replay import Run


def options(run: Run) -> ErekobotSpec:
    found = run.scenario.control.options
    assert isinstance(found, ErekobotSpec)
    return found


def host_start_ns(run: Run) -> int:
    return next(event.time_ns for event in run.events("start") if event.source == HOST_NAME)


def gait_steps(run: Run) -> list[list[Event]]:
    """Of each module, in their order along the line."""
    steps = run.events("servo")
    return [
        [step for step in steps if step.source == f"K{k}"]
        for k in range(1, run.metrics.modules + 1)
    ]
