"""Two runs of different seeds differ as two robots do, and each can be had again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import SpecError
from annelid.kernel.trace import MemorySink, Trace, digest
from annelid.report.as_built import as_built_section
from annelid.report.recording import Recording
from annelid.robot import AsBuilt, Tolerances
from annelid.trial.load import load, parse
from annelid.trial.pool import Pool
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.sweep import Sweep
from annelid.trial.vary import parse_vary

ELBOW = {
    "name": "elbow",
    "duration_s": 1.0,
    "robot": {"chain": "TRRH"},
    "world": {
        "kind": "pipe",
        "parts": [
            {"part": "straight", "length_mm": 200},
            {"part": "elbow", "radius_mm": 45},
            {"part": "straight", "length_mm": 300},
        ],
    },
    "control": {"gaits": [{"gait": "push"}, {"gait": "relax", "modules": "R"}]},
}
"""The README's, shorter."""
DRAWN = {"tolerances": {"draw": True}}
NOTHING = {name: 0 for name in Tolerances.model_fields if name != "draw"}


def scenario(**fields: Any) -> Scenario:
    return parse({**ELBOW, **fields})


def traced(made: Scenario) -> str:
    sink = MemorySink()
    Trial(made).record_into(Trace(sink))
    return digest(sink)


@pytest.fixture
def elbow(tmp_path: Path) -> Path:
    """The README's example as a file."""
    from annelid.trial.load import save

    path = tmp_path / "elbow.toml"
    save(scenario(success={"progress_m": 0.01}), path)
    return path


def test_a_plain_run_is_nominal_and_seeds_change_nothing_in_it():
    assert Trial(scenario()).sim.built == AsBuilt()
    one, two = (Trial(scenario(seed=seed)).measure() for seed in (1, 2))
    assert one.model_copy(update={"seed": 2, "wall": two.wall}) == two


def test_drawn_runs_differ_and_repeat():
    assert traced(scenario(seed=1, **DRAWN)) == traced(scenario(seed=1, **DRAWN))
    assert traced(scenario(seed=1, **DRAWN)) != traced(scenario(seed=2, **DRAWN))


@pytest.mark.parametrize("name", ["push", "snake", "explore-straight"])
def test_tolerances_of_nothing_are_the_nominal_run_to_the_last_bit(name: str):
    short = {"duration_s": 0.3, "jitter_deg": 0.0}
    nothing = {f"tolerances.{field}": 0 for field in NOTHING}
    drawn = load(name, overrides={**short, **nothing, "tolerances.draw": True})
    assert traced(drawn) == traced(load(name, overrides=short))


def test_what_was_drawn_is_in_the_folder_the_run_and_the_report(tmp_path: Path):
    made = scenario(seed=3, **DRAWN)
    run = Run(Trial(made).run(tmp_path / "run").folder)
    built = run.as_built
    assert built.drawn
    assert set(built.modules) == {"T1", "R1", "R2", "H1"}
    assert set(built.motors) == {"R1.yaw", "R1.pitch", "R2.yaw", "R2.pitch", "H1.drive"}
    assert json.loads((run.folder / "as_built.json").read_text())["bore"] == built.bore
    assert run.metrics.mass_kg == pytest.approx(Trial(made).sim.model.body_mass.sum())
    section = as_built_section(Recording(run.folder))
    assert section is not None
    assert "R2.pitch" in section
    assert f"{100 * (built.modules['R1'].mass - 1):+.1f} %" in section
    plain = Run(Trial(scenario(duration_s=0.1)).run(tmp_path / "plain").folder)
    assert plain.as_built == AsBuilt()
    assert as_built_section(Recording(plain.folder)) is None


def test_a_drawn_run_replays_bit_for_bit(tmp_path: Path):
    cut = [
        {"do": "cut", "at_s": 0.2, "a": "R1.back", "b": "R2.front"},
        {"do": "join", "at_s": 0.5, "a": "R1.back", "b": "R2.front"},
    ]
    made = scenario(seed=3, events=cut, **DRAWN)
    run = Run(Trial(made).run(tmp_path / "run").folder)
    assert [event.kind for event in run.events()][1:3] == ["cut", "join"]
    assert run.scenario.tolerances.draw
    assert replay(run).same


def test_jitter_is_the_spread_of_the_start_where_it_is_given():
    def off(**fields: Any) -> float:
        return Trial(scenario(seed=1, **DRAWN, **fields)).sim.built.start.joints["R1.yaw"]

    assert off(jitter_deg=2.0) == pytest.approx(2 * off())


def test_a_sweep_draws_a_robot_for_every_repeat(elbow: Path, tmp_path: Path):
    _, summary = Sweep(elbow, [parse_vary("world.bore_mm=40")], repeats=3).run(
        tmp_path / "s", pool=Pool()
    )
    (setting,) = summary.settings
    assert not setting.identical
    assert setting.interval is not None
    rows = [json.loads(line) for line in (tmp_path / "s" / "trials.jsonl").read_text().splitlines()]
    assert len({row["metrics"]["speed_m_s"] for row in rows}) == 3
    assert len({row["metrics"]["mass_kg"] for row in rows}) == 3


def test_any_trial_of_a_sweep_can_be_run_again(elbow: Path, tmp_path: Path):
    Sweep(elbow, [parse_vary("world.bore_mm=40,41")], repeats=2).run(tmp_path / "s", pool=Pool())
    rows = [json.loads(line) for line in (tmp_path / "s" / "trials.jsonl").read_text().splitlines()]
    row = rows[-1]
    fields = row["fields"]
    assert (fields["seed"], fields["world.bore_mm"]) == (1, 41)
    told = CliRunner().invoke(
        app,
        [
            *("run", str(elbow), "--seed=1", "--set=world.bore_mm=41", "--vary-robot"),
            *("--no-report", f"--out={tmp_path / 'again'}"),
        ],
    )
    assert told.exit_code == 0, told.output
    again = Run(tmp_path / "again").metrics.model_dump(mode="json", exclude={"wall", "digest"})
    assert again == row["metrics"]


def test_no_interval_over_copies(elbow: Path, tmp_path: Path):
    told = CliRunner().invoke(
        app,
        [
            *("sweep", str(elbow), "--vary=world.bore_mm=40", "--repeats=3", "--nominal"),
            *("--workers=1", f"--out={tmp_path / 's'}"),
        ],
        env={"COLUMNS": "160"},
    )
    assert told.exit_code == 0, told.output
    assert "identical runs" in told.output
    assert "44%" not in told.output  # Wilson's lower bound of 3 in 3
    (row,) = json.loads((tmp_path / "s" / "summary.json").read_text())["settings"]
    assert (row["identical"], row["rate"], row["rate_low"]) == (True, 1.0, None)
    page = (tmp_path / "s" / "report.html").read_text()
    assert "In 1 of the settings all runs were identical" in page


def test_compare_has_no_interval_over_copies_either(
    elbow: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    command = ["compare", "TRRH", "TRH", "--on", str(elbow), "--repeats", "2", "--workers", "1"]
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, [*command, "--nominal"], env={"COLUMNS": "160"})
    assert told.exit_code == 0, told.output
    assert "identical runs" in told.output
    told = CliRunner().invoke(app, command, env={"COLUMNS": "160"})
    assert "identical runs" not in told.output
    assert "34%–100%" in told.output


def test_a_pipe_that_is_drawn_too_narrow_is_an_outcome(tmp_path: Path):
    """Seed 43 draws a bore 2.4 deviations too narrow; 44 draws one that fits."""
    wild = {"tolerances.bore_percent": 10, "world.bore_mm": 36, "duration_s": 0.02, "seed": 43}
    planned = Sweep("push", [parse_vary("linger_s=0")], repeats=2, overrides=wild)
    (setting,) = planned.run(tmp_path / "s", pool=Pool())[1].settings
    assert (setting.trials, setting.judged, setting.successes) == (2, 2, 0)
    (error,) = setting.errors
    assert "drawn -" in error


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"mass_percent": 60}, "tolerances.mass_percent: expected at most 30"),
        ({"zero_deg": -1}, "tolerances.zero_deg: expected at least 0"),
        ({"wheel_mm": 1}, "tolerances.wheel_mm: unknown field"),
        ({"play_deg": "much"}, "tolerances.play_deg: expected a number"),
    ],
)
def test_bad_tolerances_are_told_in_one_line(table: dict[str, Any], said: str):
    with pytest.raises(SpecError) as caught:
        scenario(tolerances=table)
    assert str(caught.value).startswith(f"scenario: {said}")
    assert "\n" not in str(caught.value)
