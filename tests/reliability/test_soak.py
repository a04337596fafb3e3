"""What goes on for long takes no more of anything; and what does is seen."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from annelid.reliability.soak import FEWEST, Footprint, Soaked, soak


def _soaked(*memory_mb: float, files: int = 0, threads: int = 0) -> Soaked:
    looks = [Footprint(each, 10 + files * k, 3 + threads * k) for k, each in enumerate(memory_mb)]
    return Soaked("one", looks)


def test_what_is_used_up_at_the_beginning_is_no_growth():
    assert _soaked(100, 180, 190, 200, 200, 201, 199, 202, 200, 200).why_not == ""


def test_a_little_more_each_time_is():
    """The control."""
    assert "memory" in _soaked(*(200 + 3 * k for k in range(40))).why_not
    assert "files" in _soaked(*[200.0] * 40, files=1).why_not
    assert "threads" in _soaked(*[200.0] * 40, threads=1).why_not
    full = _soaked(*[200.0] * 40)
    full.bytes_ = [1000 + 100 * k for k in range(40)]
    assert "folder" in full.why_not
    full.bytes_ = [0, *[20_000] * 39]
    assert full.why_not == "", "written once"
    full.bytes_ = []
    assert full.why_not == ""
    full.times, full.differed = 40, 1
    assert full.why_not == "1 of 40 runs differ from the first"


def test_too_few_looks_tell_nothing():
    assert "too few" in _soaked(*[200.0] * (FEWEST - 1)).why_not


def test_what_this_process_takes(tmp_path: Path):
    before = Footprint.by([os.getpid()])
    assert before.memory_mb > 10
    waits = Thread(target=sleep, args=(0.5,))
    with (tmp_path / "one").open("w"):
        waits.start()
        after = Footprint.by([os.getpid()])
        waits.join()
    assert (after.files, after.threads) == (before.files + 1, before.threads + 1)
    assert Footprint.by([2**22 + 1]) == Footprint(0.0, 0, 0), "there is no such process"


@pytest.mark.slow
def test_a_console_and_runs_for_a_minute(tmp_path: Path):
    page, runs = list(soak(tmp_path, 1.0))[-1]
    for part in (page, runs):  # in so short a time memory still warms up
        assert part.why_not == "" or part.why_not.startswith("memory"), part.why_not
        assert ";" not in part.why_not
    assert page.times >= 3
    assert runs.times >= FEWEST
