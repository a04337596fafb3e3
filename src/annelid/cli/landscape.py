"""``annelid landscape``: computes a grid of gaits and draws how far each one gets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import PluginOption, SetOption, WorkersOption, overrides

if TYPE_CHECKING:
    from annelid.cli.screen import Screen
    from annelid.offline.landscape.result import Agreement, Landscape
    from annelid.offline.study import Study


def landscape(
    study: Annotated[
        str, typer.Argument(help="A study of gaits: a .toml file, or the name of a shipped one.")
    ],
    points: Annotated[
        int,
        typer.Option(
            min=2, help="Grid points along each gene; 32 with three genes are 32 768 gaits."
        ),
    ] = 32,
    kept: Annotated[
        bool, typer.Option("--kept", help="Draw the landscape that is shipped with the study.")
    ] = False,
    load: Annotated[Path | None, typer.Option(help="Draw this landscape.npz file again.")] = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Compute on an NVIDIA GPU of this machine.")
    ] = False,
    job: Annotated[
        Path | None,
        typer.Option(help="Only write the job file, to compute it on a GPU of another machine."),
    ] = None,
    result: Annotated[
        Path | None,
        typer.Option(help="Draw the result file that another machine computed from --job."),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            min=0, help="Number of the GPU's gaits to compute on the CPU too, as a check."
        ),
    ] = 64,
    check: Annotated[
        bool,
        typer.Option(
            help="Compute gaits that fell on the GPU again on the CPU; some fall only on the GPU."
        ),
    ] = True,
    only: Annotated[
        int | None,
        typer.Option(min=1, help="Without a GPU: compute only this many gaits, chosen at random."),
    ] = None,
    workers: WorkersOption = None,
    plugin: PluginOption = None,
    set_: SetOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write. Default: runs/landscape-NAME.")
    ] = None,
) -> None:
    """Compute a grid of gaits of one robot and draw a map of how far each one gets.

    A GPU's machine needs no Annelid: carry JOB.npz and annelid/offline/landscape/warp_batch.py
    there, run `python warp_batch.py JOB.npz RESULT.npz`, and bring RESULT.npz back.

    Examples:

        annelid landscape open-air --kept

        annelid landscape open-air --gpu

        annelid landscape open-air --job job.npz

        annelid landscape open-air --result result.npz --job job.npz

        annelid landscape open-air --points 8
    """
    from annelid.cli.screen import Screen
    from annelid.errors import InputError
    from annelid.offline.landscape import file
    from annelid.offline.landscape.cores import OTHER_SEED
    from annelid.offline.landscape.job import continuous
    from annelid.offline.landscape.picture import landscape_page
    from annelid.offline.study import load_study

    console = Screen()
    changes = overrides(set_)
    loaded = continuous(load_study(study, changes=changes, plugin_files=plugin or []))
    folder = out or Path("runs") / f"landscape-{loaded.spec.name}"
    agreement: Agreement | None = None
    if sum((kept, load is not None, gpu, result is not None)) > 1:
        raise InputError("--kept, --load, --gpu and --result: choose one of them")
    if kept or load is not None:
        found, agreement = file.load(load or file.shipped(loaded), loaded)
    elif gpu or job is not None or result is not None:
        batch = _job(console, loaded, points, job, result)
        if batch is None:
            return
        found = _batch(console, loaded, batch, result)
        if check:
            found = _checked(console, found, loaded, workers)
        if sample:
            seed = {"seed": loaded.spec.seed + OTHER_SEED}
            other = load_study(study, changes={**changes, **seed}, plugin_files=plugin or [])
            agreement = _held(console, found, loaded, continuous(other), sample, workers)
    else:
        found = _here(console, loaded, points, only, workers)
    if load is None:
        file.save(folder / file.FILE, found, agreement)
    path = landscape_page(loaded, found, folder / "report.html", agreement=agreement)
    _tell(console, loaded, found, agreement)
    console.print(str(path), soft_wrap=True)


def _job(
    console: Screen, study: Study, points: int, job: Path | None, result: Path | None
) -> dict[str, Any] | None:
    """The arrays of the job; None: it has been written, and that was all."""
    import numpy as np

    from annelid.offline.landscape.job import landscape_job
    from annelid.offline.landscape.result import read

    if result is not None and job is not None and job.exists():
        return read(job)
    with console.waiting("Preparing the job …"):
        batch = landscape_job(study, points)
    if job is None:
        return batch
    np.savez_compressed(job, **batch)
    console.print(str(job), soft_wrap=True)
    return None if result is None else batch


def _batch(console: Screen, study: Study, batch: dict[str, Any], result: Path | None) -> Landscape:
    """What a card here computes, or one elsewhere has."""
    from annelid.errors import needing
    from annelid.offline.landscape.result import from_batch, read

    if result is not None:
        return from_batch(study, batch, read(result))
    with needing("gpu", "--gpu"):
        from annelid.offline.landscape import warp_batch
    return from_batch(study, batch, warp_batch.run(batch, say=console.print))


def _here(
    console: Screen, study: Study, points: int, only: int | None, workers: int | None
) -> Landscape:
    """On the cores: the whole grid, or some of it."""
    import numpy as np

    from annelid.cli.progress import counting
    from annelid.offline.executors import processes
    from annelid.offline.landscape.cores import compute

    count = points ** len(study.spec.space.genes)
    rows = None
    if only is not None:
        stream = np.random.default_rng(study.spec.seed)
        rows = sorted(stream.choice(count, min(only, count), replace=False).tolist())
        count = len(rows)
    with processes(study, workers) as evaluate, counting(console, "gaits", count) as tell:
        return compute(study, points, evaluate, rows=rows, tell=tell)


def _checked(console: Screen, found: Landscape, study: Study, workers: int | None) -> Landscape:
    from annelid.cli.progress import counting
    from annelid.offline.executors import processes
    from annelid.offline.landscape.cores import checked, fallen

    with (
        processes(study, workers) as evaluate,
        counting(console, "falls, again", len(fallen(found))) as tell,
    ):
        return checked(found, study, evaluate, tell=tell)


def _held(
    console: Screen,
    found: Landscape,
    one: Study,
    two: Study,
    sample: int,
    workers: int | None,
) -> Agreement:
    from annelid.offline.executors import processes
    from annelid.offline.landscape.cores import compare
    from annelid.offline.landscape.cores import sample as some

    with (
        console.waiting("Computing some of them here …"),
        processes(one, workers) as first,
        processes(two, workers) as second,
    ):
        return compare(found, one, two, (first, second), some(found, sample))


def _tell(console: Screen, study: Study, found: Landscape, agreement: Agreement | None) -> None:
    import numpy as np

    best = found.best
    told = ", ".join(f"{name.split('.')[-1]} {value:.3g}" for name, value in found.at(best).items())
    lines = [f"furthest {found.scores[best]:.3f} m: {told}"]
    computed = int(np.isfinite(found.scores).sum())
    for name, genome in study.marks.items():
        at = found.nearest(study.space.decode(genome))
        lines.append(f"{name}: {found.scores[at]:.3f} m, rank {found.rank(at)} of {computed}")
    if agreement is not None:
        lines.append(agreement.told)
    for line in lines:
        console.print(line)
