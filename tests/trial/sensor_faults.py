"""Every shipped scenario with every way its sensors can break: what the campaign is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from annelid.electronics.faults import Fault, parse_fault
from annelid.robot.body import Sensor
from annelid.trial.load import load
from annelid.trial.run import Trial

WAYS: Final[dict[str, dict[str, Any]]] = {
    "stuck at its last reading": {"fault": "dead_sensor"},
    "stuck at zero": {"fault": "dead_sensor", "reading": 0.0},
    "stuck far above": {"fault": "dead_sensor", "reading": 1e300},
    "stuck far below": {"fault": "dead_sensor", "reading": -1e300},
    "floating": {"fault": "dead_sensor", "mode": "floating"},
    "flagged": {"fault": "dead_sensor", "mode": "flagged"},
    "noisy": {"fault": "noisy_sensor", "deviation": 1e300},
}
"""All sensor faults, with the numbers that hurt most."""

BREAK_S: Final = 1.0
"""When the sensors break: firmware has begun by then."""


@dataclass(frozen=True)
class Case:
    """All sensors of one class break in one way."""

    scenario: str
    kind: str
    """``Touch``, ``Ray`` …; a camera only dies."""
    way: str

    def __str__(self) -> str:
        return f"{self.scenario}: {self.kind} {self.way}"

    def faults(self) -> list[Fault]:
        return [
            parse_fault({**WAYS[self.way], "sensor": name, "at_s": BREAK_S})
            for name, sensor in _sensors(self.scenario)
            if type(sensor).__name__ == self.kind
        ]

    def crashes(self, seconds: float) -> dict[str, str]:
        """Boards whose program crashed in so many seconds, and why."""
        trial = Trial(load(self.scenario, overrides={"duration_s": seconds}))
        for fault in self.faults():
            trial.injector.schedule([fault])
        trial.measure()
        return {
            name: repr(node.error)
            for name, node in trial.circuit.nodes.items()
            if node.error is not None
        }


@cache
def _sensors(scenario: str) -> list[tuple[str, Sensor]]:
    """Those that a board can read."""
    trial = Trial(load(scenario))
    return [
        (f"{module.name}.{sensor.name}", sensor)
        for module in trial.sim.robot.modules
        if module.name in trial.circuit.nodes
        for sensor in module.body.sensors
    ]


def kinds(scenario: str) -> list[str]:
    """Classes of sensors that its boards have."""
    return sorted({type(sensor).__name__ for _, sensor in _sensors(scenario)})


def cases(scenario: str) -> list[Case]:
    return [
        Case(scenario, kind, way)
        for kind in kinds(scenario)
        for way, fault in WAYS.items()
        if kind != "Camera" or (fault["fault"] == "dead_sensor" and "reading" not in fault)
    ]
