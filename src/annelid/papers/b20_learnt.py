"""B20: what offline control finds reaches the online control (000 §7).

A short search of the open-air study becomes a rule by the same way as ``annelid study learn``: the
likeliest gaits run again, a grade, the evidence.  Then the whole robot runs, with boards, bus and
central control, and is told to explore (``b20-learnt``), with and without the rule: which way of
moving does it choose, and how far does it get?  When a servo jams on the way it is no longer
the robot that was studied, and the rule must be given up.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

from annelid.offline.executors import processes
from annelid.offline.folder import StoredStudy
from annelid.offline.search import search
from annelid.offline.store import Store
from annelid.offline.study import load_study
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Interval, Rate
from annelid.papers.said import movements
from annelid.systems.microtub.front.learn import learn
from annelid.systems.microtub.inference import LearntRule
from annelid.trial.replay import Run

JAM: Final = {"fault": "stuck_servo", "servo": "R3.pitch", "at_s": 6.0}
REPEATS: Final = 8


class Went(NamedTuple):
    path: tuple[tuple[float, float], ...]
    """Time and progress, s and m."""
    movements: tuple[str, ...]
    """Ways of moving that the central control chose, one after the other."""

    @property
    def far_m(self) -> float:
        return self.path[-1][1]


def judge(run: Run) -> Went:
    path = zip(run.time("robot").tolist(), run["robot"]["progress"].tolist(), strict=True)
    return Went(tuple(path), tuple(name for _, name in movements(run)))


def experiment(bench: Bench) -> Outcome:
    rule = _learnt(bench)
    learnt: dict[str, Any] = {
        "control.options.rules": [{"learnt": [rule.model_dump(mode="json")]}],
    }
    fields = {"without": {}, "with": learnt, "jammed": {**learnt, "faults": [JAM]}}
    cases = {name: Case("b20-learnt", each) for name, each in fields.items()}
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    way = {name: Interval.mean([run.far_m for run in runs]) for name, runs in found.items()}
    chose = {name: {run.movements[0] for run in runs} for name, runs in found.items()}
    left = Rate.count(rule.name not in run.movements[-1:] for run in found["jammed"])
    worst = min(run.far_m for run in found["with"])
    best = max(run.far_m for run in found["without"])
    return Outcome(
        ours="; ".join(
            [
                *(
                    f"{name}: {', '.join(sorted(chose[name]))}, {way[name].told()} m in 10 s"
                    for name in ("without", "with")
                ),
                f"given up when a servo jams: {left}",
            ]
        ),
        passed=chose["with"] == {rule.name}
        and rule.name not in chose["without"]
        and worst > best
        and left.value == 1.0,
        note=(
            f"{rule.gait}; grade {rule.grade} from {rule.evidence.value:.3f} m/s in "
            f"{rule.evidence.runs} runs of the study; {left.of} robots online each, with boards "
            f"and bus: the worst with the rule goes {worst:.2f} m, the best without {best:.2f} m, "
            "and must go less."
        ),
        values=numbers(
            {f"{name}_m": each for name, each in way.items()}
            | {"given_up_when_jammed": left, "offline_m_s": rule.evidence.value}
        ),
        plots=(
            curves(
                "Six rotation modules told to explore",
                "time, s",
                "progress, m",
                {name: runs[0].path for name, runs in found.items()},
            ),
        ),
    )


def _learnt(bench: Bench) -> LearntRule:
    generations = 2 if bench.quick else 12
    population = 6 if bench.quick else 40
    study = load_study(
        "open-air",
        changes={
            "seed": bench.seed,
            "budget.generations": generations,
            "optimiser.population": population,
        },
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "studies.sqlite"
        with Store.open(path, make=True) as store, processes(study, bench.workers) as evaluate:
            search(study, store, evaluate)
            kept = StoredStudy(store, study.spec.name)
    return learn(kept, runs=2 if bench.quick else 20, likely=1 if bench.quick else 3)
