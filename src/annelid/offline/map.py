"""The map of a quality-diversity study: the best genome of every cell."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.offline.evaluate import measures
from annelid.offline.folder import StoredStudy
from annelid.offline.store import Evaluation


def cells(kept: StoredStudy) -> dict[tuple[int, ...], Evaluation]:
    """Place in the grid to its best; of equal ones the first genome in order."""
    axes = axes_of(kept)
    found: dict[tuple[int, ...], Evaluation] = {}
    for one in kept.evaluations.values():
        if one.score is None:
            continue
        values = measures(one)
        place = tuple(_cell(values[axis["name"]], axis) for axis in axes)
        before = found.get(place)
        if before is None or before.score is None or one.score > before.score:
            found[place] = one
    return found


def axes_of(kept: StoredStudy) -> list[dict[str, Any]]:
    """The measures of the study; none: it is no map."""
    if kept.spec.optimiser.get("kind") != "qd":
        return []
    return [{"cells": 10, **axis} for axis in kept.spec.optimiser["measures"]]


def _cell(value: float, axis: dict[str, Any]) -> int:
    share = (value - axis["low"]) / (axis["high"] - axis["low"])
    return int(np.clip(int(share * axis["cells"]), 0, axis["cells"] - 1))


def picture(kept: StoredStudy) -> bytes:
    """The first two axes as a PNG, the best over the others."""
    from matplotlib.figure import Figure

    first, second = axes_of(kept)[:2]
    shown: NDArray[np.float64] = np.full((first["cells"], second["cells"]), np.nan)
    for place, one in cells(kept).items():
        if one.score is not None:
            shown[place[0], place[1]] = np.nanmax([shown[place[0], place[1]], one.score])
    figure = Figure(figsize=(7.0, 4.4), layout="constrained")
    axes = figure.subplots()
    extent = (second["low"], second["high"], first["low"], first["high"])
    image = axes.imshow(shown, origin="lower", aspect="auto", extent=extent, cmap="viridis")
    axes.set_xlabel(second["name"].split(".")[-1])
    axes.set_ylabel(first["name"].split(".")[-1])
    figure.colorbar(image, ax=axes, label="best score")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return buffer.getvalue()
