"""``annelid evolve``: runs the search that a study file describes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import ClusterOption, PluginOption, SetOption, WorkersOption, overrides

if TYPE_CHECKING:
    from annelid.cli.screen import Screen
    from annelid.offline.api import Evolved
    from annelid.offline.search import Listen, Result, Standing
    from annelid.offline.study import Study


def evolve(
    study: Annotated[
        str,
        typer.Argument(help="A .toml file, or the name of a shipped study (see: annelid studies)."),
    ],
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a study that was stopped.")
    ] = False,
    generations: Annotated[
        int | None, typer.Option(min=1, help="Number of generations; replaces that of the study.")
    ] = None,
    set_: SetOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    gpu: Annotated[
        bool,
        typer.Option(
            "--gpu",
            help="Simulate each generation at once on an NVIDIA GPU of this machine; only for wave"
            " gaits of one fixed body.",
        ),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Study folder. Default: runs/study-NAME.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="SQLite file to share with other studies.")
    ] = None,
    plugin: PluginOption = None,
    report: Annotated[
        bool, typer.Option(help="Run the best robot once more and write report.html.")
    ] = True,
    video: Annotated[bool, typer.Option(help="Render the best robot's video.")] = True,
) -> None:
    """Search for good gaits and configurations; write a study folder with the best robot.

    Ctrl-C or a kill loses nothing: --resume continues and ends at the same result.
    --set changes fields of the study, such as fitness.topple_deg=45.

    Examples:

        annelid evolve open-air

        annelid evolve my.toml --generations 20 --workers 4

        annelid evolve open-air --resume
    """
    from annelid.cli.screen import Screen
    from annelid.offline.api import evolve as search
    from annelid.offline.study import load_study

    console = Screen()
    changes: dict[str, Any] = overrides(set_)
    if generations is not None:
        changes["budget.generations"] = generations
    loaded = load_study(study, changes=changes, plugin_files=plugin or [])
    with _watching(console) as listen:
        evolved = search(
            loaded,
            resume=resume,
            workers=workers,
            cluster=cluster,
            gpu=gpu,
            out=out,
            store=store,
            progress=listen,
        )
    _finish(console, evolved, report=report, video=video)


@contextmanager
def _watching(console: Screen) -> Iterator[Listen]:
    """Best, mean, evaluations per second and time left, as one line that is renewed."""
    from rich.progress import BarColumn, Progress

    from annelid.cli.screen import WordColumn

    columns = (BarColumn(), WordColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=1.0)

        def listen(now: Standing) -> None:
            within = now.done / now.todo if now.todo else 1.0
            done = min((now.generation + within) / now.generations, 1.0)
            bar.update(task, completed=done, description=told(now, done))

        yield listen


def told(now: Standing, done: float) -> str:
    """One line about where a search stands."""
    rate = now.simulated / now.wall_s if now.wall_s > 0 else 0.0
    best = "–" if now.best is None else f"{now.best:.4g}"
    mean = "–" if now.mean is None else f"{now.mean:.4g}"
    left = f"{now.wall_s / done * (1 - done):.0f} s left at most" if done > 0 else "…"
    number = min(now.generation + 1, now.generations)
    return (
        f"generation {number}/{now.generations} ({now.done}/{now.todo})  "
        f"best {best}  mean {mean}  {rate:.1f}/s  {left}"
    )


def _finish(console: Screen, evolved: Evolved, *, report: bool, video: bool) -> None:
    from annelid.offline.folder import BEST, REPORT, StoredStudy, run_best
    from annelid.offline.store import Store

    study, folder, place, result = evolved.study, evolved.folder, evolved.store, evolved.result
    film: Path | None = None
    if report and result.best is not None:
        from annelid.report import write_report

        with console.waiting("Running the best once more …"):
            drawn = write_report(run_best(study, folder), video=video, plugins=study.plugins)
            film = drawn.video
            if drawn.note:
                console.print(drawn.note, soft_wrap=True)
    console.print(_table(study, result))
    files = [place, folder / BEST] if result.best is not None else [place]
    if report:
        from annelid.offline.page import study_page

        with Store.open(place) as store:
            kept = StoredStudy(store, study.spec.name)
        files.append(study_page(kept, folder / REPORT, video=film))
    for file in files:
        console.print(str(file), soft_wrap=True)


def _table(study: Study, result: Result) -> Any:
    from rich.table import Table

    from annelid.offline.space import short_names

    table = Table(title=study.spec.name, show_header=False)
    last = result.curve[-1]
    table.add_row("generations", str(len(result.curve)))
    table.add_row("genomes asked for", str(last.asked))
    table.add_row("different ones", str(last.evaluations))
    if result.best is None:
        table.add_row("best", "none: no genome could be judged")
        reasons = dict.fromkeys(one.why for one in result.evaluations.values())
        table.caption = "\n".join(str(why) for why in list(reasons)[:3])
        return table
    for name, one in {"best": result.best, **result.marks}.items():
        score = "failed" if one.score is None else f"{one.score:.4g}"
        fields = ", ".join(
            f"{short} {value:.4g}" if isinstance(value := one.fields[field], float) else str(value)
            for field, short in short_names(study.spec.space.fields).items()
        )
        table.add_row(name, f"{score}  ({fields})")
    return table
