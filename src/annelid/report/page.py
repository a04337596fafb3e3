"""The frame of every page: one HTML file with its style inside and no links to other files."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from annelid.boundary.files import write_file

_CSS = """
:root { --ink: #1d2733; --soft: #5b6875; --line: #dde3e9; --accent: #1f6fb2; --paper: #fff; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef1f4; color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; }
main { max-width: 1060px; margin: 0 auto; padding: 28px 36px 60px; background: var(--paper);
  min-height: 100vh; }
h1 { font-size: 26px; line-height: 1.25; margin: 4px 0 6px; }
h2 { font-size: 18px; margin: 34px 0 8px; padding-top: 12px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 20px 0 4px; }
p { margin: 6px 0 10px; } .soft { color: var(--soft); } small { color: var(--soft); }
.kicker { color: var(--soft); font-size: 13px; margin: 0; }
.lead { font-size: 17px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(158px, 1fr)); gap: 10px;
  margin: 18px 0; }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: 9px 12px; }
.tile b { display: block; font-size: 19px; white-space: nowrap; }
.tile span { color: var(--soft); font-size: 12.5px; display: block; line-height: 1.35; }
.badge { display: inline-block; padding: 1px 10px; border-radius: 11px; font-size: 13px;
  font-weight: 600; color: #fff; background: var(--soft); }
.good { background: #2a8a4a; } .bad { background: #b8442f; } .open { background: #6b7785; }
figure { margin: 12px 0 4px; } figure svg, figure img, figure video { width: 100%; height: auto;
  display: block; } figure img, figure video { border: 1px solid var(--line); border-radius: 8px; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 4px; }
table { border-collapse: collapse; margin: 8px 0; font-size: 14px; }
.wide { overflow-x: auto; } .wide table { width: 100%; }
th, td { text-align: left; padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line);
  vertical-align: top; } th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td { overflow-wrap: anywhere; }
pre { background: #f5f7f9; border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px;
  overflow-x: auto; font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.note { background: #fdf5e2; border-left: 4px solid #d9a21b; padding: 8px 14px; margin: 12px 0; }
.scroll { max-height: 420px; overflow: auto; }
details summary { cursor: pointer; color: var(--accent); margin: 6px 0; }
@media print { body { background: #fff; } main { max-width: none; padding: 0; }
  figure, .tile, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .scroll { max-height: none; } video { display: none !important; } }
"""


def page(title: str, body: Iterable[str]) -> str:
    """A whole document."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def write(path: Path | str, title: str, body: Iterable[str]) -> Path:
    return write_file(Path(path), page(title, body))


def heading(
    kicker: str, title: str, lead: str = "", *, badge: tuple[str, str] | None = None
) -> str:
    """The top of a page; ``badge`` is (class, text) of a verdict."""
    mark = f' <span class="badge {badge[0]}">{escape(badge[1])}</span>' if badge else ""
    text = f'<p class="lead">{escape(lead)}</p>' if lead else ""
    return f'<p class="kicker">{escape(kicker)}{mark}</p>\n<h1>{escape(title)}</h1>\n{text}'


def section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def note(text: str) -> str:
    """Something the reader should not miss."""
    return f'<p class="note">{escape(text)}</p>'


def tiles(facts: Iterable[tuple[str, str]]) -> str:
    """(value with unit, what it is), as a row of boxes."""
    boxes = (
        f'<div class="tile"><b>{escape(value)}</b><span>{escape(what)}</span></div>'
        for value, what in facts
    )
    return f'<div class="tiles">{"".join(boxes)}</div>'


def figure(content: str, caption: str = "") -> str:
    """``content`` is markup: an inline SVG, a picture, a video."""
    text = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{content}{text}</figure>"


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = ()
) -> str:
    """``numbers``: the columns that are aligned as numbers.  Cells are text, not markup."""

    def line(tag: str, cells: Sequence[str]) -> str:
        marked = (
            f"<{tag}{' class=number' if place in numbers else ''}>{escape(cell)}</{tag}>"
            for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "\n".join(line("td", row) for row in rows)
    return f'<div class="wide"><table>\n{line("th", head)}\n{body}\n</table></div>'


def text_block(text: str, *, scroll: bool = True) -> str:
    block = f"<pre>{escape(text)}</pre>"
    return f'<div class="scroll">{block}</div>' if scroll else block


def inline(data: bytes, kind: str) -> str:
    """A ``data:`` address, so that the page needs no second file."""
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def image(data: bytes, kind: str, *, alt: str) -> str:
    return f'<img alt="{escape(alt)}" src="{inline(data, kind)}">'
