"""What the report of a climber's run shows, and that of no other robot."""

from __future__ import annotations

from pathlib import Path

from annelid.report.recording import Recording
from annelid.report.system import system_sections
from annelid.trial.load import load
from annelid.trial.run import Trial


def test_pattern_cups_and_tracking_are_drawn(tmp_path: Path) -> None:
    scenario = load("climber-wall", overrides={"duration_s": 3})
    run = Trial(scenario).run(tmp_path / "run")
    assert run.metrics.crashed == ()
    sections = list(system_sections(Recording(run.folder)))
    for title, section in zip(("Cups", "Walking pattern", "Tracking"), sections, strict=True):
        assert f"<h2>{title}</h2>" in section
        assert "<svg" in section
    for words in ("leg 6", "shear (N)", "lets go", "may be planned with"):
        assert words in sections[0]


def test_other_robots_have_none_of_them(tmp_path: Path) -> None:
    run = Trial(load("snake", overrides={"duration_s": 0.5})).run(tmp_path / "run")
    assert list(system_sections(Recording(run.folder))) == []
