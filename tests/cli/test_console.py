"""``annelid console`` says where it is, and who may come."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.console.page import Page
from annelid.trial.load import load
from annelid.trial.run import Trial


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    changes = {"robot.chain": "RR", "duration_s": 0.2}
    return Trial(load("snake", overrides=changes)).run(tmp_path_factory.mktemp("c") / "run").folder


def _said(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    monkeypatch.setattr(Page, "run", lambda _: None)
    result = CliRunner().invoke(app, ["console", *arguments, "--no-open", "--port", "0"])
    return result.output if result.exception is None else str(result.exception)


def test_it_serves_loopback(monkeypatch: pytest.MonkeyPatch, run: Path) -> None:
    said = _said(monkeypatch, str(run))
    assert re.search(r"http://localhost:\d+\n", said)
    assert "token" not in said


def test_another_address_has_a_token_and_says_so(
    monkeypatch: pytest.MonkeyPatch, run: Path
) -> None:
    said = _said(monkeypatch, str(run), "--host", "0.0.0.0")
    assert re.search(r"http://0.0.0.0:\d+/\?token=\S{20}", said)
    assert "Anybody with this address and its token can drive the robot." in said
    assert "8 to 200 letters" in _said(monkeypatch, str(run), "--token", "short")
