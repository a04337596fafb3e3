"""The page of ``annelid sweep``: success rates against the varied fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annelid.report import page
from annelid.report.plots import Curve, PlotPanel, draw
from annelid.report.summary import cell

_FIRST_RESULT = "trials"
_MEDIANS = {
    "median_time_to_goal_s": "time to the goal, median (s)",
    "median_speed_m_s": "speed, median (m/s)",
    "median_energy_per_metre_j_m": "energy per metre, median (J/m)",
}


def sweep_page(results: Sequence[Mapping[str, Any]], path: Path | str) -> Path:
    """``results``: a row per setting, its varied fields first and then {trials, successes, rate,
    rate_low, rate_high, identical, median_…, errors}, as ``annelid.trial.summary`` makes them."""
    fields = varied(results)
    trials = sum(int(row["trials"]) for row in results)
    title = f"How often it works, against {' and '.join(fields) or 'chance'}"
    lead = f"{trials} trials in {len(results)} settings; bars are 95 % intervals."
    if copies := sum(bool(row.get("identical")) for row in results):
        lead += f" In {copies} of the settings all runs were identical: these have no interval."
    body = [page.heading("Annelid · sweep", title, lead)]
    body += [page.section(name, page.figure(svg)) for name, svg in sweep_plots(results)]
    columns = list(results[0]) if results else []
    rows = [[cell(row[name]) for name in columns] for row in results]
    body.append(
        page.section("Table", page.table([name.replace("_", " ") for name in columns], rows))
    )
    return page.write(Path(path), page.page(title, body))


def varied(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The fields that were listed: what stands before the counts."""
    names = list(results[0]) if results else []
    return names[: names.index(_FIRST_RESULT)] if _FIRST_RESULT in names else []


def sweep_plots(results: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """(title, SVG): the success rate with its intervals, then the medians that were measured.

    The first field goes along x; every combination of the others is a curve.
    """
    made: list[tuple[str, str]] = []
    fields = varied(results)
    if not fields:
        return made
    if any(row["rate"] is not None for row in results):
        panel = _panel(results, fields, "rate", "success rate (%)", factor=100.0)
        made.append(("Success", draw([panel], height=3.6)))
    panels = [
        _panel(results, fields, name, label)
        for name, label in _MEDIANS.items()
        if any(row.get(name) is not None for row in results)
    ]
    if panels:
        made.append(("Time, speed, energy", draw(panels, columns=len(panels), height=3.0)))
    return made


def _panel(
    results: Sequence[Mapping[str, Any]],
    fields: Sequence[str],
    value: str,
    label: str,
    *,
    factor: float = 1.0,
) -> PlotPanel:
    along = fields[0]
    places = {x: k for k, x in enumerate(dict.fromkeys(row[along] for row in results))}
    numeric = all(isinstance(x, int | float) and not isinstance(x, bool) for x in places)
    series: dict[str, list[Mapping[str, Any]]] = {}
    for row in results:
        name = ", ".join(f"{field.split('.')[-1]} {row[field]}" for field in fields[1:])
        series.setdefault(name, []).append(row)
    curves = []
    for name, rows in series.items():
        kept = [row for row in rows if row.get(value) is not None]
        x = np.array([row[along] if numeric else places[row[along]] for row in kept], float)
        y = np.array([row[value] for row in kept], float) * factor
        error = None
        if value == "rate":
            low = np.array([row["rate_low"] for row in kept], float) * factor
            high = np.array([row["rate_high"] for row in kept], float) * factor
            error = (np.maximum(y - low, 0), np.maximum(high - y, 0))
        order = np.argsort(x)
        bars = None if error is None else (error[0][order], error[1][order])
        plain = np.zeros(len(kept))
        curves.append(Curve(x[order], y[order], name, error=bars or (plain, plain)))
    ticks = None if numeric else tuple((float(k), str(x)) for x, k in places.items())
    whole = (-3.0, 103.0) if value == "rate" else None
    return PlotPanel(along, label, curves, y_range=whole, x_ticks=ticks)
