"""Each of the four robots, operated in the browser as its paper has it."""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pytest
from tests.console.conftest import SLOWEST_S, Console, wait_for

from annelid.trial.outside import Say, Timed

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.timeout(SLOWEST_S)]
"""One after the other: a browser without a graphics card needs the machine."""

SHORT = [{"part": "straight", "length_mm": 380}]
INKED = """plots => plots.map(canvas => {
  if (!canvas.width || !canvas.height) return 0;
  const dots = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let coloured = 0;
  for (let i = 0; i < dots.length; i += 4)
    if (dots[i + 3] > 128 && Math.abs(dots[i] - dots[i + 2]) > 60) coloured++;
  return coloured;
})"""
"""How many dots of each plot are neither grey nor empty: the curve's."""


def _index(console: Console, servo: str) -> int:
    return [each.name for each in console.built.servos].index(servo)


def test_microtub_explores_is_watched_breaks_and_finds_another_way(console: Console) -> None:
    console.open("servo-fails", control__options__operator=[], faults=[], world__parts=SHORT)
    console.press("Play")
    console.go_to("Operate")
    wait_for(lambda: console.happened("configuration"), "the central control knows its robot")
    start = console.readings.progress_m
    console.press("EXP")
    console.sees("explore: begun")
    wait_for(lambda: console.readings.progress_m > start + 0.01, "the robot goes")
    console.photograph("operate")

    # See: who is in control and why, curves, the camera, the wires.
    console.go_to("See")
    console.sees("pipe following")
    console.sees("along the pipe")
    console.photograph("see")
    console.choose("Camera", console.built.cameras[0])
    picture = console.tab.locator("img[src^='data:image'], img[src^='blob:']").last
    picture.wait_for()
    assert picture.evaluate("image => image.naturalWidth") >= 320
    assert console.session.seen.picture.std() > 1
    console.unfold("Wires")
    console.tab.get_by_role("checkbox").filter(visible=True).last.check()
    row = console.tab.locator("tr", has_text="delivered").last
    row.wait_for()
    console.press("Pause")  # or it is at the end of the pipe before all has been looked at
    plots = console.tab.locator(".uplot canvas")
    wait_for(lambda: plots.count() == 3, "three plots")
    wait_for(lambda: min(plots.evaluate_all(INKED)) > 20, "a curve in each of them")
    console.enter("Only with", "nobody says this")
    console.sees("Nothing like that.")
    console.enter("Only with", "delivered")
    row.wait_for()
    console.photograph("wires")

    # Break: the alarm, the new inference, the changed gait.
    movements = [e.detail["name"] for e in console.session.events if e.kind == "movement"]
    assert movements[-1] == "inchworm with push"
    console.go_to("Break")
    console.choose("Fault", "weak servo")
    console.choose("Servo", "S1.grip")
    unasked = console.tab.get_by_text("empty: none given").filter(visible=True)
    assert unasked.count() == 0, "it breaks now, so nobody is asked when"
    console.enter("Factor", "0.01")
    console.press("Break it")
    console.session.set_speed(20.0)
    console.press("Play")
    console.sees("a servo does not follow")
    console.sees("forward by push")
    console.sees("push, orders")
    console.photograph("break")

    # The map, as soon as there is a place to draw.
    wait_for(lambda: console.happened("map"), "the end of the pipe is found")
    console.session.pause()
    console.go_to("See")
    console.unfold("Map")
    drawn = console.tab.locator(".an .plot svg").last
    drawn.wait_for()
    assert drawn.locator("path").count() > 5


@pytest.mark.realtime
def test_erekobot_has_the_form_of_its_host(console: Console) -> None:
    console.open("erekobot")
    console.go_to("Operate")
    console.enter("Modules", "3")

    typed = cycle(("4", "5"))

    def four_states() -> bool:
        """Typed anew while it is not so: another field's answer may redraw the one typed in, and a
        field that shows 4 already does not send it again."""
        if console.tab.get_by_text("t = ").count() != 4:
            console.enter("Period", next(typed))
            console.tab.wait_for_timeout(1000)
        return console.tab.get_by_text("t = ").count() == 4

    wait_for(four_states, "a row for each state")
    assert console.field("Operating mode").input_value() == "wave"
    before = console.field("t = 1", 0).input_value()
    console.enter("Alpha (°)", "20")
    wait_for(lambda: console.field("t = 1", 0).input_value() != before, "another wave")
    console.enter("t = 0", "30", 0)
    wait_for(lambda: console.field("t = 0", 1).input_value() == "227", "its PWM")
    for state in (1, 2, 3):
        console.enter(f"t = {state}", "227", 1)
        here = f"t = {state}"
        wait_for(lambda: console.field(here, 0).input_value() == "30", "its angle")  # noqa: B023
    assert console.field("Operating mode").input_value() == "custom"
    console.enter("Address", "23")
    console.press("Start")
    wait_for(lambda: len(console.built.modules) == 3, "three modules")
    joint = _index(console, "K1.pitch")
    wait_for(lambda: abs(np.degrees(console.readings.position[joint]) - 30) < 5, "its angle")
    options = console.session.scenario.control.options
    assert options.tables_deg[0] == (30.0,) * 4
    assert options.addresses == (23, 2, 3)

    console.press("Stop")
    console.sees("stop")
    wait_for(lambda: console.happened("stop", "host"), "the host has stopped them")
    console.press("Start")
    starts = [each for each in console.session.events if each.kind == "start"]
    wait_for(
        lambda: [e.kind for e in console.session.events if e.source == "host"][-1] == "start",
        "and starts them again, in the same run",
    )
    assert len(starts) >= 2  # the trial's own and the host's
    assert [each.what for each in console.session.outside] == [Say(line="stop"), Say(line="start")]
    console.photograph("erekobot")


@pytest.mark.slow
def test_erekobots_host_is_told_by_buttons(console: Console) -> None:
    """Table, period, address, profile and program while the modules move (004, Third Profile)."""
    own = [{"period": 2, "tables_deg": [[30, 30]] * 6}]
    console.open("erekobot", control__options__more_tables=own, duration_s=600)
    console.go_to("Operate")
    console.press("Play")
    wait_for(lambda: console.happened("start", "host"), "the modules move")
    console.enter("number", "1")
    console.press("Use table")
    wait_for(lambda: console.happened("configured", "K6", table=1), "all have their other table")
    console.enter("time states", "8")
    console.press("Set period")
    wait_for(lambda: console.happened("configured", "K6", period=8), "another period")
    console.enter("old", "2")
    console.enter("new", "42")
    console.press("Rename")
    wait_for(lambda: console.happened("configured", "K2", new_address=42), "another address")
    console.press("Send program")
    console.sees("program needs profile 4, and the modules run profile 3")
    console.enter("profile", "4")
    console.press("Set profile")
    wait_for(lambda: console.happened("profile", "K6", profile=4), "another profile")
    console.enter("formula", "20")
    console.press("Send program")
    joints = [_index(console, f"K{k}.pitch") for k in range(1, 7)]
    wait_for(
        lambda: all(abs(np.degrees(console.readings.target[each]) - 20) < 1 for each in joints),
        "all hold what the program says",
    )
    lines = [
        "table 1",
        "period 8",
        "address 2 42",
        "program psi sin 30 mul",
        "profile 4",
        "program 20",
    ]
    assert [each.what for each in console.session.outside] == [Say(line=line) for line in lines]


def test_conro_takes_another_role(console: Console) -> None:
    console.open("caterpillar")
    console.go_to("Operate")
    assert console.field("role").input_value() == "caterpillar"
    console.choose("role", "sidewinder")
    console.enter("step (ms)", "10")
    console.press("Start with these")
    wait_for(lambda: console.session.scenario.control.options.role == "sidewinder", "another role")
    assert console.session.scenario.control.options.step_ms == 10
    joint = _index(console, "C3.yaw")
    wait_for(lambda: abs(console.readings.target[joint]) > 0.1, "which bends the chain sideways")


@pytest.mark.slow
def test_a_climber_goes_where_one_clicks(console: Console) -> None:
    console.open("climber", control__options__way=[], control__options__speed_mm_s=40)
    console.go_to("Operate")
    console.session.set_speed(20.0)
    console.press("Play")
    wait_for(lambda: console.happened("watch"), "the planner has begun")
    console.press("Set a goal: click on the ground")

    def clicked() -> list[Timed]:
        console.tab.mouse.click(420, 330)
        return list(console.session.outside)

    (said,) = wait_for(clicked, "the goal reaches the run")
    word, x, y = said.what.line.split()
    assert word == "go"
    goal = np.array([float(x), float(y)])
    assert 20 < np.linalg.norm(goal) < 1000
    console.sees(said.what.line)

    def wish() -> np.ndarray:
        told = [each for each in console.session.events if each.kind == "watch"]
        return np.array(told[-1].detail["wish_mm"][:2])

    ahead = goal / np.linalg.norm(goal)
    wait_for(lambda: wish() @ ahead > 4, "the body goes there")
    assert abs(wish() @ [-ahead[1], ahead[0]]) < 5
    console.photograph("climber")


@pytest.mark.slow
def test_a_plugins_system_is_operated_by_its_form_and_shows_its_numbers(console: Console) -> None:
    console.open("push")
    console.go_to("Build")
    console.choose("Control", "lamp")
    wait_for(lambda: console.session.scenario.control.system == "lamp", "its example is opened")
    console.press("Play")
    wait_for(lambda: console.happened("lit", level=3.5), "which says how bright it begins")
    console.go_to("Operate")
    console.enter("level (cd)", "7")
    console.press("On")
    console.sees("shines with 7 cd")
    assert [each.what for each in console.session.outside] == [Say(line="lamp 7")]
    console.enter("Say", "glow")
    console.press("Say it")
    console.sees("expected lamp LEVEL, got 'glow'")
    console.session.pause()
    console.go_to("See")
    console.sees("How bright it is.")
    row = console.tab.locator("tr", has=console.tab.get_by_role("cell", name="7", exact=True))
    row.first.wait_for()
    curves = console.tab.locator(".uplot", has_text="level (cd)").locator("canvas")
    wait_for(lambda: curves.count() and min(curves.evaluate_all(INKED)) > 20, "a curve")
    console.open("push")
    wait_for(lambda: not console.tab.get_by_text("How bright it is.").count(), "it went with it")
