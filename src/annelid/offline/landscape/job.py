"""A landscape as a job: the model, and for every point of a grid its waves and its start.

The grid is over the study's genes; 32 points along each of three make the 32 768 gaits of the
landscape.  Starts are jittered by the same seeds as the study's runs, so that a point can be held
against the same run on this machine's cores.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import product
from math import radians
from pathlib import Path
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.motion import bind, parse_gaits
from annelid.motion.layers import Waves
from annelid.offline.rerun import GaitRunner
from annelid.offline.study import Study
from annelid.physics.build import name_ids
from annelid.physics.simulation import Simulation
from annelid.trial.fields import set_field
from annelid.trial.load import resolve

Floats = NDArray[np.float64]

WAVES: Final = ("amplitude", "omega", "phase", "offset")


def grid(study: Study, points: int) -> tuple[list[str], Floats]:
    """(fields, a row per point): ``points`` values of every gene, the last running fastest."""
    genes = study.spec.space.genes
    if not genes or study.spec.space.choices or study.spec.space.chain is not None:
        raise InputError("landscape: expected a study of genes alone, numbers of one body's gaits")
    axes = [np.linspace(gene.low, gene.high, points) for gene in genes]
    return [gene.field for gene in genes], np.array(list(product(*axes)))


def make_job(study: Study, points: int, *, seconds: float | None = None) -> dict[str, Any]:
    """Arrays of the job, ready for ``numpy.savez``."""
    if not GaitRunner.fits(study):
        raise InputError(
            "landscape: expected a study that searches gaits alone and is driven by gaits alone"
        )
    fields, table = grid(study, points)
    scenario = study.scenario
    robot, world = resolve(scenario, study.plugins)
    sim = Simulation(robot, world, scenario.physics)
    gaits = scenario.model_dump(mode="json")["control"]["gaits"]
    waves = np.zeros((len(WAVES), len(table), sim.model.nu))
    starts = np.empty((len(table), sim.model.nq))
    ramps: set[float] = set()
    for row, values in enumerate(table.tolist()):
        point = dict(zip(fields, values, strict=True))
        changed = {"gaits": [dict(gait) for gait in gaits]}
        for field, value in point.items():
            set_field(changed, field.removeprefix("control."), value)
        bound = bind(parse_gaits(changed["gaits"]), robot)
        for term in _terms(bound.layers):
            ramps.add(term.window.ramp)
            place = sim.model.actuator(bound.actuators[term.place]).id
            waves[:, row, place] = term.amplitude, term.omega, term.phase, term.offset
        seed = study.seed_of(study.space.encode(point))
        sim.restart(seed=seed, jitter=radians(scenario.jitter_deg))
        starts[row] = sim.data.qpos
    if len(ramps) != 1:
        raise InputError("landscape: expected gaits that fade in over the same time")
    firsts = [f"{m.name}/{m.body.parts[0].name}" for m in robot.modules]
    return {
        "model": np.frombuffer(_binary(sim.model), dtype=np.uint8),
        "fields": np.array(fields),
        "points": np.array(points),
        "table": table,
        **dict(zip(WAVES, waves, strict=True)),
        "qpos": starts,
        "ramp_s": np.array(ramps.pop()),
        "tick_steps": np.array(scenario.control.tick_ns // scenario.physics.step_ns),
        "seconds": np.array(seconds or scenario.duration_s),
        "firsts": name_ids(sim.model, mujoco.mjtObj.mjOBJ_BODY, firsts),
    }


def _terms(layers: Sequence[object]) -> Any:
    if len(layers) != 1 or not isinstance(layers[0], Waves):
        raise InputError("landscape: expected gaits that are waves: wave or snake")
    terms = layers[0].terms
    if len({term.place for term in terms}) < len(terms):
        raise InputError("landscape: expected one wave an actuator, not a sum of several")
    return terms


def _binary(model: mujoco.MjModel) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mjb"
        mujoco.mj_saveModel(model, str(path))
        return path.read_bytes()
