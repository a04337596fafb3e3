"""Plots as inline SVG: curves in panels, in one style, for every page.

matplotlib draws them without its global ``pyplot``; text stays text, so a plot uses the page's
fonts, can be searched, and is small.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annelid.errors import SpecError

Floats = NDArray[np.float64]
Style = Literal["line", "dashed", "points", "bars"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6875", "#8b5a2b")
"""Told apart by the colour-blind, too (Okabe and Ito)."""

GREY = "#b9c2cb"
MOST_POINTS = 700
"""Per curve; a plot has no more pixels than that."""
MOST_LETTERS = 100
"""Of all names below the x axis of a plot as wide as the page; more are written aslant."""
SLANTED: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}


@dataclass(frozen=True)
class Curve:
    x: ArrayLike
    y: ArrayLike
    label: str = ""
    style: Style = "line"
    colour: str | None = None
    width: float = 1.4
    error: tuple[ArrayLike, ArrayLike] | None = None
    """Lengths of the bars below and above each point."""

    def __post_init__(self) -> None:
        if (across := np.size(self.x)) != (up := np.size(self.y)):
            raise SpecError(f"curve {self.label!r}: expected {across} values, got {up}")


@dataclass(frozen=True)
class PlotPanel:
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    title: str = ""
    levels: Sequence[tuple[float, str]] = ()
    """Horizontal lines with a name: a goal, a trip threshold."""
    marks: Sequence[tuple[float, str]] = ()
    """Vertical lines with a name: a moment at which something happened."""
    equal: bool = False
    """One metre is as long across as up: for maps."""
    y_range: tuple[float, float] | None = None
    x_ticks: Sequence[tuple[float, str]] | None = None
    """Places with a name, where x counts words instead of numbers."""
    y_ticks: Sequence[tuple[float, str]] | None = None


def draw(
    panels: Sequence[PlotPanel], *, columns: int = 1, height: float = 2.5, width: float = 9.6
) -> str:
    """Panels in a grid, as one ``<svg>`` element; sizes in inches, ``height`` per row."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    style: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "annelid",
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": "#8793a0",
        "axes.titlesize": 9.5,
        "axes.grid": True,
        "grid.color": "#e6eaee",
        "axes.axisbelow": True,
        "legend.frameon": False,
        "legend.fontsize": 8,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(width, height * rows), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False)
        for place, axes in enumerate(grid.flat):
            if place < len(panels):
                _panel(axes, panels[place], columns)
            else:
                axes.set_axis_off()
        buffer = io.StringIO()
        plain = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=plain, transparent=True)
    return _inline(buffer.getvalue())


def _panel(axes: Any, panel: PlotPanel, columns: int) -> None:
    for place, curve in enumerate(panel.curves):
        colour = curve.colour or COLOURS[place % len(COLOURS)]
        label = curve.label or None
        x, y = np.asarray(curve.x, float), np.asarray(curve.y, float)
        if curve.style == "bars":
            axes.bar(x, y, color=colour, label=label, width=0.7)
        elif curve.error is not None:
            joined = "o" if curve.style == "points" else "o-"
            axes.errorbar(
                x, y, yerr=np.array(curve.error), fmt=joined, ms=4, capsize=3, color=colour,
                label=label, lw=1.1,
            )  # fmt: skip
        elif curve.style == "points":
            axes.plot(x, y, "o", ms=4.5, color=colour, label=label)
        else:
            line = "--" if curve.style == "dashed" else "-"
            if not panel.equal:
                x, y = thin(x, y)
            axes.plot(x, y, line, color=colour, label=label, lw=curve.width)
    for level, name in panel.levels:
        axes.axhline(level, color="#b8442f", lw=1, ls=":")
        axes.annotate(
            name, (0.005, level), xycoords=("axes fraction", "data"), xytext=(0, -2),
            textcoords="offset points", ha="left", va="top", fontsize=8, color="#b8442f",
        )  # fmt: skip
    for moment, name in panel.marks:
        axes.axvline(moment, color="#8b5a2b", lw=0.8, ls=(0, (2, 2)))
        axes.annotate(
            name, (moment, 1.0), xycoords=("data", "axes fraction"), xytext=(2, -2),
            textcoords="offset points", ha="left", va="top", fontsize=7.5, color="#8b5a2b",
        )  # fmt: skip
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.margins(x=0.04 if any(curve.error for curve in panel.curves) else 0.01)
    if panel.title:
        axes.set_title(panel.title, loc="left")
    if panel.equal:
        axes.set_aspect("equal", adjustable="datalim")
    if panel.x_ticks is not None:
        places, names = zip(*panel.x_ticks, strict=True)
        crowded = sum(map(len, names)) > MOST_LETTERS / columns
        axes.set_xticks(places, names, **(SLANTED if crowded else {}))
        axes.set_xlim(min(places) - 0.5, max(places) + 0.5)
    if panel.y_ticks is not None:
        axes.set_yticks(*zip(*panel.y_ticks, strict=True))
    if panel.y_range is not None:
        axes.set_ylim(*panel.y_range)
    if any(curve.label for curve in panel.curves):
        many = len(panel.curves) > 3
        axes.legend(loc="best", ncols=2 if many else 1)


def thin(x: Floats, y: Floats, *, most: int = MOST_POINTS) -> tuple[Floats, Floats]:
    """Fewer points that look the same: the lowest and the highest of every stretch stay, because
    a peak of one sample may be the whole story."""
    if len(x) <= most:
        return x, y
    stretches = np.array_split(np.arange(len(x)), most // 2)
    kept: list[int] = []
    for stretch in stretches:
        values = y[stretch]
        if np.isnan(values).all():
            kept.append(int(stretch[0]))
            continue
        ends = {int(stretch[np.nanargmin(values)]), int(stretch[np.nanargmax(values)])}
        kept += sorted(ends)
    return x[kept], y[kept]


def named_figure(figure: Mapping[str, Any]) -> str:
    """A figure as plain data: title, x_label, y_label, series of {label, x, y, style}."""
    curves = [
        Curve(one["x"], one["y"], str(one.get("label", "")), one.get("style", "line"))
        for one in figure["series"]
    ]
    panel = PlotPanel(figure["x_label"], figure["y_label"], curves, title=figure.get("title", ""))
    return draw([panel], height=3.0)


def _inline(svg: str) -> str:
    """The element alone, without the addresses of its name spaces, which a page does not need."""
    element = svg[svg.index("<svg") :]
    return re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", element)
