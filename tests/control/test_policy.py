"""Policies run in scenarios as they did in their environment."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import annelid
from annelid.control.policy import Policy, load_policy, save_policy
from annelid.errors import AnnelidError, InputError, SpecError
from annelid.gym import ScenarioEnv
from annelid.trial.replay import replay

SCENARIO: dict[str, Any] = {
    "robot": {"chain": "RR"},
    "world": {"kind": "open-air"},
    "duration_s": 0.4,
    "jitter_deg": 1.0,
    "physics": {"timestep_ms": 2.0, "servo": "quasi-static"},
    "control": {"gaits": [{"gait": "snake", "move": "forward"}]},
    "faults": [{"fault": "limp_servo", "servo": "R1.pitch", "at_s": 0.2}],
}


def trained(env: ScenarioEnv, **changed: Any) -> Policy:
    """A network of one hidden layer, drawn at random."""
    draw = np.random.default_rng(1)
    seen, done = len(env.observations), len(env.actions)

    def layer(wide: int, out: int) -> tuple[np.ndarray, np.ndarray]:
        return draw.normal(0, 0.5, (out, wide)).astype(np.float32), np.zeros(out, np.float32)

    given: dict[str, Any] = {
        "layers": (layer(seen, 8), layer(8, done)),
        "observe": (np.zeros(seen, np.float32), np.full(seen, 5.0, np.float32)),
        "observations": tuple(signal.name for signal in env.observations),
        "actions": tuple(signal.name for signal in env.actions),
        "interface": env.interface,
        "tick_ms": env.scenario.control.tick_ms,
    }
    return Policy(**(given | changed))


@pytest.mark.parametrize("given", [{}, {"adds": True}, {"scales": True, "every": 4}])
def test_it_does_in_a_run_what_it_did_in_its_environment(
    given: dict[str, Any], tmp_path: Path
) -> None:
    env = ScenarioEnv(SCENARIO, clock_s=1.0, **given)
    policy = trained(env)
    seen, _ = env.reset(seed=11)
    over = False
    while not over:
        seen, _, terminated, truncated, info = env.step(policy(seen))
        over = terminated or truncated
    file = save_policy(policy, tmp_path / "p.safetensors")
    run = annelid.run(SCENARIO, seed=11, control__policy=str(file), out=tmp_path / "run")
    assert run.metrics.progress_m == info["progress_m"]
    assert run["state_0"]["R1/pitch"][-1] == env.sim.data.joint("R1/pitch").qpos[0]
    alone = annelid.run(SCENARIO, seed=11, out=tmp_path / "alone")
    assert alone.metrics.progress_m != run.metrics.progress_m
    assert replay(run).same


def test_a_file_keeps_everything(tmp_path: Path) -> None:
    policy = trained(ScenarioEnv(SCENARIO, adds=True, modules="R1", reach=0.3))
    again = load_policy(save_policy(policy, tmp_path / "p.safetensors"))
    assert again.interface == policy.interface
    seen = np.linspace(-1, 1, len(policy.observations)).astype(np.float32)
    assert np.array_equal(again(seen), policy(seen))


def test_a_policy_of_another_robot_or_tick_is_refused(tmp_path: Path) -> None:
    file = save_policy(trained(ScenarioEnv(SCENARIO)), tmp_path / "p.safetensors")
    for fields, says in (
        ({"robot__chain": "RRR"}, "it sees 14 numbers, this robot has 21: number 5 is"),
        ({"control__tick_ms": 10.0}, "trained at control.tick_ms = 20, got 10"),
    ):
        with pytest.raises(InputError, match=says) as raised:
            annelid.run(SCENARIO, control__policy=str(file), out=tmp_path / "run", **fields)
        assert "\n" not in str(raised.value)
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (pickle.dumps({"weight_0": [1.0]}), "not a safetensors file"),
        (b"", "not a safetensors file"),
        (b"\xff" * 64, "not a safetensors file"),
    ],
)
def test_what_is_no_policy_file_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "p.safetensors"
    file.write_bytes(content)
    with pytest.raises(SpecError, match=says) as raised:
        load_policy(file)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("[" * 5000, "its header: line 1: expected at most 100 open brackets"),
        ('{"tick_ms": 1e999}', "expected a finite number"),
        ("[1]", "its header: expected a JSON object, got list"),
    ],
)
def test_a_header_that_would_hurt_a_parser_is_refused(
    header: str, says: str, tmp_path: Path
) -> None:
    from safetensors.numpy import save_file

    file = tmp_path / "p.safetensors"
    save_file({"weight_0": np.zeros((2, 2), np.float32)}, file, metadata={"annelid": header})
    with pytest.raises(SpecError, match=says) as raised:
        load_policy(file)
    assert "\n" not in str(raised.value)


def test_a_foreign_safetensors_file_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    file = tmp_path / "p.safetensors"
    save_file({"weight_0": np.zeros((2, 2), np.float32)}, file)
    with pytest.raises(SpecError, match="not a policy of Annelid"):
        load_policy(file)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"layers": ()}, "at least one layer"),
        ({"actions": ("R1.yaw",)}, "expected 1 outputs"),
        ({"observations": ("R1.yaw", "R1.pitch")}, r"layer 0: expected weights \(n, 2\)"),
        ({"observe": (np.zeros(14, np.float32), np.zeros(14, np.float32))}, "scales above 0"),
        ({"observe": (np.full(14, np.nan), np.ones(14))}, "got NaN or infinity"),
    ],
)
def test_a_network_of_the_wrong_shape_is_refused(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        trained(ScenarioEnv(SCENARIO), **changed)


@pytest.mark.parametrize(
    ("control", "says"),
    [
        ({"policy": "p.pt"}, r"expected a .safetensors file, got 'p.pt'"),
        ({"policy": "nowhere.safetensors"}, "no such policy file"),
        ({"policy": "p.safetensors", "system": "conro"}, "policy beside system = 'conro'"),
    ],
)
def test_a_scenario_says_what_is_wrong(control: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(AnnelidError, match=says):
        annelid.run({**SCENARIO, "faults": [], "control": control}, out=tmp_path / "run")
