"""Turns a study into a rule of the central control (000 §7): a gait, its grade, the evidence.

The best of a search is partly lucky, so the likeliest genomes are run again with chances that the
search has not seen; the rule takes the one whose *low* speed is highest, and says how many runs it
rests on.  What is written is a file that somebody reads before a robot loads it
(``systems/microtub/inference/learnt.py``).

A grade says how fast the robot gets on, in its own lengths (ours; 000 gives grades no numbers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import degrees
from pathlib import Path
from typing import Any, Final

import numpy as np

from annelid.errors import InputError
from annelid.motion import Gait, InchwormGait, PushGait, RelaxGait, SnakeGait, WaveGait
from annelid.motion.snake import SNAKE
from annelid.offline.evaluate import Evaluator
from annelid.offline.fitness import LOW
from annelid.offline.folder import StoredStudy
from annelid.offline.study import Study
from annelid.systems.microtub.behaviours.walk import SNAKES
from annelid.systems.microtub.inference.learnt import Evidence, LearntRule, Mode
from annelid.systems.microtub.inference.rulebook import RuleFile
from annelid.systems.microtub.inference.rules import Gait as Orders
from annelid.trial.load import resolve
from annelid.trial.scenario import Scenario
from annelid.trial.toml import dumps

GRADES: Final[Mapping[int, float]] = {3: 0.3, 2: 0.1, 1: 0.02}
"""Grade to the least speed it stands for, body lengths per second."""

FRESH: Final = 500_000
"""First of the runs that are made anew: their seeds are none of the search's."""

COMMANDS: Final[Mapping[str, str]] = {
    **{move: command.name for command, move in SNAKES.items()},
    "backward": "MO1",
}
"""Named movements to their commands on the bus."""

SITUATIONS: Final[Mapping[str, Mode]] = {"pipe": "pipe", "open-air": "open_air"}
"""World to working mode; any other is "general"."""


@dataclass(frozen=True)
class Candidate:
    """A genome and its fresh runs."""

    genome: str
    speeds: tuple[float, ...]
    """Along the world's way, m/s; a lost run counts 0."""

    @property
    def mean(self) -> float:
        return float(np.mean(self.speeds))

    @property
    def low(self) -> float:
        return float(np.quantile(self.speeds, LOW))


def learn(
    kept: StoredStudy, *, runs: int = 20, likely: int = 3, plugin_files: Sequence[Path] = ()
) -> LearntRule:
    """The rule of a study: its likeliest genomes tried again, the steadiest taken."""
    study = Study(kept.spec, where=kept.name, plugin_files=plugin_files)
    judged = [(one.score, one.genome) for one in kept.evaluations.values() if one.score is not None]
    if not judged:
        raise InputError(f"study {kept.name!r}: nothing has been judged, nothing can be learnt")
    judged.sort(key=lambda entry: (-entry[0], entry[1]))
    evaluator = Evaluator(study)
    tried = [_tried(evaluator, genome, runs) for _, genome in judged[:likely]]
    best = max(tried, key=lambda one: (abs(one.low), one.genome))
    return _rule(study, best)


def _tried(evaluator: Evaluator, genome: str, runs: int) -> Candidate:
    read = evaluator.study.space.read(genome)
    speeds = []
    for run in range(runs):
        ran = evaluator.run(read, FRESH + run)
        speeds.append(0.0 if ran.lost is not None else ran.metrics.speed_m_s or 0.0)
    return Candidate(genome, tuple(speeds))


def _rule(study: Study, best: Candidate) -> LearntRule:
    scenario = study.at(study.space.read(best.genome))
    robot, world = resolve(scenario, study.plugins)
    lengths = abs(best.low) / robot.length
    grade = next((grade for grade, least in GRADES.items() if lengths >= least), None)
    if grade is None:
        raise InputError(
            f"study {study.spec.name!r}: the best moves {lengths:.3f} body lengths a second in its "
            f"worse runs; below {min(GRADES.values()):g} it is no way of moving"
        )
    modules = robot.modules
    return LearntRule(
        name=f"{study.spec.name}: {robot.letters}",
        configuration="".join(module.type.wire_id for module in modules),
        mdl=tuple(module.type.capabilities.digits for module in modules),
        situations=(SITUATIONS.get(world.kind, "general"),),
        ability="forward" if best.mean > 0 else "backward",
        grade=grade,
        gait=orders(scenario),
        evidence=Evidence(
            study=study.spec.name,
            measure="speed_m_s",
            value=best.mean,
            low=best.low,
            runs=len(best.speeds),
        ),
    )


def orders(scenario: Scenario) -> Orders:
    """The scenario's gaits as commands of the bus; relaxed joints need none."""
    gaits = [gait for gait in scenario.control.gaits if not isinstance(gait, RelaxGait)]
    if len(gaits) != 1:
        raise InputError(
            f"a rule commands one movement; this study's scenario has {len(gaits)} gaits"
        )
    return _order(gaits[0])


def _order(gait: Gait) -> Orders:
    match gait:
        case WaveGait(axis="pitch"):
            return Orders(
                commands=("MO1",),
                amplitude_deg=gait.amplitude_deg,
                omega_rad_s=gait.omega_rad_s,
                phase_rad=abs(gait.phase_rad),
                reverse=gait.phase_rad < 0,
            )
        case SnakeGait() if gait.move in COMMANDS:
            return Orders(commands=(COMMANDS[gait.move],), **_numbers(gait))
        case PushGait():
            return Orders(commands=("MHE",), level=gait.level)
        case InchwormGait():
            return Orders(commands=("MWO",), reverse=gait.reverse, step_s=max(gait.durations_s))
    raise InputError(f"a gait of kind {gait.gait!r} has no command on the bus")


def _numbers(gait: SnakeGait) -> dict[str, Any]:
    row = SNAKE[gait.move]
    largest = max(abs(row.vertical), abs(row.horizontal))
    return {
        "amplitude_deg": degrees(largest) if gait.amplitude_deg is None else gait.amplitude_deg,
        "omega_rad_s": row.omega if gait.omega_rad_s is None else gait.omega_rad_s,
        "phase_rad": gait.phase_rad,
        "reverse": gait.move == "backward",
    }


def write_rules(rules: tuple[LearntRule, ...], path: Path) -> Path:
    """A file of rules, as ``annelid infer --rules`` and ``annelid run --rules`` read it."""
    about = "Learnt by studies. Read it before a robot does."
    table = RuleFile(about=about, learnt=rules).model_dump(mode="json", exclude_defaults=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dumps(table), encoding="utf-8")
    return path
