"""``annelid export`` writes robots, worlds and runs for other tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import annelid
from annelid.cli.main import app
from annelid.errors import AnnelidError
from annelid.systems.microtub.protocol.c_header import c_header
from annelid.systems.microtub.protocol.page import docs_page


def test_a_systems_text_to_the_screen_and_to_a_file(tmp_path: Path):
    assert CliRunner().invoke(app, ["export", "default", "protocol-page"]).stdout == docs_page()
    header = tmp_path / "new" / "microtub_protocol.h"
    ran = CliRunner().invoke(app, ["export", "default", "c-header", "--out", str(header)])
    assert ran.stdout == f"{header}\n"
    assert header.read_text() == c_header()


def test_the_place_is_named_after_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["export", "snake", "mjcf"]).stdout == "snake.xml\n"
    assert CliRunner().invoke(app, ["export", "snake", "stl"]).stdout == "snake-stl\n"
    assert [path.name for path in Path("snake-stl").iterdir()] == ["R1.stl"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["snake", "c-header"], "snake: unknown form 'c-header'"),
        (["snake", "step"], "unknown form 'step'. .*mjcf"),
        (["snake", "csv"], "csv: expected a run folder, got the scenario snake; run it first"),
        (["rolling-track", "urdf"], "expected one tree of modules, no loops"),
        (["snake", "mjcf", "--out", "snake.urdf"], "expected a name that ends in .xml"),
        (["snake", "mjcf", "--out", "/proc/no/snake.xml"], "could not write it"),
        (["nowhere", "mjcf"], "unknown scenario 'nowhere'"),
        ([".", "mjcf"], "expected a scenario or a run folder"),
    ],
)
def test_what_has_no_such_form_is_told_in_one_line(args: list[str], says: str):
    ran = CliRunner().invoke(app, ["export", *args])
    assert isinstance(ran.exception, AnnelidError)
    assert "\n" not in str(ran.exception)
    with pytest.raises(AnnelidError, match=says):
        raise ran.exception


def test_a_run_folder_has_the_forms_of_its_scenario_too(tmp_path: Path):
    scenario = {"robot": {"chain": "RR"}, "world": {"kind": "open-air"}, "duration_s": 0.1}
    run = annelid.run(scenario, out=tmp_path / "run")
    model = tmp_path / "rr.xml"
    CliRunner().invoke(app, ["export", str(run.folder), "mjcf", "--out", str(model)])
    assert model.is_file()
