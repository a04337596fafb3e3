"""The file of a landscape: its scores, their origin, and how they were checked on the CPU.

Small enough to be kept (0.13 MB for 32 768 gaits): values of the genes follow from the study.  The
shipped ones are in ``annelid/studies/landscapes``, by the name of their study.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from annelid.boundary.files import writing
from annelid.errors import InputError, MissingFile
from annelid.offline.landscape.job import grid
from annelid.offline.landscape.result import Agreement, Landscape, read
from annelid.offline.study import Study

FILE = "landscape.npz"


def save(path: Path, landscape: Landscape, agreement: Agreement | None) -> Path:
    arrays: dict[str, Any] = {
        "fields": np.array(landscape.fields),
        "points": landscape.points,
        "scores": landscape.scores.astype(np.float32),
        "run_s": landscape.run_s,
        "compile_s": landscape.compile_s,
        "device": landscape.device,
        "engine": landscape.engine,
        "date": landscape.date,
    }
    if agreement is not None:
        arrays |= {f"held_{name}": np.asarray(value) for name, value in vars(agreement).items()}
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, **arrays)
    return path


def load(path: Path, study: Study) -> tuple[Landscape, Agreement | None]:
    """Of a study that has the same genes."""
    kept = read(path)
    try:
        fields, points = tuple(str(name) for name in kept["fields"]), int(kept["points"])
        scores = np.asarray(kept["scores"], float)
        found = grid(study, points)
        if fields != found.fields or len(scores) != len(found.table):
            raise InputError(
                f"{path}: a landscape over {', '.join(fields)}; study {study.spec.name!r} searches "
                f"{', '.join(found.fields)}"
            )
        landscape = Landscape(
            fields,
            points,
            found.table,
            scores,
            run_s=float(kept["run_s"]),
            compile_s=float(kept["compile_s"]),
            device=str(kept["device"]),
            engine=str(kept["engine"]),
            date=str(kept["date"]),
        )
        if "held_rows" not in kept:
            return landscape, None
        rows = tuple(int(row) for row in kept["held_rows"])
        held = (np.asarray(kept[f"held_{name}"], float) for name in ("theirs", "ours", "again"))
    except KeyError as error:
        raise InputError(f"{path}: not a landscape: it has no {error}") from None
    return landscape, Agreement(rows, *held)


def shipped(study: Study) -> Path:
    """The landscape that comes with a shipped study."""
    folder = Path(str(files("annelid"))) / "studies" / "landscapes"
    path = folder / f"{study.spec.name}.npz"
    if not path.is_file():
        known = ", ".join(sorted(one.stem for one in folder.glob("*.npz"))) or "none"
        raise MissingFile(
            f"no landscape comes with study {study.spec.name!r}; there are those of: {known}"
        )
    return path
