"""The job of a landscape: the model, and for every grid point its waves and its start.

The grid is over the study's genes; 32 points along each of three make the 32 768 gaits of the
landscape.  Starts are jittered by the same seeds as the study's runs, so that a point can be held
against the same run on this machine's cores.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
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
from annelid.offline.space import Genome
from annelid.offline.study import Study, StudySpec
from annelid.physics.build import name_ids
from annelid.physics.simulation import Simulation
from annelid.trial.fields import set_field
from annelid.trial.load import resolve

Floats = NDArray[np.float64]

WAVES: Final = ("amplitude", "omega", "phase", "offset")


@dataclass(frozen=True)
class GenomeGrid:
    """Points of a space, evenly along every gene, the last running fastest."""

    fields: tuple[str, ...]
    genomes: tuple[Genome, ...]
    table: Floats
    """A row per genome: its values."""


def continuous(study: Study) -> Study:
    """The study with real numbers for genes: points of a grid fall between values of few bits."""
    spec = StudySpec.parse(study.resolved(), where=study.spec.name)
    genes = tuple(gene.model_copy(update={"bits": None}) for gene in spec.space.genes)
    space = spec.space.model_copy(update={"genes": genes})
    return Study(
        spec.model_copy(update={"space": space}),
        plugin_files=study.plugin_files,
        where=study.spec.name,
    )


def grid(study: Study, points: int) -> GenomeGrid:
    """``points`` values of every gene, both ends included."""
    genes = study.spec.space.genes
    if not genes or study.spec.space.choices or study.spec.space.chain is not None:
        raise InputError("landscape: expected a study of genes alone, numbers of one body's gaits")
    fields = tuple(gene.field for gene in genes)
    axes = [np.linspace(gene.low, gene.high, points).tolist() for gene in genes]
    genomes = tuple(
        study.space.encode(dict(zip(fields, values, strict=True))) for values in product(*axes)
    )
    if len(set(genomes)) < len(genomes):
        raise InputError(f"landscape: {points} points are more than some gene has values")
    table = np.array([list(study.space.decode(genome).values()) for genome in genomes])
    return GenomeGrid(fields, genomes, table)


def landscape_job(study: Study, points: int) -> dict[str, Any]:
    """A job of a whole grid."""
    found = grid(study, points)
    return {
        **make_job(study, [(genome, 0) for genome in found.genomes]),
        "fields": np.array(found.fields),
        "points": np.array(points),
        "table": found.table,
    }


def make_job(study: Study, runs: Sequence[tuple[Genome, int]]) -> dict[str, Any]:
    """Arrays of some runs, each a genome and which of its repeats; ready for ``numpy.savez``."""
    if not GaitRunner.fits(study):
        raise InputError(
            "gpu: expected a study that searches gaits alone and is driven by gaits alone"
        )
    scenario = study.scenario
    if scenario.tolerances.draw:
        raise InputError(
            "gpu: expected tolerances.draw = false: all runs of a batch are of one model, and a "
            "robot that is drawn has its own"
        )
    robot, world = resolve(scenario, study.plugins)
    sim = Simulation(robot, world, scenario.physics)
    gaits = scenario.model_dump(mode="json")["control"]["gaits"]
    waves = np.zeros((len(WAVES), len(runs), sim.model.nu))
    starts = np.empty((len(runs), sim.model.nq))
    ramps: set[float] = set()
    for row, (genome, repeat) in enumerate(runs):
        fields = study.fields(genome, repeat=repeat)
        sim.restart(seed=fields.pop("seed"), jitter=radians(scenario.jitter_deg))
        starts[row] = sim.data.qpos
        changed = {"gaits": [dict(gait) for gait in gaits]}
        for field, value in fields.items():
            set_field(changed, field.removeprefix("control."), value)
        bound = bind(parse_gaits(changed["gaits"], context=study.plugins.context), robot)
        for term in _terms(bound.layers):
            ramps.add(term.window.ramp)
            place = sim.model.actuator(bound.actuators[term.place]).id
            waves[:, row, place] = term.amplitude, term.omega, term.phase, term.offset
    if len(ramps) != 1:
        raise InputError("gpu: expected gaits that fade in over the same time")
    firsts = [f"{m.name}/{m.body.parts[0].name}" for m in robot.modules]
    return {
        "model": np.frombuffer(_binary(sim.model), dtype=np.uint8),
        **dict(zip(WAVES, waves, strict=True)),
        "qpos": starts,
        "ramp_s": np.array(ramps.pop()),
        "tick_steps": np.array(scenario.control.tick_ns // scenario.physics.step_ns),
        "seconds": np.array(scenario.duration_s),
        "firsts": name_ids(sim.model, mujoco.mjtObj.mjOBJ_BODY, firsts),
    }


def _terms(layers: Sequence[object]) -> Any:
    if len(layers) != 1 or not isinstance(layers[0], Waves):
        raise InputError("gpu: expected gaits that are waves: wave or snake")
    terms = layers[0].terms
    if len({term.place for term in terms}) < len(terms):
        raise InputError("gpu: expected one wave an actuator, not a sum of several")
    return terms


def _binary(model: mujoco.MjModel) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mjb"
        mujoco.mj_saveModel(model, str(path))
        return path.read_bytes()
