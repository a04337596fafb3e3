"""Commands that a scenario puts on the bus by hand."""

from __future__ import annotations

from math import radians
from typing import Any

import pytest

from annelid.errors import InputError
from annelid.papers.said import frames
from annelid.systems.microtub.protocol import LLC1
from annelid.trial.load import load
from annelid.trial.replay import Run
from annelid.trial.run import Trial


def trial(*orders: dict[str, Any]) -> Trial:
    options = {"orders": list(orders), "addresses": [9, 4], "environment": "open-air"}
    control = {"system": "microtub", "options": options}
    world = {"kind": "open-air", "gravity": 0}
    table = {"robot": {"chain": "RR"}, "world": world, "control": control}
    return Trial(load({"duration_s": 2.5, "physics": {"timestep_ms": 1.0}, **table}))


def test_the_module_that_is_named_moves_and_answers_and_the_other_does_not(tmp_path):
    move = {"at_s": 1.0, "say": "MS1 40", "to": "R2"}
    run = Run(trial(move, {"at_s": 2.0, "say": "gs1", "to": "R2"}).run(tmp_path / "run").folder)
    actuators = run["actuators"]
    assert actuators["position[R2.yaw]"][-1] == pytest.approx(radians(40), abs=radians(3))
    assert abs(actuators["position[R1.yaw]"][-1]) < radians(1)
    answers = [said for _, said in frames(run) if said.command is LLC1.SS1]
    assert [(said.sender, abs(int(said.values[0]) - 40) <= 3) for said in answers] == [(4, True)]


def test_what_is_said_to_nobody_in_particular_is_said_to_all(tmp_path):
    run = Run(trial({"at_s": 1.0, "say": "MS2 30"}).run(tmp_path / "run").folder)
    for name in ("R1", "R2"):
        assert run["actuators"][f"position[{name}.pitch]"][-1] > radians(25)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ({"say": "EXP"}, "EXP"),
        ({"say": ""}, "expected a command"),
        ({"say": "MS1 400"}, "400"),
        ({"say": "STP", "to": "R7"}, "R7"),
    ],
)
def test_an_order_that_makes_no_sense_is_refused_before_anything_runs(order, words):
    with pytest.raises(InputError, match=words):
        trial({"at_s": 1.0, **order})
