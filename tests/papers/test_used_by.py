"""Every scenario of the claims is listed with the rows that use it."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.papers.used_by import rows_of_scenarios

KEPT = Path(__file__).parents[2] / "results" / "claims.json"


def test_every_scenario_belongs_to_the_rows_that_have_run_it():
    rows = rows_of_scenarios()
    assert not [name for name, ids in rows.items() if not ids]
    told = {(row, name) for name, ids in rows.items() for row in ids}
    kept = {row["id"]: row.get("runs") for row in json.loads(KEPT.read_text())["rows"]}
    ran = {(row, name) for row, runs in kept.items() for name in runs or () if name in rows}
    assert ran <= told
    assert not [pair for pair in told - ran if kept.get(pair[0])]


def test_names_that_are_put_together_and_functions_of_other_rows():
    rows = rows_of_scenarios()
    assert rows["a05-snake"] == ["A5"]
    assert rows["b18-elbow"] == ["B18"], "named in a module of no row"
    assert rows["b22-worm"] == ["B22"], "B23 gives the same functions a scenario of its own"
    assert rows["e02-crawl"] == ["E2", "E7"], "E7 has functions of E2 run it"


def test_the_list_shows_them(monkeypatch):
    monkeypatch.setattr("annelid.cli.screen.Screen", lambda: Console(width=200))
    said = CliRunner().invoke(app, ["scenarios", "--claims"]).output
    line = next(line for line in said.splitlines() if "d04-inclines" in line)
    assert "D4, D9" in line
