"""Every number of a run is reckoned a second time: by hand, or from the rows of its trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import degrees
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from annelid.kernel.trace import digest
from annelid.trial.folder import TRACE
from annelid.trial.load import parse
from annelid.trial.metrics import Metrics
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run
from annelid.trial.run import Trial
from annelid.trial.way import WayLength

STEP_S, TICK_STEPS, VOLTS, GRAVITY = 0.0005, 40, 5.0, 9.81

PUSHED = {
    "name": "pushed",
    "seed": 7,
    "duration_s": 1.0,
    "jitter_deg": 1.0,
    "robot": {"chain": "TRH"},
    "world": {"kind": "pipe"},
    "control": {"gaits": [{"gait": "push"}, {"gait": "relax", "modules": "R"}]},
    "success": {"progress_m": 0.01},
    "record": {"rate_hz": 2000, "state_hz": 0},
}
"""Straight ahead along x; a row for every physics step."""

HOME = {
    **PUSHED,
    "duration_s": 6.0,
    "control": {"gaits": [{"gait": "push", "changes": [[1.5, -1.0], [3.1, 0.0]]}]},
    "success": {"progress_m": 0.02, "home_mm": 10},
    "record": {"rate_hz": 50, "state_hz": 0},
}
"""There and back; a row for every control tick."""

RESTING = """
from annelid.spec import Spec
from annelid.systems import System

class Options(Spec):
    pass

def rest(board):
    yield board.sleep(0.5)
    if board.name == "R2":
        raise ValueError("no rest for R2")
    yield board.sleep(1000.0)

def build(options, circuit):
    for module in circuit.sim.robot.modules:
        circuit.add(module.name, rest)

RESTING = System("resting", "boards that draw current and do nothing", Options, build)
"""

IDLE = {
    "name": "idle",
    "duration_s": 2.0,
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "control": {"system": "resting"},
    "power": {"idle_ma": 100, "supply": {"kind": "battery"}},
    "record": {"state_hz": 0},
}


@pytest.fixture(scope="module")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(Trial(parse(PUSHED)).run(tmp_path_factory.mktemp("runs") / "pushed").folder)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(Trial(parse(HOME)).run(tmp_path_factory.mktemp("runs") / "home").folder)


def idle(folder: Path, **fields: Any) -> Run:
    file = folder / "resting.py"
    file.write_text(RESTING)
    plugins = load_plugins([file])
    made = parse({**IDLE, **fields}, plugins=plugins)
    return Run(Trial(made, plugins=plugins).run(folder / "run").folder, plugins=plugins)


def way(run: Run) -> Any:
    """Of the head in a straight pipe, from where it began, m."""
    return run["modules"]["x[T1]"] - run["modules"]["x[T1]"][0]


def motors(run: Run, quantity: str) -> dict[str, Any]:
    names = [name for name in run["actuators"] if name.startswith(f"{quantity}[")]
    return {name[len(quantity) + 1 : -1]: run["actuators"][name] for name in names}


def joules(run: Run) -> float:
    """Voltage times current, over time."""
    return VOLTS * STEP_S * sum(float(amperes.sum()) for amperes in motors(run, "current").values())


def hottest(run: Run, quantity: str) -> tuple[float, str]:
    peaks = {name: float(values.max()) for name, values in motors(run, quantity).items()}
    most = max(peaks, key=lambda name: peaks[name])
    return peaks[most], most


def lean(run: Run) -> float:
    """Between the first module's own upwards and the world's, at the control ticks, °."""
    turns = np.stack([run["modules"][f"q{part}[T1]"] for part in "xyzw"], axis=1)[::TICK_STEPS]
    return degrees(np.arccos(Rotation.from_quat(turns).as_matrix()[:, 2, 2].min()))


def moved(run: Run) -> float:
    """Of the centre of mass, m."""
    ends = np.array([[run["robot"][axis][at] for axis in "xyz"] for at in (0, -1)])
    return float(np.linalg.norm(ends[1] - ends[0]))


WEIGHT = (0.012 + 0.022 + 0.050) * GRAVITY

RECKONED: Mapping[str, Callable[[Run], Any]] = {
    "scenario": lambda run: "pushed",
    "seed": lambda run: 7,
    "stopped": lambda run: "duration",
    "interrupted": lambda run: False,
    "time_s": lambda run: 1.0,
    "steps": lambda run: 2000,
    "modules": lambda run: 3,
    "mass_kg": lambda run: 0.012 + 0.022 + 0.050,
    "progress_m": lambda run: way(run)[-1],
    "progress_max_m": lambda run: way(run)[::TICK_STEPS].max(),
    "way_m": lambda run: way(run)[-1],  # one way, so the same
    "distance_m": moved,
    "speed_m_s": lambda run: way(run)[-1] / 1.0,
    "success": lambda run: True,
    "time_to_goal_s": lambda run: 0.02 * int(np.argmax(way(run)[::TICK_STEPS] >= 0.01)),
    "there_and_back": lambda run: False,
    "energy_j": joules,
    "energy_per_metre_j_m": lambda run: joules(run) / way(run)[-1],
    "cost_of_transport": lambda run: joules(run) / (WEIGHT * way(run)[-1]),
    "power_mean_w": lambda run: joules(run) / 1.0,
    "peak_current_a": lambda run: hottest(run, "filtered")[0],
    "peak_current_at": lambda run: hottest(run, "filtered")[1],
    "hottest_c": lambda run: hottest(run, "temperature")[0],
    "hottest_at": lambda run: hottest(run, "temperature")[1],
    "tilt_max_deg": lean,
    "brown_outs": lambda run: 0,
    "resets": lambda run: 0,
    "faults": lambda run: 0,
    "crashed": lambda run: (),
    "crashes": lambda run: (),
    "statements": lambda run: 0,  # who is driven by gaits says nothing; see test_truth.py
    "statements_empty": lambda run: 0,
    "statements_false": lambda run: (),
    "statements_misled": lambda run: (),
    "statements_unjudged": lambda run: (),
    "intervals": lambda run: 0,
    "intervals_held": lambda run: 0,
    "tripped": lambda run: (),
    "digest": lambda run: digest(run.folder / TRACE),
}
"""For ``PUSHED``."""

ELSEWHERE = {
    *("time_home_s", "boards_energy_j", "voltage_min_v", "charge", "battery_life_s", "wall"),
    *("fell_s", "fell_why", "fell_who"),
}
"""In the other tests of this file; falls in test_fall.py."""


def test_no_number_is_left_out() -> None:
    assert RECKONED.keys() | ELSEWHERE == Metrics.model_fields.keys()


@pytest.mark.parametrize("name", RECKONED)
def test_a_number_of_a_run(pushed: Run, name: str) -> None:
    expected = RECKONED[name](pushed)
    if isinstance(expected, float):
        expected = pytest.approx(expected, rel=1e-6)
    assert getattr(pushed.metrics, name) == expected


def test_what_does_not_apply_is_none(pushed: Run) -> None:
    none = ELSEWHERE - {"wall", "fell_who"}
    assert {name: getattr(pushed.metrics, name) for name in none} == dict.fromkeys(none)
    assert pushed.metrics.fell_who == ()


def test_wall_time_and_simulated_time(pushed: Run) -> None:
    wall = pushed.metrics.wall
    assert wall is not None
    assert wall.seconds * wall.real_time_factor == pytest.approx(1.0)


def test_there_and_back_counts_the_whole_way(home: Run) -> None:
    metrics, places = home.metrics, way(home)
    out, back = places.max(), places[int(places.argmax()) :].min()
    walked = out + (out - back)
    assert metrics.there_and_back
    assert metrics.progress_max_m == pytest.approx(out)
    assert metrics.way_m == pytest.approx(walked)
    assert metrics.speed_m_s == pytest.approx(walked / 6.0)
    energy = sum(float(drawn[-1]) for drawn in motors(home, "energy").values())
    assert metrics.energy_j == pytest.approx(energy)
    assert metrics.energy_per_metre_j_m == pytest.approx(energy / walked)
    assert metrics.cost_of_transport == pytest.approx(energy / (WEIGHT * walked))


def test_home_since_it_was_near_for_the_last_time(home: Run) -> None:
    away = np.flatnonzero(np.abs(way(home)) > 0.010)
    assert home.metrics.time_home_s == pytest.approx(0.02 * (away[-1] + 1))


def test_settling_back_before_the_first_step_is_no_way() -> None:
    going = WayLength(0.0)
    for place in (-0.005, 0.0, 0.018, 0.1):
        going.go_on(place)
    assert going.length == pytest.approx(0.1)


def test_boards_and_battery(tmp_path: Path) -> None:
    """Two boards of 100 mA at 5 V for 2 s: 2 J.  From a cell of 4.2 V behind 0.15 Ω, by a converter
    of 88 %: 1 W / 0.88 = 1.136 W = (4.2 V - 0.15 Ω · i) · i, so i = 0.273 A, of 180 mAh."""
    metrics = idle(tmp_path).metrics
    assert metrics.boards_energy_j == pytest.approx(2.0)
    assert metrics.energy_j == pytest.approx(2.0, rel=0.01)  # the servos rest
    assert metrics.power_mean_w == pytest.approx(1.0, rel=0.01)
    assert metrics.voltage_min_v == pytest.approx(5.0)
    used = 0.273 * 2.0 / (0.180 * 3600)
    assert metrics.charge is not None
    assert 1 - metrics.charge == pytest.approx(used, rel=0.01)
    assert metrics.battery_life_s == pytest.approx((1 - used) * 0.180 * 3600 / 0.273, rel=0.01)
    assert (metrics.brown_outs, metrics.crashed) == (0, ("R2",))
    (told,) = metrics.crashes
    assert "no rest for R2" in told


def test_troubles_are_counted_as_they_happened(tmp_path: Path) -> None:
    """A cell that is too weak for its boards, and a board that dies and comes back."""
    run = idle(
        tmp_path,
        power={
            "idle_ma": 100,
            "brown_out_v": 4.5,
            "supply": {"kind": "battery", "charge": 0.5, "ohms": 4.0},
        },
        faults=[{"fault": "dead_board", "board": "R1", "at_s": 0.35, "until_s": 0.7}],
    )
    metrics, lowest = run.metrics, float(run["power"]["voltage"].min())
    off = [e for e in run.events("off") if "brown-out" in e.detail["reason"]]
    assert metrics.brown_outs == len(off) >= 2
    assert metrics.resets == len(run.events("reset")) >= 1
    assert metrics.faults == len(run.events("fault")) == 1
    assert metrics.voltage_min_v == pytest.approx(lowest)
    assert lowest < 4.5
    assert metrics.charge == pytest.approx(float(run["power"]["charge"][-1]))


def test_a_robot_that_does_not_move_leaves_metrics_that_can_be_read(tmp_path: Path) -> None:
    still = {"robot": {"chain": "P"}, "world": {"kind": "open-air"}, "duration_s": 0.1}
    metrics = Trial(parse(still)).run(tmp_path / "run").metrics
    drifted = Metrics.model_validate({**metrics.model_dump(), "progress_m": -3e-18})
    drifted.save(tmp_path / "drifted.json")
    assert Metrics.read(tmp_path / "drifted.json").progress_m == 0.0
    assert Metrics.read(tmp_path / "drifted.json") == drifted
    assert Metrics.read(tmp_path / "run" / "metrics.json") == metrics
