"""Draws the tables and plots of a system while its run goes on."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

import numpy as np
import viser
from numpy.typing import NDArray

from annelid.console import look
from annelid.console.messages import Happened
from annelid.console.plots import over_time
from annelid.console.tabs import Desk
from annelid.report.system import Moment, Series, label, levels, series, table_head, table_rows
from annelid.systems.front import Plot, Section, Table

LISTED = 40
"""Rows of a table, the newest first."""


class LiveSection(Protocol):
    def show(self, told: Sequence[Moment]) -> None:
        """What the run has told of it so far."""


class SectionView:
    """A folder with all parts of a section that come from events."""

    def __init__(self, desk: Desk, section: Section) -> None:
        self._desk = desk
        self._views: list[tuple[str, LiveSection]] = []
        self._last: dict[str, Happened] = {}
        """By kind of event: up to which everything is drawn."""
        gui = desk.server.gui
        with gui.add_folder(section.title):
            if section.about:
                gui.add_html(look.html(look.dim(section.about)))
            for part in section.parts:
                if isinstance(part, Table):
                    self._views.append((part.kind, TableView(gui, part)))
                elif isinstance(part, Plot):
                    self._views.append((part.kind, PlotView(gui, part)))

    def draw(self) -> None:
        events = self._desk.session.events
        last = {event.kind: event for event in events}
        for kind, view in self._views:
            if last.get(kind) is not self._last.get(kind):
                told = [(e.t_ns * 1e-9, e.source, e.detail) for e in events if e.kind == kind]
                view.show(told)
        self._last = last


class TableView:
    def __init__(self, gui: viser.GuiApi, table: Table) -> None:
        self._table = table
        self._html = gui.add_html(look.html(look.dim("Nothing told yet.")))

    def show(self, told: Sequence[Moment]) -> None:
        rows = table_rows(self._table, reversed(told[-LISTED:]))
        cells = [[escape(cell) for cell in row] for row in rows]
        head = [escape(name) for name in table_head(self._table)]
        self._html.content = look.html(look.table(head, cells, numbers=(0,)))


class PlotView:
    """Laid out anew when there is a new curve."""

    def __init__(self, gui: viser.GuiApi, plot: Plot) -> None:
        self._gui = gui
        self._plot = plot
        self._place = gui.add_folder(None)
        self._handle: viser.GuiUplotHandle | None = None
        self._names: tuple[str, ...] = ()

    def show(self, told: Sequence[Moment]) -> None:
        curves, lines = series(self._plot, told), levels(self._plot, told)
        names = (*curves, *(name for _, name in lines))
        if self._handle is None or names != self._names:
            if self._handle is not None:
                self._handle.remove()
            self._names = names
            with self._place:
                self._handle = over_time(
                    self._gui,
                    list(curves),
                    label(self._plot),
                    legend=len(names) > 1,
                    dashed=[name for _, name in lines],
                )
        time, values = on_one_axis(curves)
        across = [np.full(len(time), level) for level, _ in lines]
        self._handle.data = (time, *values, *across)


def on_one_axis(curves: Series) -> tuple[NDArray[np.float64], list[NDArray[np.float64]]]:
    """All times in order, and each curve at them: what was told last, or will be told first (the
    plot has no axis for curves with gaps)."""
    time = np.unique(np.concatenate([x for x, _ in curves.values()] or [[0.0]]))
    values = []
    for x, y in curves.values():
        place = np.searchsorted(x, time, side="right") - 1
        values.append(np.asarray(y)[np.maximum(place, 0)])
    return time, values
