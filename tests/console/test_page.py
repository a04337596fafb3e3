"""The console as a person uses it: in a browser, by what can be seen and pressed."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from playwright.sync_api import Browser
from tests.console.conftest import PATIENCE_S, Console, wait_for

from annelid.console.gate import Gate
from annelid.console.page import Page
from annelid.console.playback import Playback
from annelid.trial.load import load
from annelid.trial.replay import Run
from annelid.trial.run import Trial

pytestmark = pytest.mark.xdist_group("browser")
"""One after the other: a browser without a graphics card needs the machine."""


def _head(console: Console) -> float:
    return console.readings.progress_m


def test_a_robot_is_played_paused_stepped_and_reset(console: Console) -> None:
    console.open("push")
    console.tab.wait_for_timeout(500)
    before = console.scene()
    start = _head(console)
    console.press("Play")
    console.sees("running")
    wait_for(lambda: _head(console) > start + 0.01, "the head gets a centimetre ahead")
    assert console.scene() != before
    console.photograph("default")
    console.press("Pause")
    console.sees("paused")
    wait_for(lambda: console.session.readings and console.readings.paused, "it pauses")
    stopped = console.session.now_s
    console.press("Step")
    wait_for(lambda: console.session.now_s > stopped, "a step is made")
    assert console.session.now_s - stopped <= 0.041
    console.press("Reset")
    wait_for(lambda: console.session.now_s < 0.1, "it begins anew")


def test_gait_sliders_act_while_it_moves(console: Console) -> None:
    console.open("snake")
    console.go_to("Operate")
    console.press("Play")
    wait_for(lambda: console.session.now_s > 0.5, "it moves")
    console.field("Amplitude (°)").fill("5")
    console.tab.keyboard.press("Enter")
    wait_for(lambda: console.session.outside, "the slider reaches the run")
    (tuned,) = {each.what.do for each in console.session.outside}
    assert tuned == "retune"
    wait_for(
        lambda: np.nanmax(np.abs(console.readings.target)) < np.radians(6),
        "the wave becomes small",
    )


def test_exp_moves_the_robot_and_its_behaviours_are_seen(console: Console) -> None:
    console.open("explore-straight", control__options__operator=[])
    console.press("Play")
    console.go_to("Operate")
    console.sees("STP")
    wait_for(
        lambda: any(e.kind == "configuration" for e in console.session.events),
        "the central control knows its robot",
    )
    start = _head(console)
    console.press("EXP")
    console.sees("explore: begun")
    wait_for(lambda: _head(console) > start + 0.02, "the robot goes")
    console.photograph("operate")
    console.go_to("See")
    console.sees("pipe following")
    console.photograph("see")

    console.go_to("Break")
    console.choose("Fault", "dead board")
    console.choose("Board", "R2")
    console.press("Break it")
    console.sees("module lost")
    console.photograph("break")
    console.go_to("See")
    assert "dead" in console.sees("dead").inner_text()


def test_a_program_is_written_and_acts_and_bad_ones_do_no_harm(console: Console) -> None:
    console.open("caterpillar")
    console.go_to("Program")
    console.press("Play")
    text = console.field("Program")
    wait_for(lambda: "def tree(" in text.input_value(), "the text of the program")

    text.fill("def program(board:\n    pass")
    console.press("Apply")
    console.sees("was never closed")

    text.fill("def program(board):\n    yield board.sleep(0.05)\n    board.servos['nose']\n")
    console.press("Apply")
    console.sees("C1: line 3")
    assert console.readings.boards["C1"] == "running"

    hold = "def program(board):\n    while True:\n        board.servos['pitch'].target = 0.7\n"
    text.fill(hold + "        yield board.sleep(0.05)\n")
    console.press("Apply")
    pitch = [servo.name for servo in console.built.servos].index("C1.pitch")
    wait_for(lambda: abs(console.readings.position[pitch] - 0.7) < 0.1, "it holds 40°")
    console.photograph("program")

    text.fill(hold)
    console.press("Apply")
    console.sees("never lets time pass")
    wait_for(lambda: console.session.readings is not None, "the run is made anew")
    wait_for(lambda: abs(console.readings.position[pitch] - 0.7) < 0.1, "as before it")


def test_a_chain_that_cannot_be_built_is_refused_and_the_page_goes_on(console: Console) -> None:
    console.open("push")
    console.go_to("Build")
    chain = console.field("Chain")
    chain.fill("TRXQ")
    console.press("Show")
    console.sees("Not done")
    chain.fill("TRH")
    console.press("Show")
    console.sees("mine")
    wait_for(lambda: len(console.built.modules) == 3, "TRH")
    console.photograph("build")


def test_two_operators_share_one_robot_and_one_may_leave(
    console: Console, browser: Browser
) -> None:
    console.open("push")
    other = browser.new_page(viewport={"width": 700, "height": 400})
    other.set_default_timeout(PATIENCE_S * 1000)
    other.goto(console.page.address)
    other.get_by_role("button", name="Play", exact=True).click()
    console.sees("running")
    other.close()
    reached = console.session.now_s
    wait_for(lambda: console.session.now_s > reached + 0.1, "it goes on")


def test_a_recorded_run_is_moved_by_its_slider(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("recorded") / "run"
    Trial(load("snake", overrides={"duration_s": 1.0})).run(folder)
    page = Page(Playback(Run(folder)), gate=Gate("127.0.0.1"), port=0)
    threading.Thread(target=page.run, daemon=True).start()
    tab = browser.new_page(viewport={"width": 700, "height": 400})
    tab.set_default_timeout(PATIENCE_S * 1000)
    tab.goto(page.address)
    played = Console(page, page.session, tab)
    played.field("Time (s)").fill("0.6")
    tab.keyboard.press("Enter")
    played.sees("0.60 s")
    played.press("Play")
    wait_for(lambda: page.session.now_s > 0.99, "it plays to its end")
    tab.close()
    page.close()
