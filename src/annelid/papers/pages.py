"""The kept table of claims as Markdown: one line for each row, and a page with all that was found.

Written by the tool, never by hand.  ``claims.md`` is for somebody who wants to know where we stand;
``claims/A3.md`` is for somebody who doubts one row: how it was judged, every number, the plots, and
what to type to see it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from annelid.boundary.markdown import markdown_table
from annelid.papers.judged_by import Standing

COLUMNS: Final = ("claim", "paper", "kind", "ours", "verdict")

KINDS: Final[Mapping[str, str]] = {
    "predicted": "predicted: nothing was fitted to the judged number",
    "fitted": "fitted: something was fitted to a number of the paper; below it says what",
    "by construction": "by construction: the number is one that we put in",
}

SVG: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'style="background:white"'
)
"""A file of its own needs what an element of a page does not."""

Record = Mapping[str, Any]


def overview(found: Sequence[tuple[Record, Standing]], folder: str, pages: Collection[str]) -> str:
    """``claims.md``; ``pages`` are the rows that have a page in ``folder``.  Only rows that the
    judges of today have measured count as passed."""
    stands = Counter(stand for _, stand in found)
    passed = sum(row["verdict"] == "pass" and stand == "current" for row, stand in found)
    lines = [
        "# What the papers claim, and what we measured",
        "",
        f"{passed} of {len(found)} pass as judged today; {stands['older judge']} measured with an "
        f"older judge; {stands['not measured']} not measured.",
        "",
        "Written by `annelid reproduce --keep`; `make reproduce` renews it.  The page behind a "
        "row's name says how it was judged.  Older judge: the row's experiment or one of its "
        "scenarios has changed since it was measured.",
        "",
    ]
    rows = []
    for row, stand in found:
        name = row["id"]
        link = f"[{name}]({folder}/{name}.md)" if name in pages else name
        told = {**row, "verdict": _verdict(row["verdict"], stand)}
        rows.append((link, *(told[column] for column in COLUMNS), row["date"]))
    lines += markdown_table(("", *COLUMNS, "measured"), rows)
    return "\n".join(lines) + "\n"


def _verdict(said: str, stand: Standing) -> str:
    match stand:
        case "current":
            return said
        case "older judge":
            return f"{said} (older judge)"
        case "not measured":
            return stand


def write_page(folder: Path, row: Record) -> None:
    """The page of one row, and beside it what is drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{row['id']}-*.*"):
        old.unlink()
    drawn = list(_draw(folder, row))
    (folder / f"{row['id']}.md").write_text("\n".join(_page(row, drawn)) + "\n", "utf-8")


def _page(row: Record, drawn: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield from (f"# {row['id']}: {row['claim']}", "")
    yield from (f"- **Paper:** {row['paper']}", f"- **Ours:** {row['ours']}")
    yield from (f"- **Verdict:** {row['verdict']}", f"- **Kind:** {KINDS[row['kind']]}")
    if len(row["seeds"]) > 1:
        said = ", ".join(f"{seed} {verdict}" for seed, verdict in row["seeds"].items())
        yield f"- **Seeds:** {said}; the numbers are those of the first"
    commit = row["commit"] or "no commit"
    edited = " (edited)" if commit.endswith("+") else ""
    yield f"- **Measured:** {row['date']} at {commit[:10]}{edited}, in {row['seconds']:.0f} s"
    if row["note"]:
        yield from ("", "## How it was judged, and what else was seen", "", _sentences(row["note"]))
    yield from ("", "## See it yourself", "", "```sh", f"annelid reproduce {row['id']}")
    for scenario in row["runs"]:
        yield f"annelid run {scenario}"
    yield "```"
    if row["runs"]:
        runs = ", ".join(f"{count} of `{name}`" for name, count in row["runs"].items())
        yield from ("", f"Recorded runs that were judged: {runs}.")
    else:
        yield from ("", "This row is measured without recorded runs.")
    if (heard := row["heard"]) and heard["statements"]:
        yield from ("", _said(heard))
    if row["values"]:
        values = row["values"].items()
        told = ((name, "–" if value is None else f"{value:.4g}") for name, value in values)
        yield from ("", "## Numbers", "", *markdown_table(("name", "value"), told))
    for title, file in drawn:
        yield from ("", f"## {title}", "", f"![{title}]({file})")


def _said(heard: Mapping[str, Any]) -> str:
    """What robots told their operators in these runs."""
    false = f"{len(heard['false'])} false" if heard["false"] else "none of them false"
    misled = f", {heard['misled']} misled by a sensor that the run broke" if heard["misled"] else ""
    told = f"Told to operators: {heard['statements']} statements that were judged, {false}{misled}"
    return f"{told}; {heard['empty']} more in which nothing is judged."


def _sentences(note: str) -> str:
    """Notes part their sentences with two spaces; a page has a line for each."""
    return "\n".join(" ".join(part.split()) for part in note.split(".  ")).replace("\n", ".\n")


def _draw(folder: Path, row: Record) -> Iterator[tuple[str, str]]:
    """(title, file) of every plot and picture, drawn."""
    from annelid.report.plots import named_figure

    for number, plot in enumerate(row["plots"], start=1):
        file = f"{row['id']}-{number}.svg"
        (folder / file).write_text(named_figure(plot).replace("<svg", SVG, 1) + "\n", "utf-8")
        yield plot["title"], file
    for number, picture in enumerate(row["pictures"], start=1 + len(row["plots"])):
        file = f"{row['id']}-{number}.png"
        (folder / file).write_bytes(picture["png"])
        yield picture["title"], file
