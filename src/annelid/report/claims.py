"""The page of ``annelid reproduce``: what the papers claim, what we measured, and the verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from annelid.report import page
from annelid.report.plots import named_figure


def claims_page(rows: Sequence[Mapping[str, Any]], path: Path | str) -> Path:
    """``rows`` of {id, claim, paper, kind, ours, verdict, note, plots, pictures}; a plot is a
    figure as plain data (see ``plots.named_figure``), a picture {title, png}."""
    passed = sum(row["verdict"] == "pass" for row in rows)
    title = f"{passed} of {len(rows)} claims hold"
    lead = (
        "Each row is an experiment that was run on this machine; “short” says that ours is not as "
        "near to the real robot as it should be, and why."
    )
    badge = ("good", "all pass") if passed == len(rows) else ("bad", f"{len(rows) - passed} short")
    body = [page.heading("Annelid · reproduction", title, lead, badge=badge), _overview(rows)]
    body += [_claim(row) for row in rows]
    return page.write(path, f"Reproduction: {title}", body)


def _overview(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        f'<tr><td><a href="#{escape(str(row["id"]))}">{escape(str(row["id"]))}</a></td>'
        f"<td>{escape(str(row['claim']))}</td><td>{escape(str(row['paper']))}</td>"
        f"<td>{escape(str(row['kind']))}</td><td>{escape(str(row['ours']))}</td>"
        f"<td>{_badge(row)}</td></tr>"
        for row in rows
    ]
    names = ("id", "claim", "paper", "kind", "ours", "verdict")
    head = "<tr>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"
    return f'<div class="wide"><table>{head}{"".join(lines)}</table></div>'


def _claim(row: Mapping[str, Any]) -> str:
    facts = [("Paper", row["paper"]), ("Kind", row["kind"]), ("Ours", row["ours"])]
    if row.get("note"):
        facts.append(("Note", row["note"]))
    parts = [f"<p><b>{name}:</b> {escape(str(text))}</p>" for name, text in facts]
    parts += [page.figure(named_figure(plot)) for plot in row.get("plots") or ()]
    parts += [
        page.figure(page.image(one["png"], "image/png", alt=one["title"]), one["title"])
        for one in row.get("pictures") or ()
    ]
    identity = escape(str(row["id"]))
    return (
        f'<section id="{identity}"><h2>{identity} · {escape(str(row["claim"]))} {_badge(row)}</h2>'
        + "\n".join(parts)
        + "</section>"
    )


def _badge(row: Mapping[str, Any]) -> str:
    kind = "good" if row["verdict"] == "pass" else "bad"
    return f'<span class="badge {kind}">{escape(str(row["verdict"]))}</span>'
