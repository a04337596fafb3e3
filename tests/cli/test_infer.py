"""``annelid infer`` says what a chain can do, and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from annelid.cli.main import app
from annelid.errors import AnnelidError, SpecError, UnknownName


def infer(*args: str | Path) -> str:
    ran = CliRunner().invoke(app, ["infer", *map(str, args)])
    if isinstance(ran.exception, AnnelidError):
        raise ran.exception
    assert ran.exit_code == 0, ran.exception
    return ran.stdout


def test_abilities_with_proofs():
    said = infer("TRRHRRVP", "--mode", "pipe")
    assert "T1 R1 R2 H1 R3 R4 V1 P1   inside a pipe, fed by a cable" in said
    assert "turn 3: by 'push round a bend', at most 3 inside a pipe" in said
    assert "Push_pipe 3: H1 reports it" in said
    assert "'sidewinding': does not hold inside a pipe" in said


def test_the_place_and_what_is_broken_change_the_answer():
    assert "MRO" in infer("RRSESRR", "--mode", "open")
    assert "MRO" not in infer("RRSESRR", "--mode", "open", "--without", "R2.pitch")
    assert "MWO" in infer("RRSESRR", "--mode", "pipe", "--without", "R2.pitch")
    assert "MWO" not in infer("RRSESRR", "--mode", "pipe", "--without", "E1")
    assert "MHE" not in infer("HP", "--no-tether")
    assert "MHE" in infer("HB", "--no-tether")


def test_a_task():
    said = infer("TRRHRRVP", "--task", "explore")
    assert "Cannot be spared: T1 H1" in said
    assert "T1 R2 H1" in said
    said = infer("TRRH", "--task", "repair")
    assert "repair (bring a tool to a break (DO 1)): 0 no" in said
    assert "Grab: no module reports it" in said
    assert "GH, HG" in said


def test_a_split():
    said = infer("TRRHBTRRH", "--split", "--task", "explore")
    first = next(line for line in said.splitlines() if line.startswith("│ T1 R1"))
    assert "T1 R1 R2 H1 B1 " in first
    assert "│ T2 R3 R4 H2" in first
    assert "3 good" in first


def test_rules_from_a_file(tmp_path: Path):
    file = tmp_path / "rules.toml"
    file.write_text('remove = ["push"]\n')
    assert "no forward" in infer("H", "--rules", file)


@pytest.mark.parametrize(
    ("args", "error", "said"),
    [
        (("Q",), UnknownName, "unknown module letter 'Q'"),
        (("RR", "--without", "R3"), UnknownName, "unknown module 'R3'"),
        (("RR", "--without", "R1.grip"), UnknownName, "Available: R1.pitch, R1.yaw"),
        (("RR", "--task", "fly"), UnknownName, "unknown task 'fly'"),
        (("R", "--split"), AnnelidError, "at least two modules"),
        (("",), SpecError, "chain is empty"),
    ],
)
def test_mistakes(args: tuple[str, ...], error: type[AnnelidError], said: str):
    with pytest.raises(error) as caught:
        infer(*args)
    assert said in str(caught.value)
