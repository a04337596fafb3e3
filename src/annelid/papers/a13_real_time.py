"""A13: all ten module types at the paper's 0.5 ms, faster than life.

001 §4.1.1 says its simulator is "fluid" with physics at 0.5 ms and gives no number.  Ours is the
real-time factor of a chain with every module of the shelf, commanded and sensed at the boards'
20 ms, against the bare engine: ``mj_step`` of the same model with the same commands, nothing read.
Both take turns, and CPU time counts, so that other work on the machine does not.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.kernel import to_seconds
from annelid.motion import bind, parse_gaits
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import simulation
from annelid.physics.simulation import Simulation
from annelid.worlds import parse_world, worlds

Floats = NDArray[np.float64]

CHAIN = "TRHSEVPNBG"
TICK_S = 0.020
"""The boards' timer (001 §4.1.1): 40 physics steps."""
GAITS: tuple[dict[str, Any], ...] = (
    {"gait": "push"},
    {"gait": "wave", "axis": "yaw", "amplitude_deg": 5, "omega_rad_s": 4, "phase_rad": 1},
)
PLACES: dict[str, dict[str, Any]] = {
    "pipe": {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 1500}]},
    "open air": {"kind": "open-air"},
}
FLUID = 1.0
RATIO_MAX = 1.5
"""What the whole may cost against the bare engine."""


def begin(place: str) -> Simulation:
    return simulation(CHAIN, parse_world(PLACES[place], worlds()))


def whole(sim: Simulation, ticks: int) -> Floats:
    """Commands and readings at every tick; the engine's controls, one row for each."""
    bound = bind(parse_gaits(GAITS), sim.robot)
    steps = round(TICK_S * 1e9) // sim.step_ns
    controls = []
    for _ in range(ticks):
        sim.actuators.write(bound.values(to_seconds(sim.now_ns)))
        controls.append(sim.data.ctrl.copy())
        sim.advance(steps)
        sim.sensors.read()
        sim.actuators.filtered()
        sim.actuators.temperature()
    return np.array(controls)


def bare(sim: Simulation, controls: Floats) -> None:
    model, data = sim.model, sim.data
    steps = round(TICK_S * 1e9) // sim.step_ns
    for row in controls:
        data.ctrl[:] = row
        mujoco.mj_step(model, data, steps)


def cost(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall seconds."""
    cpu, wall = process_time(), perf_counter()
    work()
    return process_time() - cpu, perf_counter() - wall


def measure(place: str, seconds: float, rounds: int) -> dict[str, float]:
    ticks = round(seconds / TICK_S)
    ours, walls, engine = [], [], []
    controls = whole(begin(place), ticks)  # also compiles what is compiled at first use
    for _ in range(rounds):
        sim, twin = begin(place), begin(place)
        cpu, wall = cost(partial(whole, sim, ticks))
        ours.append(cpu)
        walls.append(wall)
        engine.append(cost(partial(bare, twin, controls))[0])
    return {
        "real_time_factor": seconds / median(ours),
        "real_time_factor_wall": seconds / median(walls),
        "real_time_factor_bare": seconds / median(engine),
        "ratio": median(a / b for a, b in zip(ours, engine, strict=True)),
    }


def experiment(bench: Bench) -> Outcome:
    seconds, rounds = (1.0, 2) if bench.quick else (4.0, 5)
    found = {}
    for number, place in enumerate(PLACES):
        bench.progress("stepping", number / len(PLACES))
        found[place] = measure(place, seconds, rounds)
    shown = "; ".join(
        f"{place}: {v['real_time_factor']:.1f} × real time, {v['ratio']:.2f} × bare physics"
        for place, v in found.items()
    )
    kinds = ("real_time_factor", "real_time_factor_bare")
    labels = ("Annelid", "bare engine")
    return Outcome(
        ours=shown,
        passed=all(
            v["real_time_factor"] >= FLUID and v["ratio"] <= RATIO_MAX for v in found.values()
        ),
        note=(
            f"Chain {CHAIN}, 0.5 ms, one core of {processor()}; commands and every sensor but the "
            f"camera each {1000 * TICK_S:.0f} ms; no trace. Bare physics: mj_step of the same "
            f"model with the same commands. CPU time, median of {rounds} runs of {seconds:.0f} s. "
            f"Fluid is 1 × or more."
        ),
        values={
            f"{name}_{place.replace(' ', '_')}": value
            for place, v in found.items()
            for name, value in v.items()
        },
        plots=(
            Figure(
                "Real-time factor of a chain of all ten module types",
                "0: pipe, 1: open air",
                "simulated seconds per CPU second",
                tuple(
                    Series.of(
                        label,
                        range(len(found)),
                        [v[kind] for v in found.values()],
                        style="points",
                    )
                    for kind, label in zip(kinds, labels, strict=True)
                ),
            ),
        ),
    )


def processor() -> str:
    """What the machine says it computes with."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
