"""A scenario runs firmware: boards, links, supply and faults, all from one file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annelid.errors import InputError
from annelid.kernel.trace import MemorySink, Trace, events
from annelid.trial.load import load, parse
from annelid.trial.metrics import Metrics
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run, replay
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario

ANNELID = Path(sys.executable).with_name("annelid")

EREKOBOT: dict[str, Any] = {
    "name": "short",
    "duration_s": 3.0,
    "robot": {"chain": "KKKKKK"},
    "world": {"kind": "open-air"},
    "physics": {"timestep_ms": 1.0},
    "control": {
        "system": "erekobot",
        "options": {
            "interval_ms": 100,
            "sync": "tell",
            "gait": {"alpha_deg": 30, "waves": 1, "segments": 6},
        },
    },
}

LOOKING = """
from annelid.spec import Spec
from annelid.systems import System

class Options(Spec):
    every_s: float = 0.02

def look(board, every_s):
    while True:
        board.log("saw", {"x": board.sensors["accelerometer.x"].read()})
        yield board.sleep(every_s)

def build(options, circuit):
    for module in circuit.sim.robot.modules:
        circuit.add(module.name, lambda board: look(board, options.every_s))

LOOKING = System("looking", "modules that look", Options, build)
"""


def scenario(plugins: Plugins = Plugins(), **changes: Any) -> Scenario:  # noqa: B008
    return parse({**EREKOBOT, **changes}, plugins=plugins)


def simulated(what: Scenario, plugins: Plugins = Plugins()) -> tuple[Metrics, MemorySink]:  # noqa: B008
    sink = MemorySink()
    return Trial(what, plugins=plugins).record_into(Trace(sink)), sink


def of_kind(sink: MemorySink, kind: str) -> list[tuple[float, str, dict[str, Any]]]:
    return [(e.time_ns * 1e-9, e.source, dict(e.detail)) for e in events(sink, kind=kind)]


def angles(sink: MemorySink, servo: str, *, from_s: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    table = sink.read("actuators")
    return np.asarray(table[f"position[{servo}]"])[np.asarray(table["time_ns"]) >= from_s * 1e9]


# -- the shipped scenario ------------------------------------------------------------------------


def test_the_shipped_erekobot_crawls_as_far_as_it_says() -> None:
    shipped = load("erekobot", overrides={"physics.timestep_ms": 1.0})
    metrics, sink = simulated(shipped)
    assert metrics.success
    assert 0.3 < metrics.progress_m < 0.7
    packets = of_kind(sink, "wire")
    assert {detail["from"] for _, _, detail in packets} == {"host", *(f"K{k}" for k in range(1, 7))}
    ahead = [abs(detail["ahead_ns"]) for at, _, detail in of_kind(sink, "time") if at > 3]
    assert max(ahead) < 60e6  # clocks 3 % off are held within the drift of a second or two
    assert metrics.voltage_min_v is not None
    assert metrics.boards_energy_j == pytest.approx(6 * 0.021 * 5 * 12, rel=0.3)


def test_a_run_with_firmware_and_faults_repeats_bit_for_bit(tmp_path: Path) -> None:
    broken = scenario(
        duration_s=1.0,
        power={"supply": {"kind": "battery"}},
        faults=[
            {"fault": "noisy_link", "link": "serial", "bit_error": 0.02, "at_s": 0.1},
            {"fault": "dead_board", "board": "K4", "when": "time > 0.5"},
        ],
    )
    folder = Trial(broken).run(tmp_path / "run").folder
    again = replay(Run(folder))
    assert again.same, again.difference
    assert again.metrics.faults == 2


# -- faults --------------------------------------------------------------------------------------


def test_a_stuck_servo_stays_where_it_is() -> None:
    metrics, sink = simulated(
        scenario(faults=[{"fault": "stuck_servo", "servo": "K3.pitch", "at_s": 1.0}])
    )
    assert np.ptp(angles(sink, "K3.pitch", from_s=1.1)) < 0.01
    assert np.ptp(angles(sink, "K2.pitch", from_s=1.1)) > 0.5
    assert metrics.faults == 1


def test_a_dead_board_lets_go_and_passes_nothing_on() -> None:
    metrics, sink = simulated(
        scenario(faults=[{"fault": "dead_board", "board": "K3", "at_s": 1.0}])
    )
    targets = sink.read("actuators")["target[K3.pitch]"]
    assert np.isnan(targets[-1])
    assert not [d for at, _, d in of_kind(sink, "wire") if at > 1.05 and d["from"] == "K4"]
    assert metrics.faults == 1


def test_a_cut_line_is_mended_in_time() -> None:
    cut = {"fault": "cut_link", "link": "serial", "between": ["K2", "K3"], "at_s": 1.0}
    _, sink = simulated(scenario(faults=[{**cut, "until_s": 2.0}]))
    told = [at for at, who, _ in of_kind(sink, "time") if who == "K5"]
    assert not [at for at in told if 1.05 < at < 2.0]
    assert [at for at in told if at > 2.0]
    assert [who for _, who, _ in of_kind(sink, "mended")] == ["serial"]


def test_a_low_battery_browns_the_boards_out() -> None:
    metrics, sink = simulated(
        scenario(
            power={"supply": {"kind": "battery", "capacity_mah": 20}, "brown_out_v": 4.5},
            faults=[{"fault": "low_battery", "charge": 0.002, "at_s": 1.0}],
        )
    )
    assert metrics.brown_outs >= 6
    assert metrics.charge is not None
    assert metrics.charge < 0.002
    assert metrics.battery_life_s is not None
    volts = sink.read("robot")["voltage"]
    assert volts[10] == 5.0
    assert volts.min() == pytest.approx(metrics.voltage_min_v)
    energy = sink.read("robot")["energy"]
    assert energy[-1] == pytest.approx(metrics.energy_j, rel=0.01)
    assert len(sink.read("power")["charge"]) == 30


def test_gaits_alone_feel_faults_and_batteries() -> None:
    gaits = {
        "name": "gaits",
        "duration_s": 2.0,
        "robot": {"chain": "RRRR"},
        "world": {"kind": "open-air"},
        "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
        "power": {"supply": {"kind": "battery", "capacity_mah": 20}, "weaken_servos": True},
        "faults": [
            {"fault": "stuck_servo", "servo": "R2.pitch", "at_s": 0.5},
            {"fault": "low_battery", "charge": 0.0, "at_s": 1.5},
        ],
    }
    metrics, sink = simulated(parse(gaits))
    assert np.ptp(angles(sink, "R2.pitch", from_s=0.6)) < 0.01
    assert (metrics.faults, metrics.brown_outs, metrics.charge) == (2, 0, 0.0)
    assert metrics.voltage_min_v == 0.0
    assert metrics.boards_energy_j == 0.0


# -- systems of one's own ------------------------------------------------------------------------


@pytest.fixture
def looking(tmp_path: Path) -> Plugins:
    file = tmp_path / "looking.py"
    file.write_text(LOOKING)
    return load_plugins([file])


def looked(plugins: Plugins, *, sensors: bool) -> list[tuple[float, str, dict[str, Any]]]:
    what = scenario(
        plugins,
        duration_s=0.5,
        robot={"chain": "RR"},
        control={"system": "looking", "options": {"every_s": 0.03}},
        record={"sensors": sensors},
    )
    return of_kind(simulated(what, plugins)[1], "saw")


def test_a_plugin_brings_a_system(looking: Plugins) -> None:
    seen = looked(looking, sensors=False)
    assert len(seen) == 2 * 17
    assert {who for _, who, _ in seen} == {"R1", "R2"}


def test_a_program_that_crashes_is_named(looking: Plugins) -> None:
    what = scenario(looking, duration_s=0.1, robot={"chain": "TR"}, control={"system": "looking"})
    metrics, sink = simulated(what, looking)
    assert metrics.crashed == ("T1",)
    assert "unknown sensor 'accelerometer.x'" in of_kind(sink, "crash")[0][2]["error"]


def test_recording_does_not_change_what_a_program_sees(looking: Plugins) -> None:
    assert looked(looking, sensors=True) == looked(looking, sensors=False)


def test_options_can_be_set_from_outside() -> None:
    loaded = load("erekobot", overrides={"control.options.profile": 2})
    assert loaded.control.options is not None
    assert loaded.control.options.model_dump()["profile"] == 2
    with pytest.raises(InputError, match=r"control\.options.*'profil'.*'profile'"):
        load("erekobot", overrides={"control.options.profil": 2})


# -- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"control": {"system": "erekobott"}}, "control.system: unknown system 'erekobott'. Did"),
        ({"control": {"options": {"profile": 2}}}, "options belong to a system"),
        (
            {"control": {"system": "erekobot", "options": {"period": 33}}},
            "control.options: period: ",
        ),
        (
            {"control": {"system": "erekobot", "gaits": [{"gait": "snake", "move": "forward"}]}},
            "gaits beside system",
        ),
        ({"robot": {"chain": "K" * 11}}, "modules: expected 1 to 10, got 11; beyond_paper"),
        (
            {"faults": [{"fault": "stuck_servo", "servo": "K9.pitch"}]},
            "faults.0: unknown actuator 'K9.pitch'",
        ),
        ({"faults": [{"fault": "dead_board", "board": "pc"}]}, "faults.0: unknown board 'pc'"),
        ({"faults": [{"fault": "cut_link", "link": "bus"}]}, "faults.0: unknown link 'bus'"),
        ({"faults": [{"fault": "low_battery"}]}, "faults.0: low_battery: this robot has no"),
        ({"faults": [{"fault": "broken"}]}, "faults.0: unknown fault 'broken'"),
        ({"power": {"supply": {"kind": "sun"}}}, "power.supply: 'kind': expected"),
        (
            {"events": [{"do": "release", "at_s": 1, "actuator": "K1.pitch"}]},
            "events: release is a fault now",
        ),
    ],
)
def test_mistakes_are_told_in_one_message(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        Trial(scenario(**changes))
    assert says in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_the_command_line_names_the_file_and_leaves_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[robot]\nchain = "KK"\n[world]\nkind = "open-air"\n[control]\nsystem = "erekobot"\n'
        '[[faults]]\nfault = "dead_board"\nboard = "K3"\n'
    )
    ran = subprocess.run(
        [ANNELID, "run", file.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("annelid: mine.toml: faults.0: unknown board 'K3'")
    assert list(tmp_path.iterdir()) == [file]
