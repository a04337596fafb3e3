"""Report of a climber's run (003): the walking pattern and the tracking error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from annelid.kernel.trace import Event
from annelid.report import page
from annelid.report.figures import SECONDS, ReportFigure
from annelid.report.plots import COLOURS, GREY, Curve, PlotPanel, draw
from annelid.report.recording import Recording

STEPS = ("step", "allocate", "put back", "tuck")
"""Events of a leg that is moved; the first is the walk itself."""


def sections(recording: Recording) -> Iterator[str]:
    """None for a run that ended before the planner had begun."""
    watched = [event for event in recording.events if event.kind == "watch"]
    if len(watched) < 2:
        return
    for plot in (_pattern(recording, watched), _tracking(recording, watched)):
        yield page.section(plot.title, page.figure(plot.svg, plot.caption))


def _pattern(recording: Recording, watched: Sequence[Event]) -> ReportFigure:
    legs = len(watched[0].detail["use"])
    curves = []
    for colour, kind in zip((COLOURS[0], COLOURS[2], COLOURS[4], GREY), STEPS, strict=True):
        turns = [
            (event.time_ns * 1e-9, event.detail["leg"])
            for event in recording.events
            if event.kind == kind
        ]
        if turns:
            x, y = zip(*turns, strict=True)
            curves.append(Curve(x, y, kind, "points", colour))
    lost = [
        (event.time_ns * 1e-9, f"{event.detail['leg']} fails")
        for event in recording.events
        if event.kind == "leg failed"
    ]
    panel = PlotPanel(
        SECONDS,
        "leg",
        curves,
        marks=lost,
        y_range=(0.5, legs + 0.5),
        y_ticks=[(k, str(k)) for k in range(1, legs + 1)],
    )
    caption = "Each point is the turn of a leg to move (003 Fig 7)."
    return ReportFigure("Walking pattern", caption, draw([panel], height=2.4))


def _tracking(recording: Recording, watched: Sequence[Event]) -> ReportFigure:
    time = np.array([event.time_ns * 1e-9 for event in watched])

    def path(field: str) -> Any:
        return np.array([event.detail[field] for event in watched], dtype=float)

    wish, told = path("wish_mm"), path("told_mm")
    error = np.linalg.norm(wish - told, axis=1)
    panels = [
        PlotPanel(
            "ahead (mm)",
            "left (mm)",
            [
                Curve(wish[:, 0], wish[:, 1], "wished", "dashed", COLOURS[1]),
                Curve(told[:, 0], told[:, 1], "by its feet", colour=COLOURS[0]),
            ],
            title="on the surface",
            equal=True,
        ),
        PlotPanel(SECONDS, "distance from where it shall be (mm)", [Curve(time, error)]),
    ]
    caption = "Where the body shall be, and where the attached feet say that it is (003 eq 5)."
    return ReportFigure("Tracking", caption, draw(panels, columns=2, height=2.8))
