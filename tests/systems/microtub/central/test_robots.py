"""Whole robots with bodies, for a few seconds each."""

from __future__ import annotations

from pathlib import Path
from re import findall

import pytest

from annelid.papers import b21_by_sight
from annelid.papers.drive import open_air, straight_pipe
from annelid.papers.told_run import ToldRun
from annelid.trial.load import load, shipped
from annelid.trial.run import Trial

ROOT = Path(__file__).parents[4]
COARSE = {"timestep_ms": 1.0}


def test_a_robot_without_eyes_feels_whether_it_is_in_a_pipe():
    for world, wanted in ((straight_pipe(), "narrow pipe"), (open_air(), "open air")):
        run = ToldRun("SES", world, [], physics=COARSE)
        run.run(2.5)
        (felt,) = run.told("felt")
        assert felt[3]["situation"] == wanted


def test_what_is_left_of_a_broken_robot_goes_home():
    run = ToldRun(
        "TRHRV", straight_pipe(), [(1.5, "EXP")], options={"look_s": 60.0}, physics=COARSE
    )
    run.run(3.0)
    run.sim.cut("R1.back", "H1.front")
    run.run(6.5)
    assert any("2 modules have come off" in words for _, words in run.answers)
    assert run.movements[-1][1] == "push backwards"


PAPERS = ROOT / "docs" / "central-control.md"


def papers_scenarios() -> list[str]:
    """Those of the page's table of 000 §8.2 and 001 §6."""
    table = PAPERS.read_text().split("## The papers' examples")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    return sorted({name for row in rows for name in findall(r"`([a-z-]+)`", row.split("|")[3])})


def test_the_papers_examples_are_all_there():
    assert len(papers_scenarios()) == 14
    assert set(papers_scenarios()) <= set(shipped())


@pytest.mark.parametrize("name", [name for name in papers_scenarios() if name != "default"])
def test_a_papers_example_goes_on_its_way(name: str):
    """Their first seconds: what is told begins to move, and what is to stand stands."""
    trial = Trial(load(name, overrides={"duration_s": 5.0, "physics.timestep_ms": 1.0}))
    began, nose = trial.sim.progress(), trial.sim.head()
    trial.measure()
    gone = trial.sim.progress() - began
    if name == "inchworm-two-drives":
        assert abs(gone) < 0.02
    elif name == "same-robot-open-air":
        assert abs(trial.sim.head()[1] - nose[1]) > 0.02  # it rolls sideways
    else:
        assert gone > 0.02


def test_a_landmark_is_reached_by_what_the_camera_shows():
    """Stripes, and more of these, are row B21."""
    reached = b21_by_sight.reach(b21_by_sight.Case(0))
    assert reached is not None
    assert reached[1] < b21_by_sight.NEAR_M


def test_stopping_does_not_throw_the_robot_back():
    run = ToldRun("TRHV", straight_pipe(), [(1.0, "EXP"), (3.5, "STP")], options={"look_s": 60.0})
    run.run(3.5)
    before = run.sim.progress()
    run.run(4.0)
    assert abs(run.sim.progress() - before) < 0.005
