"""``annelid.run``, ``annelid.sweep`` and ``annelid.load`` for a script or a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annelid.trial import load as loading
from annelid.trial.plugins import load as load_plugins
from annelid.trial.pool import Tell, open_pool
from annelid.trial.replay import Run
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.sweep import GO_ON, Sweep, Swept
from annelid.trial.telling import Progress
from annelid.trial.vary import Listed, Vary, parse_vary

Source = str | Path | Mapping[str, Any] | Scenario
"""A shipped name, a ``.toml`` file, a table as it would stand in one, or a scenario."""


def load(
    scenario: Source = loading.DEFAULT, *, plugins: Sequence[Path | str] = (), **fields: Any
) -> Scenario:
    """A scenario that fits together, ready to be run; or an error that says what does not fit.

    ``scenario`` is a shipped name, a ``.toml`` file, a table, or a scenario to be changed.
    ``fields`` set fields of it; two underscores stand for the dot::

        scenario = annelid.load("push", seed=3, world__bore_mm=42)
        scenario = annelid.load({"robot": {"chain": "RR"}, "world": {"kind": "open-air"}})
    """
    loaded = load_plugins(plugins)
    return loading.load(scenario, plugins=loaded, overrides=dotted(fields))


def run(
    scenario: Source = loading.DEFAULT,
    *,
    out: Path | str | None = None,
    plugins: Sequence[Path | str] = (),
    progress: Progress | None = None,
    **fields: Any,
) -> Run:
    """Simulate a scenario and give back what was recorded.

    ``scenario`` and ``fields`` are as for :func:`annelid.load`.  ``out`` is the run folder, else
    the next one in ``runs``; ``plugins`` are Python files with module types, worlds and the like::

        run = annelid.run("push", seed=7, duration_s=5)
        run.metrics.progress_m
        run["robot"]["progress"]
    """
    loaded = load_plugins(plugins)
    chosen = loading.load(scenario, plugins=loaded, overrides=dotted(fields))
    place = None if out is None else Path(out)
    result = Trial(chosen, plugins=loaded).run(place, progress=progress)
    return Run(result.folder, plugins=loaded)


def sweep(
    scenario: Source,
    vary: Mapping[str, Sequence[Any]] | Sequence[str] = (),
    *,
    repeats: int = 1,
    nominal: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    out: Path | str | None = None,
    plugins: Sequence[Path | str] = (),
    progress: Tell | None = None,
    **fields: Any,
) -> Swept:
    """Run a scenario over varied fields: how often does it work, and where does it stop working?

    ``vary`` maps fields to their values, or is a list of what ``annelid sweep --vary`` takes, such
    as ``"robot.each.R.mass_g~20..25"``.  Each of the ``repeats`` has another seed and, unless
    ``nominal``, another robot.  ``workers`` is the number of processes, else one for each core;
    ``cluster`` the address of a Dask scheduler.  The same sweep again goes on where it was::

        swept = annelid.sweep("push", {"world.bore_mm": [38, 40, 42]}, repeats=10)
        [(s.fields, s.rate, s.interval) for s in swept.summary.settings]
    """
    varied: list[Vary]
    if isinstance(vary, Mapping):
        varied = [Listed(field, tuple(values)) for field, values in vary.items()]
    else:
        varied = [parse_vary(text) for text in ([vary] if isinstance(vary, str) else vary)]
    planned = Sweep(
        scenario,
        varied,
        repeats=repeats,
        overrides=dotted(fields),
        plugin_files=[Path(file) for file in plugins],
        nominal=nominal,
    )
    with open_pool(workers, cluster=cluster, go_on=GO_ON) as pool:
        return planned.run(None if out is None else Path(out), pool=pool, tell=progress)


def dotted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments as fields: ``world__bore_mm`` is ``world.bore_mm``."""
    return {name.replace("__", "."): value for name, value in fields.items()}
