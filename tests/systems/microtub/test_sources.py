"""Which sensors feed what a robot says: those of the modules that are asked, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.protocol import Alarm
from annelid.systems.microtub.sources import FEEDS, Sources
from annelid.systems.statement import Statement
from annelid.trial.load import load
from annelid.trial.run import Trial

RAYS = ("infrared_down", "infrared_left", "infrared_right", "infrared_up", "nose")
NOSES = {f"{nose}.{ray}" for nose in ("T1", "T2") for ray in RAYS}
WHEELS = {f"V1.encoder{k}" for k in range(3)}


@pytest.fixture(scope="module")
def trial() -> Trial:
    world = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 900}]}
    chain = {"robot": {"chain": "TRRTRVNN"}, "world": world, "control": {"system": "microtub"}}
    trial = Trial(load(chain))
    trial.circuit.start()
    trial.circuit.kernel.run(seconds(0.5))
    return trial


def gravity(*modules: str) -> set[str]:
    return {f"{module}.accelerometer.{axis}" for module in modules for axis in "xyz"}


@pytest.mark.parametrize(
    ("source", "sensors"),
    [
        ("nose", NOSES),
        ("traveller", WHEELS),
        ("nose, traveller", NOSES | WHEELS),
        ("map", NOSES | WHEELS),
        ("dead reckoning", NOSES),
        ("camera", {"T1.camera"}),
        ("accelerometer", gravity("R1", "R2")),  # the foremost and the middle one are asked
        ("thermometer", {"N1.thermometer"}),
        ("servos", set()),
        ("central control", set()),
        ("of a plugin", set()),
    ],
)
def test_a_source_is_fed_by_its_sensors(trial: Trial, source: str, sensors: set[str]) -> None:
    assert Sources(trial.circuit).sensors(Statement("", "", source=source)) == sensors


def test_an_alarm_of_a_module_rests_on_the_sensors_of_that_module(trial: Trial) -> None:
    address = next(p.address for p in trial.circuit.links["bus"].ports.values() if p.name == "N1")
    assert address is not None
    sources = Sources(trial.circuit)
    outside = telling.alarm(Knowledge(), address, Alarm.SURROUNDINGS)
    assert sources.sensors(outside) == {"N1.thermometer", "N1.hygrometer"}
    assert sources.sensors(telling.alarm(Knowledge(), address, Alarm.STUCK)) == set()


def test_every_source_that_is_named_is_known() -> None:
    """A new one in ``telling`` has to say what feeds it."""
    text = Path(telling.__file__).read_text("utf-8")
    written = re.findall(r'^[A-Z_]+: Final = "([a-z ]+)"$', text, re.MULTILINE)
    assert len(written) > 5
    assert {*written, *telling.FROM.values()} <= FEEDS.keys()
