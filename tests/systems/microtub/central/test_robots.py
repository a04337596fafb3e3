"""Whole robots with bodies, for a few seconds each."""

from __future__ import annotations

from math import cos, radians
from pathlib import Path
from re import findall
from typing import Any

import numpy as np
import pytest

from annelid.papers import b21_by_sight
from annelid.papers.said import answers, movements
from annelid.trial.load import load, shipped
from annelid.trial.replay import Run
from annelid.trial.run import Trial

ROOT = Path(__file__).parents[4]
PIPE = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 2000}]}


def told(
    folder: Path,
    chain: str,
    duration_s: float,
    *says: tuple[float, str],
    world: dict[str, Any] = PIPE,
    environment: str = "auto",
    **fields: Any,
) -> Run:
    """A robot with central control, to which the operator says these lines."""
    lines = [{"at_s": at_s, "say": line} for at_s, line in says]
    options = {"operator": lines, "look_s": 60.0, "environment": environment}
    control = {"system": "microtub", "options": options}
    table = {"robot": {"chain": chain}, "world": world, "control": control, **fields}
    scenario = load({"duration_s": duration_s, "physics": {"timestep_ms": 1.0}, **table})
    return Run(Trial(scenario).run(folder).folder)


def test_a_robot_without_eyes_feels_whether_it_is_in_a_pipe(tmp_path):
    for world, wanted in ((PIPE, "narrow pipe"), ({"kind": "open-air"}, "open air")):
        run = told(tmp_path / wanted, "SES", 2.5, world=world)
        (felt,) = run.events("felt")
        assert felt.detail["situation"] == wanted


def test_what_is_left_of_a_broken_robot_goes_home(tmp_path):
    cut = {"do": "cut", "at_s": 3.0, "a": "R1.back", "b": "H1.front"}
    run = told(tmp_path / "run", "TRHRV", 5.5, (1.5, "EXP"), events=[cut])
    assert any("2 modules do not answer any more" in words for _, words in answers(run))
    assert movements(run)[-1][1] == "push backwards"
    assert run.metrics.statements_false == ()


@pytest.mark.slow
@pytest.mark.parametrize("clock_deg", [50, 200])
def test_a_tool_closes_the_break_and_the_camera_sees_it(tmp_path, clock_deg):
    scenario = load("repair", overrides={"world.breaks.0.clock_deg": clock_deg})
    run = Run(Trial(scenario).run(tmp_path / "run").folder)
    assert run.events("break closed")
    assert not run.events("hole made")
    assert "no hole there any more" in answers(run)[-1][1]
    assert run.metrics.statements_false == ()


def test_a_tool_makes_a_hole_where_the_robot_stands(tmp_path):
    says = ((1.5, "RPL forward 60"), (5.0, "DO hole"))
    run = told(tmp_path / "run", "GHV", 13.0, *says, environment="pipe")
    (made,) = run.events("hole made")
    assert cos(radians(made.detail["clock_deg"])) > cos(radians(20)), "upwards"
    assert "nobody knows whether it met the wall" in answers(run)[-1][1]
    assert run.metrics.statements_false == ()


def test_nobody_repairs_what_nobody_knows(tmp_path):
    run = told(tmp_path / "run", "TGHV", 3.0, (1.5, "DO repair"))
    assert "no break is known" in answers(run)[-1][1]
    assert not run.events("patch on sound wall")


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
    first_s = 7.0 if name == "same-robot-open-air" else 5.0
    trial = Trial(load(name, overrides={"duration_s": first_s, "physics.timestep_ms": 1.0}))
    began, nose = trial.sim.progress(), trial.sim.head()
    trial.measure()
    gone = trial.sim.progress() - began
    if name == "inchworm-two-drives":
        assert abs(gone) < 0.02
    elif name == "same-robot-open-air":
        assert trial.sim.head()[1] - nose[1] > 0.02  # it rolls to the left
    else:
        assert gone > 0.02


@pytest.mark.slow
def test_a_landmark_is_reached_by_what_the_camera_shows(tmp_path):
    """Stripes, and more of these, are row B21."""
    run = Run(
        Trial(load("b21-landmark", overrides={"duration_s": 60})).run(tmp_path / "run").folder
    )
    assert b21_by_sight.reach(run).right


def test_stopping_does_not_throw_the_robot_back(tmp_path):
    run = told(tmp_path / "run", "TRHV", 4.0, (1.0, "EXP"), (3.5, "STP"))
    before = np.interp(3.5, run.time("robot"), run["robot"]["progress"])
    assert before > 0.02
    assert abs(run["robot"]["progress"][-1] - before) < 0.005


@pytest.mark.slow
@pytest.mark.parametrize(("at_mm", "touched"), [((300, 0), True), ((250, 60), True), (None, False)])
def test_in_the_open_a_robot_tells_what_it_touches_and_nothing_else(tmp_path, at_mm, touched):
    """A wave beats the nose on the floor at every swing."""
    box = {"shape": "box", "at_mm": at_mm, "size_mm": [60, 200, 60]}
    world = {"kind": "open-air", "obstacles": [box] if at_mm else []}
    run = told(tmp_path / "run", "TRRRRRR", 16.0, (1.5, "RPL touch"), world=world)
    assert bool(run.events("felt")) is touched
    assert ("touched something" in answers(run)[-1][1]) is touched
