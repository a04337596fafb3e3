"""Whatever is in a name, a path or a text is shown; neither Rich nor a terminal obeys it."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.progress import Progress
from rich.table import Table
from rich.tree import Tree
from typer.testing import CliRunner

from annelid.boundary.plain import visible
from annelid.cli.echo import echo
from annelid.cli.main import app
from annelid.cli.screen import Screen, WordColumn, styled
from annelid.errors import SpecError
from annelid.trial.load import parse
from annelid.trial.run import Trial
from annelid.trial.toml import dumps

SOURCE = Path(__file__).parents[2] / "src" / "annelid"
ODD = "a[/red] [bold]b[/] :smile: \x1b[31m\x1b]0;title\x07 \x9b31m \u202eback"
ABOUT = {
    "name": "odd",
    "about": ODD,
    "duration_s": 0.05,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
}

obeyed = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def _table(words: str) -> Table:
    table = Table(words, title=words, caption=words)
    table.add_row(words)
    return table


SHOWN: dict[str, Callable[[str], object]] = {
    "line": str,
    "styled": lambda words: styled(words, "red"),
    "table": _table,
    "tree": Tree,
}


def printed(words: str, make: Callable[[str], object]) -> str:
    screen = Screen(width=5000)
    screen.file = io.StringIO()
    screen.print(make(words))
    return screen.file.getvalue()


@pytest.mark.parametrize("kind", SHOWN)
@given(words=st.text(min_size=1) | st.text("[]/red\\ \x1b\x9b:e", min_size=1))
@example(words=ODD)
@example(words="[/x]")
def test_every_text_is_shown_as_it_is(kind: str, words: str):
    told = printed(words, SHOWN[kind])
    assert not obeyed.search(told)
    for line in visible(words).expandtabs(8).splitlines():
        assert "".join(line.split()) in "".join(told.split())


@given(words=st.text())
def test_visible_text_has_nothing_that_a_terminal_obeys(words: str):
    assert not obeyed.search(visible(words))
    assert visible(visible(words)) == visible(words)


@given(words=st.text(st.characters(codec="ascii", exclude_categories=["Cc"])))
def test_plain_text_stays_as_it_is(words: str):
    assert visible(words) == words


def test_bars_and_waits_show_text(capsys: pytest.CaptureFixture[str]):
    screen = Screen(width=500)
    with Progress(WordColumn("{task.description}"), console=screen) as bar:
        bar.add_task(ODD)
        table = bar.make_tasks_table(bar.tasks)
    with screen.waiting(ODD) as status:
        status.update("[/x]")
        rest = status.renderable
    screen.print(table)
    screen.print(rest)
    told = capsys.readouterr().out
    assert "a[/red] [bold]b[/] :smile: \\x1b[31m" in told
    assert "[/x]" in told
    assert not obeyed.search(told)


def test_the_other_lines_show_text_too(capsys: pytest.CaptureFixture[str]):
    echo(ODD)
    assert "[/red]" in (told := capsys.readouterr().out)
    assert not obeyed.search(told)


def said(words: Sequence[object], *, code: int = 0) -> str:
    ran = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert ran.exit_code == code, ran.output
    assert not obeyed.search(ran.output)
    return "".join(ran.output.split())


def test_commands_report_places_and_texts_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("one.toml").write_text(dumps(ABOUT))
    for out in ("o[/x]", "o[red]y"):
        assert f"run{out}" in said(["run", "one.toml", "--out", out, "--no-report"])
    assert "o[/x]:thesame" in said(["replay", "o[/x]", "--check"])
    assert "o[/x]/report.html" in said(["replay", "o[/x]", "--no-video"])
    sweep = ["sweep", "one.toml", "--vary", "seed=1", "--repeats", 1, "--workers", 1]
    assert "s[/x]/summary.csv" in said([*sweep, "--out", "s[/x]"])
    shutil.copytree("o[/x]", "p")
    other = Trial(parse({**ABOUT, "about": "[/red]\x1b[31m"})).run(Path("other")).folder
    assert "[/red]\\x1b[31m" in said(["compare", "p", other])


def test_a_field_of_any_name_is_told_in_one_line():
    with pytest.raises(SpecError) as told:
        parse({**ABOUT, "ab\nc\x1b[31m": 1})
    assert str(told.value) == "scenario: ab\\nc\\x1b[31m: unknown field (got 1)"


def test_nothing_is_printed_past_the_screen():
    """Only what is a file's content goes out as it is (``annelid export``)."""
    content = re.compile(
        r"typer\.echo\((done, nl=False|json\.dumps|dumps|SHIPPED\.read|f\"annelid \{)"
    )
    places = [*(SOURCE / "cli").glob("*.py"), *SOURCE.glob("systems/*/front/*.py")]
    for path in places:
        text = path.read_text()
        if path.name in ("echo.py", "screen.py"):
            continue
        assert "rich.markup" not in text, path
        assert "TextColumn" not in text, path
        assert not re.search(r"rich\.console import.*\bConsole\b", text), path
        assert len(re.findall(r"typer\.echo\(", text)) == len(content.findall(text)), path
