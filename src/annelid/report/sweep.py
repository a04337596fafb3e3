"""The page of ``annelid sweep``: success rates against the varied fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annelid.report import page
from annelid.report.plots import Curve, PlotPanel, Style, draw
from annelid.report.summary import cell

_FIRST_RESULT = "trials"
BESIDE = 0.6
"""Share of a name's room in which the points of several curves stand beside each other."""
APART = 0.08
"""The same along a scale, as a share of its smallest step."""
_MEDIANS = {
    "median_time_to_goal_s": "time to the goal, median (s)",
    "median_speed_m_s": "speed, median (m/s)",
    "median_energy_per_metre_j_m": "energy per metre, median (J/m)",
}


NONE = "–"


def _number(name: str, form: str, factor: float = 1.0) -> Callable[[Mapping[str, Any]], str]:
    def told(row: Mapping[str, Any]) -> str:
        value = row.get(name)
        return NONE if value is None else format(value * factor, form)

    return told


def _interval(row: Mapping[str, Any]) -> str:
    if row.get("identical"):
        return "identical runs"
    low, high = row.get("rate_low"), row.get("rate_high")
    return NONE if low is None or high is None else f"{low:.0%}–{high:.0%}"


TOLD: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "trials": lambda row: str(row["trials"]),
    "successes": lambda row: NONE if row["rate"] is None else str(row["successes"]),
    "rate": _number("rate", ".0%"),
    "95 %": _interval,
    "goal, s": _number("median_time_to_goal_s", ".1f"),
    "speed, cm/s": _number("median_speed_m_s", ".2f", 100.0),
    "energy, J/m": _number("median_energy_per_metre_j_m", ".1f"),
    "falls": lambda row: str(row["falls"]) if row.get("falls") else NONE,
    "errors": lambda row: str(row.get("errors") or NONE),
}
"""Columns of the table and what a setting has there; one that says nothing is left out.  Goal,
speed and energy are medians."""


def sweep_page(results: Sequence[Mapping[str, Any]], path: Path | str) -> Path:
    """``results``: a row per setting, its varied fields first and then {trials, successes, rate,
    rate_low, rate_high, identical, median_…, errors}, as ``annelid.trial.summary`` makes them."""
    fields = varied(results)
    trials = sum(int(row["trials"]) for row in results)
    title = f"How often it works, against {' and '.join(fields) or 'chance'}"
    lead = f"{trials} trials in {len(results)} settings; bars are 95 % intervals, others medians."
    if copies := sum(bool(row.get("identical")) for row in results):
        lead += f" In {copies} of the settings all runs were identical: these have no interval."
    body = [page.heading("Annelid · sweep", title, lead)]
    body += [page.section(name, page.figure(svg)) for name, svg in sweep_plots(results)]
    shown = [name for name, told in TOLD.items() if any(told(row) != NONE for row in results)]
    rows = [
        [*(cell(row[field]) for field in fields), *(TOLD[name](row) for name in shown)]
        for row in results
    ]
    numbers = range(len(fields), len(fields) + len(shown))
    body.append(page.section("Table", page.table([*fields, *shown], rows, numbers=numbers)))
    return page.write(path, title, body)


def varied(results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The fields that were listed: what stands before the counts."""
    names = list(results[0]) if results else []
    return names[: names.index(_FIRST_RESULT)] if _FIRST_RESULT in names else []


def sweep_plots(results: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """(title, SVG): the success rate with its intervals, then the medians that were measured.

    The first field of numbers goes along x, as a scale, and its points are joined.  Where there is
    none, the first field does, as names beside each other that nothing joins.  Every combination
    of the other fields is a curve.
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
    along = next((field for field in fields if _numeric(results, field)), fields[0])
    numeric = _numeric(results, along)
    places = {x: k for k, x in enumerate(dict.fromkeys(row[along] for row in results))}
    others = [field for field in fields if field != along]
    series: dict[str, list[Mapping[str, Any]]] = {}
    for row in results:
        name = ", ".join(f"{field.split('.')[-1]} {row[field]}" for field in others)
        series.setdefault(name, []).append(row)
    room = BESIDE
    if numeric:  # rates often are the same: intervals beside each other can be told apart
        gaps = np.diff(sorted(places)) if value == "rate" else ()
        room = APART * min(gaps, default=0.0)
    curves = []
    for number, (name, rows) in enumerate(series.items()):
        kept = [row for row in rows if row.get(value) is not None]
        beside = (number - (len(series) - 1) / 2) / len(series) * room
        x = np.array([(row[along] if numeric else places[row[along]]) for row in kept], float)
        x += beside
        y = np.array([row[value] for row in kept], float) * factor
        below = above = np.zeros(len(kept))
        if value == "rate":
            below = np.maximum(y - np.array([row["rate_low"] for row in kept], float) * factor, 0)
            above = np.maximum(np.array([row["rate_high"] for row in kept], float) * factor - y, 0)
        order = np.argsort(x)
        bars = (below[order], above[order])
        style: Style = "line" if numeric else "points"
        curves.append(Curve(x[order], y[order], name, style=style, error=bars))
    ticks = None if numeric else tuple((float(k), str(x)) for x, k in places.items())
    whole = (-3.0, 103.0) if value == "rate" else None
    return PlotPanel(along, label, curves, y_range=whole, x_ticks=ticks)


def _numeric(results: Sequence[Mapping[str, Any]], field: str) -> bool:
    values = [row[field] for row in results]
    return all(isinstance(x, int | float) and not isinstance(x, bool) for x in values)
