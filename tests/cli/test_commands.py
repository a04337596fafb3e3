"""The commands do what their help says, in a fresh folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ANNELID = Path(sys.executable).with_name("annelid")
COMMANDS = (
    "run", "sweep", "replay", "compare", "bus", "infer", "scenarios", "modules", "worlds", "new",
    "export", "reproduce", "bench",
)  # fmt: skip


def annelid(*args: str, cwd: Path) -> str:
    ran = subprocess.run([ANNELID, *args], cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command: str, tmp_path: Path):
    said = annelid(command, "--help", cwd=tmp_path)
    assert "Example" in said
    assert f"annelid {command}" in said


def test_run_replay_compare(tmp_path: Path):
    said = annelid("run", "snake", "--duration", "0.2", "--no-report", cwd=tmp_path)
    assert "progress" in said
    assert "runs/snake-001" in said
    annelid("run", "snake", "--duration", "0.2", "--seed", "3", "--no-report", cwd=tmp_path)
    assert "bit for bit" in annelid("replay", "runs/snake-001", "--check", cwd=tmp_path)
    said = annelid("compare", "runs/snake-001", "runs/snake-002", cwd=tmp_path)
    assert re.search(r"seed\W+0\W+3", said)


def test_sweep_prints_rates(tmp_path: Path):
    said = annelid(
        "sweep", "snake", "--vary", "robot.chain=RRR,RR", "--set", "duration_s=0.05",
        "--workers", "1", cwd=tmp_path,
    )  # fmt: skip
    assert re.search(r"RRR\W+0/1\W+0%", said)
    assert "summary.csv" in said


def test_the_table_of_a_sweep_is_readable_in_a_narrow_terminal():
    from rich.console import Console

    from annelid.cli.sweep import _table
    from annelid.trial.summary import Setting, Summary

    fields = {"robot.chain": "TRRHRRVP", "world.parts.1.radius_mm": 45, "world.bore_mm": 40}
    setting = Setting(
        fields, 20, 20, 19, time_to_goal_s=31.4, speed_m_s=0.0123, energy_per_metre_j_m=52.6,
        falls=0, errors=(),
    )  # fmt: skip
    console = Console(width=80, record=True)
    console.print(_table("elbow", Summary(tuple(fields), (setting,))))
    said = console.export_text()
    for heading in ("chain", "radius_mm", "bore_mm", "success", "rate", "95 %", "speed", "energy"):
        assert heading in said
    for cell in ("TRRHRRVP", "19/20", "95%", "31.4", "1.23", "52.6", "world.parts.1.radius_mm"):
        assert cell in said


def test_the_shelf_and_a_plugin(tmp_path: Path):
    assert "00003300000003000" in annelid("modules", cwd=tmp_path)
    assert "mass_g" in annelid("modules", "R", cwd=tmp_path)
    assert "bore_mm" in annelid("worlds", "pipe", cwd=tmp_path)
    assert "inchworm" in annelid("scenarios", cwd=tmp_path)
    annelid("new", "module", "wheel", cwd=tmp_path)
    annelid("new", "world", "stairs", cwd=tmp_path)
    assert "wheel" in annelid("modules", "--plugin", "wheel.py", cwd=tmp_path)
    said = annelid(
        "run", "snake", "--plugin", "wheel.py", "--plugin", "stairs.py", "--no-report",
        "--set", "robot.chain=RWR", "--set", "world.kind=stairs", "--duration", "0.1",
        cwd=tmp_path,
    )  # fmt: skip
    assert "runs/snake-001" in said
