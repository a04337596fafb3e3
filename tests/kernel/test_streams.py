"""Named random streams: what one part draws never changes what another sees."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from annelid.errors import InputError
from annelid.kernel import RandomStreams


def test_a_stream_does_not_depend_on_who_asked_first() -> None:
    one, two = RandomStreams(7), RandomStreams(7)
    one["sensor/imu/1"].normal(size=100)
    one["loss"].random()
    expected = one["sensor/imu/3"].random(5)
    assert np.array_equal(two["sensor/imu/3"].random(5), expected)


def test_a_stream_continues_where_it_was_left() -> None:
    streams = RandomStreams(7)
    halves = [streams["a"].random(3), streams["a"].random(3)]
    assert np.array_equal(np.concatenate(halves), RandomStreams(7)["a"].random(6))


def test_a_child_is_a_shorter_way_to_the_same_streams() -> None:
    streams = RandomStreams(7)
    assert streams.child("sensor").child("imu")["3"] is streams["sensor/imu/3"]


def test_a_block_is_the_same_whoever_drew_before() -> None:
    one, two = RandomStreams(7), RandomStreams(7)
    one["sensor/imu"].normal(size=100)
    one.block("sensor/imu", 3).random()
    expected = one.block("sensor/imu", 4).random(5)
    assert np.array_equal(two.child("sensor").block("imu", 4).random(5), expected)


def test_blocks_are_unrelated_to_each_other_and_to_streams() -> None:
    streams = RandomStreams(7)
    draws = [streams.block("a", number).normal(size=4000) for number in range(4)]
    draws += [streams["a"].normal(size=4000), streams.block("a/1", 1).normal(size=4000)]
    correlation = np.corrcoef(draws) - np.eye(len(draws))
    assert np.abs(correlation).max() < 0.08


def test_names_and_seeds_give_unrelated_streams() -> None:
    draws = [
        RandomStreams(seed)[name].normal(size=4000)
        for seed, name in [(1, "a/1"), (1, "a/2"), (2, "a/1"), (11, "a/1"), (1, "1/a")]
    ]
    correlation = np.corrcoef(draws) - np.eye(len(draws))
    assert np.abs(correlation).max() < 0.08


def test_the_numbers_are_the_same_in_every_process() -> None:
    code = "from annelid.kernel import RandomStreams as R; print(R(7)['a'].integers(1 << 60))"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": salt, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for salt in ("1", "2")
    }
    assert found == {f"{RandomStreams(7)['a'].integers(1 << 60)}\n".encode()}


@pytest.mark.parametrize("name", ["", "/a", "a//b", "a/"])
def test_empty_parts_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="without empty parts"):
        RandomStreams(7)[name]
    with pytest.raises(InputError, match="without empty parts"):
        RandomStreams(7).block(name, 0)


@pytest.mark.parametrize("seed", [-1, 1.5])
def test_only_whole_seeds(seed: int) -> None:
    with pytest.raises(InputError, match="seed"):
        RandomStreams(seed)
