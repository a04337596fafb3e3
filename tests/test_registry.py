"""The registry: every kind is described, listed and shown from one source."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from annelid.cli.catalogue import HELP
from annelid.cli.main import app
from annelid.errors import MissingDependency
from annelid.registry import KINDS, KindTable, kind
from annelid.report.entry import TAGS, titles
from annelid.spec import Spec
from annelid.spec_fields import described, members, unit_of
from annelid.trial.metrics import Metrics
from annelid.trial.scenario import Scenario

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


@pytest.mark.parametrize("name", [*kind("world").table()])
def test_the_friction_that_a_world_begins_with_is_shown(name: str):
    """It was said to be as the table below has it, 0; on planes it is 0.6."""
    default = (
        kind("world").table()[name].model_fields["surface"].get_default(call_default_factory=True)
    )
    (row,) = [field for field in described(kind("world").table()[name]) if field.name == "surface"]
    assert row.default == ("as below" + f", friction {default.friction:g}" * bool(default.friction))


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
    assert 'parts: part = "elbow"' in shown
    assert "PydanticUndefined" not in shown


def test_a_default_that_is_missing_is_called_required():
    assert "required" in told("gaits", "wave")


@pytest.mark.parametrize("name", ["gait", "fault", "module", "world"])
def test_every_field_of_what_users_write_can_be_described(name: str):
    for member in kind(name).table().values():
        assert issubclass(member, Spec)
        assert {row.name for row in described(member)} == set(member.model_fields)


def test_every_field_that_a_user_can_write_or_read_has_a_meaning():
    from annelid.offline.study import StudySpec

    seen: dict[type[Spec], None] = {}
    waiting: list[type[Spec]] = [Scenario, StudySpec, Metrics]
    for name in KINDS:
        for member in kind(name).table().values():
            spec = getattr(member, "options", member)
            if isinstance(spec, type) and issubclass(spec, Spec):
                waiting.append(spec)
    while waiting:
        spec = waiting.pop()
        if spec not in seen:
            seen[spec] = None
            waiting += [each for found in members(spec).values() for each in found]
    silent = [
        f"{spec.__name__}.{field.name}"
        for spec in seen
        for field in described(spec)
        if not field.meaning and field.name not in TAGS
    ]
    assert len(seen) > 80
    assert silent == []


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("speed_m_s", "m/s"),
        ("energy_per_metre_j_m", "J/m"),
        ("drag_n_per_m", "N/m"),
        ("ohm_per_m", "Ω/m"),
        ("damping_n_s_m", "N·s/m"),
        ("free_speed_cm_s", "cm/s"),
        ("time_to_goal_s", "s"),
        ("humidity_percent", "%"),
        ("a", ""),
        ("modules", ""),
    ],
)
def test_the_unit_is_what_the_name_says(name: str, unit: str):
    assert unit_of(name) == unit


def test_metrics_are_listed_with_unit_and_meaning():
    shown = told("metrics")
    (row,) = [line for line in shown.splitlines() if " speed_m_s" in line]
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells[:3] == ["speed_m_s", "m/s", ""]
    assert cells[3].startswith("Progress over time")
    for name in Metrics.model_fields:
        assert name in shown


def test_a_member_that_cannot_be_imported_is_listed_with_what_to_install():
    def missing() -> object:
        raise MissingDependency("optimiser 'qd' needs ribs: pip install 'annelid[qd]'")

    table = KindTable(kind("optimiser"))
    table.add("random", lambda: kind("optimiser").table()["random"])
    table.add("qd", missing)
    assert dict(titles(table)) == {
        "random": "genomes drawn at random: a baseline",
        "qd": "optimiser 'qd' needs ribs: pip install 'annelid[qd]'",
    }
