"""The screen of every command: what is printed is text, whatever names and files have in it.

Rich takes strings for markup unless it is told otherwise: ``[/x]`` in a path would be an error, and
``[red]`` in a name would vanish.  Here a string is never markup; what has a style is a
:func:`styled` text.  Control characters are shown as such and never reach the terminal.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import TextColumn
from rich.status import Status
from rich.text import Text

from annelid.boundary.plain import visible


def styled(words: object, style: str = "") -> Text:
    """Text in a style of Rich: ``red``, ``bold``."""
    return Text(visible(str(words)), style=style)


class Screen(Console):
    """A console for text of anybody's."""

    def __init__(self, *, stderr: bool = False, width: int | None = None) -> None:
        super().__init__(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **how: Any) -> Text:
        """Every string in a line, a cell, a heading or a title comes through here."""
        return super().render_str(visible(text), **how)

    def waiting(self, words: str) -> Waiting:
        """A line that is shown while something is done."""
        return Waiting(styled(words), console=self)


class Waiting(Status):
    """Rich's status; its words are text."""

    def update(self, status: Any = None, **how: Any) -> None:
        super().update(styled(status) if isinstance(status, str) else status, **how)


class WordColumn(TextColumn):
    """A column of a progress bar; what is filled in is text."""

    def __init__(self, text_format: str) -> None:
        super().__init__(text_format, markup=False)

    def render(self, task: Any) -> Text:
        return styled(super().render(task).plain)
