"""Report: how modules with their own cycles fell into step."""

from __future__ import annotations

import numpy as np

from annelid.report import page
from annelid.report.figures import SECONDS
from annelid.report.plots import COLOURS, GREY, Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.report.system import system_of
from annelid.systems import Phases

STAYS = 0.03
"""Of a cycle: a module that is no further from where it ends up is in step."""


def phase_section(recording: Recording) -> str | None:
    """None where modules have no cycles, or sent nothing."""
    run, system = recording.run, system_of(recording)
    if system is None or system.phases is None:
        return None
    wire = [event.detail for event in run.events("wire")]
    found = system.phases(run.scenario.control.options, len(recording.letters), wire)
    if found is None:
        return None
    curves = [
        Curve(
            time,
            behind,
            module if place < len(COLOURS) else "",
            "points",
            COLOURS[place] if place < len(COLOURS) else GREY,
        )
        for place, (module, (time, behind)) in enumerate(sorted(found.behind.items(), key=_order))
    ]
    panel = PlotPanel(
        SECONDS,
        f"behind {found.first} (cycles)",
        curves,
        marks=recording.marks,
        y_range=(-0.03, 1.03),
    )
    return page.section(
        "In step",
        page.paragraph(words(found)),
        page.figure(
            draw([panel], height=3.4),
            f"How far each module's cycle of {found.cycle_s:.2f} s is behind that of "
            f"{found.first}, at its signals; a module that keeps its distance is in step.",
        ),
    )


def words(found: Phases) -> str:
    """From when on everybody kept its distance."""
    since = settled_s(found)
    return (
        f"{len(found.behind)} modules; from {since:.1f} s, {since / found.cycle_s:.1f} cycles, on "
        "each kept its distance to the one before it."
    )


def settled_s(found: Phases) -> float:
    """The moment from which no module was further than ``STAYS`` from where it ended."""
    latest = 0.0
    for time, behind in found.behind.values():
        if len(time):
            off = np.abs((behind - behind[-1] + 0.5) % 1.0 - 0.5) > STAYS
            settled = np.flatnonzero(off)[-1] + 1 if off.any() else 0
            latest = max(latest, float(time[settled]))
    return latest


def _order(item: tuple[str, object]) -> tuple[int, str]:
    """C2 before C10."""
    return len(item[0]), item[0]
