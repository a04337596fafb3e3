"""One plugin of every kind, as ``annelid new`` writes it, in a run, a sweep, a search and the
console: what the core can have, a stranger can bring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.console.conftest import wait_for
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.cli.new import BEGINNINGS, new
from annelid.console.session import Session
from annelid.registry import KINDS, kind
from annelid.trial.load import load
from annelid.trial.outside import InjectFault, parse_outside
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run, replay
from annelid.trial.toml import dumps

NAME = {name: begin.tagged(f"my_{name}") for name, begin in BEGINNINGS.items()}
"""By which files choose what each kind's plugin brings."""


class Bench:
    """A folder with all the plugins, and scenarios and studies that use them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = [new(name, f"my_{name}", folder)[0] for name in BEGINNINGS]
        self.plugins: Plugins = load_plugins(self.files)
        (self.letter,) = [each.letter for each in self.plugins.of(kind("module"))]
        self.driven = self._write("driven", self._driven())
        self.own = self._write("own", self._by(NAME["system"], letters="RRR"))
        self.told = self._write("told", self._told())
        self.study = self._write("study", self._study())
        self.weighed = self._write("weighed", self._weighed())

    def ask(self, *args: str | Path) -> str:
        """A command with all plugins that its scenario can use."""
        ran = CliRunner().invoke(app, [str(arg) for arg in args])
        assert ran.exit_code == 0, ran.output + str(ran.exception)
        return ran.output

    def options(self, *without: str) -> list[str | Path]:
        """``--plugin`` for each file but those of these kinds."""
        left = [f for f in self.files if f.stem.removeprefix("my_") not in without]
        return [part for file in left for part in ("--plugin", file)]

    def _write(self, name: str, table: dict[str, Any]) -> Path:
        path = self.folder / f"{name}.toml"
        path.write_text(dumps({"name": name, **table}), encoding="utf-8")
        return path

    def _driven(self) -> dict[str, Any]:
        """A module, a world, a gait, a controller, a servo and a fault of one's own."""
        return {
            "duration_s": 0.6,
            "robot": {"chain": f"R{self.letter}R", "each": {"R": {"servo": NAME["servo"]}}},
            "world": {"kind": NAME["world"]},
            "control": {
                "gaits": [{"gait": NAME["gait"], "swing_s": 0.2}],
                "controller": {"controller": NAME["controller"], "modules": "R1"},
            },
            "faults": [{"fault": NAME["fault"], "module": "R1", "at_s": 0.3}],
        }

    def _by(self, system: str, *, letters: str, **control: Any) -> dict[str, Any]:
        return {
            "duration_s": 0.6,
            "robot": {"chain": letters},
            "world": {"kind": "open-air"},
            "control": {"system": system, **control},
        }

    def _told(self) -> dict[str, Any]:
        """A behaviour, rules and a link of one's own, on the boards of a shipped system."""
        return self._by("microtub", letters="RRH", links={"bus": NAME["link"]})

    def _study(self) -> dict[str, Any]:
        """An objective and an optimiser of one's own, of runs with a gait of one's own."""
        gene = {"field": "control.gaits.0.amplitude_deg", "low": 0, "high": 60, "bits": 3}
        return {
            "scenario": "driven.toml",
            "space": {"genes": [gene]},
            "optimiser": {"kind": NAME["optimiser"], "neighbours": 2},
            "fitness": {"own": NAME["objective"], "lost": -1.0},
            "budget": {"generations": 2},
        }

    def _weighed(self) -> dict[str, Any]:
        """A measure of one's own."""
        gene = {"field": "robot.each.R.mass_g", "low": 10, "high": 40, "bits": 3}
        return {
            "scenario": "driven.toml",
            "space": {"genes": [gene]},
            "optimiser": {"kind": NAME["optimiser"], "neighbours": 4},
            "fitness": {
                "measure": NAME["measure"],
                "terms": [{"metric": "mass_kg", "weight": -1.0}],
                "lost": -1.0,
            },
            "budget": {"generations": 3},
        }


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("every"))


UNUSED = {"driven": ("behaviour", "rule"), "own": ("behaviour", "rule"), "told": ()}
"""Kinds that a scenario of these has no use for, and refuses."""


def test_there_is_one_of_every_kind(bench: Bench) -> None:
    assert {name for name in KINDS if bench.plugins.of(kind(name))} == set(KINDS)


@pytest.mark.parametrize("which", UNUSED)
def test_all_are_used_in_a_run_that_replays(bench: Bench, which: str) -> None:
    plugins, out = bench.options(*UNUSED[which]), bench.folder / f"run-{which}"
    bench.ask("run", getattr(bench, which), *plugins, "--out", out, "--no-report")
    run = Run(out, plugins=bench.plugins)
    assert run.metrics.crashed == ()
    if which == "driven":
        assert [e.detail["fault"] for e in run.events("fault")] == [NAME["fault"]]
        assert run.metrics.energy_j > 0
    if which == "told":
        assert any(NAME["behaviour"] in json.dumps(e.detail) for e in run.events())
    assert replay(Run(out, plugins=load_plugins(_files(plugins)))).same


def _files(options: list[str | Path]) -> list[Path]:
    return [each for each in options if isinstance(each, Path)]


@pytest.mark.parametrize("which", UNUSED)
def test_all_are_used_in_a_sweep_by_two_workers(bench: Bench, which: str) -> None:
    plugins, out = bench.options(*UNUSED[which]), bench.folder / f"sweep-{which}"
    bench.ask(
        "sweep",
        getattr(bench, which),
        *plugins,
        *("--vary", "duration_s=0.4,0.5", "--repeats", "1", "--workers", "2", "--out", out),
    )
    rows = [json.loads(line) for line in (out / "trials.jsonl").read_text().splitlines()]
    assert [row["error"] for row in rows] == [None, None]


@pytest.mark.parametrize("which", ["study", "weighed"])
def test_all_are_used_in_a_search(bench: Bench, which: str) -> None:
    out = bench.folder / f"evolved-{which}"
    plugins = bench.options("behaviour", "rule")
    bench.ask(
        "evolve", getattr(bench, which), *plugins, "--workers", "1", "--out", out, "--no-video"
    )
    best = load(out / "best.toml", plugins=load_plugins(_files(plugins)))
    if which == "weighed":
        assert best.robot.each["R"]["mass_g"] < 25


@pytest.mark.parametrize("which", UNUSED)
def test_all_are_used_in_the_console(bench: Bench, which: str) -> None:
    files = _files(bench.options(*UNUSED[which]))
    plugins = load_plugins(files)
    session = Session(runs=bench.folder / "console", plugins=[str(file) for file in files])
    try:
        session.open(load(getattr(bench, which), plugins=plugins), paused=False)
        wait_for(lambda: session.now_s > 0.2, "it runs")
        fault = {"fault": NAME["fault"], "module": "R2"}
        session.do(parse_outside({"do": "break", "fault": fault}, context=plugins.context))
        wait_for(lambda: session.outside, "a fault of one's own, by hand")
        assert isinstance(session.outside[0].what, InjectFault)
        assert session.outside[0].what.fault.fault == NAME["fault"]
    finally:
        session.close()


@pytest.mark.parametrize(
    ("which", "unused", "says"),
    [
        ("driven", "behaviour", "gaits drive this robot, got for a system"),
        ("own", "rule", "expected nothing of the kind"),
    ],
)
def test_what_a_scenario_has_no_use_for_is_told_in_one_line(
    bench: Bench, which: str, unused: str, says: str
) -> None:
    left = [name for name in ("behaviour", "rule") if name != unused]
    path = getattr(bench, which)
    ran = CliRunner().invoke(app, ["run", str(path), *map(str, bench.options(*left))])
    assert ran.exit_code != 0
    assert says in str(ran.exception)
    assert "\n" not in str(ran.exception)
