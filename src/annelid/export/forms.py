"""All forms there are, and how one is written.

A run folder can be exported in every form: those of a scenario show the robot as it was built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annelid.boundary.files import write_file
from annelid.errors import InputError, UnknownName
from annelid.physics.simulation import Simulation
from annelid.registry import load_place
from annelid.systems import SYSTEMS
from annelid.systems.front import found
from annelid.trial.folder import SCENARIO as SCENARIO_FILE
from annelid.trial.load import load
from annelid.trial.plugins import Plugins
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario
from annelid.trial.simulated import simulation_of


@dataclass(frozen=True)
class ExportForm:
    """One kind of file."""

    place: str
    """Of ``write(sim, out)`` or ``write(run, out)``."""
    suffix: str
    """Empty: it is a folder."""


OF_SCENARIOS: Final[Mapping[str, ExportForm]] = {
    "mjcf": ExportForm("annelid.export.mjcf:write_mjcf", ".xml"),
    "urdf": ExportForm("annelid.export.urdf:write_urdf", ".urdf"),
    "svg": ExportForm("annelid.export.svg:write_svg", ".svg"),
    "stl": ExportForm("annelid.export.shapes:write_stl", ""),
}
OF_RUNS: Final[Mapping[str, ExportForm]] = {
    "csv": ExportForm("annelid.export.tables:write_csv", ""),
    "parquet": ExportForm("annelid.export.tables:write_parquet", ""),
    "mcap": ExportForm("annelid.export.mcap:write_mcap", ".mcap"),
    "rerun": ExportForm("annelid.export.rerun:write_rerun", ".rrd"),
}

NOTHING: Final = Plugins()


def export(
    source: str | Path | Run, form: str, out: Path | None = None, *, plugins: Plugins = NOTHING
) -> Path | str:
    """Write ``source``, a scenario, a run or its folder; its place, or the text itself where
    a system's own form is asked for without ``out``."""
    run = source if isinstance(source, Run) else run_in(source, plugins)
    if run is None and Path(str(source)).is_dir():
        raise InputError(f"{source}: expected a scenario or a run folder")
    if form in OF_RUNS:
        if run is None:
            raise InputError(
                f"{form}: expected a run folder, got the scenario {source}; run it first"
            )
        return _write(OF_RUNS[form], run, _place(out, run.folder.name, OF_RUNS[form]))
    scenario = load(str(source), plugins=plugins) if run is None else run.scenario
    if form in OF_SCENARIOS:
        sim = simulation_of(scenario, plugins)
        return _write(OF_SCENARIOS[form], sim, _place(out, scenario.name, OF_SCENARIOS[form]))
    text = _of_system(scenario, form, plugins)()
    return text if out is None else write_file(out, text)


def run_in(source: str | Path, plugins: Plugins = NOTHING) -> Run | None:
    """The run in a folder; None of a scenario's name or file."""
    return Run(source, plugins=plugins) if (Path(source) / SCENARIO_FILE).is_file() else None


def _place(out: Path | None, name: str, form: ExportForm) -> Path:
    if out is None:
        return Path(f"{name}{form.suffix or '-' + form.place.rpartition('_')[2]}")
    if form.suffix and out.suffix != form.suffix:
        raise InputError(f"--out: expected a name that ends in {form.suffix}, got {out}")
    return out


def _write(form: ExportForm, what: Run | Simulation, out: Path) -> Path:
    write = load_place(form.place)
    assert callable(write)
    place: Path = write(what, out)
    return place


def _of_system(scenario: Scenario, form: str, plugins: Plugins) -> Callable[[], str]:
    name = scenario.control.system
    own = {} if name is None else plugins.table(SYSTEMS)[name].exports
    if form not in own:
        raise UnknownName("form", form, [*OF_SCENARIOS, *OF_RUNS, *own], where=scenario.name)
    make: Callable[[], str] = found(own[form])
    return make
