"""Live curves, in the colours of the reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import NDArray
from viser import uplot

from annelid.console.messages import Readings, ServoLabel
from annelid.report.plots import COLOURS

Floats = NDArray[np.float64]

HEIGHT = 150
QUANTITIES = ("angle", "current (mA)", "winding (°C)")


class Curves:
    """Three plots over time, a curve for each servo of the module."""

    def __init__(self, gui: viser.GuiApi, place: viser.GuiFolderHandle) -> None:
        self._gui = gui
        self._key: tuple[ServoLabel, ...] = ()
        self._plots: list[viser.GuiUplotHandle] = []
        self._place = place

    def draw(self, servos: Sequence[ServoLabel], kept: Sequence[Readings], module: str) -> None:
        chosen = [k for k, servo in enumerate(servos) if servo.name.split(".")[0] == module]
        mine = tuple(servos[k] for k in chosen)
        if not mine:
            return
        time = np.array([each.t_ns for each in kept]) * 1e-9
        if mine != self._key:
            self._lay_out(mine)
        columns = (
            [np.array([r.position[k] for r in kept]) * servos[k].scale for k in chosen],
            [np.array([r.current[k] for r in kept]) * 1000 for k in chosen],
            [np.array([r.temperature[k] for r in kept]) for k in chosen],
        )
        for plot, curves in zip(self._plots, columns, strict=True):
            plot.data = (time, *curves)

    def _lay_out(self, servos: tuple[ServoLabel, ...]) -> None:
        self._key = servos
        for plot in self._plots:
            plot.remove()
        names = [servo.name.partition(".")[2] for servo in servos]
        labels = (f"angle ({servos[0].unit})", *QUANTITIES[1:])
        with self._place:
            self._plots = [
                over_time(self._gui, names, title, legend=len(names) > 1 and title == labels[0])
                for title in labels
            ]


def over_time(
    gui: viser.GuiApi, names: Sequence[str], title: str, *, legend: bool, dashed: Sequence[str] = ()
) -> viser.GuiUplotHandle:
    """An empty plot; its data are times (s), a curve for each name, then for each dashed one."""
    curves = [
        uplot.Series(label=name, stroke=COLOURS[k % len(COLOURS)], width=2, points={"show": False})
        for k, name in enumerate(names)
    ]
    lines = [
        uplot.Series(label=name, stroke=AXIS, width=1, dash=(4.0, 4.0), points={"show": False})
        for name in dashed
    ]
    return gui.add_uplot(
        tuple(np.zeros(1) for _ in range(len(curves) + len(lines) + 1)),
        (uplot.Series(label="t (s)"), *curves, *lines),
        title=title,
        scales={"x": uplot.Scale(time=False)},
        axes=(
            uplot.Axis(label="t (s)", labelSize=18, size=28, stroke=AXIS, labelGap=0),
            uplot.Axis(size=54, stroke=AXIS),
        ),
        legend=uplot.Legend(show=legend),
        height=HEIGHT,
    )


AXIS = "#7b8794"
"""Grey that is read on white and on black."""
