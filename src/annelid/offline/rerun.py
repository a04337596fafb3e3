"""The fast way for gaits without feedback: one compiled model, reset for every genome.

Where a genome changes nothing but gaits, robot, world and model stay as they are.  Commands of a
whole run are computed first and handed to the engine tick by tick, without the kernel.  Where every
run has another robot (``tolerances.draw``) the model is built for each, and only the kernel saved.
A run ends in the same state, bit for bit, as the trial of the same scenario
(``tests/offline/test_search.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from math import radians
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from annelid.kernel import seconds, to_seconds
from annelid.motion import RelaxGait, bind, parse_gaits
from annelid.offline.space import Genome
from annelid.physics.actuators import Floats
from annelid.physics.simulation import Simulation
from annelid.trial.fields import set_field
from annelid.trial.metrics import Metrics, Stopped, Tally
from annelid.trial.simulated import simulation_of

if TYPE_CHECKING:
    from annelid.offline.study import Study

LOOK_S = 1.0
"""How often tilt, heat and furthest progress are looked at, where no goal must be noticed in time;
a trial does so at every tick, and its largest values may be a little larger."""

_GAITS = ("control", "gaits")

SHIPPED = "annelid.motion."
"""Gaits of others may release motors, which commands known before cannot."""


class GaitRunner:
    """All runs of a study whose genes are numbers of gaits."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._scenario = scenario = study.scenario
        self._sim = simulation_of(scenario, study.plugins)
        self._gaits = scenario.model_dump(mode="json")["control"]["gaits"]
        self._tick_ns = scenario.control.tick_ns
        goal = scenario.target() is not None
        self._every = 1 if goal else max(1, round(LOOK_S * 1e9 / self._tick_ns))

    @staticmethod
    def fits(study: Study) -> bool:
        """Whether nothing but gaits is searched, and nothing but gaits drives."""
        scenario = study.scenario
        steps = [tuple(field.split(".")[:2]) for field in study.spec.space.touched]
        return (
            all(two == _GAITS for two in steps)
            and not study.spec.repeats.vary
            and scenario.control.system is None
            and not scenario.control.piloted
            and scenario.power is None
            and not scenario.events
            and not scenario.faults
            and not scenario.physics.trip
            and not any(isinstance(gait, RelaxGait) for gait in scenario.control.gaits)
            and all(type(gait).__module__.startswith(SHIPPED) for gait in scenario.control.gaits)
        )

    def run(self, genome: Genome, repeat: int = 0) -> tuple[Simulation, Metrics, float]:
        """The simulation at its end, what it amounted to, and CPU time of stepping."""
        fields = self._study.fields(genome, repeat=repeat)
        seed = fields.pop("seed")
        scenario, sim = self._scenario, self._begun(seed)
        tally = Tally(scenario, sim)
        commands = self._commands(fields)
        command: Callable[[Floats], object] = sim.actuators.write
        if not sim.actuators.brakes:
            commands = sim.actuators.controls(commands)
            command = partial(np.copyto, sim.data.ctrl)
        stopped: Stopped = "duration"
        hopeless = self._study.spec.fitness.hopeless
        judged = None if hopeless is None else seconds(hopeless.after_s) // self._tick_ns
        looks = {*range(0, len(commands), self._every), len(commands), judged or 0}
        spent = 0.0
        for first, last in pairwise(sorted(tick for tick in looks if tick <= len(commands))):
            tally.look(sim)
            if tally.done and scenario.stop_at_goal:
                stopped = "goal"
                break
            if hopeless is not None and first == judged and tally.way < hopeless.progress_m:
                stopped = "hopeless"
                break
            begun = process_time()
            for tick in range(first, last):
                command(commands[tick])
                sim.advance_to((tick + 1) * self._tick_ns)
                tally.falls.look(sim)
                if tally.falls.fall is not None:
                    break
            spent += process_time() - begun
            if tally.falls.fall is not None:
                stopped = "fell"
                break
        tally.look(sim)
        metrics = tally.metrics(sim, stopped, wall_s=0.0)
        return sim, metrics.model_copy(update={"seed": seed}), spent

    def _begun(self, seed: int) -> Simulation:
        """The simulation at the start of a run."""
        scenario = self._scenario
        if scenario.tolerances.draw:
            self._sim = simulation_of(scenario, self._study.plugins, seed=seed)
        else:
            self._sim.restart(seed=seed, jitter=radians(scenario.jitter_deg))
        return self._sim

    def _commands(self, fields: Mapping[str, Any]) -> Floats:
        """Values of all motors at every tick."""
        table = {"gaits": [dict(gait) for gait in self._gaits]}
        for field, value in fields.items():
            set_field(table, field.removeprefix("control."), value)
        gaits = bind(parse_gaits(table["gaits"], where="control.gaits"), self._sim.robot)
        ticks = seconds(self._scenario.duration_s) // self._tick_ns  # the last one only looks
        times = np.array([to_seconds(tick * self._tick_ns) for tick in range(ticks)])
        return gaits.rows(times)
