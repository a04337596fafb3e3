"""Whatever stands in the place of a policy file: one line of ours, and nothing is run."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from annelid.boundary.cost import POLICY_BYTES_MAX
from annelid.cli.main import app
from annelid.control.policy import Policy, save_policy
from annelid.errors import AnnelidError
from annelid.gym import ScenarioEnv

SCENARIO = """
duration_s = 0.1
[robot]
chain = "RR"
[world]
kind = "open-air"
[control]
policy = "p.safetensors"
"""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    env = ScenarioEnv({"robot": {"chain": "RR"}, "world": {"kind": "open-air"}})
    seen, done = len(env.observations), len(env.actions)
    policy = Policy(
        layers=((np.full((done, seen), 0.1, np.float32), np.zeros(done, np.float32)),),
        observe=(np.zeros(seen, np.float32), np.ones(seen, np.float32)),
        observations=tuple(each.name for each in env.observations),
        actions=tuple(each.name for each in env.actions),
        interface=env.interface,
        tick_ms=env.scenario.control.tick_ms,
    )
    return save_policy(policy, tmp_path_factory.mktemp("p") / "p.safetensors").read_bytes()


def parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    (long,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + long]), data[8 + long :]


def whole(header: Any, numbers: bytes) -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + numbers


def entry(name: str, **fields: Any) -> Callable[[bytes], bytes]:
    """With other fields of a tensor in the header."""

    def changed(data: bytes) -> bytes:
        header, numbers = parts(data)
        header[name] |= fields
        return whole(header, numbers)

    return changed


def said(**fields: Any) -> Callable[[bytes], bytes]:
    """With other fields of the text that says what the policy sees and commands."""

    def changed(data: bytes) -> bytes:
        header, numbers = parts(data)
        text = json.loads(header["__metadata__"]["annelid"]) | fields
        header["__metadata__"]["annelid"] = json.dumps(text)
        return whole(header, numbers)

    return changed


def number(value: float) -> Callable[[bytes], bytes]:
    """With another first weight."""

    def changed(data: bytes) -> bytes:
        header, numbers = parts(data)
        at = header["weight_0"]["data_offsets"][0]
        return whole(header, numbers[:at] + struct.pack("<f", value) + numbers[at + 4 :])

    return changed


def renamed(old: str, new: str) -> Callable[[bytes], bytes]:
    def changed(data: bytes) -> bytes:
        header, numbers = parts(data)
        return whole({new if name == old else name: e for name, e in header.items()}, numbers)

    return changed


def many(data: bytes) -> bytes:
    """A thousand tensors of the same bytes."""
    header, numbers = parts(data)
    header |= {f"more_{k}": header["weight_0"] for k in range(1000)}
    return whole(header, numbers)


BAD: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "not a safetensors file"),
    "five bytes": (lambda data: data[:5], "not a safetensors file"),
    "cut header": (lambda data: data[:40], "not a safetensors file"),
    "cut numbers": (lambda data: data[:-8], "expected a place within"),
    "huge header": (lambda data: b"\xff" * 8 + data[8:], "18446744073709551615 bytes"),
    "no text": (lambda _: struct.pack("<Q", 4) + b"\xff\xfe\xfd\xfc", "not a safetensors file"),
    "no object": (lambda _: whole([1], b""), "expected a JSON object"),
    "deep": (lambda _: struct.pack("<Q", 5000) + b"[" * 5000, "open brackets"),
    "digits": (lambda _: whole(10**2000, b""), "1000 digits"),
    "texts": (lambda _: whole({"__metadata__": [1]}, b""), "expected texts by name"),
    "entry": (lambda _: whole({"weight_0": 1}, b""), "dtype: expected F16"),
    "type": (entry("weight_0", dtype="I64"), "dtype: expected F16, F32, F64, got 'I64'"),
    "negative": (entry("weight_0", shape=[-1, -4]), "shape: expected"),
    "vast": (entry("weight_0", shape=[0, 10**17], data_offsets=[0, 0]), "shape: expected"),
    "axes": (entry("weight_0", shape=[1] * 40), "shape: expected at most 8"),
    "other size": (entry("weight_0", shape=[2, 2]), "expected 16 bytes"),
    "place": (entry("weight_0", data_offsets=[8, 4]), "expected a place within"),
    "beyond": (entry("weight_0", data_offsets=[0, 10**12]), "expected a place within"),
    "truth": (entry("weight_0", shape=[True, True]), "shape: expected"),
    "same bytes": (many, "expected tensors of"),
    "NaN": (number(float("nan")), "expected finite numbers"),
    "infinite": (number(float("inf")), "expected finite numbers"),
    "no bias": (renamed("bias_0", "bias_1"), "expected a tensor 'bias_0'"),
    "odd weight": (renamed("weight_0", "weight_x"), "expected a tensor 'weight_0'"),
    "foreign": (renamed("__metadata__", "x"), "expected F16"),
    "tick": (said(tick_ms="nan"), "tick_ms"),
    "names": (said(observations="abc"), "observations"),
    "bend": (said(activation="softmax"), "activation"),
    "more": (said(code="import os"), "code"),
    "interface": (said(interface={"every": 0}), "interface.every"),
    "pickle": (lambda _: b"\x80\x04\x95" + b"." * 40, "not a safetensors file"),
}


def run(folder: Path) -> str:
    """What the command line says; everything else than an error of ours fails."""
    (folder / "s.toml").write_text(SCENARIO)
    ran = CliRunner().invoke(app, ["run", str(folder / "s.toml"), "--out", str(folder / "run")])
    assert isinstance(ran.exception, AnnelidError), repr(ran.exception)
    assert not (folder / "run").exists()
    words = str(ran.exception)
    assert "\n" not in words
    assert "p.safetensors" in words
    return words


def test_the_one_that_is_spoilt_here_is_good(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.safetensors").write_bytes(good)
    (tmp_path / "s.toml").write_text(SCENARIO)
    given = ["run", str(tmp_path / "s.toml"), "--no-video", "--out", str(tmp_path / "run")]
    ran = CliRunner().invoke(app, given)
    assert ran.exit_code == 0, ran.output


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_one_line(name: str, good: bytes, tmp_path: Path) -> None:
    spoil, words = BAD[name]
    (tmp_path / "p.safetensors").write_bytes(spoil(good))
    assert words in run(tmp_path)


def test_a_file_of_another_kind_or_size_is_refused(good: bytes, tmp_path: Path) -> None:
    file = tmp_path / "p.safetensors"
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("p.safetensors", good)
    assert "not a safetensors file" in run(tmp_path)
    with file.open("wb") as sparse:
        sparse.truncate(POLICY_BYTES_MAX + 1)
    assert "expected at most 50000000 bytes" in run(tmp_path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.safetensors"
    assert "no such policy file" in run(tmp_path)
    file.mkdir()
    assert "is a folder" in run(tmp_path)
    file.rmdir()
    file.symlink_to(file)
    assert "expected a policy file" in run(tmp_path)
    file.unlink()
    file.symlink_to("/dev/zero")
    assert "got a device or a pipe" in run_named(tmp_path, "/dev/zero")
    file.unlink()
    os.mkfifo(file)
    assert "got a device or a pipe" in run(tmp_path)


def run_named(folder: Path, name: str) -> str:
    (folder / "s.toml").write_text(SCENARIO)
    ran = CliRunner().invoke(app, ["run", str(folder / "s.toml")])
    assert isinstance(ran.exception, AnnelidError)
    assert name in str(ran.exception)
    return str(ran.exception)


def test_weights_that_are_too_large_end_in_words(good: bytes, tmp_path: Path) -> None:
    """Finite, each of them; what they come to is not."""
    header, numbers = parts(good)
    large = np.frombuffer(numbers, np.float32).copy()
    begin, end = (at // 4 for at in header["weight_0"]["data_offsets"])
    large[begin:end] = np.resize(np.array([3e38, -3e38], np.float32), end - begin)
    begin, end = (at // 4 for at in header["observe.scale"]["data_offsets"])
    large[begin:end] = 1e-30
    (tmp_path / "p.safetensors").write_bytes(whole(header, large.tobytes()))
    (tmp_path / "s.toml").write_text("jitter_deg = 2" + SCENARIO)
    ran = CliRunner().invoke(app, ["run", str(tmp_path / "s.toml"), "--out", str(tmp_path / "run")])
    assert isinstance(ran.exception, AnnelidError), repr(ran.exception)
    assert "nan" in str(ran.exception)
