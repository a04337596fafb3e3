"""Two runs side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from annelid.errors import InputError
from annelid.trial.compare import compare_runs
from annelid.trial.load import load
from annelid.trial.replay import Run
from annelid.trial.run import Trial


def made(folder: Path, **fields: object) -> Run:
    overrides = {"duration_s": 0.1, **{k.replace("__", "."): v for k, v in fields.items()}}
    return Run(Trial(load("snake", overrides=overrides)).run(folder).folder)


def test_only_what_was_set_differently_is_shown(tmp_path: Path):
    comparison = compare_runs([made(tmp_path / "a"), made(tmp_path / "b", robot__chain="RRR")])
    assert [row.name for row in comparison.settings] == ["robot.chain"]
    assert not comparison.same
    mass = next(row for row in comparison.outcomes if row.name == "mass_kg")
    assert mass.change == "-0.066 (-50.0%)"


def test_the_same_twice(tmp_path: Path):
    comparison = compare_runs([made(tmp_path / "a"), made(tmp_path / "b")])
    assert comparison.same
    assert comparison.settings == ()


def test_one_run_is_not_a_comparison(tmp_path: Path):
    with pytest.raises(InputError, match="two runs"):
        compare_runs([made(tmp_path / "a")])
