"""Own control in Python: each of the four ways works in run, sweep, evolve, console and gym.

The files are the numbered examples.  Each has one field that says how far it moves; a robot that is
told to move less moves less, whoever runs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.console.conftest import wait_for

import annelid
from annelid.console.session import Session
from annelid.errors import AnnelidError
from annelid.gym import ScenarioEnv
from annelid.trial.load import parse
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run

EXAMPLES = Path(__file__).parents[2] / "examples"
OPEN = {"kind": "open-air"}
QUICK = {"timestep_ms": 2.0, "servo": "quasi-static"}
PIPE = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 60}, {"part": "cap"}]}


@dataclass(frozen=True)
class Way:
    """How somebody brings control of his own."""

    file: str
    control: dict[str, Any]
    field: str
    little: float
    much: float
    metric: str
    robot: str = "RRRR"

    @property
    def plugin(self) -> Path:
        return EXAMPLES / self.file

    def scenario(self, **more: Any) -> dict[str, Any]:
        world = PIPE if "H" in self.robot else OPEN
        physics = {"timestep_ms": 1.0} if "H" in self.robot else QUICK
        base = {"name": "own", "robot": {"chain": self.robot}, "world": world, "physics": physics}
        return {**base, "control": self.control, "duration_s": 1.0, **more}


WAYS = {
    "function of time": Way(
        file="03_a_function_of_time.py",
        control={"gaits": [{"gait": "hump", "period_s": 0.5}]},
        field="control.gaits.0.amplitude_deg",
        little=0.0,
        much=60.0,
        metric="energy_j",
    ),
    "controller": Way(
        file="04_a_controller.py",
        control={"controller": {"controller": "there-and-back"}},
        field="control.controller.force_n",
        little=-1.0,  # everything is a touch: it goes back at once
        much=9.0,
        metric="progress_m",
        robot="TRH",
    ),
    "program": Way(
        file="05_a_program_for_a_board.py",
        control={"system": "swing"},
        field="control.options.reach_deg",
        little=1.0,
        much=60.0,
        metric="energy_j",
    ),
    "system": Way(
        file="06_a_system.py",
        control={"system": "hosted"},
        field="control.options.amplitude_deg",
        little=0.0,
        much=60.0,
        metric="energy_j",
    ),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


def test_in_a_run(way: Way, tmp_path: Path) -> None:
    found = []
    for k, value in enumerate((way.little, way.much)):
        fields: dict[str, Any] = {way.field.replace(".", "__"): value}
        run = annelid.run(way.scenario(), plugins=[way.plugin], out=tmp_path / str(k), **fields)
        assert run.metrics.crashed == ()
        found.append(getattr(run.metrics, way.metric))
    assert found[0] < found[1] - 0.002
    with pytest.raises(AnnelidError):  # without its file it is not known
        annelid.run(way.scenario(), out=tmp_path / "unknown")


def test_in_a_sweep(way: Way, tmp_path: Path) -> None:
    vary = {way.field: [way.little, way.much]}
    swept = annelid.sweep(
        way.scenario(), vary, workers=1, out=tmp_path / "sweep", plugins=[way.plugin]
    )
    little, much = (trial["metrics"][way.metric] for trial in swept.trials)
    assert little < much - 0.002


def test_in_a_search(way: Way, tmp_path: Path) -> None:
    study = {
        "name": "own",
        "scenario": way.scenario(),
        "space": {"choices": [{"field": way.field, "values": [way.little, way.much]}]},
        "optimiser": {"kind": "grid"},
        "fitness": {"terms": [{"metric": way.metric}], "lost": 0},
        "repeats": {"runs": 1},
    }
    evolved = annelid.evolve(study, workers=1, out=tmp_path / "study", plugins=[way.plugin])
    assert evolved.best is not None
    assert evolved.best.fields[way.field] == way.much


def test_in_an_environment(way: Way) -> None:
    """Gaits go on below the agent; of the others the agent takes the place."""
    told = []
    for value in (way.little, way.much):
        fields: dict[str, Any] = {way.field.replace(".", "__"): value}
        env = ScenarioEnv(
            way.scenario(duration_s=0.3),
            plugins=[way.plugin],
            adds="gaits" in way.control,
            **fields,
        )
        env.reset(seed=0)
        over = False
        while not over:
            *_, over, _ = env.step(np.zeros(env.action_space.shape, np.float32))
        told.append(env.sim.data.qpos.copy())
    assert np.array_equal(*told) is ("gaits" not in way.control)


@pytest.mark.slow
def test_in_the_console(way: Way, tmp_path: Path) -> None:
    session = Session(runs=tmp_path / "runs", plugins=[str(way.plugin)])
    try:
        plugins = load_plugins([way.plugin])
        session.open(parse(way.scenario(), plugins=plugins), paused=False)
        session.set_speed(4.0)
        wait_for(lambda: session.built is not None and session.now_s > 0.5, "it runs")
        built = session.built
        assert built is not None
    finally:
        session.close()
    wait_for((built.folder / "metrics.json").is_file, "the run is complete")
    run = Run(built.folder, plugins=plugins)
    assert run.metrics.crashed == ()
    targets = [values for name, values in run["actuators"].items() if name.startswith("target[")]
    assert np.ptp(np.nan_to_num(targets)) > 0.1
