"""Live curves of one module, in the colours of the reports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import NDArray
from viser import uplot

from annelid.console.messages import Readings, Servo
from annelid.report.plots import COLOURS

Floats = NDArray[np.float64]

HEIGHT = 150
QUANTITIES = ("angle", "current (mA)", "winding (°C)")


class Curves:
    """Three plots over time, a curve for each servo of the module."""

    def __init__(self, gui: viser.GuiApi, place: viser.GuiFolderHandle) -> None:
        self._gui = gui
        self._key: tuple[Servo, ...] = ()
        self._plots: list[viser.GuiUplotHandle] = []
        self._place = place

    def draw(self, servos: Sequence[Servo], kept: Sequence[Readings], module: str) -> None:
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

    def _lay_out(self, servos: tuple[Servo, ...]) -> None:
        self._key = servos
        for plot in self._plots:
            plot.remove()
        names = [servo.name.partition(".")[2] for servo in servos]
        labels = (f"angle ({servos[0].unit})", *QUANTITIES[1:])
        empty = tuple(np.zeros(1) for _ in range(len(servos) + 1))
        with self._place:
            self._plots = [
                self._gui.add_uplot(
                    empty,
                    (
                        uplot.Series(label="t (s)"),
                        *(
                            uplot.Series(
                                label=name,
                                stroke=COLOURS[k % len(COLOURS)],
                                width=2,
                                points={"show": False},
                            )
                            for k, name in enumerate(names)
                        ),
                    ),
                    title=label,
                    scales={"x": uplot.Scale(time=False)},
                    axes=(
                        uplot.Axis(label="t (s)", labelSize=18, size=28, stroke=AXIS, labelGap=0),
                        uplot.Axis(size=54, stroke=AXIS),
                    ),
                    legend=uplot.Legend(show=len(names) > 1 and label == labels[0]),
                    height=HEIGHT,
                )
                for label in labels
            ]


AXIS = "#7b8794"
"""Grey that is read on white and on black."""
