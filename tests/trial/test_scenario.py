"""Scenarios: what ships works, what is wrong is told with file and field."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from annelid.errors import AnnelidError
from annelid.trial.load import load, parse, save, shipped
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario

SMALL = """
name = "small"
duration_s = 0.2
[robot]
chain = "RR"
[world]
kind = "open-air"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", shipped())
def test_shipped_scenario_runs(name: str):
    scenario = load(name, overrides={"duration_s": 0.1})
    assert scenario.name == name
    assert scenario.about
    assert Trial(scenario).measure().time_s == pytest.approx(0.1)


def test_shipped_are_the_promised_ones():
    assert set(shipped()) >= {"default", "inchworm", "snake", "terrain", "mixed"}


@pytest.mark.parametrize("name", shipped())
def test_saved_copy_is_complete_and_the_same(name: str, tmp_path: Path):
    scenario = load(name)
    save(scenario, tmp_path / "copy.toml")
    assert load(tmp_path / "copy.toml") == scenario
    written = tomllib.loads((tmp_path / "copy.toml").read_text())
    assert written["physics"]["timestep_ms"] == scenario.physics.timestep_ms
    assert written["world"]["surface"]["grip"] == 1.0


def test_a_world_given_as_a_table_is_the_world_of_its_kind():
    scenario = Scenario.model_validate(
        {"robot": {"chain": "R"}, "world": {"kind": "plane", "slope_deg": 30}}
    )
    assert type(scenario.world).__name__ == "Plane"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SMALL.replace("RR", "RXR"), ["robot.chain[1]", "'X'", "Available: "]),
        (SMALL.replace("RR", " "), ["chain is empty"]),
        (SMALL.replace("duration_s = 0.2", "duration_s = -1"), ["duration_s", "more than 0"]),
        (SMALL.replace("duration_s", "durations"), ["durations", "unknown field"]),
        (SMALL.replace("open-air", "opne-air"), ["world", "Did you mean 'open-air'?"]),
        (SMALL + "[robot.each.R]\nmass_g = -1\n", ["(R)", "mass_g", "more than 0"]),
        (SMALL + '[[control.gaits]]\ngait = "push"\n', ["control.gaits[0]", "drive"]),
        (SMALL + '[[control.gaits]]\ngait = "psuh"\n', ["control.gaits.0", "psuh"]),
        (SMALL + '[[events]]\ndo="cut"\nat_s=1\na="R1.bakc"\nb="R2.front"\n', ["events.0.a"]),
        (
            SMALL + '[[events]]\ndo="release"\nat_s=1\nactuator="R1.jaw"\n',
            ["events", 'fault = "limp_servo", servo = "R1.jaw"'],
        ),
        (SMALL + "[control]\ntick_ms = 0.1\n", ["tick_ms", "timestep_ms"]),
        (SMALL.replace("[world]", "[world"), ["not valid TOML", "line"]),
    ],
)
def test_mistake_is_told_with_file_and_field(text: str, expected: list[str], tmp_path: Path):
    path = write(tmp_path, text)
    with pytest.raises(AnnelidError) as caught:
        load(path)
    said = str(caught.value)
    assert said.startswith(str(path))
    assert [part for part in expected if part not in said] == []


def test_missing_file_and_unknown_name():
    with pytest.raises(AnnelidError, match="no such scenario file"):
        load("nowhere.toml")
    with pytest.raises(AnnelidError, match="Did you mean 'default'"):
        load("defualt")


def test_overrides_reach_any_field():
    scenario = load(
        "push",
        overrides={
            "world.bore_mm": 42,
            "control.gaits.0.level": 0.5,
            "robot.each.R.mass_g": 25,
            "world.tether": {"length_m": 2},
            "robot.chain": "TRH",
        },
    )
    assert scenario.world.bore == pytest.approx(0.042)
    assert scenario.control.gaits[0].model_dump()["level"] == 0.5
    assert scenario.robot.each["R"]["mass_g"] == 25
    assert scenario.robot.chain == "TRH"
    assert scenario.world.tether is not None


def test_another_world_leaves_the_old_one_s_fields_behind():
    scenario = load("default", overrides={"world.kind": "open-air"})
    assert scenario.world.kind == "open-air"


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ("world.boer_mm", "Did you mean 'bore_mm'"),
        ("wrold.bore_mm", "Did you mean 'world'"),
        ("robot.each.R.mass", "Did you mean 'mass_g'"),
        ("robot.each.X.mass_g", "module letter 'X'"),
        ("control.gaits.7.level", "unknown field '7'"),
        ("seed.more", "unknown field 'more'"),
    ],
)
def test_unknown_field_is_answered_with_the_nearest(field: str, hint: str):
    with pytest.raises(AnnelidError, match=hint):
        load("push", overrides={field: 1})


def test_parse_names_all_faults_at_once():
    with pytest.raises(AnnelidError) as caught:
        parse({"duration_s": 0, "seed": -1, "robot": {"chain": "R"}, "world": {"kind": "plane"}})
    assert len(str(caught.value).splitlines()) == 2
