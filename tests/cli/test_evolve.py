"""``annelid evolve``, ``studies``, ``study …``: what a person types and sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.offline.small import table
from typer.testing import CliRunner

from annelid.cli.evolve import told
from annelid.cli.main import app
from annelid.errors import InputError, MissingFile, SpecError
from annelid.offline.search import Standing
from annelid.trial.load import load
from annelid.trial.toml import dumps


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(dumps(table(budget={"generations": 2})))
    return tmp_path


def annelid(*words: str) -> str:
    ran = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_a_study_leaves_a_folder_with_its_best_ready_to_run(folder: Path):
    said = annelid("evolve", "s.toml", "--workers", "1", "--no-video")
    place = folder / "runs" / "study-small"
    assert "best" in said
    assert {file.name for file in place.iterdir()} >= {
        "studies.sqlite", "study.toml", "curve.csv", "best.toml", "best", "report.html",
    }  # fmt: skip
    assert load(place / "best.toml").name == "best-of-small"
    assert len((place / "curve.csv").read_text().splitlines()) == 3
    page = (place / "report.html").read_text()
    assert "How the search went" in page
    assert "amplitude_deg" in page

    listed = annelid("studies")
    assert "open-air" in listed
    assert "finished" in listed

    shown = annelid("study", "show", str(place), "--no-browse", "--html", "page.html")
    assert shown.strip() == "page.html"
    annelid("study", "export", str(place), "-o", "all.csv")
    assert len((folder / "all.csv").read_text().splitlines()) > 6

    with pytest.raises(InputError, match="has been begun; --resume goes on"):
        annelid("evolve", "s.toml", "--workers", "1", "--no-report")
    said = annelid(
        "evolve", "s.toml", "--workers", "1", "--no-report", "--resume", "--generations", "3"
    )
    assert "3" in said
    with pytest.raises(SpecError, match="another study named 'small': its seed differs"):
        annelid("evolve", "s.toml", "--workers", "1", "--resume", "--set", "seed=5")


def test_studies_share_a_store(folder: Path):
    for name in ("one", "two"):
        annelid(
            "evolve", "s.toml", "--set", f"name={name}", "--store", "all.sqlite",
            "--workers", "1", "--no-report", "--generations", "1",
        )  # fmt: skip
    listed = annelid("studies", "all.sqlite")
    assert "one" in listed
    assert "two" in listed
    with pytest.raises(InputError, match="which study\\? There are: one, two"):
        annelid("study", "show", "all.sqlite", "--no-browse")
    assert "page" in annelid(
        "study", "show", "all.sqlite", "--name", "two", "--no-browse", "--html", "page.html"
    )


def test_two_studies_side_by_side(folder: Path):
    for name, population in (("one", 4), ("two", 6)):
        sets = ("--set", f"name={name}", "--set", f"optimiser.population={population}")
        annelid("evolve", "s.toml", *sets, "--workers", "1", "--no-report", "--generations", "2")
    said = annelid("compare", "runs/study-one", "runs/study-two", "--html", "both.html")
    assert "optimiser.population" in said
    assert "best score" in said
    assert "best score so far" in (folder / "both.html").read_text()


def test_a_map_of_gaits_is_drawn(folder: Path):
    reals = [{**gene, "bits": None} for gene in table()["space"]["genes"]]
    axes = [
        {"name": gene["field"], "low": gene["low"], "high": gene["high"], "cells": 4}
        for gene in reals
    ]
    qd = {"kind": "qd", "population": 8, "measures": axes}
    text = dumps(table(space={"genes": reals}, optimiser=qd, budget={"generations": 3}))
    (folder / "map.toml").write_text(text)
    annelid("evolve", "map.toml", "--workers", "1", "--no-report")
    annelid("study", "show", "runs/study-small", "--no-browse", "--html", "page.html")
    assert "The best of every cell; " in (folder / "page.html").read_text()


def test_what_cannot_be_resumed_or_found_is_said(folder: Path):
    with pytest.raises(MissingFile, match="no study 'small' to resume"):
        annelid("evolve", "s.toml", "--resume")
    with pytest.raises(InputError, match="Did you mean 'open-air'"):
        annelid("evolve", "open-iar")
    with pytest.raises(MissingFile, match="no study here"):
        annelid("study", "show", str(folder))


def test_progress_tells_best_mean_rate_and_time_left():
    now = Standing(
        generation=4,
        generations=10,
        done=5,
        todo=10,
        simulated=100,
        wall_s=50.0,
        best=1.5,
        mean=0.7,
    )
    line = told(now, 0.45)
    for part in ("generation 5/10 (5/10)", "best 1.5", "mean 0.7", "2.0/s", "61 s left"):
        assert part in line
