"""From a study to a rule that the central control follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.offline.small import SCENARIO, run, study

from annelid.errors import InputError
from annelid.offline.folder import StoredStudy
from annelid.offline.store import Store
from annelid.systems.microtub.front.learn import learn, orders, write_rules
from annelid.systems.microtub.inference import Engine, RobotSituation, StatedModule, read_rules
from annelid.systems.microtub.protocol import WorkingMode
from annelid.trial.load import load, parse

WAVE = {"gait": "wave", "axis": "pitch", "amplitude_deg": 50, "omega_rad_s": 12, "phase_rad": 1.2}
GENES = [
    {"field": "control.gaits.0.amplitude_deg", "low": 60, "high": 75, "bits": 2},
    {"field": "control.gaits.0.phase_rad", "low": 0.9, "high": 1.2, "bits": 2},
]
MDL = "00003300000003000"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> StoredStudy:
    """Four modules that move fast enough to be worth a rule."""
    scenario = {
        **SCENARIO,
        "duration_s": 2.0,
        "robot": {"chain": "RRRR"},
        "control": {"tick_ms": 15, "gaits": [WAVE]},
    }
    path = tmp_path_factory.mktemp("learn") / "s.sqlite"
    run(study(scenario=scenario, space={"genes": GENES}, optimiser={"kind": "grid"}), path)
    with Store.open(path) as store:
        return StoredStudy(store, "small")


def test_a_rule_says_what_was_studied_and_on_what_it_rests(kept: StoredStudy):
    rule = learn(kept, runs=4, likely=2)
    assert rule.configuration == "rrrr"
    assert rule.mdl == (MDL,) * 4
    assert rule.situations == ("open_air",)
    assert rule.ability == "forward"
    assert rule.gait.commands == ("MO1",)
    assert rule.gait.omega_rad_s == 12
    assert rule.evidence.runs == 4
    assert rule.evidence.low is not None
    assert 0 < rule.evidence.low <= rule.evidence.value


def test_the_inference_engine_takes_the_learnt_way_first(kept: StoredStudy, tmp_path: Path):
    path = write_rules((learn(kept, runs=2, likely=1),), tmp_path / "rules.toml")
    learnt = read_rules(path).learnt[0]

    def best(mdl: str, *, mode: WorkingMode = WorkingMode.OPEN_AIR) -> str | None:
        engine = Engine()
        engine.load(path)
        members = [StatedModule(k + 1, "r", mdl if k == 2 else MDL) for k in range(4)]
        way = engine.infer(members, RobotSituation(mode)).best("forward")
        return None if way is None or way.rule is None else way.rule.name

    assert best(MDL) == learnt.name
    assert best("00001300000003000") != learnt.name, "a damaged robot is not the one studied"
    assert best(MDL, mode=WorkingMode.PIPE) != learnt.name


def test_a_robot_that_hardly_moves_teaches_nothing(tmp_path: Path):
    path = tmp_path / "s.sqlite"
    run(study(budget={"generations": 1}), path)
    with Store.open(path) as store, pytest.raises(InputError, match="no way of moving"):
        learn(StoredStudy(store, "small"), runs=2, likely=1)


@pytest.mark.parametrize(
    ("name", "commands"), [("snake", ("MO1",)), ("inchworm", ("MWO",)), ("push", ("MHE",))]
)
def test_gaits_become_commands_of_the_bus(name: str, commands: tuple[str, ...]):
    assert orders(load(name)).commands == commands


def test_what_the_bus_cannot_say_is_refused():
    hold = {"gaits": [{"gait": "hold", "modules": "R", "pose": {"yaw": 10}}]}
    with pytest.raises(InputError, match="'hold' has no command"):
        orders(parse({**SCENARIO, "control": hold}))
    two = {"gaits": [WAVE, WAVE]}
    with pytest.raises(InputError, match="2 gaits"):
        orders(parse({**SCENARIO, "control": two}))
