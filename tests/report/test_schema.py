"""The JSON schema takes what Annelid takes and refuses what it refuses."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from annelid.cli.new import new
from annelid.errors import SpecError, UnknownName
from annelid.report.schema import schema
from annelid.trial.load import parse, shipped
from annelid.trial.plugins import load as load_plugins


@pytest.fixture(scope="module")
def scenario() -> Draft202012Validator:
    made = schema("scenario")
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(made)


def faults(check: Draft202012Validator, table: Any) -> list[str]:
    return [error.message for error in check.iter_errors(table)]


def test_every_shipped_scenario_fits(scenario: Draft202012Validator):
    for path in (shipped() | shipped(claims=True)).values():
        assert faults(scenario, tomllib.loads(path.read_text())) == [], path.name


def test_every_shipped_study_fits():
    check = Draft202012Validator(schema("study"))
    studies = [*Path(str(files("annelid"))).glob("studies/*.toml")]
    assert studies
    for path in studies:
        assert faults(check, tomllib.loads(path.read_text())) == [], path.name
    table = tomllib.loads(studies[0].read_text())
    assert faults(check, table | {"optimiser": {"kind": "gaa"}})


def wrong() -> Iterator[tuple[str, dict[str, Any]]]:
    """One thing wrong in each, and Annelid refuses it as well."""
    robot: dict[str, Any] = {"chain": "RR"}
    whole: dict[str, Any] = {"robot": robot, "world": {"kind": "pipe"}}
    yield "a field", whole | {"durations": 3}
    yield "a number", whole | {"duration_s": -1}
    yield "a world", whole | {"world": {"kind": "pip"}}
    yield "a part", whole | {"world": {"kind": "pipe", "parts": [{"part": "elbo"}]}}
    yield "a gait", whole | {"control": {"gaits": [{"gait": "pusch"}]}}
    yield "a gait's field", whole | {"control": {"gaits": [{"gait": "push", "axis": "yaw"}]}}
    yield "an untold gait", whole | {"control": {"gaits": [{"level": 1}]}}
    yield "a letter", whole | {"robot": robot | {"each": {"Q": {"mass_g": 3}}}}
    yield "a parameter", whole | {"robot": robot | {"each": {"R": {"mas_g": 3}}}}
    yield "a servo", whole | {"robot": robot | {"each": {"R": {"servo": "a1-17"}}}}
    yield "a datasheet", whole | {"robot": robot | {"each": {"R": {"servo": {"voltage": 5}}}}}
    yield "a system", whole | {"control": {"system": "conroe"}}
    yield "an option", whole | {"control": {"system": "conro", "options": {"profile": 2}}}
    yield "a fault", whole | {"faults": [{"fault": "dead_sensr", "sensor": "T1.touch"}]}


@pytest.mark.parametrize(("what", "table"), [*wrong()], ids=[what for what, _ in wrong()])
def test_what_annelid_refuses_the_editor_marks(
    what: str, table: dict[str, Any], scenario: Draft202012Validator
):
    assert faults(scenario, {"robot": {"chain": "RR"}, "world": {"kind": "pipe"}}) == []
    assert faults(scenario, table), what
    with pytest.raises((SpecError, UnknownName)):
        parse(table)


def test_a_servo_by_name_by_datasheet_and_a_module_with_parameters_fit(
    scenario: Draft202012Validator,
):
    datasheet = {"voltage": 6, "stall_torque": 0.2, "no_load_speed": 10, "stall_current": 1.2}
    for servo in ("a1-16", datasheet):
        each = {"R": {"servo": servo}}
        table = {"robot": {"chain": "RR", "each": each}, "world": {"kind": "pipe"}}
        assert faults(scenario, table) == []
    use = {"type": "R", "name": "first", "angle_deg": 90, "mass_g": 25}
    assert faults(scenario, {"robot": {"modules": [use]}, "world": {"kind": "pipe"}}) == []
    odd = use | {"stroke_mm": 3}
    assert faults(scenario, {"robot": {"modules": [odd]}, "world": {"kind": "pipe"}})


def test_a_plugins_module_is_known_with_the_plugin_alone(
    tmp_path: Path, scenario: Draft202012Validator
):
    plugins = load_plugins([new("module", "wheel", tmp_path)[0]])
    table = {"robot": {"chain": "RW", "each": {"W": {"mass_g": 9}}}, "world": {"kind": "pipe"}}
    assert faults(scenario, table)
    assert faults(Draft202012Validator(schema("scenario", plugins)), table) == []


def test_fields_are_told_with_meaning_and_unit():
    fields = schema("scenario")["properties"]
    assert fields["duration_s"]["description"] == "How long it is simulated. [s]"


def test_a_file_that_there_is_not_is_answered_with_those_there_are():
    with pytest.raises(UnknownName, match=r"unknown file 'secnario'. Did you mean 'scenario'\?"):
        schema("secnario")
