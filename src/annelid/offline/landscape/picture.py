"""The page of a landscape: how far every gait gets, with the optimum and the papers' gaits."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path

import numpy as np

from annelid.offline.landscape.result import BIAS, CORRELATION, Agreement, Landscape
from annelid.offline.study import Study
from annelid.report import page
from annelid.report.plots import Curve, PlotPanel, draw

PICTURE = "landscape.png"
"""The maps alone, beside the page."""


def landscape_page(
    study: Study, landscape: Landscape, path: Path, *, agreement: Agreement | None = None
) -> Path:
    computed = int(np.isfinite(landscape.scores).sum())
    title = f"{study.spec.name}: a landscape of {computed:,} gaits"
    best = landscape.best
    drawn = maps(study, landscape)
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / PICTURE).write_bytes(drawn)
    tiles = [
        (f"{landscape.scores[best]:.2f} m", f"furthest: {_told(landscape.at(best))}"),
        (
            f"{landscape.run_s:.1f} s",
            f"to compute, on {landscape.device} ({landscape.engine}; {landscape.date})",
        ),
    ]
    body = [
        page.heading("Annelid · landscape", title, study.spec.about),
        page.tiles(tiles),
        page.section(
            "How far they get",
            page.figure(
                page.image(drawn, "image/png", alt="maps of the distance"),
                "Every cell shows the best over the gene that is not drawn. Cross: the optimum; "
                "circles: the points of interest.",
            ),
        ),
        page.section("Points of interest", _marks(study, landscape)),
    ]
    if agreement is not None:
        body.append(_agreement(landscape, agreement))
    return page.write(path, title, body)


def _told(values: dict[str, float]) -> str:
    return ", ".join(f"{name.split('.')[-1]} {value:.3g}" for name, value in values.items())


def maps(study: Study, landscape: Landscape) -> bytes:
    """A PNG: the best over each gene in turn, the optimum and the study's marks."""
    from matplotlib.figure import Figure

    count = len(landscape.fields)
    size = landscape.points
    cube = landscape.scores.reshape((size,) * count)
    pairs = list(combinations(range(count), 2)) if count > 1 else [(0, 0)]
    figure = Figure(figsize=(4.2 * len(pairs), 3.6), layout="constrained")
    marks = {name: study.space.decode(genome) for name, genome in study.marks.items()}
    for axes, (i, j) in zip(figure.subplots(1, len(pairs), squeeze=False)[0], pairs, strict=True):
        others = tuple(k for k in range(count) if k not in (i, j))
        # Cells without any computed gait stay empty.
        flat = np.where(np.isfinite(cube), cube, -np.inf).max(axis=others)
        shown = np.where(np.isfinite(flat), flat, np.nan)
        low, high = landscape.table.min(axis=0), landscape.table.max(axis=0)
        half = (high - low) / (size - 1) / 2  # a cell is round its gait
        extent = (low[j] - half[j], high[j] + half[j], low[i] - half[i], high[i] + half[i])
        picture = axes.imshow(shown, origin="lower", aspect="auto", extent=extent, cmap="viridis")
        best = landscape.table[landscape.best]
        axes.plot(best[j], best[i], "x", color="white", ms=9, mew=2)
        for name, fields in marks.items():
            at = [float(fields[field]) for field in landscape.fields]
            axes.plot(at[j], at[i], "o", mfc="none", mec="#ff5533", ms=10, mew=2)
            left = at[j] > (low[j] + high[j]) / 2  # a name at the right edge would be cut off
            axes.annotate(
                name,
                (at[j], at[i]),
                xytext=(-10 if left else 10, 0),
                textcoords="offset points",
                ha="right" if left else "left",
                va="center",
                color="white",
                fontsize=8,
                bbox={"facecolor": "#ff5533", "edgecolor": "none", "pad": 1.5},
            )
        axes.set_xlabel(landscape.fields[j].split(".")[-1])
        axes.set_ylabel(landscape.fields[i].split(".")[-1])
        figure.colorbar(picture, ax=axes, label="distance (m)")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return buffer.getvalue()


def _marks(study: Study, landscape: Landscape) -> str:
    rows = []
    for name, genome in {"the optimum": None, **study.marks}.items():
        at = landscape.best if genome is None else landscape.nearest(study.space.decode(genome))
        rows.append(
            (
                name,
                _told(landscape.at(at)),
                f"{landscape.scores[at]:.3f}",
                f"{landscape.rank(at)} of {int(np.isfinite(landscape.scores).sum())}",
            )
        )
    return page.table(
        ("", "nearest gait of the grid", "distance (m)", "rank"), rows, numbers=(2, 3)
    )


def _agreement(landscape: Landscape, found: Agreement) -> str:
    top = max(found.ours.max(), found.theirs.max())
    panel = PlotPanel(
        "this machine's cores, distance (m)",
        f"{landscape.device}, distance (m)",
        [
            Curve(found.ours, found.theirs, "the same start", style="points"),
            Curve(found.ours, found.again, "cores, another start", style="points"),
            Curve([0, top], [0, top], "equal", style="dashed"),
        ],
        equal=True,
    )
    verdict = "Within" if found.within else "Not within"
    text = (
        f"{found.told}. {verdict} the tolerance: mean within {BIAS:.0%} or two standard errors, "
        f"correlation at most {CORRELATION:g} less than that of two starts."
    )
    return page.section(
        "Held against the cores", page.paragraph(text), page.figure(draw([panel], height=4.2))
    )
