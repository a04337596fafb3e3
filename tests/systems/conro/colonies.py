"""CONRO modules with their programs on boards, ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.electronics.circuits import Rig
from tests.rigs import robot_from, simulation

from annelid.kernel import seconds
from annelid.robot import Robot
from annelid.systems.conro.network import ConroNetwork, build
from annelid.systems.conro.spec import ConroSpec

COARSE: Mapping[str, Any] = {"timestep_ms": 2, "servo": "quasi-static", "jitter": 0.005}
"""Enough for crawling."""


@dataclass
class Colony:
    rig: Rig
    net: ConroNetwork

    def run(self, cycles: float) -> None:
        """Until so many cycles after the beginning."""
        self.rig.run(cycles * self.net.cycle_s)

    def think(self, cycles: float) -> None:
        """As :meth:`run`, boards and light alone: nobody looks at the physics, so none is made."""
        self.rig.kernel.run(seconds(cycles * self.net.cycle_s))

    def sent(self, connector: str, *, after: float = 0.0) -> list[float]:
        """When a connector began to signal, in steps."""
        step_ns = self.net.step_s * 1e9
        found = (
            d["start_ns"] / step_ns for d in self.rig.details("wire") if d["from"] == connector
        )
        return [at for at in found if at >= after * self.net.role.period]

    def lag(self, before: str, module: str, *, after: float) -> float:
        """By how many steps one is behind another, at its first signal from then on."""
        own = self.sent(f"{module}.back", after=after)[0]
        theirs = [at for at in self.sent(f"{before}.back") if at <= own]
        return float((own - theirs[-1]) % self.net.role.period)

    def lags(self, count: int, *, after: float) -> list[float]:
        """By how many steps each of C2, C3 … is behind the one before it."""
        firsts = [self.sent(f"C{k}.back", after=after)[0] for k in range(1, count + 1)]
        return [float(lag % self.net.role.period) for lag in np.diff(firsts)]

    def way(self, *modules: str, cycles: int) -> list[float]:
        """How far each of the modules gets per cycle in so many cycles from now, m."""
        start = self.rig.kernel.now / 1e9 / self.net.cycle_s
        before = [self.rig.sim.placement(name).at[:2].copy() for name in modules]
        self.run(start + cycles)
        after = [self.rig.sim.placement(name).at[:2] for name in modules]
        pairs = zip(before, after, strict=True)
        return [float(np.linalg.norm(b - a)) / cycles for a, b in pairs]


def colony(
    who: Robot | str = "CCCCCCCC",
    *,
    seed: int = 0,
    start: bool = True,
    world: Mapping[str, Any] | None = None,
    **options: Any,
) -> Colony:
    """``world``: what open air has in it."""
    rig = Rig(simulation(who, {"kind": "open-air", **(world or {})}, seed=seed, **COARSE))
    net = build(ConroSpec.parse(options, where="control.options"), rig.circuit)
    if start:
        rig.circuit.start()
    return Colony(rig, net)


def loop(modules: int) -> Robot:
    """A regular polygon that stands on an edge."""
    names = range(1, modules + 1)
    return robot_from(
        {
            "modules": [{"type": "C", "start": {"pitch": 360 / modules}} for _ in names],
            "docks": [{"a": f"C{k}.back", "b": f"C{k % modules + 1}.front"} for k in names],
        }
    )


def legged(pairs: int, *, beside: Mapping[str, Sequence[float]] | None = None) -> Robot:
    """Spine S1, S2 … with legs L1, R1, L2 …; what ``beside`` names is not docked to the spine and
    begins there (mm from the start)."""
    apart, places = beside or {}, range(1, pairs + 1)
    docks = [(f"S{k}.back", f"S{k + 1}.front") for k in places[:-1]]
    for k in places:
        docks += [(f"S{k}.left", f"L{k}.back"), (f"S{k}.right", f"R{k}.back")]
    names = [f"{letter}{k}" for letter in "SLR" for k in places]
    modules: list[dict[str, Any]] = [{"type": "C", "name": name} for name in names]
    for module in modules:
        if module["name"] in apart:
            module["at_mm"] = tuple(apart[module["name"]])
    kept = [{"a": a, "b": b} for a, b in docks if b.partition(".")[0] not in apart]
    return robot_from({"modules": modules, "docks": kept})
