"""The plots of a climber's run, and none for other robots."""

from __future__ import annotations

from pathlib import Path

from annelid.report.climber import climber_plots
from annelid.report.recording import Recording
from annelid.trial.load import load
from annelid.trial.run import Trial


def test_pattern_cups_and_tracking_are_drawn(tmp_path: Path) -> None:
    scenario = load("climber-wall", overrides={"duration_s": 3})
    run = Trial(scenario).run(tmp_path / "run")
    assert run.metrics.crashed == ()
    plots = climber_plots(Recording(run.folder))
    assert [plot.title for plot in plots] == ["Walking pattern", "Cups", "Tracking"]
    assert "leg 6" in plots[1].svg


def test_other_robots_have_none_of_them(tmp_path: Path) -> None:
    run = Trial(load("snake", overrides={"duration_s": 0.5})).run(tmp_path / "run")
    assert climber_plots(Recording(run.folder)) == []
