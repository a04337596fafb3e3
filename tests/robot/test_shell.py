"""Shells of one's own: seen, felt by the ground, and as wide as a bore must be."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import trimesh

from annelid.errors import AnnelidError
from annelid.export.shapes import write_stl
from annelid.physics.simulation import Simulation
from annelid.robot.body import ServoMount
from annelid.trial.load import load, parse, save
from annelid.trial.simulated import simulation_of


def stl(folder: Path, *, side: float = 60.0, name: str = "my.stl") -> Path:
    """A block that hangs far below the module, mm."""
    box = trimesh.creation.box(extents=[20.0, 20.0, side])
    box.apply_translation([-15.0, 0.0, 0.0])
    box.export(folder / name)
    return folder / name


def settled(folder: Path, each: dict[str, Any]) -> Simulation:
    table = {"robot": {"chain": "P", "each": {"P": each}}, "world": {"kind": "open-air"}}
    sim = simulation_of(parse(table, folder=folder))
    sim.advance(1000)
    return sim


def test_the_ground_meets_it_and_the_mass_stays(tmp_path: Path) -> None:
    stl(tmp_path)
    own, plain = settled(tmp_path, {"shell": "my.stl"}), settled(tmp_path, {})
    assert own.mass == plain.mass
    assert own.centre()[2] == pytest.approx(0.030, abs=0.002)  # stands on its 60 mm
    assert plain.centre()[2] < 0.015


def test_it_is_exported_and_kept_in_the_run_folder(tmp_path: Path) -> None:
    stl(tmp_path)
    file = tmp_path / "s.toml"
    file.write_text(
        '[robot]\nchain = "RP"\n[robot.each.P]\nshell = "my.stl"\n[world]\nkind = "open-air"\n'
    )
    scenario = load(file)
    assert scenario.robot.each["P"]["shell"] == str(tmp_path / "my.stl")
    save(scenario, tmp_path / "copy.toml")
    out = write_stl(simulation_of(scenario), tmp_path / "out")
    assert trimesh.load(out / "P1.stl").extents[2] == pytest.approx(60)


def test_a_file_larger_than_any_shell_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.stl").open("wb") as file:
        file.truncate(6_000_000_000)  # takes no room on the disk
    table = {"robot": {"chain": "P", "each": {"P": {"shell": "huge.stl"}}}}
    with pytest.raises(AnnelidError, match="at most 50,000,000 bytes, got 6,000,000,000"):
        parse({**table, "world": {"kind": "open-air"}}, folder=tmp_path)


def test_each_part_can_have_its_own(tmp_path: Path) -> None:
    stl(tmp_path)
    table = {
        "robot": {"chain": "R", "each": {"R": {"shell": {"front": "my.stl"}}}},
        "world": {"kind": "open-air"},
    }
    sim = simulation_of(parse(table, folder=tmp_path))
    names = [sim.model.geom(k).type[0] for k in range(sim.model.ngeom)]
    assert names.count(7) == 1  # one mesh in the model


@pytest.mark.parametrize(
    ("each", "says"),
    [
        ({"shell": "nowhere.stl"}, "nowhere.stl: no such file"),
        ({"shell": "my.step"}, "expected an .stl or .obj file"),
        ({"shell": "huge.stl"}, "files are read in millimetres"),
        ({"shell": "broken.stl"}, "shell: .*broken.stl: "),
        ({"shell": {"fornt": "my.stl"}}, "unknown part 'fornt'. Did you mean 'front'"),
    ],
)
def test_what_cannot_be_a_shell_is_told_in_one_line(
    each: dict[str, Any], says: str, tmp_path: Path
) -> None:
    stl(tmp_path)
    stl(tmp_path, side=5000.0, name="huge.stl")
    (tmp_path / "broken.stl").write_bytes(b"solid nothing\nendsolid\n")
    with pytest.raises(AnnelidError, match=says) as raised:
        settled(tmp_path, each)
    assert "\n" not in str(raised.value)


def test_a_bore_must_be_wide_enough(tmp_path: Path) -> None:
    stl(tmp_path)
    table = {
        "robot": {"chain": "P", "each": {"P": {"shell": "my.stl"}}},
        "world": {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 100}]},
    }
    with pytest.raises(AnnelidError, match=r"P1 .* is 63.2 mm thick"):
        simulation_of(parse(table, folder=tmp_path))


def test_a_servo_is_given_by_its_data_sheet() -> None:
    """The table of docs/exporting.md."""
    page = (Path(__file__).parents[2] / "docs" / "exporting.md").read_text()
    block = page.partition("[robot.each.R.servo]")[2].partition("```")[0]
    servo = tomllib.loads(block)
    table = {
        "robot": {"chain": "R", "each": {"R": {"servo": servo}}},
        "world": {"kind": "open-air"},
    }
    (motor, *_) = simulation_of(parse(table)).plan.motors
    assert isinstance(motor.mount, ServoMount)
    assert motor.mount.servo.stall_torque == pytest.approx(0.2)
    assert motor.mount.servo.no_load_speed == pytest.approx(8.0)
