"""Figures from what judges bring: curves as pairs of numbers, and values by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Literal

from annelid.papers import Figure, Series
from annelid.papers.interval import Interval

Pairs = Iterable[tuple[float, float]]


def curves(
    title: str,
    x_label: str,
    y_label: str,
    found: Mapping[str, Pairs],
    *,
    style: Literal["line", "points", "dashed"] = "line",
) -> Figure:
    """A figure of some curves; one without points is left out."""
    drawn = {label: list(pairs) for label, pairs in found.items()}
    series = (
        Series.of(label, *zip(*pairs, strict=True), style=style)
        for label, pairs in drawn.items()
        if pairs
    )
    return Figure(title, x_label, y_label, tuple(series))


def numbers(found: Mapping[str, Interval | float]) -> dict[str, float]:
    """For ``Outcome.values``: of an interval its middle and its ends, where it has any."""
    values: dict[str, float] = {}
    for words, each in found.items():
        name = words.replace(",", "").replace(" ", "_")
        values[name] = each.value if isinstance(each, Interval) else float(each)
        if isinstance(each, Interval) and isfinite(each.half):
            values |= {f"{name}_low": each.low, f"{name}_high": each.high}
    return values
