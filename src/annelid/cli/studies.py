"""``annelid studies`` and ``annelid study …``: lists, shows and exports searches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annelid.cli.echo import echo
from annelid.cli.verbs import WithVerbs

if TYPE_CHECKING:
    from annelid.offline.folder import StoredStudy

PlaceArgument = Annotated[Path, typer.Argument(help="A study folder, or a store (studies.sqlite).")]
NameOption = Annotated[
    str | None, typer.Option("--name", help="Name of the study, if the store holds several.")
]

app = typer.Typer(
    name="study",
    cls=WithVerbs,
    help="Show or export the results of a study.",
    no_args_is_help=True,
)


def studies(
    place: Annotated[
        Path, typer.Argument(help="A folder with study folders, or a store (studies.sqlite).")
    ] = Path("runs"),
) -> None:
    """List the studies that come with Annelid, and those in a folder.

    Examples:

        annelid studies

        annelid studies shared.sqlite
    """
    from rich.table import Table

    from annelid.boundary.files import read_toml
    from annelid.cli.screen import Screen
    from annelid.offline.folder import StoredStudy, stores_in
    from annelid.offline.store import Store
    from annelid.offline.study import shipped

    console = Screen()
    known = Table("name", "what it asks", title="Shipped")
    for name, path in shipped().items():
        known.add_row(name, str(read_toml(path).get("about", "")))
    console.print(known)
    begun = Table("study", "generations", "evaluations", "best", "state", "store", title="Begun")
    for path in stores_in(place):
        with Store.open(path) as store:
            for name in store.names:
                kept = StoredStudy(store, name)
                best = kept.best
                begun.add_row(
                    name,
                    f"{len(kept.generations)}/{kept.spec.budget.generations}",
                    str(len(kept.evaluations)),
                    "–" if best is None else f"{best.score:.4g}",
                    "finished" if kept.finished else "not finished",
                    str(path),
                )
    if begun.row_count:
        console.print(begun)


@app.command()
def show(
    place: PlaceArgument,
    name: NameOption = None,
    html: Annotated[Path | None, typer.Option(help="File to write the page to.")] = None,
    browse: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Write the report of a study again and open it.

    Examples:

        annelid study show runs/study-open-air
    """
    import webbrowser

    from annelid.offline.folder import REPORT
    from annelid.offline.page import study_page

    kept = kept_study(place, name)
    folder = place if place.is_dir() else place.parent
    films = sorted(folder.glob("best*/video.mp4"))
    path = study_page(kept, html or folder / REPORT, video=films[-1] if films else None)
    echo(str(path))
    if browse:
        webbrowser.open(path.resolve().as_uri())


@app.command()
def export(
    place: PlaceArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="A .csv or .parquet file.")],
    name: NameOption = None,
) -> None:
    """Write every evaluation of a study as a table.

    Examples:

        annelid study export runs/study-open-air -o open-air.parquet
    """
    from annelid.offline.export import export as written

    echo(str(written(kept_study(place, name), out)))


def kept_study(place: Path, name: str | None) -> StoredStudy:
    """The study of that name in a folder or store; the only one where no name is given."""
    from annelid.errors import InputError, MissingFile
    from annelid.offline.folder import StoredStudy, stores_in
    from annelid.offline.store import Store

    found = stores_in(place)
    if not found:
        raise MissingFile(f"{place}: no study here")
    if len(found) > 1:
        raise InputError(f"{place}: has {len(found)} studies; name one of their folders")
    with Store.open(found[0]) as store:
        if name is None and len(store.names) != 1:
            known = ", ".join(store.names) or "none"
            raise InputError(f"{found[0]}: --name: which study? There are: {known}")
        return StoredStudy(store, name or store.names[0])
