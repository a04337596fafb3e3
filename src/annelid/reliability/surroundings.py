"""Environments in which a command must end well, or say in one line why it cannot.

A small run is made in each: bad variables of the environment, closed streams, locales without
umlauts, no home, no room, few files, little memory.  ``"ok"`` is exit code 0; ``"told"`` is another
one with one message of ours; a traceback, an "internal error", a signal or silence are failures.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SMALL: Final = """name = "small"
duration_s = 0.2
[robot]
chain = "RR"
[world]
kind = "open-air"
"""
PATIENCE_S: Final = 120.0
REPORT: Final = ("run", "small.toml", "--no-video")
MEGABYTE: Final = 1 << 20


@dataclass(frozen=True)
class Surrounding:
    """How one run is started."""

    env: Mapping[str, str | None] = field(default_factory=dict)
    """None: not set."""
    before: Callable[[], None] | None = None
    """In the child, before the command."""
    words: tuple[str, ...] = ("run", "small.toml", "--no-video", "--no-report")
    cwd: str = "."
    prints: str = ""
    """What has to be among the words on its output."""
    untrue: str = ""
    """What must not be said."""


def _limit(what: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (most, most))


def _close(*numbers: int) -> Callable[[], None]:
    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


SURROUNDINGS: Final[Mapping[str, Surrounding]] = {
    "as usual": Surrounding(),
    "MUJOCO_GL=nonsense": Surrounding({"MUJOCO_GL": "nonsense"}, words=REPORT),
    "MUJOCO_GL=glfw, no screen": Surrounding({"MUJOCO_GL": "glfw", "DISPLAY": None}, words=REPORT),
    "MUJOCO_GL empty": Surrounding({"MUJOCO_GL": ""}, words=REPORT),
    "DISPLAY that leads nowhere": Surrounding({"DISPLAY": ":97", "MUJOCO_GL": None}),
    "ASCII locale": Surrounding({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "unknown locale": Surrounding({"LC_ALL": "xx_YY.UTF-99"}),
    "PYTHONIOENCODING=ascii": Surrounding({"PYTHONIOENCODING": "ascii"}),
    "no HOME": Surrounding({"HOME": None}),
    "HOME that is a file": Surrounding({"HOME": "/dev/null"}),
    "TMPDIR that is not there": Surrounding({"TMPDIR": "/nowhere"}),
    "PATH empty": Surrounding({"PATH": ""}),
    "TERM=dumb": Surrounding({"TERM": "dumb"}),
    "COLUMNS=1": Surrounding({"COLUMNS": "1"}),
    "COLUMNS=0": Surrounding({"COLUMNS": "0"}, prints="small"),
    "COLUMNS=nonsense": Surrounding({"COLUMNS": "nonsense"}),
    "PYTHONOPTIMIZE=2": Surrounding({"PYTHONOPTIMIZE": "2"}),
    "PYTHONWARNINGS=error": Surrounding({"PYTHONWARNINGS": "error"}, words=("scenarios",)),
    "MPLBACKEND=nonsense": Surrounding({"MPLBACKEND": "nonsense"}, words=REPORT),
    "NUMBA_NUM_THREADS=nonsense": Surrounding({"NUMBA_NUM_THREADS": "nonsense"}),
    "NUMBA_NUM_THREADS=0": Surrounding({"NUMBA_NUM_THREADS": "0"}),
    "NUMBA_OPT=abc": Surrounding({"NUMBA_OPT": "abc"}),
    "NUMBA_DISABLE_JIT=abc": Surrounding({"NUMBA_DISABLE_JIT": "abc"}),
    "SOURCE_DATE_EPOCH=abc": Surrounding({"SOURCE_DATE_EPOCH": "abc"}, words=REPORT),
    "SOURCE_DATE_EPOCH beyond all dates": Surrounding(
        {"SOURCE_DATE_EPOCH": "99999999999999999"}, words=REPORT
    ),
    "MUJOCO_EGL_DEVICE_ID=abc": Surrounding({"MUJOCO_EGL_DEVICE_ID": "abc"}, words=REPORT),
    "MUJOCO_EGL_DEVICE_ID=99": Surrounding(
        {"MUJOCO_EGL_DEVICE_ID": "99", "MUJOCO_GL": None}, words=REPORT, untrue="apt-get"
    ),
    "PYOPENGL_PLATFORM=abc": Surrounding(
        {"PYOPENGL_PLATFORM": "abc", "MUJOCO_GL": None}, words=REPORT, untrue="apt-get"
    ),
    "TERMINAL_WIDTH=abc": Surrounding({"TERMINAL_WIDTH": "abc"}, words=("run", "--help")),
    "ANNELID_DEBUG=0": Surrounding({"ANNELID_DEBUG": "0"}),
    "stdout closed": Surrounding(before=_close(1)),
    "stdin closed": Surrounding(before=_close(0)),
    "stderr closed": Surrounding(before=_close(2)),
    "all streams closed": Surrounding(before=_close(0, 1, 2)),
    "files of at most 20 kB": Surrounding(before=_limit(resource.RLIMIT_FSIZE, 20_000)),
    "16 open files": Surrounding(before=_limit(resource.RLIMIT_NOFILE, 16)),
    "little memory": Surrounding(before=_limit(resource.RLIMIT_AS, 600 * MEGABYTE)),
    "very little memory": Surrounding(before=_limit(resource.RLIMIT_AS, 150 * MEGABYTE)),
    "folder removed under it": Surrounding(cwd="gone"),
    "folder with odd letters": Surrounding(cwd="möwe ü\u00a0\u4e2d"),
    "folder that cannot be written": Surrounding(cwd="/proc"),
}


def tried(name: str, folder: Path) -> tuple[str, str]:
    """(ok, told or failed; what was said)."""
    chosen = SURROUNDINGS[name]
    place = folder / "there"
    place.mkdir(parents=True, exist_ok=True)
    (place / "small.toml").write_text(SMALL, encoding="utf-8")
    env = {key: value for key, value in os.environ.items() if chosen.env.get(key, "") is not None}
    env |= {key: value for key, value in chosen.env.items() if value is not None}
    cwd = place if chosen.cwd == "." else place / chosen.cwd
    if chosen.cwd not in (".", "/proc"):
        cwd.mkdir(exist_ok=True)
    words = [word.replace("small.toml", str(place / "small.toml")) for word in chosen.words]
    before = chosen.before
    if chosen.cwd == "gone":
        before = cwd.rmdir
    try:
        done = subprocess.run(
            [sys.executable, "-m", "annelid", *words],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            preexec_fn=before,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "failed", f"more than {PATIENCE_S:g} s"
    said = done.stderr.decode(errors="replace").strip()
    printed = done.stdout.decode(errors="replace")
    if done.returncode == 0 and chosen.prints not in printed:
        return "failed", f"{chosen.prints!r} was not printed"
    if chosen.untrue and chosen.untrue in said + printed:
        return "failed", f"said {chosen.untrue!r}, which is not true here"
    if done.returncode == 0:
        return ("failed", said[-200:]) if "Traceback" in said else ("ok", "")
    bad = "Traceback" in said or "internal error" in said or done.returncode < 0
    silent = not said and "closed" not in name
    last = said.splitlines()[-1] if said else f"exit code {done.returncode}"
    return "failed" if bad or silent else "told", last[:200]
