"""The drawing of a pipe network: every tube, end and break is on it, and nothing is off it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.worlds import parse_world, worlds
from annelid.worlds.picture import svg
from annelid.worlds.pipe_world import Pipe


def drawn(number: int, **more: object) -> tuple[Pipe, str]:
    world = parse_world({"kind": "pipe-network", "number": number, **more}, worlds())
    assert isinstance(world, Pipe)
    return world, svg(world.tubes(), title="<pipes & more>")


@pytest.mark.parametrize("number", [31, 32])
def test_everything_is_on_the_paper(number: int) -> None:
    world, text = drawn(
        number, loops=[1, 1], crosses=[1, 1], reducers=[1, 1], holes=[2, 2], elbows=[0, 0]
    )
    tubes = world.tubes()
    root = ElementTree.fromstring(text)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    points = re.findall(r"points='([^']*)'", text)
    places = [tuple(map(float, p.split(","))) for line in points for p in line.split()]
    assert len(points) >= 2 * len(tubes.tubes)  # wall and bore of each
    assert all(0 <= x <= width and 0 <= y <= height for x, y in places)
    for number_, tube in enumerate(tubes.tubes):
        if number_ in tubes.ends():
            assert f"{tube.part}: {'capped' if tube.closed_end else 'open'}" in text
    assert text.count("hole of") == 2 * 2  # in both views


def test_level_pipes_need_one_view_and_others_two() -> None:
    assert "from the side" not in drawn(4, plane="level")[1]
    assert "from the side" in drawn(4, plane="level", slopes_deg=[10, 10])[1]


def test_a_scenario_and_a_description_can_be_drawn(tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    told = CliRunner().invoke(app, ["export", "explore-straight", "svg", "--out", str(out)])
    assert told.exit_code == 0
    assert out.read_text().startswith("<svg")
    wrong = CliRunner().invoke(app, ["export", "caterpillar", "svg", "--out", str(out)])
    assert "expected a world of pipes" in str(wrong.exception)
    file, other = tmp_path / "mine.toml", tmp_path / "b.svg"
    file.write_text('kind = "pipe-network"\nseries = "copper-42x1.5"\n')
    CliRunner().invoke(app, ["design", str(file), "--draw", str(other)])
    assert "bore 39.0 mm" in other.read_text()
