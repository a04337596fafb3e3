"""``annelid landscape``: how far every gait of a study gets, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from annelid.cli.options import SetOption, overrides


def landscape(
    study: Annotated[str, typer.Argument(help="A study of gaits: a .toml file or a shipped name.")],
    points: Annotated[int, typer.Option(min=2, help="Along each gene; 32 of three: 32 768.")] = 32,
    gpu: Annotated[bool, typer.Option("--gpu", help="On an NVIDIA card here.")] = False,
    job: Annotated[
        Path | None, typer.Option(help="Only write the job, to carry it to a GPU.")
    ] = None,
    result: Annotated[
        Path | None, typer.Option(help="Draw what a GPU elsewhere has written for this job.")
    ] = None,
    sample: Annotated[int, typer.Option(min=0, help="Gaits to compute here as well.")] = 64,
    only: Annotated[
        int | None, typer.Option(min=1, help="Without a GPU: so many gaits, at random.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; else all cores.")] = None,
    set_: SetOption = None,
    out: Annotated[Path | None, typer.Option(help="Folder; else runs/landscape-NAME.")] = None,
) -> None:
    """Compute a grid of gaits of one body, draw it with the optimum and the papers' points.

    A GPU's machine needs no Annelid: carry JOB.npz and annelid/offline/landscape/warp_batch.py
    there, run `python warp_batch.py JOB.npz RESULT.npz`, and bring RESULT.npz back.

    Examples:

        annelid landscape open-air --gpu

        annelid landscape open-air --job job.npz

        annelid landscape open-air --result result.npz --job job.npz

        annelid landscape open-air --points 8
    """
    import numpy as np
    from rich.console import Console

    from annelid.cli.progress import counting
    from annelid.errors import MissingDependency
    from annelid.offline.executors import processes
    from annelid.offline.landscape.cores import OTHER_SEED, compare, compute
    from annelid.offline.landscape.cores import sample as some
    from annelid.offline.landscape.job import landscape_job
    from annelid.offline.landscape.picture import landscape_page
    from annelid.offline.landscape.result import from_batch, read
    from annelid.offline.study import load_study

    console = Console()
    changes = overrides(set_)
    loaded = load_study(study, changes=changes)
    folder = out or Path("runs") / f"landscape-{loaded.spec.name}"
    batch: dict[str, Any] | None = None
    if result is not None and job is not None and job.exists():
        batch = read(job)
    elif gpu or job is not None or result is not None:
        with console.status("Preparing the job …"):
            batch = landscape_job(loaded, points)
        if job is not None:
            np.savez_compressed(job, **batch)
            console.print(str(job), soft_wrap=True, highlight=False)
            if result is None and not gpu:
                return
    if batch is None:
        rows = None
        if only is not None:
            stream = np.random.default_rng(loaded.spec.seed)
            total = points ** len(loaded.spec.space.genes)
            rows = sorted(stream.choice(total, min(only, total), replace=False).tolist())
        count = points ** len(loaded.spec.space.genes) if rows is None else len(rows)
        with processes(loaded, workers) as evaluate, counting(console, "gaits", count, 0) as bar:
            found = compute(
                loaded,
                points,
                evaluate,
                rows=rows,
                tell=lambda done, _: bar.update(bar.task_ids[0], completed=done),
            )
        agreement = None
    else:
        if result is not None:
            computed = read(result)
        else:
            try:
                from annelid.offline.landscape import warp_batch
            except ModuleNotFoundError as error:
                raise MissingDependency(
                    f"--gpu needs {error.name}: pip install 'annelid[gpu]'"
                ) from None
            computed = warp_batch.run(batch, say=console.print)
        found = from_batch(loaded, batch, computed)
        agreement = None
        if sample:
            another = load_study(study, changes={**changes, "seed": loaded.spec.seed + OTHER_SEED})
            with (
                console.status("Computing some of them here …"),
                processes(loaded, workers) as one,
                processes(another, workers) as two,
            ):
                agreement = compare(found, loaded, another, (one, two), some(found, sample))
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "landscape.npz", table=found.table, scores=found.scores)
    path = landscape_page(loaded, found, folder / "report.html", agreement=agreement)
    best = found.best
    told = ", ".join(f"{name.split('.')[-1]} {value:.3g}" for name, value in found.at(best).items())
    console.print(f"furthest {found.scores[best]:.3f} m: {told}", highlight=False)
    for name, genome in loaded.marks.items():
        at = found.nearest(loaded.space.decode(genome))
        console.print(
            f"{name}: {found.scores[at]:.3f} m, rank {found.rank(at)} of "
            f"{int(np.isfinite(found.scores).sum())}",
            highlight=False,
        )
    if agreement is not None:
        console.print(
            f"held against the cores: median difference {agreement.difference * 1000:.1f} mm "
            f"(two starts on the cores: {agreement.chance * 1000:.1f} mm), mean "
            f"{agreement.bias:+.1%}, correlation {agreement.correlation:.3f}",
            highlight=False,
        )
    console.print(str(path), soft_wrap=True, highlight=False)
