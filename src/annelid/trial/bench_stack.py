"""Measures the full stack against the bare engine: the default robot in an elbow.

Once the run is made to keep the state of the physics at every control tick.  Then, in turns: the
whole run again (boards, firmware, bus, central control, metrics, a trace to disk), and the engine
alone, set to each of those states and stepped to the next, so that both make the same contacts.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.kernel import milliseconds
from annelid.kernel.trace import Trace
from annelid.physics import electrics
from annelid.physics.native import set_callback
from annelid.physics.simulation import Simulation
from annelid.trial.bench_row import BenchRow, timed
from annelid.trial.load import load
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario

TICK_MS: Final = 20
SPAN_S: Final = 15.0
"""Boot, discovery, a straight stretch, the touch, and the joints' turns in the bend."""
OPERATOR: Final = ({"at_s": 1.5, "say": "EXP"},)
KEPT: Final = mujoco.mjtState.mjSTATE_INTEGRATION

States = list[NDArray[np.float64]]


def stack_beside_physics(*, repeats: int) -> tuple[BenchRow, ...]:
    """The ratio, and the real-time factor of the full stack; the least of some repeats, for what
    disturbs a CPU only adds, and to a program more than to the engine."""
    scenario = on_its_way()
    states = kept_states(scenario)
    full_s, bare_s = [], []
    for _ in range(repeats):
        full_s.append(timed(partial(recorded, Trial(scenario))))
        sim = Trial(scenario).sim
        bare_s.append(timed(partial(bare, sim, states)))
    return (
        BenchRow(
            "full stack / bare mj_step, default's robot round an elbow",
            min(full_s) / min(bare_s),
            "×",
            1.5,
            "T R R H R R V P: boards, firmware, bus, central control, metrics, trace to "
            f"disk at 20 Hz; camera off; the first {SPAN_S:g} s, 0.5 ms; bare: the same model from "
            "the same state at every 20 ms, without our electronics; CPU",
        ),
        BenchRow(
            "real-time factor, default's full stack",
            SPAN_S / min(full_s),
            "×",
            None,
            "as above; CPU",
        ),
    )


def on_its_way(span_s: float = SPAN_S) -> Scenario:
    """The default scenario with its elbow nearer and the camera off."""
    straight = {"part": "straight", "length_mm": 100}
    changes: dict[str, Any] = {
        "duration_s": span_s,
        "physics.timestep_ms": 0.5,
        "world.parts": [straight, {"part": "elbow", "radius_mm": 60}, {**straight}],
        "world.breaks": [],
        "control.options.look_s": 60.0,
        "control.options.operator": OPERATOR,
        "record.sensors": False,
        "success.progress_m": 9.0,
    }
    return load("default", overrides=changes)


def kept_states(scenario: Scenario) -> States:
    """Of the physics, at every tick of a run."""
    trial = Trial(scenario)
    sim, states = trial.sim, States()
    size = mujoco.mj_stateSize(sim.model, KEPT)

    def keep() -> None:
        sim.advance_to(trial.now_ns)
        state = np.empty(size)
        mujoco.mj_getState(sim.model, sim.data, state, KEPT)
        states.append(state)

    trial.every(milliseconds(TICK_MS), keep)
    trial.measure()
    return states


def recorded(trial: Trial) -> None:
    """The whole of it."""
    with tempfile.TemporaryDirectory() as folder:
        trial.record_into(Trace.to_folder(Path(folder) / "trace"))


def bare(sim: Simulation, states: States) -> None:
    """The engine alone, over the same ground."""
    model, data = sim.model, sim.data
    steps = milliseconds(TICK_MS) // sim.step_ns
    set_callback("passive", None)
    try:
        for state in states:
            mujoco.mj_setState(model, data, state, KEPT)
            mujoco.mj_step(model, data, steps)
    finally:
        electrics.install()
