"""The plots of one run: progress, path, servos and energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annelid.report.plots import COLOURS, GREY, Curve, PlotPanel, draw
from annelid.report.recording import Recording

if TYPE_CHECKING:
    from annelid.physics.build import Plan

Floats = NDArray[np.float64]

MOST_MOTORS = 24
"""Panels in the plot of angles; a chain of sixty modules has a hundred servos."""
NAMED = 5
"""Curves that get a colour and a name; the others are grey."""
SECONDS = "time (s)"
_NO_TRIP = 1e6


@dataclass(frozen=True)
class ReportFigure:
    """A heading, what there is to see, and the SVG."""

    title: str
    caption: str
    svg: str


def all_plots(recording: Recording, plan: Plan | None) -> list[ReportFigure]:
    """Those for which something was recorded; ``plan`` adds the pipe's course and trip levels."""
    made = [
        _progress(recording),
        _path(recording, plan),
        _targets(recording),
        _current(recording, plan),
        _temperature(recording),
        _energy(recording),
        _sensors(recording),
    ]
    return [plot for plot in made if plot is not None]


def _progress(recording: Recording) -> ReportFigure | None:
    time = recording.time("robot")
    way, _ = recording.column("robot", "progress")
    if len(time) < 2:
        return None
    target = recording.scenario.target()
    goal = [] if target is None else [(target * 1000, f"goal {target * 1000:.0f} mm")]
    speed = _speed(time, way)
    panels = [
        PlotPanel(
            SECONDS,
            "progress of the head (mm)",
            [Curve(time, way)],
            levels=goal,
            marks=recording.marks,
        ),
        PlotPanel(SECONDS, "speed, mean over 1 s (mm/s)", [Curve(time, speed, colour=COLOURS[2])]),
    ]
    caption = "How far the head is along the way of this world, and how fast it gets on."
    return ReportFigure("Position", caption, draw(panels, columns=2, height=2.9))


def _speed(time: Floats, way: Floats) -> Floats:
    """Slope over a window of a second, so that single steps of a gait do not hide the trend."""
    half = 0.5
    before, after = np.clip(time - half, time[0], None), np.clip(time + half, None, time[-1])
    return (np.interp(after, time, way) - np.interp(before, time, way)) / np.maximum(
        after - before, 1e-9
    )


def _path(recording: Recording, plan: Plan | None) -> ReportFigure | None:
    centre = [recording.column("robot", axis)[0] for axis in "xyz"]
    if len(centre[0]) < 2:
        return None
    first = next((name for name, _ in recording.group("modules", "x")), None)
    head = [recording.column("modules", f"{axis}[{first}]")[0] for axis in "xyz"]
    course = _course(plan)
    panels = []
    for title, across, up in (("from above", 0, 1), ("from the side", 0, 2)):
        curves = []
        if course is not None:
            curves.append(
                Curve(course[:, across], course[:, up], "pipe", colour="#dfe7ee", width=7)
            )
        curves.append(Curve(centre[across], centre[up], "centre of mass", colour=COLOURS[0]))
        if len(head[0]):
            curves.append(Curve(head[across], head[up], "head", colour=COLOURS[1], width=1.0))
        ends = [0, -1]
        curves.append(Curve(centre[across][ends], centre[up][ends], "", "points", COLOURS[0]))
        labels = (f"{'xyz'[across]} (mm)", f"{'xyz'[up]} (mm)")
        panels.append(PlotPanel(*labels, curves, title=title, equal=True))
    caption = "The way through the world; dots mark where the centre of mass began and ended."
    return ReportFigure("Path", caption, draw(panels, columns=2, height=3.4))


def _course(plan: Plan | None) -> Floats | None:
    """The centre line of the pipe's main route, mm; None in other worlds."""
    if plan is None or plan.scenery.tubes is None:
        return None
    tubes = plan.scenery.tubes
    first = tubes.main_route()[0].along
    return 1000 * np.array([tubes.point_at(s) for s in np.linspace(first, tubes.length(), 200)])


def _targets(recording: Recording) -> ReportFigure | None:
    time, motors = recording.time("actuators"), recording.motors()
    if not motors:
        return None
    panels = []
    for name in motors[:MOST_MOTORS]:
        target, unit = recording.column("actuators", f"target[{name}]")
        position, place_unit = recording.column("actuators", f"position[{name}]")
        curves = [Curve(time, target, colour=COLOURS[1], style="dashed", width=1.0)]
        if unit == place_unit:
            curves.insert(0, Curve(time, position, colour=COLOURS[0]))
        spread = _range(target, position if unit == place_unit else target)
        what = {"°": "angle (°)", "mm": "slide (mm)"}.get(unit, unit)
        panels.append(PlotPanel(SECONDS, what, curves, title=name, y_range=spread))
    caption = (
        "Where each motor is (blue) and where it was told to be (orange, dashed; a gap: let go)."
    )
    if any(recording.column("actuators", f"target[{name}]")[1] == "level" for name in motors):
        caption += " A drive is told a level from -1 to 1."
    if len(motors) > MOST_MOTORS:
        caption += f" The first {MOST_MOTORS} of {len(motors)} motors."
    return ReportFigure("Servo angles", caption, draw(panels, columns=4, height=1.55))


def _range(*columns: Floats) -> tuple[float, float] | None:
    """Never so narrow that noise fills the panel."""
    values = np.concatenate(columns)
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    pad = max((high - low) * 0.08, 0.6 if high - low < 1 else 0.0)
    return low - pad, high + pad


def _current(recording: Recording, plan: Plan | None) -> ReportFigure | None:
    levels: list[tuple[float, str]] = []
    for motor in plan.motors if plan is not None else ():
        level = motor.trip * 1000
        if level < _NO_TRIP and not levels:
            levels.append((level, f"limit {level:.0f} mA"))
    panel = _motors_panel(recording, "filtered", "filtered current (mA)", levels)
    if panel is None:
        return None
    caption = (
        "As a module's board measures it; the motors with the highest peaks are named, others grey."
    )
    return ReportFigure("Current", caption, draw([panel], height=3.0))


def _temperature(recording: Recording) -> ReportFigure | None:
    panel = _motors_panel(recording, "temperature", "winding temperature (°C)", [])
    if panel is None:
        return None
    return ReportFigure(
        "Temperature",
        "Of the motors' windings; those that did not warm up are grey.",
        draw([panel], height=2.6),
    )


def _motors_panel(
    recording: Recording, what: str, label: str, levels: Sequence[tuple[float, str]]
) -> PlotPanel | None:
    """All motors in one plot: the highest by name and colour, the others grey."""
    time = recording.time("actuators")
    found = [
        (n, recording.column("actuators", c)[0]) for n, c in recording.group("actuators", what)
    ]
    if not found or not len(time):
        return None
    found.sort(key=lambda pair: float(np.nanmax(pair[1])), reverse=True)
    named = [(name, y) for name, y in found if float(np.ptp(y)) > 0][:NAMED]
    names = {name for name, _ in named}
    grey = [Curve(time, y, colour=GREY, width=1.0) for name, y in found if name not in names]
    coloured = [
        Curve(time, y, name, colour=COLOURS[k], width=1.1) for k, (name, y) in enumerate(named)
    ]
    return PlotPanel(SECONDS, label, [*grey, *coloured], levels=levels, marks=recording.marks)


def _energy(recording: Recording) -> ReportFigure | None:
    time = recording.time("robot")
    power, _ = recording.column("robot", "power")
    energy, _ = recording.column("robot", "energy")
    if len(time) < 2 or not len(power):
        return None
    boards = recording.scenario.power is not None
    label = "power of motors and boards (W)" if boards else "power of all motors (W)"
    panels = [
        PlotPanel(SECONDS, label, [Curve(time, power, colour=COLOURS[4], width=1)]),
        PlotPanel(SECONDS, "energy drawn so far (J)", [Curve(time, energy, colour=COLOURS[2])]),
    ]
    caption = "What the supply had to give."
    return ReportFigure("Energy", caption, draw(panels, columns=2, height=2.6))


def _sensors(recording: Recording) -> ReportFigure | None:
    time = recording.time("sensors")
    if not len(time):
        return None
    panels = []
    for (kind, unit), columns in recording.sensors().items():
        readings = {name: recording.column("sensors", name)[0] for name in columns}
        spread = {name: float(np.nanstd(values)) for name, values in readings.items()}
        ranked = sorted(columns, key=spread.__getitem__, reverse=True)
        curves = [Curve(time, readings[name], name, width=0.9) for name in ranked[:NAMED]]
        left = len(columns) - len(curves)
        title = f"{kind}, the {len(curves)} that vary most" if left else kind
        panels.append(PlotPanel(SECONDS, f"{kind} ({unit})" if unit else kind, curves, title))
    caption = "As the modules read them, noise included."
    return ReportFigure("Sensors", caption, draw(panels, columns=2, height=2.6)) if panels else None
