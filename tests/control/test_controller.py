"""Controllers that a user writes in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import annelid
from annelid.errors import AnnelidError

PLUGIN = """
from typing import Literal
from annelid.control.controller import Act, Commands, ControllerSpec, Seen
from annelid.control.interface import Interface

class Mine(ControllerSpec):
    controller: Literal["mine"] = "mine"
    angle: float = 0.5

    def start(self, robot: Interface) -> Act:
        def act(time_s: float, seen: Seen) -> Commands:
            return COMMANDS
        return act
"""
SCENARIO: dict[str, Any] = {
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "duration_s": 0.6,
    "control": {"controller": {"controller": "mine"}},
}


def run(folder: Path, commands: str, **fields: Any) -> annelid.Run:
    plugin = folder / "mine.py"
    plugin.write_text(PLUGIN.replace("COMMANDS", commands))
    return annelid.run(SCENARIO, plugins=[plugin], out=folder / "run", **fields)


def test_it_commands_by_name_and_the_gaits_do_the_rest(tmp_path: Path) -> None:
    hold = [{"gait": "hold", "modules": "R", "pose": {"yaw": 20}}]
    made = run(tmp_path, '{"R1.yaw": self.angle}', control__gaits=hold)
    last = {name: column[-1] for name, column in made["actuators"].items() if "target" in name}
    assert last["target[R1.yaw]"] == pytest.approx(0.5)
    assert last["target[R2.yaw]"] == pytest.approx(np.radians(20))


def test_its_fields_are_set_like_any_other(tmp_path: Path) -> None:
    made = run(tmp_path, '{"R1.yaw": self.angle}', control__controller__angle=-0.3)
    assert made["actuators"]["target[R1.yaw]"][-1] == pytest.approx(-0.3)


def test_nan_releases_a_servo(tmp_path: Path) -> None:
    made = run(tmp_path, '{"R1.yaw": float("nan")}')
    assert np.isnan(made["actuators"]["target[R1.yaw]"][-1])
    assert not np.isnan(made["actuators"]["target[R2.yaw]"][-1])


@pytest.mark.parametrize(
    ("commands", "says"),
    [
        ('{"R1.yaw": 9.0}', "controller 'mine': R1.yaw: expected -1.571 to 1.571 rad, got 9"),
        ('{"R1.yam": 0.1}', "unknown actuator 'R1.yam'. Did you mean 'R1.yaw'"),
        ('{"R1.yaw": "left"}', "R1.yaw: expected a number, got 'left'"),
        ("0.5", "expected commands by name, got 0.5"),
        ('{"R1.yaw": seen["T1.nose"]}', "T1.nose"),
    ],
)
def test_a_mistake_ends_the_run_with_one_line(commands: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(AnnelidError, match=says) as raised:
        run(tmp_path, commands)
    assert "\n" not in str(raised.value)
