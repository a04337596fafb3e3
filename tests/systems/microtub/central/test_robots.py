"""Whole robots with bodies, for a few seconds each."""

from __future__ import annotations

from annelid.papers.drive import open_air, straight_pipe
from annelid.papers.told_run import ToldRun

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


def test_stopping_does_not_throw_the_robot_back():
    run = ToldRun("TRHV", straight_pipe(), [(1.0, "EXP"), (3.5, "STP")], options={"look_s": 60.0})
    run.run(3.5)
    before = run.sim.progress()
    run.run(4.0)
    assert abs(run.sim.progress() - before) < 0.005
