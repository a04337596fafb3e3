"""The registry: every kind is described, listed and shown from one source."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from annelid.cli.catalogue import HELP
from annelid.cli.main import app
from annelid.registry import KINDS, kind
from annelid.spec import Spec
from annelid.spec_fields import described

TERMINAL = CliRunner(env={"COLUMNS": "200", "TERM": "dumb"})


def told(*args: str) -> str:
    ran = TERMINAL.invoke(app, args)
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_every_kind_has_a_command():
    assert set(HELP) == set(KINDS)
    assert [kind(name).plural for name in KINDS] == [f"{name}s" for name in KINDS]


@pytest.mark.parametrize("name", [*KINDS])
def test_a_kind_is_listed_with_all_its_members_and_each_is_shown(name: str):
    listed = told(f"{name}s")
    for member in kind(name).table():
        assert member in listed
        assert member in told(f"{name}s", member)


def test_behaviours_are_listed_by_system_and_layer():
    listed = told("behaviours")
    assert "microtub/embedded/avoid overheating" in listed
    assert "climber/planner/" in listed


def test_a_field_is_shown_with_unit_default_bounds_and_meaning():
    shown = told("gaits", "snake")
    (row,) = [line for line in shown.splitlines() if "amplitude_deg" in line]
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "amplitude_deg",
        "–",
        "°",
        "0 … 90",
        "Amplitude of the larger of the two waves; the other keeps its ratio.",
    ]


def test_parts_of_a_pipe_are_shown():
    shown = told("worlds", "pipe")
    assert "parts: part = 'elbow'" in shown
    assert "PydanticUndefined" not in shown


def test_a_default_that_is_missing_is_called_required():
    assert "required" in told("gaits", "wave")


@pytest.mark.parametrize("name", ["gait", "fault", "module", "world"])
def test_every_field_of_what_users_write_can_be_described(name: str):
    for member in kind(name).table().values():
        assert issubclass(member, Spec)
        assert {row.name for row in described(member)} == set(member.model_fields)
