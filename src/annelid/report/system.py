"""Draws the report sections that a system defines.

The console draws the same sections of a run that goes on, from the same rows and curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annelid.report import page, summary
from annelid.report.figures import SECONDS
from annelid.report.plots import Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.systems import SYSTEMS, System
from annelid.systems.front import Columns, Plot, Section, Table, found

MOST_ROWS = 200
SIDE_BY_SIDE = 3

Moment = tuple[float, str, Mapping[str, Any]]
"""An event: s, source, detail."""
Series = Mapping[str, tuple[list[float], list[float]]]
"""Name of a curve to its times (s) and values."""


def system_of(recording: Recording) -> System | None:
    """None where gaits move the robot."""
    name = recording.scenario.control.system
    return None if name is None else recording.run.plugins.table(SYSTEMS)[name]


def system_sections(recording: Recording) -> Iterator[str]:
    """Those for which something was recorded."""
    system = system_of(recording)
    if system is None:
        return
    for section in system.sections:
        if (drawn := _section(section, recording)) is not None:
            yield drawn
    if system.report is not None:
        yield from found(system.report)(recording)


def table_head(table: Table) -> tuple[str, ...]:
    return ("time (s)", "who", *table.fields)


def table_rows(table: Table, told: Iterable[Moment]) -> list[tuple[str, ...]]:
    """A cell is empty where an event lacks the field."""
    return [
        (f"{t_s:.3f}", source, *(summary.cell(detail.get(name, "")) for name in table.fields))
        for t_s, source, detail in told
    ]


def series(plot: Plot, told: Sequence[Moment]) -> Series:
    """A field that is no number, nor a list of them, has no curve."""
    sources = {source for _, source, _ in told}
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for t_s, source, detail in told:
        for name in plot.fields:
            value = detail.get(name)
            numbers = value if isinstance(value, list | tuple) else [value]
            many = numbers is value
            for place, number in enumerate(numbers, 1):
                if isinstance(number, bool) or not isinstance(number, int | float):
                    continue
                words = [
                    source if len(sources) > 1 else "",
                    name if len(plot.fields) > 1 or (len(sources) == 1 and not many) else "",
                    f"{plot.each} {place}".strip() if many else "",
                ]
                x, y = curves.setdefault(" ".join(filter(None, words)), ([], []))
                x.append(t_s)
                y.append(float(number))
    return curves


def levels(plot: Plot, told: Sequence[Moment]) -> list[tuple[float, str]]:
    """Those whose number is known."""
    named = []
    for name, level in plot.levels.items():
        known = (
            next((d[level] for _, _, d in told if level in d), None)
            if isinstance(level, str)
            else level
        )
        if known is not None:
            named.append((float(known), name))
    return named


def label(part: Plot | Columns) -> str:
    names = part.fields if isinstance(part, Plot) else part.columns
    return part.label or ", ".join(names)


def _section(section: Section, recording: Recording) -> str | None:
    panels: list[PlotPanel] = []
    tables: list[str] = []
    for part in section.parts:
        if isinstance(part, Columns):
            panels += _columns(part, recording)
            continue
        told: list[Moment] = [
            (event.time_ns * 1e-9, event.source, event.detail)
            for event in recording.events
            if event.kind == part.kind
        ]
        if isinstance(part, Table):
            tables += _table(part, told)
        elif curves := series(part, told):
            drawn = [Curve(x, y, name, width=1.0) for name, (x, y) in curves.items()]
            panels.append(PlotPanel(SECONDS, label(part), drawn, levels=levels(part, told)))
    if not panels and not tables:
        return None
    plots = []
    if panels:
        plots.append(page.figure(draw(panels, columns=min(len(panels), SIDE_BY_SIDE), height=2.6)))
    about = [page.paragraph(section.about)] if section.about else []
    return page.section(section.title, *about, *plots, *tables)


def _table(table: Table, told: Sequence[Moment]) -> Iterator[str]:
    if not told:
        return
    rows = table_rows(table, told[:MOST_ROWS])
    yield f'<div class="scroll">{page.table(table_head(table), rows, numbers=(0,))}</div>'
    if len(told) > len(rows):
        yield page.paragraph(f"{len(told) - len(rows)} more are in the trace.")


def _columns(part: Columns, recording: Recording) -> Iterator[PlotPanel]:
    """None where no such column was recorded."""
    time = recording.time(part.table)
    names = [
        name
        for wanted in part.columns
        for name in (wanted, *(column for _, column in recording.group(part.table, wanted)))
    ]
    found_columns = [(name, recording.column(part.table, name)[0]) for name in names]
    curves = [Curve(time, values, name) for name, values in found_columns if len(values)]
    if curves:
        yield PlotPanel(SECONDS, label(part), curves)
