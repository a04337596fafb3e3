"""A claim's runs: shipped scenarios on the users' path, kept where the user says."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import InputError, OutputError, UnknownName
from annelid.papers import Bench, Case, Change, Claim, Outcome, reproduce
from annelid.papers.interval import Interval
from annelid.trial.load import load, shipped
from annelid.trial.replay import Run
from annelid.trial.run import Trial

SHORT = {"duration_s": 0.1}
CASES = {"push": Case("a11-pipe", SHORT)}


def seed_and_mass(run: Run) -> tuple[int, float]:
    return run.metrics.seed, run.metrics.mass_kg


def two_runs(bench: Bench) -> Outcome:
    found = bench.trials(CASES, seed_and_mass, repeats=2)["push"]
    return Outcome(
        str([seed for seed, _ in found]),
        True,
        values={f"mass_of_{k}_kg": mass for k, (_, mass) in enumerate(found)},
    )


def bores(bench: Bench) -> Outcome:
    return Outcome(str(bench.trials({"": Case("a11-pipe", SHORT)}, bore, repeats=2)[""]), True)


def bore(run: Run) -> float:
    return float(run.scenario.model_dump()["world"]["bore_mm"])


STRONG = """
from annelid.robot.servo import Servo

SERVO = Servo.from_datasheet(
    "strong", voltage=6.0, stall_torque=0.25, no_load_speed=8.0, stall_current=0.8
)
"""

BORE = Claim("A9", "it is that wide", "stated", "predicted", bores)
A9 = Claim("A9", "it moves", "stated", "predicted", two_runs)
A10 = Claim("A10", "it moves", "stated", "predicted", two_runs)


def test_repeats_are_other_robots_and_another_seed_shares_none_of_them():
    (row,) = reproduce(claims=[A9], workers=1)
    (other,) = reproduce(claims=[A9], workers=1, seed=1)
    assert row.runs == {"a11-pipe": 2}
    masses = {*row.values.values(), *other.values.values()}
    assert len(masses) == 4
    assert row.ours == "[0, 1]"


def test_a_row_that_says_why_is_measured_with_the_nominal_robot():
    case = Case("a11-pipe", SHORT, nominal="the number is the design's")
    found = Bench(workers=1).trials({"": case}, seed_and_mass, repeats=2)[""]
    assert found[0][1] == found[1][1]


def test_fields_may_be_drawn_from_the_seed_of_a_repeat():
    case = Case("a11-pipe", SHORT, varied=lambda seed: {"world.bore_mm": 40.0 + seed})
    assert case.repeat("x", 2).scenario().model_dump()["world"]["bore_mm"] == 42


def test_a_doubter_s_fields_and_plugins_hold_in_every_run(tmp_path):
    plugin = tmp_path / "strong.py"
    plugin.write_text(STRONG)
    fields = {"robot.each.R.servo": "strong", "world.bore_mm": 43.0}
    (row,) = reproduce(
        claims=[BORE], workers=1, runs=tmp_path / "kept", change=Change(fields, [plugin])
    )
    assert row.ours == "[43.0, 43.0]"
    kept = (tmp_path / "kept" / "a11-pipe.0-001" / "scenario.toml").read_text()
    assert "strong" in kept


def test_a_row_without_recorded_runs_has_nothing_to_change():
    with pytest.raises(InputError, match="A1 makes no recorded run"):
        reproduce(["A1"], workers=1, quick=True, change=Change({"world.bore_mm": 43.0}))


def test_a_change_that_cannot_be_made_is_told_in_one_line_and_no_row_is_called_short():
    with pytest.raises(UnknownName, match="bohr_mm") as told:
        reproduce(claims=[BORE], workers=1, change=Change({"world.bohr_mm": 43.0}))
    assert "\n" not in str(told.value)
    assert not hasattr(told.value, "__notes__")


@pytest.mark.parametrize("more", [{"quick": True}, {"change": Change({"seed": 1})}])
def test_what_is_not_the_shipped_row_is_never_kept(more, tmp_path):
    with pytest.raises(InputError, match="--keep renews the table of what is shipped"):
        reproduce(claims=[A9], keep=tmp_path, **more)
    assert not list(tmp_path.iterdir())


def test_kept_runs_are_run_folders_that_can_be_read_and_run_again(tmp_path):
    reproduce(claims=[A9], workers=1, runs=tmp_path / "kept")
    folders = sorted(path for path in (tmp_path / "kept").iterdir() if path.is_dir())
    assert [path.name for path in folders] == ["a11-pipe.push.0-001", "a11-pipe.push.1-001"]
    run = Run(folders[1])
    again = Trial(load(folders[1] / "scenario.toml")).measure()
    assert again.progress_m == run.metrics.progress_m


def test_each_of_several_rows_has_its_own_folder(tmp_path):
    reproduce(claims=[A9, A10], workers=1, runs=tmp_path)
    assert json.loads((tmp_path / "A10" / "claim.json").read_text()) == {"claim": "A10"}


def test_a_folder_with_another_row_s_runs_is_refused_before_anything_runs(tmp_path):
    (tmp_path / "claim.json").write_text('{"claim": "A9"}')
    with pytest.raises(OutputError, match="holds runs of A9; A10 needs a new or empty folder"):
        reproduce(claims=[A10], workers=1, runs=tmp_path)


def test_a_folder_with_something_else_is_refused_in_one_line(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    told = CliRunner().invoke(app, ["reproduce", "A9", "--runs", str(tmp_path)])
    assert isinstance(told.exception, OutputError)
    assert "holds something else" in str(told.exception)
    assert "\n" not in str(told.exception)


def test_a_seed_that_is_no_number_is_refused():
    told = CliRunner().invoke(app, ["reproduce", "A9", "--seed", "x"])
    assert told.exit_code == 2


def test_claims_scenarios_are_listed_apart_and_found_by_name():
    runner = CliRunner()
    assert "a09-mixed" not in runner.invoke(app, ["scenarios"]).output
    assert "a09-mixed" in runner.invoke(app, ["scenarios", "--claims"]).output
    assert not set(shipped()) & set(shipped(claims=True))


@pytest.mark.parametrize("name", shipped(claims=True))
def test_every_scenario_of_a_claim_fits_together_and_has_its_file_s_name(name):
    assert load(name).name == name


def test_an_interval_of_a_mean_is_student_s():
    mean = Interval.mean([1.0, 2.0, 3.0])
    assert mean.value == 2
    assert mean.half == pytest.approx(2.484, abs=1e-3)
    assert mean.told() == "2.00 ± 2.48"
    assert Interval.mean([1.0]).told() == "1.00"


def test_one_is_above_another_only_if_the_intervals_do_not_meet():
    low, high = Interval.mean([1.0, 1.1, 0.9]), Interval.mean([2.0, 2.1, 1.9])
    assert high.above(low)
    assert not high.above(Interval.mean([1.0, 3.0, 2.0]))
    assert not Interval.mean([9.0]).above(low), "one run tells nothing about the spread"
