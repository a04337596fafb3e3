"""Writes tables of Markdown, for pages that people read and keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Line by line; a cell may hold any text."""
    columns = list(head)
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        cells = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in row)
        yield f"| {' | '.join(cells)} |"
