"""Native code is compiled once, and a first run says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from annelid.physics import warm
from annelid.physics.compiling import WORDS, Compiling

SCRIPT = """
import annelid
annelid.run("push", duration_s=0.05)
"""


def compiled(module: str, name: str) -> SimpleNamespace:
    return SimpleNamespace(data={"module": module, "qualname": name})


def test_one_line_for_all_kernels_and_none_for_small_ones(capsys: pytest.CaptureFixture[str]):
    listener = Compiling()
    listener.on_start(compiled("annelid.physics.tether", "effective"))
    listener.on_start(compiled("scipy.stats", "f.<locals>.g"))
    assert (capsys.readouterr().err, listener.happened) == ("", False)
    for name in ("_make.<locals>.electrics", "_make.<locals>.pipe_contact"):
        listener.on_start(compiled("annelid.physics.electrics", name))
    assert (capsys.readouterr().err, listener.happened) == (f"{WORDS}\n", True)


@pytest.mark.slow
def test_the_first_run_says_so_and_the_second_is_silent(tmp_path: Path):
    """With an empty cache; half a minute of compiling."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for said in (f"{WORDS}\n", ""):
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, said)


@pytest.mark.parametrize("happened", [True, False])
def test_before_workers_start_all_is_compiled_if_anything_had_to_be(
    monkeypatch: pytest.MonkeyPatch, happened: bool
):
    warmed: list[bool] = []
    monkeypatch.setattr(warm, "watched", lambda: SimpleNamespace(happened=happened))
    monkeypatch.setattr(warm, "warm_up", lambda: warmed.append(True))
    warm.for_workers()
    assert bool(warmed) is happened
