"""The same as ``annelid run``, for a script or a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annelid.trial.load import DEFAULT, changed, load
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run
from annelid.trial.run import Progress, Trial
from annelid.trial.scenario import Scenario


def run(
    scenario: str | Path | Scenario = DEFAULT,
    *,
    out: Path | str | None = None,
    plugins: Sequence[Path | str] = (),
    progress: Progress | None = None,
    **fields: Any,
) -> Run:
    """Simulate a scenario (a file, a shipped name, or a spec) and give back what it recorded.

    ``fields`` set fields of the scenario; two underscores stand for the dot: ``seed=3``,
    ``world__bore_mm=42``.  ``out`` is the run folder, else the next one in ``runs``.
    """
    loaded = load_plugins(Path(file) for file in plugins)
    overrides = {name.replace("__", "."): value for name, value in fields.items()}
    if isinstance(scenario, Scenario):
        chosen = changed(scenario, overrides, plugins=loaded)
    else:
        chosen = load(scenario, plugins=loaded, overrides=overrides)
    place = None if out is None else Path(out)
    result = Trial(chosen, plugins=loaded).run(place, progress=progress)
    return Run(result.folder, plugins=loaded)
