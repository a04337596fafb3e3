"""The page of ``annelid compare``: runs side by side, in numbers and plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from annelid.report import page
from annelid.report.plots import Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.trial.compare import Comparison, compare_runs
from annelid.trial.plugins import Plugins

_OVERLAID = (
    ("progress", "progress of the head (mm)"),
    ("energy", "energy drawn so far (J)"),
    ("power", "power of all motors (W)"),
    ("tilt", "tilt of the first module (°)"),
)


def comparison_page(
    run_folders: Sequence[Path | str],
    path: Path | str,
    *,
    plugins: Plugins = Plugins(),  # noqa: B008
) -> Path:
    """Two or more runs; the first is what the others are held against."""
    recordings = [Recording(folder, plugins=plugins) for folder in run_folders]
    compared = compare_runs([recording.run for recording in recordings])
    names = [recording.folder.resolve().name for recording in recordings]
    title = "Compared: " + ", ".join(names)
    lead = "The runs are the same, bit for bit." if compared.same else ""
    body = [
        page.heading("Annelid · comparison", title, lead),
        *map(page.note, compared.notes),
        *_settings(compared, names),
        page.section("Over time", page.figure(_plots(recordings, names))),
        page.section("From above", page.figure(_map(recordings, names))),
        page.section(
            "What came of it",
            page.table(
                ("", *names, "change"),
                [(row.name, *row.shown, row.change) for row in compared.outcomes],
                numbers=range(1, len(names) + 2),
            ),
        ),
    ]
    return page.write(path, title, body)


def _settings(compared: Comparison, names: Sequence[str]) -> list[str]:
    if not compared.settings:
        return [page.section("What was set differently", page.paragraph("Nothing."))]
    rows = [(row.name, *row.shown) for row in compared.settings]
    return [page.section("What was set differently", page.table(("", *names), rows))]


def _plots(recordings: Sequence[Recording], names: Sequence[str]) -> str:
    panels = []
    for column, label in _OVERLAID:
        curves = [
            Curve(recording.time("robot"), recording.column("robot", column)[0], name)
            for recording, name in zip(recordings, names, strict=True)
        ]
        panels.append(PlotPanel("time (s)", label, curves))
    return draw(panels, columns=2, height=2.8)


def _map(recordings: Sequence[Recording], names: Sequence[str]) -> str:
    curves = [
        Curve(recording.column("robot", "x")[0], recording.column("robot", "y")[0], name)
        for recording, name in zip(recordings, names, strict=True)
    ]
    return draw([PlotPanel("x (mm)", "y (mm)", curves, equal=True)], height=3.6)
