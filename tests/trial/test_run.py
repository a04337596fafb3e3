"""A run folder holds what was asked for, and holds it again for the same scenario."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest

from annelid.errors import InputError, OutputError, SimulationError
from annelid.physics.simulation import Simulation
from annelid.trial.difference import first_difference
from annelid.trial.load import load, parse
from annelid.trial.metrics import deterministic
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.way import WayLength

PUSHED = {
    "name": "pushed",
    "duration_s": 1.0,
    "jitter_deg": 1.0,
    "robot": {"chain": "TRH"},
    "world": {"kind": "pipe"},
    "control": {"gaits": [{"gait": "push"}, {"gait": "relax", "modules": "R"}]},
}


def scenario(**fields: object) -> Scenario:
    return parse({**PUSHED, **fields})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs") / "one"
    return Run(Trial(scenario()).run(folder).folder)


def test_tables_with_units_and_rates(run: Run):
    assert set(run.tables) == {"actuators", "events", "modules", "robot", "sensors", "state_0"}
    assert len(run["robot"]["time_ns"]) == 51
    assert len(run["state_0"]["time_ns"]) == 26
    assert np.isnan(run["actuators"]["target[R1.yaw]"][1])
    units = run.trace.schema("actuators").units
    assert units["target[H1.drive]"] == "level"
    assert units["position[R1.yaw]"] == "rad"
    assert units["current[H1.drive]"] == "A"
    assert run.trace.schema("modules").units["x[T1]"] == "m"


def test_numbers_agree_with_each_other(run: Run):
    metrics, robot = run.metrics, run["robot"]
    assert metrics.progress_m == pytest.approx(robot["progress"][-1] - robot["progress"][0])
    assert metrics.energy_j == pytest.approx(robot["energy"][-1])
    assert robot["progress"] == pytest.approx(run["modules"]["x[T1]"], abs=1e-9)
    spent = np.sum(robot["power"][1:] * np.diff(run.time("robot")))
    assert spent == pytest.approx(metrics.energy_j - robot["energy"][0], rel=1e-9)
    assert metrics.speed_m_s == pytest.approx(metrics.progress_m / 1.0)
    assert metrics.success is False
    assert metrics.mass_kg == pytest.approx(0.012 + 0.022 + 0.050)


def test_events_begin_and_end(run: Run):
    assert [event.kind for event in run.events()] == ["start", "stop"]
    assert run.events("stop")[0].detail == {"reason": "duration"}


def test_same_scenario_same_trace_and_another_seed_another_one(run: Run, tmp_path: Path):
    again = Trial(scenario()).run(tmp_path / "again").metrics
    other = Trial(scenario(seed=1)).run(tmp_path / "other").metrics
    assert deterministic(again) == deterministic(run.metrics)
    assert other.digest != again.digest


def test_replay_is_the_same_and_says_where_it_is_not(run: Run, tmp_path: Path):
    outcome = replay(run)
    assert outcome.same
    assert outcome.recorded == outcome.replayed == run.metrics.digest
    other = Run(Trial(scenario(jitter_deg=2.0)).run(tmp_path / "other").folder)
    found = first_difference(run.trace, other.trace)
    assert found is not None
    assert found.time_s == 0.0


def test_states_can_be_shown_again(run: Run):
    (states,) = run.states()
    shown = states.show(len(states.times_ns) - 1)
    assert shown.progress() == pytest.approx(run["robot"]["progress"][-1], abs=1e-4)


def test_it_stops_at_the_goal(tmp_path: Path):
    done = Trial(scenario(success={"progress_m": 0.01}, stop_at_goal=True)).run(tmp_path / "run")
    assert done.metrics.stopped == "goal"
    assert done.metrics.success is True
    assert done.metrics.time_to_goal_s == done.metrics.time_s < 1.0
    assert [e.kind for e in Run(done.folder).events()] == ["start", "goal", "stop"]


THERE_AND_BACK = {
    "duration_s": 6.0,
    "control": {"gaits": [{"gait": "push", "changes": [[1.5, -1.0], [3.1, 0.0]]}]},
    "success": {"progress_m": 0.02, "home_mm": 10},
}


def test_who_has_to_come_home_has_not_succeeded_before(tmp_path: Path):
    done = Trial(scenario(**THERE_AND_BACK, stop_at_goal=True, linger_s=0.3)).run(tmp_path / "run")
    metrics, events = done.metrics, Run(done.folder).events()
    assert [event.kind for event in events] == ["start", "goal", "home", "stop"]
    assert metrics.success is True
    assert metrics.time_home_s is not None
    assert metrics.way_m is not None
    assert metrics.time_s == pytest.approx(metrics.time_home_s + 1.0 + 0.3), "it stays"
    assert metrics.way_m == pytest.approx(2 * metrics.progress_max_m, rel=0.3)
    assert metrics.speed_m_s == pytest.approx(metrics.way_m / metrics.time_s)
    gone = Trial(scenario(**{**THERE_AND_BACK, "duration_s": 2.0})).measure()
    assert (gone.success, gone.time_home_s) == (False, None)
    assert gone.time_to_goal_s is not None


@pytest.mark.parametrize(("launch", "far"), [("open", -0.05), ("closed", -0.015)])
def test_who_goes_on_past_home_is_not_home(launch: str, far: float):
    """Backing on and on: out of an open launch tube, or against the end of a closed one."""
    on = {**THERE_AND_BACK, "control": {"gaits": [{"gait": "push", "changes": [[1.5, -1.0]]}]}}
    world = {"kind": "pipe", "launch": launch}
    metrics = Trial(scenario(**on, world=world, stop_at_goal=True)).measure()
    assert metrics.time_to_goal_s is not None
    assert (metrics.success, metrics.time_home_s) == (False, None)
    assert metrics.progress_m < far


def test_numbers_do_not_depend_on_how_often_it_is_recorded(tmp_path: Path):
    """Record rates that share no tick with the control."""
    rows = []
    for rate in (20.0, 333.0):
        given = scenario(**THERE_AND_BACK, stop_at_goal=True, record={"rate_hz": rate})
        done = Trial(given).run(tmp_path / f"at-{rate:g}").metrics
        rows.append({**deterministic(done), "digest": None})
    assert rows[0] == rows[1]


def test_a_way_is_measured_there_and_back_without_the_swaying():
    way = WayLength(0.0)
    for place in (0.1, 0.09, 0.2, 0.195, 0.3, 0.2, 0.0, 0.01, -0.02):
        way.go_on(place)
    assert way.length == pytest.approx(0.3 + 0.32)


def test_success_can_come_too_late():
    late = scenario(success={"progress_m": 0.01, "within_s": 0.1})
    metrics = Trial(late).measure()
    assert metrics.success is False
    assert metrics.time_to_goal_s is not None


def test_cut_join_and_a_servo_that_gives_way(tmp_path: Path):
    faults = [{"fault": "limp_servo", "at_s": 0.1, "servo": "R2.pitch", "until_s": 0.3}]
    events = [
        {"do": "cut", "at_s": 0.2, "a": "R2.back", "b": "R3.front"},
        {"do": "join", "at_s": 0.24, "a": "R2.back", "b": "R3.front"},
        {"do": "join", "at_s": 0.3, "a": "R1.front", "b": "R4.back"},
    ]
    lying = {"robot": {"chain": "RRRR"}, "world": {"kind": "open-air"}, "control": {}}
    done = Trial(scenario(duration_s=0.4, events=events, faults=faults, **lying)).run(
        tmp_path / "run"
    )
    run = Run(done.folder)
    kinds = [event.kind for event in run.events()]
    assert kinds == ["start", "fault", "cut", "join", "join failed", "mended", "stop"]
    assert {"state_0", "state_1", "state_2"} <= set(run.tables)
    assert [states.qpos.shape[1] for states in run.states()] == [15, 22, 15]
    assert replay(run).same


def test_pieces_docked_by_hand_from_afar_can_be_shown_again(tmp_path: Path):
    events = [
        {"do": "cut", "at_s": 0.1, "a": "R2.back", "b": "R3.front"},
        {"do": "join", "at_s": 0.2, "a": "R4.back", "b": "R1.front", "angle_deg": 0},
    ]
    lying = {"robot": {"chain": "RRRR"}, "world": {"kind": "open-air"}, "control": {}}
    done = Trial(scenario(duration_s=0.3, events=events, **lying)).run(tmp_path / "run")
    last = list(Run(done.folder).states())[-1]
    one, other = (last.show(0).face(face).at for face in ("R4.back", "R1.front"))
    assert np.allclose(one, other, atol=1e-6)


def test_trips_are_events(tmp_path: Path):
    shaking = {"gait": "hold", "modules": "R", "pose": {"pitch": 90}, "ramp_s": 0}
    data = {
        "robot": {"chain": "RRRR"},
        "world": {"kind": "open-air"},
        "control": {"gaits": [shaking]},
        "physics": {"trip": True},
    }
    done = Trial(scenario(duration_s=0.3, **data)).run(tmp_path / "run")
    assert done.metrics.tripped
    assert {e.source for e in Run(done.folder).events("trip")} == set(done.metrics.tripped)


def test_folders_are_numbered_and_never_overwritten(tmp_path: Path):
    short = load("snake", overrides={"duration_s": 0.02})
    places = [Trial(short).run(runs=tmp_path).folder.name for _ in range(2)]
    assert places == ["snake-001", "snake-002"]
    with pytest.raises(OutputError, match="new or empty"):
        Trial(short).run(tmp_path / "snake-001")


def test_a_trial_runs_once():
    trial = Trial(scenario(duration_s=0.02))
    trial.measure()
    with pytest.raises(InputError, match="once"):
        trial.measure()


def test_ctrl_c_keeps_what_was_recorded(tmp_path: Path):
    def interrupt(time_s: float, _: float) -> None:
        if time_s > 0.3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="what was recorded is in"):
        Trial(scenario(duration_s=60.0)).run(tmp_path / "run", progress=interrupt)
    run = Run(tmp_path / "run")
    assert run.metrics.interrupted
    assert run.metrics.stopped == "interrupted"
    assert 0.3 < run.metrics.time_s < 60
    assert run["robot"]["time_ns"][-1] >= 0.3e9
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert replay(run).same


def test_an_explosion_keeps_the_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    trial = Trial(scenario())
    advance = Simulation.advance

    def explode(self: Simulation, steps: int) -> None:
        advance(self, steps)
        if self.now_ns > 0.5e9:
            raise SimulationError("the simulation became unstable near 0.5 s")

    monkeypatch.setattr(Simulation, "advance", explode)
    with pytest.raises(SimulationError, match="unstable"):
        trial.run(tmp_path / "run")
    run = Run(tmp_path / "run")
    assert run.metrics.stopped == "unstable"
    assert len(run.events("unstable")) == 1
    assert len(run["robot"]["time_ns"]) == 26


def test_metrics_file_is_plain_json(run: Run):
    data = json.loads((run.folder / "metrics.json").read_text())
    assert data["interrupted"] is False
    assert data["wall"]["real_time_factor"] > 0
