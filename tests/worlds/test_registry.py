"""Worlds are found by kind; a wrong kind is answered with the list."""

from __future__ import annotations

from typing import Literal

import pytest

from annelid.errors import MissingFile, SpecError, UnknownName
from annelid.worlds import parse_world, worlds
from annelid.worlds.mesh import Mesh
from annelid.worlds.plane import Plane


class Ice(Plane):
    kind: Literal["ice"] = "ice"  # type: ignore[assignment]


class Copy(Plane):
    pass


def test_the_six_of_the_house():
    assert set(worlds()) == {"pipe", "pipe-network", "open-air", "terrain", "mesh", "plane"}
    assert all(world.title for world in worlds().values())


def test_a_scenario_table_becomes_its_world():
    data = {"kind": "pipe", "bore_mm": 50, "parts": [{"part": "straight", "length_mm": 400}]}
    world = parse_world(data, worlds())
    assert world.goal == pytest.approx(0.4)
    assert world.bore == 0.05


@pytest.mark.parametrize("kind", ["pipe", "open-air", "terrain", "plane"])
def test_a_kind_alone_is_enough_and_survives_being_written(kind):
    world = parse_world({"kind": kind}, worlds())
    assert parse_world(world.model_dump(mode="json", exclude_none=True), worlds()) == world


def test_an_unknown_kind_lists_the_kinds():
    with pytest.raises(UnknownName, match=r"a\.toml: world: kind: .*'pip'.*Did you mean 'pipe'"):
        parse_world({"kind": "pip"}, worlds(), where="a.toml: world")


@pytest.mark.parametrize("data", [{}, {"kind": 3}])
def test_a_missing_kind_lists_the_kinds(data):
    with pytest.raises(SpecError, match="world: kind: expected one of mesh, open-air, pipe"):
        parse_world(data, worlds())


def test_a_wrong_field_is_named():
    with pytest.raises(SpecError, match="world: slope: unknown field"):
        parse_world({"kind": "plane", "slope": 3}, worlds())


def test_files_are_looked_for_beside_the_scenario(tmp_path):
    (tmp_path / "a.stl").write_text("")
    world = parse_world({"kind": "mesh", "file": "a.stl"}, worlds(), folder=tmp_path)
    assert isinstance(world, Mesh)
    assert world.file == (tmp_path / "a.stl").resolve()
    with pytest.raises(MissingFile, match=r"b\.stl: no such file"):
        parse_world({"kind": "mesh", "file": "b.stl"}, worlds(), folder=tmp_path)


def test_one_more_world_is_laid_on_top():
    assert worlds(Ice)["ice"] is Ice
    with pytest.raises(SpecError, match="world 'plane' is there already"):
        worlds(Copy)
    with pytest.raises(SpecError, match="not a world"):
        worlds(int)  # type: ignore[arg-type]


def test_installed_packages_bring_worlds(installed):
    installed("annelid.worlds", Ice)
    assert "ice" in worlds()
