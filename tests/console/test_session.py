"""Live runs without a page: what is done to them is recorded, and replays bit for bit."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.console.conftest import LAMP, wait_for

from annelid.console.playback import Playback
from annelid.console.process import PROCESS
from annelid.console.session import Session, _without_last_program
from annelid.errors import InputError
from annelid.trial.load import load, parse
from annelid.trial.outside import InjectFault, Reprogram, Rethink, Retune, Say, Timed, parse_outside
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial

STUCK = {"do": "break", "fault": {"fault": "stuck_servo", "servo": "R3.pitch"}}
SLOWER = {"do": "retune", "gaits": [{"gait": "snake", "move": "forward", "omega_rad_s": 2.0}]}
HOLD = """
def program(board):
    while True:
        board.servos["pitch"].target = 0.5
        yield board.sleep(0.05)
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    session = Session(runs=tmp_path_factory.mktemp("session") / "runs")
    yield session
    session.close()


def _finished(session: Session) -> Run:
    """End the run that is open, by opening another, and read it."""
    built = session.built
    assert built is not None
    session.open(load("inchworm"))
    wait_for((built.folder / "metrics.json").is_file, "the run is complete")
    return Run(built.folder)


def test_what_is_done_by_hand_is_recorded_and_replays(session: Session) -> None:
    session.open(load("snake"), paused=False)
    session.set_speed(2.0)
    wait_for(lambda: session.now_s > 0.3, "it runs")
    session.do(parse_outside(SLOWER))
    wait_for(lambda: session.now_s > 0.8, "it runs on")
    session.do(parse_outside(STUCK))
    wait_for(lambda: len(session.outside) == 2, "both have taken effect")
    wait_for(lambda: session.now_s > session.outside[-1].t_ns / 1e9 + 0.3, "and been lived with")
    run = _finished(session)
    assert [type(each.what) for each in run.outside] == [Retune, InjectFault]
    again = replay(run)
    assert again.same, again.difference


def test_a_run_with_everything_that_a_page_can_do_replays(session: Session) -> None:
    changes: dict[str, Any] = {"control.options.operator": [], "faults": []}
    session.open(load("servo-fails", overrides=changes), paused=False)
    session.set_speed(20.0)
    wait_for(lambda: session.now_s > 0.8, "the robot knows itself")
    built = session.built
    assert built is not None
    half = built.behaviours["H1"]["push forward"].replace("level * full", "0.5 * level * full")
    deeds: list[dict[str, Any]] = [
        {"do": "say", "line": "EXP"},
        {"do": "break", "fault": {"fault": "weak_servo", "servo": "S1.grip", "factor": 0.01}},
        _rethink(half),
        {"do": "reprogram", "boards": ["R1", "R2"], "source": HOLD},
        {"do": "say", "line": "SIR distance"},
    ]
    for number, deed in enumerate(deeds, 1):
        session.do(parse_outside(deed))
        wait_for(lambda: len(session.outside) == number, deed["do"])  # noqa: B023
        since = session.now_s
        wait_for(lambda: session.now_s > since + 0.4, "it is lived with")  # noqa: B023
    run = _finished(session)
    assert [each.what.do for each in run.outside] == [deed["do"] for deed in deeds]
    again = replay(run, programs=True)
    assert again.same, again.difference


def test_a_host_is_stopped_by_its_operator_and_the_run_ends_well(session: Session) -> None:
    said: list[str] = []
    session.notice = lambda _, text, __: said.append(text)
    session.open(load("erekobot"), paused=False)
    session.set_speed(5.0)
    wait_for(lambda: session.now_s > 0.5, "it crawls")
    session.do(Say(line="dance"))
    wait_for(lambda: said, "that is refused")
    assert "expected one of start, stop" in said.pop()
    session.do(Say(line="stop"))
    wait_for(lambda: any(e.kind == "stop" and e.source == "host" for e in session.events), "stop")
    run = _finished(session)
    assert not said
    assert [each.what for each in run.outside] == [Say(line="stop")]
    assert replay(run).same


def test_a_camera_that_is_watched_may_go_with_its_robot(session: Session) -> None:
    said: list[str] = []
    session.notice = lambda _, text, __: said.append(text)
    session.open(load("explore-straight"))
    wait_for(lambda: session.built, "it is built")
    assert session.built is not None
    session.watch(camera=session.built.cameras[0])
    picture = wait_for(lambda: session.seen, "a picture comes")
    assert picture.picture.std() > 1
    session.open(load("snake"), paused=False)
    wait_for(lambda: session.now_s > 0.1, "another robot, without one")
    session.watch(camera=None)
    assert not said


def test_a_wave_goes_on_without_a_jump_at_another_angular_velocity(session: Session) -> None:
    session.open(load("snake"), paused=False)
    wait_for(lambda: session.now_s > 1.0, "it runs")
    session.do(parse_outside(SLOWER))
    wait_for(lambda: session.outside, "it is slower")
    wait_for(lambda: session.now_s > session.outside[-1].t_ns / 1e9 + 0.2, "for a while")
    run = _finished(session)
    targets = run["actuators"]["target[R2.pitch]"]
    largest = np.abs(np.diff(targets[25:])).max()  # from 0.5 s, when the wave is fully faded in
    assert largest < np.radians(50) * 8 * 0.02 * 1.2  # amplitude, angular velocity, a row


def test_programs_of_a_run_folder_run_only_when_allowed(session: Session) -> None:
    session.open(load("caterpillar"), paused=False)
    wait_for(lambda: session.now_s > 0.1, "it runs")
    session.do(Reprogram(boards=("C1", "C2"), source=HOLD))
    wait_for(lambda: session.outside, "it is flashed")
    wait_for(lambda: session.now_s > session.outside[-1].t_ns / 1e9 + 0.2, "and runs")
    run = _finished(session)
    with pytest.raises(InputError, match="--programs"):
        replay(run)
    assert replay(run, programs=True).same


def test_what_cannot_be_is_refused_and_never_happens(session: Session) -> None:
    said: list[str] = []
    session.notice = lambda _, text, __: said.append(text)
    session.open(load("snake"))
    wait_for(lambda: session.readings, "it is built")
    session.do(parse_outside({"do": "say", "line": "EXP"}))
    wait_for(lambda: said, "somebody says why not")
    assert "nobody listens" in said[0]
    assert not session.outside


def test_what_is_asked_at_once_waits_until_the_run_is_built(session: Session) -> None:
    session.open(load("snake"))
    session.do(parse_outside(SLOWER))
    session.play()
    wait_for(lambda: session.outside, "what was asked while there was no run to do it to")
    wait_for(lambda: session.now_s > 0.1, "and it runs")


def test_what_is_asked_while_a_run_is_made_anew_comes_after_what_was_done(
    session: Session,
) -> None:
    endless = HOLD.replace("        yield board.sleep(0.05)\n", "")
    session.open(load("caterpillar"), paused=False)
    wait_for(lambda: session.now_s > 0.5, "it runs")
    session.do(Reprogram(boards=("C1",), source=HOLD))
    wait_for(lambda: len(session.outside) == 1, "the first program runs")
    first = session.outside[0].t_ns
    session.do(Reprogram(boards=("C1",), source=endless))
    wait_for(lambda: session.built is None, "the program that never ends is noticed")
    session.do(Reprogram(boards=("C2",), source=HOLD))
    wait_for(lambda: len(session.outside) == 2, "the run is made anew, and has both")
    assert [each.what.boards for each in session.outside if isinstance(each.what, Reprogram)] == [
        ("C1",),
        ("C2",),
    ]
    assert session.outside[0].t_ns == first < session.outside[1].t_ns


def test_a_simulation_that_dies_is_told_and_can_be_begun_anew(session: Session) -> None:
    said: list[str] = []
    session.notice = lambda _, text, __: said.append(text)
    session.open(load("snake"), paused=False)
    wait_for(lambda: session.now_s > 0.1, "it runs")
    for child in multiprocessing.active_children():
        if child.name == PROCESS:
            child.kill()
    wait_for(lambda: said, "it is told")
    assert "process ended" in said[0]
    session.reset()
    wait_for(lambda: session.now_s > 0.1, "it runs again")


def test_a_recorded_run_is_shown_at_any_time(session: Session) -> None:
    session.open(load("snake"), paused=False)
    wait_for(lambda: session.now_s > 1.2, "it runs")
    played = Playback(_finished(session))
    assert played.length_s is not None
    assert played.length_s > 1.0
    first = played.frame
    played.seek(1.0)
    assert played.now_s == pytest.approx(1.0)
    assert played.frame is not None
    assert first is not None
    assert not np.array_equal(played.frame.qpos, first.qpos)
    played.set_speed(20.0)
    played.play()
    wait_for(lambda: played.paused, "it plays to its end")
    assert played.now_s == pytest.approx(played.length_s)
    with pytest.raises(InputError, match="recorded"):
        played.do(parse_outside({"do": "say", "line": "EXP"}))
    played.close()


def test_a_behaviour_is_written_anew_on_one_board_alone(session: Session) -> None:
    session.open(load("explore-straight", overrides={"robot.chain": "THRHVP"}), paused=False)
    session.set_speed(5.0)
    wait_for(lambda: session.now_s > 3.5, "it pushes")
    built = session.built
    assert built is not None
    text = built.behaviours["H1"]["push forward"]
    half = text.replace("level * full", "0.5 * level * full")
    assert half != text
    session.do(parse_outside(_rethink(half)))
    session.do(parse_outside({"do": "say", "line": "EXP"}))
    first, second = ([s.name for s in built.servos].index(f"{h}.drive") for h in ("H1", "H2"))

    def pushes() -> tuple[float, float]:
        readings = session.readings
        assert readings is not None
        return round(float(readings.target[first]), 2), round(float(readings.target[second]), 2)

    wait_for(lambda: pushes() == (0.5, 1.0), "H1 pushes with half its strength, H2 as before")


def test_a_behaviour_for_a_board_that_has_it_not_is_refused(session: Session) -> None:
    said: list[str] = []
    session.notice = lambda _, text, __: said.append(text)
    session.open(load("explore-straight", overrides={"robot.chain": "THV"}))
    built = wait_for(lambda: session.built, "it is built")
    assert "wandering" in built.behaviours["PC"]
    assert "wandering" not in built.behaviours["H1"]
    assert "operator" not in built.behaviours
    text = built.behaviours["PC"]["wandering"]
    session.do(Rethink(boards=("H1",), behaviour="wandering", source=text))
    wait_for(lambda: said, "that is refused")
    assert "H1: unknown behaviour 'wandering'" in said[0]


def _rethink(source: str) -> dict[str, Any]:
    return {"do": "rethink", "boards": ["H1"], "behaviour": "push forward", "source": source}


def test_a_simulation_knows_the_plugins_of_its_session(tmp_path: Path) -> None:
    lamp = parse(
        {
            "name": "lamp",
            "robot": {"chain": "RR"},
            "world": {"kind": "open-air"},
            "control": {"system": "lamp"},
        },
        plugins=load_plugins([LAMP]),
    )
    session = Session(runs=tmp_path / "runs", plugins=[str(LAMP)])
    session.open(lamp)
    wait_for(lambda: session.built is not None, "the worker knows the system of the plugin")
    session.close()


def test_the_last_program_of_the_board_that_failed_is_taken_back() -> None:
    """And no other: not one of another board, not a fault, not one before it."""
    programs = [Reprogram(boards=(board,), source=HOLD) for board in ("R1", "R1", "R2")]
    done = [Timed(t_ns=k, what=what) for k, what in enumerate((*programs, parse_outside(STUCK)))]
    for board, taken in (("R1", 1), ("R2", 2), (None, 2)):
        kept, dropped = _without_last_program(done, board)
        assert dropped is done[taken]
        assert kept == [each for each in done if each is not dropped]
    assert _without_last_program(done, "R3") == (done, None)


def test_a_recorded_run_shows_the_robot_in_pieces_after_a_cut(tmp_path: Path) -> None:
    cut = {"do": "cut", "at_s": 0.2, "a": "R2.back", "b": "R3.front"}
    lying = parse(
        {
            "name": "cut",
            "duration_s": 0.4,
            "robot": {"chain": "RRRR"},
            "world": {"kind": "open-air"},
            "events": [cut],
        }
    )
    played = Playback(Run(Trial(lying).run(tmp_path / "run").folder))
    shown = []
    for moment in (0.1, 0.3, 0.1):
        played.seek(moment)
        assert played.frame is not None
        assert played.built is not None
        shown.append((played.frame.epoch, played.built.epoch, len(played.frame.qpos)))
    played.close()
    assert shown == [(0, 0, 7 + 8), (1, 1, 7 + 4 + 7 + 4), (0, 0, 7 + 8)]
