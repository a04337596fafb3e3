"""``annelid doctor`` says what is there and what to do."""

from __future__ import annotations

import socket
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli import doctor
from annelid.cli.main import app


def test_it_looks_at_everything_on_one_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    ran = CliRunner().invoke(app, ["doctor"])
    assert ran.exit_code == 0, ran.output
    for word in ("MuJoCo", "graphics", "cache", "port", "card", *doctor.EXTRAS):
        assert word in ran.output
    assert len(ran.output.splitlines()) <= 50


def test_it_knows_every_extra() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) - {"dev"} == set(doctor.EXTRAS)


def test_what_is_missing_has_something_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.EXTRAS, "gym", (("gymnasium", "no_such_module"), "environments"))
    found = {each.what: each for each in doctor.findings()}["extra gym"]
    assert (found.state, found.todo) == ("missing", "pip install 'annelid[gym]'")
    assert "no_such_module" in found.told
    assert "gymnasium" not in found.told


def test_no_pictures_without_graphics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    found = doctor.graphics()
    assert found.state == "missing"
    assert "unset it" in found.todo


def test_a_port_in_use_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect_ex", lambda *_: 0)
    assert doctor.port().state == "missing"
    monkeypatch.setattr(socket.socket, "connect_ex", lambda *_: 111)
    assert doctor.port().state == "ok"


def test_what_every_run_needs_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = doctor.Finding("annelid", "wrong", "no engine", "install it anew")
    monkeypatch.setattr(doctor, "findings", lambda: iter([broken]))
    ran = CliRunner().invoke(app, ["doctor"])
    assert ran.exit_code == 2
    assert "install it anew" in ran.output


def test_it_says_whether_a_cluster_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as scheduler:
        address = f"tcp://127.0.0.1:{scheduler.getsockname()[1]}"
        monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
        found = doctor.cluster()
        assert (found.state, address in found.told) == ("ok", True)
    gone = doctor.cluster()
    assert gone.state == "missing"
    assert "dask scheduler" in gone.todo
