"""The reference pages of the handbook, in Markdown: every field, metric and command there is.

They are made from the code whenever the handbook is built, so they say what holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from annelid.boundary.markdown import markdown_table
from annelid.registry import KINDS, kind, load_place
from annelid.report.entry import (
    FieldTable,
    ReferenceEntry,
    entry,
    field_table,
    listed,
    metric_table,
    titles,
)
from annelid.spec import Spec
from annelid.spec_fields import first_line, members
from annelid.trial.plugins import Plugins

SCENARIO: Final = "annelid.trial.scenario:Scenario"
STUDY: Final = "annelid.offline.study:StudySpec"

HERE: Final = {
    "robot": "module",
    "world": "world",
    "gaits": "gait",
    "faults": "fault",
    "options": "system",
    "optimiser": "optimiser",
}
"""Fields whose tables are described on the page of a kind."""


def pages() -> dict[str, str]:
    """File name in ``reference/`` to its text."""
    made = {
        "scenario.md": _file_page("A scenario file", SCENARIO),
        "study.md": _file_page("A study file", STUDY),
        "metrics.md": _metrics(),
    }
    for name in KINDS:
        made[f"{name}s.md"] = _kind_page(name)
    return made


def _kind_page(name: str) -> str:
    found = kind(name)
    table = listed(found, Plugins())
    lines = [f"# {found.plural.capitalize()}", ""]
    lines += [f"In the terminal: `annelid {name}s` lists them, `annelid {name}s NAME` shows one."]
    lines += [f"`annelid new {name} mine` writes a file to start one of your own.", ""]
    if not table:
        return _text([*lines, "None come with Annelid; plugins and packages add them."])
    rows = [(_code(each), title) for each, title in titles(table)]
    lines += markdown_table(("name", "what it is"), rows)
    for each in table:
        told = entry(found, each, table[each])
        if told.notes or told.tables:
            lines += ["", *_entry(told)]
    return _text(lines)


def _entry(told: ReferenceEntry) -> Iterator[str]:
    yield f"## {told.name}"
    yield ""
    yield _plain(told.title) + "."
    if told.notes:
        yield from ("", "```text", *told.notes, "```")
    for table in told.tables:
        yield from ("", *_fields(table))


def _file_page(title: str, place: str) -> str:
    """All tables of a file; those that a kind describes are on its page."""
    spec: Any = load_place(place)
    lines = [f"# {title}", "", first_line(spec), ""]
    file = "study" if place == STUDY else "scenario"
    lines += [f"`annelid schema {file}` prints the same for editors: [how to](../editors.md).", ""]
    lines += _below(spec, "At the top of the file", {})
    return _text(lines)


def _below(spec: type[Spec], title: str, seen: dict[type[Spec], None]) -> Iterator[str]:
    seen[spec] = None
    yield from (f"## {title}", "", *_fields(field_table(spec, "")))
    for field, specs in members(spec).items():
        for each in specs:
            if each not in seen and field != "scenario":
                tail = each.__name__ if len(specs) > 1 else ""
                yield from ("", *_below(each, " ".join(filter(None, (field, tail))), seen))
    others = [name for field, name in HERE.items() if field in spec.model_fields]
    if others:
        links = ", ".join(f"[{name}s]({name}s.md)" for name in others)
        yield from ("", f"See also: {links}.")


def _metrics() -> str:
    lines = ["# Metrics", ""]
    lines += ["What a run measures: `metrics.json`, `run.metrics` in Python, the columns of a"]
    lines += ["sweep, the terms of a fitness. `annelid metrics` lists them. None: not applicable,"]
    lines += ["or not reached.", ""]
    return _text([*lines, *_fields(metric_table())])


def _fields(table: FieldTable) -> Iterator[str]:
    if table.title:
        yield from (f"**{_plain(table.title)}**", "")
    if not table.rows:
        yield "No fields."
        return
    cells = [table.cells(field) for field in table.rows]
    rows = [(_code(row[0]), *map(_plain, row[1:])) for row in cells]
    yield from markdown_table(table.columns(), rows)


def _plain(text: str) -> str:
    """No sign of it means anything to Markdown."""
    for sign in "\\`*_[]<>":
        text = text.replace(sign, f"\\{sign}")
    return text


def _code(text: str) -> str:
    return f"`{text}`"


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
