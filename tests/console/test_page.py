"""The console as a person uses it: in a browser, by what can be seen and pressed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser
from tests.console.conftest import SLOWEST_S, Console, visit, wait_for

from annelid.console.gate import AccessGate
from annelid.console.page import Page
from annelid.console.playback import Playback
from annelid.trial.load import load
from annelid.trial.outside import Rethink
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run
from annelid.trial.run import Trial

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.timeout(SLOWEST_S)]
"""One after the other: a browser without a graphics card needs the machine."""


def _head(console: Console) -> float:
    return console.readings.progress_m


def test_a_robot_is_played_paused_stepped_and_reset(console: Console) -> None:
    console.open("push")
    before = console.scene()
    start = _head(console)
    console.press("Play")
    console.sees("running")
    wait_for(lambda: _head(console) > start + 0.01, "the head gets a centimetre ahead")
    wait_for(lambda: console.scene() != before, "it is seen to move")
    console.photograph("default")
    console.press("Pause")
    console.sees("paused")
    wait_for(lambda: console.session.readings and console.readings.paused, "it pauses")
    stopped = console.session.now_s
    console.press("Step")
    wait_for(lambda: console.session.now_s > stopped, "a step is made")
    assert console.session.now_s - stopped <= 0.041
    for speed in (20.0, 0.1):
        console.enter_until(
            "Speed (×)",
            f"{speed:g}",
            lambda: console.session.speed == speed,  # noqa: B023
            "another speed",
        )
    console.session.set_speed(0.2)
    wait_for(lambda: console.field("Speed (×)").input_value() == "0.2", "which all see")
    console.press("Play")
    begun = console.session.now_s
    wait_for(lambda: console.session.now_s > begun, "slow motion")
    wait_for(lambda: 0 < console.readings.speed < 0.3, "a tenth of real time")
    console.press("Reset")
    wait_for(lambda: console.session.now_s < begun, "it begins anew")


def test_gait_sliders_act_while_it_moves(console: Console) -> None:
    console.open("snake")
    console.go_to("Operate")
    console.press("Play")
    wait_for(lambda: console.session.now_s > 0.5, "it moves")
    console.enter("Amplitude (°)", "5")
    wait_for(lambda: console.session.outside, "the slider reaches the run")
    (tuned,) = {each.what.do for each in console.session.outside}
    assert tuned == "retune"
    wait_for(
        lambda: np.nanmax(np.abs(console.readings.target)) < np.radians(6),
        "the wave becomes small",
    )
    console.enter("Angular velocity (rad/s)", "1")
    console.enter("Phase between modules (rad)", "0.3")
    wait_for(
        lambda: (
            console.session.outside[-1].what.gaits[0].omega_rad_s == 1.0
            and console.session.outside[-1].what.gaits[0].phase_rad == 0.3
        ),
        "and slow, and long",
    )


def test_a_program_is_written_and_acts_and_bad_ones_do_no_harm(
    console: Console, tmp_path: Path
) -> None:
    console.open("caterpillar")
    console.go_to("Program")
    text = console.field("Program")
    wait_for(lambda: "def tree(" in text.input_value(), "the text of the program")

    text.fill("def program(board:\n    pass")
    console.press("Apply")
    console.sees("was never closed")

    hold = "def program(board):\n    while True:\n        board.servos['pitch'].target = 0.7\n"
    text.fill(hold + "        yield board.sleep(0.05)\n")
    console.press("Apply")  # while it is paused
    console.press("Play")
    pitch = [servo.name for servo in console.built.servos].index("C1.pitch")
    wait_for(lambda: abs(console.readings.position[pitch] - 0.7) < 0.1, "it holds 40°")
    console.photograph("program")
    with console.tab.expect_download() as saved:
        console.press("Save")
    saved.value.save_as(tmp_path / "mine.py")
    assert (tmp_path / "mine.py").read_text() == hold + "        yield board.sleep(0.05)\n"

    text.fill("def program(board):\n    yield board.sleep(0.05)\n    board.servos['nose']\n")
    console.press("Apply")  # while it runs
    console.sees("C1: line 3")
    assert console.readings.boards["C1"] == "running"
    wait_for(lambda: abs(console.readings.position[pitch] - 0.7) < 0.1, "the one before goes on")

    text.fill(hold)
    console.press("Apply")
    console.sees("never lets time pass")
    wait_for(lambda: console.session.readings is not None, "the run is made anew")
    wait_for(lambda: abs(console.readings.position[pitch] - 0.7) < 0.1, "as before it")

    console.choose("Board", "all modules")
    text.fill(hold.replace("0.7", "-0.4") + "        yield board.sleep(0.05)\n")
    console.press("Apply")
    every = [k for k, servo in enumerate(console.built.servos) if servo.name.endswith(".pitch")]
    assert len(every) > 3
    wait_for(lambda: np.ptp(console.readings.target[every]) == 0, "all modules do the same")


def test_each_board_is_offered_the_behaviours_it_has(console: Console) -> None:
    console.open("explore-straight", robot__chain="THRVP")
    console.go_to("Program")
    text = console.field("Program")
    console.choose("Board", "PC")
    console.choose("Write", "wandering")
    wait_for(lambda: "class Wandering(CentralBehaviour)" in text.input_value(), "its text")
    console.choose("Board", "H1")
    wait_for(lambda: "def module(" in text.input_value(), "a module does not wander")
    console.choose("Write", "push forward")
    wait_for(lambda: "class PushForward(EmbeddedBehaviour)" in text.input_value(), "its text")
    text.fill(text.input_value().replace("level * full", "0.5 * level * full"))
    console.press("Apply")
    console.press("Play")
    console.sees("applied to H1")
    (what,) = [each.what for each in console.session.outside]
    assert isinstance(what, Rethink)
    assert (what.boards, what.behaviour) == (("H1",), "push forward")


def test_a_robot_is_built_shown_saved_and_runs(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    console.open("push")
    console.go_to("Build")
    chain = console.field("Chain")
    wait_for(lambda: chain.input_value() == "TRRHRRVP", "what is open can be edited")
    chain.fill("TRXQ")
    console.sees("unknown module letter 'X'")
    chain.fill("TRH")
    wait_for(lambda: len(console.built.modules) == 3, "TRH, shown as it is typed")
    console.choose("Shelf", "W: stiff rotation")
    console.press("Add")
    wait_for(
        lambda: [name for name, _ in console.built.modules] == ["T1", "R1", "H1", "W1"],
        "a module of a plugin",
    )
    console.choose("World", "straight pipe")
    wait_for(lambda: len(console.session.scenario.world.parts) == 1, "another world, at once")
    world = console.field("World (TOML)")
    world.fill(world.input_value().replace("length_mm = 600", "length_mm = 250"))
    wait_for(lambda: console.session.scenario.world.parts[0].length_mm == 250, "an edited one")
    world.fill("kind = pipe")
    console.sees("Invalid value")
    world.fill("#" * (64 * 1024 + 1))
    console.sees("world: expected 64 KiB at most")
    world.fill('kind = "pipe"\nparts = [{part = "straight", length_mm = 300}]')
    wait_for(lambda: console.session.scenario.world.parts[0].length_mm == 300, "mended")
    console.sees("paused")
    console.photograph("build")
    console.field("Name").fill("short")
    with console.tab.expect_download() as saved:
        console.press("Save as a scenario")
    saved.value.save_as(tmp_path / "downloaded.toml")
    wait_for((tmp_path / "short.toml").is_file, "it is on the disk as well")
    assert (tmp_path / "downloaded.toml").read_text() == (tmp_path / "short.toml").read_text()
    plugins = load_plugins(console.session.runs.parent.glob("*.py"))
    scenario = load(tmp_path / "short.toml", plugins=plugins, overrides={"duration_s": 0.5})
    assert scenario.robot.chain == "TRHW"
    assert Trial(scenario, plugins=plugins).measure().progress_m > 0.005


def test_an_upload_is_opened_or_refused(console: Console) -> None:
    console.open("push")
    console.go_to("Build")

    def upload(name: str, content: bytes) -> None:
        with console.tab.expect_file_chooser() as chosen:
            console.press("Open a file (.toml)")
        chosen.value.set_files({"name": name, "mimeType": "text/plain", "buffer": content})

    upload("large.toml", b"#" * (64 * 1024 + 1))
    console.sees("64 KiB at most")
    upload("no.toml", b"\xff\xfe")
    console.sees("expected text (UTF-8)")
    upload("code.toml", b'name = "code"\nplugin = "x.py"\n[robot]\nchain = "TR"\n')
    console.sees("plugin")
    assert console.session.scenario.name == "push"
    upload("mine.toml", b'name = "mine"\n[robot]\nchain = "TRP"\n[world]\nkind = "open-air"\n')
    wait_for(lambda: console.session.scenario.name == "mine", "it is opened")


@pytest.mark.slow
def test_a_picture_and_the_report_of_the_run_so_far(console: Console, browser: Browser) -> None:
    console.open("snake", robot__chain="RRR", record__state_hz=20)
    console.press("Play")
    wait_for(lambda: console.session.now_s > 0.4, "there is something to see")
    console.session.pause()
    console.go_to("Keep")
    with console.tab.expect_download() as picture:
        console.press("Picture")
    assert Path(picture.value.path()).read_bytes()[1:4] == b"PNG"
    console.sees("picture-001.png")
    console.press("Report")
    link = console.tab.get_by_role("link", name="report.html")
    link.wait_for()
    with console.tab.expect_popup() as opened:
        link.click()
    report = opened.value
    report.wait_for_load_state()
    assert report.get_by_text("snake").first.is_visible()
    assert report.locator("svg").count() > 0
    report.close()


def test_two_operators_share_one_robot_and_one_may_leave(
    console: Console, browser: Browser
) -> None:
    console.open("push")
    other = visit(browser, console.page)
    other.get_by_role("button", name="Play", exact=True).click()
    console.sees("running")
    other.close()
    reached = console.session.now_s
    wait_for(lambda: console.session.now_s > reached + 0.1, "it goes on")
    console.press("Pause")
    console.sees("paused")


@pytest.mark.slow
def test_a_recorded_run_is_moved_by_its_slider(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("recorded") / "run"
    Trial(load("snake", overrides={"duration_s": 1.0})).run(folder)
    page = Page(Playback(Run(folder)), gate=AccessGate("127.0.0.1"), port=0)
    page.start()
    tab = visit(browser, page)
    played = Console(page, page.session, tab)
    played.enter("Time (s)", "0.6")
    played.sees("0.60 s")
    played.press("Step")
    played.sees("0.62 s")
    played.press("Play")
    wait_for(lambda: page.session.now_s > 0.99, "it plays to its end")
    played.sees("A recorded run")
    tab.close()
    page.close()
