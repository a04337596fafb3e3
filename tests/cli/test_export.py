"""``annelid export`` writes what the table makes."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.systems.microtub.protocol.c_header import c_header
from annelid.systems.microtub.protocol.page import docs_page


def test_to_the_screen_and_to_a_file(tmp_path: Path):
    assert CliRunner().invoke(app, ["export", "protocol-page"]).stdout == docs_page()
    header = tmp_path / "microtub_protocol.h"
    ran = CliRunner().invoke(app, ["export", "c-header", "--out", str(header)])
    assert ran.stdout == f"{header}\n"
    assert header.read_text() == c_header()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    place = tmp_path / "missing" / "x.h"
    ran = CliRunner().invoke(app, ["export", "c-header", "--out", str(place)])
    assert isinstance(ran.exception, OSError)
    assert ran.exception.filename == str(place)
