"""Sweeps: what is varied, what is counted, what survives Ctrl-C."""

from __future__ import annotations

import csv
import json
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annelid.errors import AnnelidError, InputError, SpecError
from annelid.trial import sweep as sweeps
from annelid.trial.plugins import Plugins
from annelid.trial.pool import Pool, processes
from annelid.trial.scenario import Scenario
from annelid.trial.summary import wilson
from annelid.trial.sweep import Sweep
from annelid.trial.vary import Listed, Spread, cells, parse_vary

SHORT = {"duration_s": 0.3, "success.progress_m": 0.001, "jitter_deg": 0.5}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("world.bore_mm=38,40,42", (38, 40, 42)),
        ("physics.timestep_ms=0.25:1:0.25", (0.25, 0.5, 0.75, 1.0)),
        ("seed=3:1:-1", (3, 2, 1)),
        ("robot.chain=TRRH,TRH", ("TRRH", "TRH")),
        ("stop_at_goal=true,false", (True, False)),
        ('world.parts=[{part="elbow"}],[{part="cap"}]', ([{"part": "elbow"}], [{"part": "cap"}])),
        ('about="a,b"', ("a,b",)),
    ],
)
def test_listed_values(text: str, values: tuple[object, ...]):
    assert parse_vary(text) == Listed(text.split("=", maxsplit=1)[0], values)


def test_spreads():
    assert parse_vary("robot.each.R.mass_g~20..25") == Spread(
        "robot.each.R.mass_g", "evenly", 20.0, 25.0
    )
    assert parse_vary("a~22+-1.5") == Spread("a", "normally", 22.0, 1.5)


@pytest.mark.parametrize(
    "text",
    [
        *("bore", "a=", "a~20", "a~3..2", "a=1:2:-1", "=3", "a=1:2:0"),
        *("a~2+--1", "a~1..1e400", "a~-1e308..1e308", "a~1e400+-1", "a~1+-1e400"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str):
    with pytest.raises(InputError, match="--vary"):
        parse_vary(text)


@pytest.mark.parametrize("text", ["a=1:{}", "a={}", "a~{}", "a~1..{}x", "a={}:{}"])
def test_very_long_numbers_are_read_at_once(text: str):
    """Counted is this process's own time, whatever else the machine does.  It took 4 s once."""
    begun = process_time()
    with suppress(InputError):
        parse_vary(text.replace("{}", 5000 * "9"))
    assert process_time() - begun < 0.5


def test_grid_and_a_field_twice():
    grid = cells([Listed("a", (1, 2)), Spread("c", "evenly", 0, 1), Listed("b", (3, 4))])
    assert grid == [{"a": 1, "b": 3}, {"a": 1, "b": 4}, {"a": 2, "b": 3}, {"a": 2, "b": 4}]
    with pytest.raises(InputError, match="twice"):
        cells([Listed("a", (1,)), Listed("a", (2,))])


def test_wilson_against_published_values():
    """Newcombe 1998, Table I, method 3: 81/263, 15/148, 0/20, 1/29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, trials), interval in published.items():
        assert wilson(successes, trials) == pytest.approx(interval, abs=5e-5)


@given(st.integers(0, 200), st.integers(1, 200))
def test_wilson_holds_the_rate(successes: int, trials: int):
    successes = min(successes, trials)
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1


def test_a_sweep_in_a_pool_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    varied = [parse_vary("world.bore_mm=40,42"), parse_vary("robot.each.R.mass_g~20..25")]

    def planned() -> Sweep:
        return Sweep("push", varied, repeats=2, overrides=SHORT)

    told: list[tuple[int, int]] = []
    with processes(2) as pool:
        folder, summary = planned().run(
            runs=tmp_path, pool=pool, tell=lambda done, total: told.append((done, total))
        )
    assert told[-1] == (4, 4)
    assert [s.fields for s in summary.settings] == [{"world.bore_mm": 40}, {"world.bore_mm": 42}]
    assert [(s.trials, s.successes) for s in summary.settings] == [(2, 2), (2, 2)]

    lines = (folder / "trials.jsonl").read_text().splitlines(keepends=True)
    (folder / "trials.jsonl").write_text("".join(lines[:2]) + '{"cell": 1, "rep')
    done: list[sweeps.SweepTrial] = []
    real = sweeps.outcome

    def counted(scenario: Scenario, task: sweeps.SweepTrial, plugins: Plugins) -> dict[str, Any]:
        done.append(task)
        return real(scenario, task, plugins)

    monkeypatch.setattr(sweeps, "outcome", counted)
    again_folder, again = planned().run(runs=tmp_path, pool=Pool())
    assert again_folder == folder
    assert len(done) == 2
    assert again == summary

    with (folder / "trials.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4
    assert len({row["robot.each.R.mass_g"] for row in rows}) == 4
    assert all(20 <= float(row["robot.each.R.mass_g"]) <= 25 for row in rows)
    plot = json.loads((folder / "summary.json").read_text())["plot"]
    assert (plot["x"], plot["rate"]) == ([40, 42], [1.0, 1.0])


def test_another_sweep_is_not_mixed_in(tmp_path: Path):
    Sweep("snake", [parse_vary("seed=1")], overrides={"duration_s": 0.02}).run(tmp_path / "s")
    with pytest.raises(SpecError, match="another sweep"):
        Sweep("snake", [parse_vary("seed=2")], overrides={"duration_s": 0.02}).run(tmp_path / "s")


def test_a_robot_that_does_not_fit_is_an_outcome(tmp_path: Path):
    varied = [parse_vary("robot.each.R.mass_g~-5..-4")]
    _, summary = Sweep("snake", varied, overrides={"duration_s": 0.02}).run(tmp_path / "s")
    (setting,) = summary.settings
    assert setting.rate == 0
    assert "mass_g" in setting.errors[0]


@pytest.mark.parametrize(
    ("vary", "said"),
    [("world.boer_mm=1", "bore_mm"), ("world.bore_mm=40,10", "36"), ("robot.chain=TXR", "'X'")],
)
def test_what_cannot_work_is_known_before_anything_runs(vary: str, said: str):
    with pytest.raises(AnnelidError, match=said):
        Sweep("push", [parse_vary(vary)])
