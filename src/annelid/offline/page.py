"""The page of a study: how the search went, what it found, and how the papers' gaits compare."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from annelid.offline.folder import StoredStudy
from annelid.offline.map import axes_of, cells, picture
from annelid.offline.space import short_names
from annelid.offline.store import Evaluation
from annelid.report import page
from annelid.report.plots import Curve, PlotPanel, draw

SHOWN = 12
"""Rows of the table of the best."""


def curve(kept: StoredStudy) -> tuple[list[float], list[float]]:
    """Best so far and mean, generation by generation; NaN where nothing could be judged."""
    best, mean, top = [], [], -math.inf
    for keys in kept.generations:
        scores = [
            one.score
            for key in keys
            if (one := kept.evaluations.get(key)) is not None and one.score is not None
        ]
        top = max([top, *scores])
        best.append(top if math.isfinite(top) else math.nan)
        mean.append(float(np.mean(scores)) if scores else math.nan)
    return best, mean


def found_at(kept: StoredStudy) -> int | None:
    """The generation in which the best genome was first asked for, from 1."""
    best = kept.best
    if best is None:
        return None
    return next((k for k, keys in enumerate(kept.generations, 1) if best.genome in keys), None)


def rank(kept: StoredStudy, one: Evaluation) -> int | None:
    """Its place among all that were judged, from 1."""
    if one.score is None:
        return None
    return 1 + sum(
        other.score is not None and other.score > one.score for other in kept.evaluations.values()
    )


def study_page(kept: StoredStudy, path: Path, *, video: Path | None = None) -> Path:
    spec, best = kept.spec, kept.best
    evaluations = list(kept.evaluations.values())
    asked = sum(map(len, kept.generations))
    title = f"{spec.name}: {len(evaluations)} evaluations"
    badge = ("good", "finished") if kept.finished else ("open", "not finished")
    body = [page.heading("Annelid · study", title, spec.about, badge=badge)]
    cpu = sum(one.cpu_s for one in evaluations)
    simulating = sum(one.simulating_s for one in evaluations)
    doing = "stepping" if spec.fitness.measure is None else "measuring"
    tiles = [
        (f"{len(kept.generations)} of {spec.budget.generations}", "generations"),
        (str(asked), "genomes asked for"),
        (str(len(evaluations)), "different ones, evaluated"),
        (str(sum(one.state == "failed" for one in evaluations)), "failed"),
        (f"{cpu:.0f} s", f"CPU time, {100 * simulating / max(cpu, 1e-9):.0f} % of it {doing}"),
    ]
    if best is not None:
        tiles.insert(0, (f"{best.score:.4g}", f"best score, generation {found_at(kept)}"))
    body.append(page.tiles(tiles))
    if video is not None:
        source = page.inline(video.read_bytes(), "video/mp4")
        film = f'<video controls muted loop preload="metadata" src="{source}"></video>'
        body.append(page.section("The best", page.figure(film, "The best genome's first run.")))
    body.append(page.section("How the search went", page.figure(_search_plot(kept))))
    if len(axes_of(kept)) > 1:
        body.append(
            page.section(
                "The map",
                page.figure(
                    page.image(picture(kept), "image/png", alt="the best of every cell"),
                    f"The best of every cell; {len(cells(kept))} cells are filled.",
                ),
            )
        )
    if numeric := [gene.field for gene in spec.space.genes]:
        body.append(page.section("Where it looked", page.figure(_genes_plot(kept, numeric))))
    body.append(page.section("The best ones", _best_table(kept)))
    if marks := _marks_table(kept):
        body.append(page.section("Points of interest", marks))
    body.append(_troubles(evaluations))
    return page.write(path, title, filter(None, body))


def _search_plot(kept: StoredStudy) -> str:
    best, mean = curve(kept)
    x = np.arange(1, len(best) + 1)
    return draw(
        [PlotPanel("generation", "score", [Curve(x, best, "best so far"), Curve(x, mean, "mean")])],
        height=3.2,
    )


def _genes_plot(kept: StoredStudy, names: list[str]) -> str:
    judged = [(one, one.score) for one in kept.evaluations.values() if one.score is not None]
    scores = [score for _, score in judged]
    shown = short_names(kept.spec.space.fields)
    panels = [
        PlotPanel(
            shown[name],
            "score",
            [Curve([one.fields[name] for one, _ in judged], scores, style="points")],
        )
        for name in names
    ]
    return draw(panels, columns=min(3, len(panels)), height=2.8)


def _best_table(kept: StoredStudy) -> str:
    judged = [one for one in kept.evaluations.values() if one.score is not None]
    judged.sort(key=lambda one: (-(one.score or 0.0), one.genome))
    names = list(kept.spec.space.fields)
    head = ("place", "score", "mean", "low 10 %", "spread", *short_names(names).values())
    rows = [
        (str(place), *_numbers(one), *(_cell(one.fields[name]) for name in names))
        for place, one in enumerate(judged[:SHOWN], 1)
    ]
    return page.table(head, rows, numbers=range(5))


def _marks_table(kept: StoredStudy) -> str:
    rows = []
    short = short_names(kept.spec.space.fields)
    for name, at in kept.spec.marks.items():
        key = kept.space.key(kept.space.encode(at))
        one = kept.evaluations.get(key)
        if one is not None:
            told = "; ".join(f"{short.get(field, field)} {_cell(v)}" for field, v in at.items())
            rows.append(
                (name, told, *_numbers(one), f"{rank(kept, one)} of {len(kept.evaluations)}")
            )
    head = ("", "", "score", "mean", "low 10 %", "spread", "rank")
    return page.table(head, rows, numbers=range(2, 7)) if rows else ""


def _troubles(evaluations: list[Evaluation]) -> str:
    reasons: dict[str, int] = {}
    for one in evaluations:
        if one.state != "ok" and one.why:
            reasons[one.why] = reasons.get(one.why, 0) + 1
    if not reasons:
        return ""
    rows = sorted(((why, str(n)) for why, n in reasons.items()), key=lambda row: -int(row[1]))
    return page.section("What could not be judged", page.table(("why", "genomes"), rows[:20]))


def _numbers(one: Evaluation) -> tuple[str, ...]:
    return tuple(
        "–" if value is None else f"{value:.4g}"
        for value in (one.score, one.mean, one.low, one.spread)
    )


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
