"""B20: what offline control finds reaches the online control (000 §7).

A short search of the open-air study becomes a rule by the same way as ``annelid study learn``: the
likeliest gaits run again, a grade, the evidence.  Then the whole robot runs, with boards, bus and
central control, and is told to explore, with and without the rule: which way of moving does it
choose, and how far does it get?  When a servo jams on the way it is no longer the robot that was
studied, and the rule must be given up.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from annelid.kernel.trace import MemorySink, Trace, events
from annelid.offline.executors import processes
from annelid.offline.folder import StoredStudy
from annelid.offline.search import search
from annelid.offline.store import Store
from annelid.offline.study import load_study
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.systems.microtub.front.learn import learn
from annelid.systems.microtub.inference import LearntRule
from annelid.trial.load import parse
from annelid.trial.run import Trial

CHAIN: Final = "RRRRRR"
EXPLORE_S: Final = 3.0
"""When the operator says so; the configuration check is done by then."""
DURATION_S: Final = 13.0
JAM_S: Final = 6.0
RUNS: Final = 8


@dataclass(frozen=True)
class Online:
    seed: int
    rules: tuple[Mapping[str, Any], ...]
    breaks: bool = False
    """Whether a servo jams on the way."""


@dataclass(frozen=True)
class Went:
    path: tuple[float, ...]
    """Progress at every second, m."""
    movements: tuple[str, ...]
    """Ways of moving that the central control chose, one after the other."""


def go(given: Online) -> Went:
    options = {
        "environment": "open-air",
        "rules": [{"learnt": list(given.rules)}],
        "operator": [{"at_s": EXPLORE_S, "say": "EXP"}],
    }
    jam = {"fault": "stuck_servo", "servo": "R3.pitch", "at_s": JAM_S}
    scenario = parse(
        {
            "name": "learnt",
            "duration_s": DURATION_S,
            "seed": given.seed,
            "jitter_deg": 0.5,
            "robot": {"chain": CHAIN},
            "world": {"kind": "open-air"},
            "physics": {"timestep_ms": 2.0, "servo": "quasi-static"},
            "record": {"rate_hz": 1.0, "state_hz": 0.0, "sensors": False},
            "control": {"system": "microtub", "options": options},
            "faults": [jam] if given.breaks else [],
        },
        where="B20",
    )
    trace = MemorySink()
    Trial(scenario).record_into(Trace(trace))
    path = trace.read("robot")["progress"]
    chosen = tuple(str(event.detail["name"]) for event in events(trace, kind="movement"))
    return Went(tuple(path.tolist()), chosen)


def experiment(bench: Bench) -> Outcome:
    rule = _learnt(bench)
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else RUNS))
    learnt = (rule.model_dump(mode="json"),)
    cases = {"without": ((), False), "with": (learnt, False), "jammed": (learnt, True)}
    todo = [Online(seed, *case) for case in cases.values() for seed in seeds]
    went = bench.map(go, todo, what="B20 online")
    found = {
        name: went[place * len(seeds) : (place + 1) * len(seeds)]
        for place, name in enumerate(cases)
    }
    before, after = (np.array([run.path for run in found[name]]) for name in ("without", "with"))
    chose = {name: {run.movements[0] for run in runs} for name, runs in found.items()}
    left = sum(rule.name not in run.movements[-1:] for run in found["jammed"])
    worst, best = float(after[:, -1].min()), float(before[:, -1].max())
    time = np.arange(before.shape[1])
    return Outcome(
        ours=(
            f"without: {_names(chose['without'])}, {before[:, -1].mean():.2f} m in 10 s; with: "
            f"{_names(chose['with'])}, {after[:, -1].mean():.2f} m; given up when a servo jams: "
            f"{left} of {len(seeds)}"
        ),
        passed=chose["with"] == {rule.name}
        and rule.name not in chose["without"]
        and worst > best
        and left == len(seeds),
        note=(
            f"{rule.gait}; grade {rule.grade} from {rule.evidence.value:.3f} m/s in "
            f"{rule.evidence.runs} runs of the study; {len(seeds)} runs online each, with boards "
            f"and bus: the worst with the rule goes {worst:.2f} m, the best without {best:.2f} m"
        ),
        values={
            "without_m": float(before[:, -1].mean()),
            "with_m": float(after[:, -1].mean()),
            "least_with_m": worst,
            "most_without_m": best,
            "given_up_when_jammed": left / len(seeds),
            "offline_m_s": rule.evidence.value,
        },
        plots=(
            Figure(
                "Six rotation modules told to explore",
                "time, s",
                "progress, m",
                (
                    Series.of("rules of Table 9", time, before.mean(axis=0)),
                    Series.of("with the learnt rule", time, after.mean(axis=0)),
                ),
            ),
        ),
    )


def _names(chosen: set[str]) -> str:
    return ", ".join(sorted(chosen))


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
