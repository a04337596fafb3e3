"""``annelid doctor``: what of this machine Annelid can use, and what to do about the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

import typer

State = Literal["ok", "missing", "wrong"]

SHOWN: Final = {"ok": ("ok", "green"), "missing": ("–", "yellow"), "wrong": ("no", "red")}

EXTRAS: Final = {
    "console": (("viser", "mjviser"), "the page in the browser"),
    "gym": (("gymnasium", "safetensors"), "environments and policies"),
    "train": (("stable_baselines3", "torch"), "the example that trains a policy"),
    "export": (("mcap", "rerun"), "recordings for Foxglove and Rerun"),
    "serial": (("serial",), "real serial ports"),
    "cluster": (("distributed",), "sweeps and searches on a Dask cluster"),
    "gpu": (("mujoco_warp",), "landscapes of gaits on a card"),
    "qd": (("ribs",), "maps of many good gaits"),
    "notebook": (("pandas",), "tables as data frames"),
    "docs": (("mkdocs", "mkdocstrings"), "the handbook"),
}
"""Extra to what it imports and what it is for."""


@dataclass(frozen=True)
class Finding:
    """One line of the answer."""

    what: str
    state: State
    told: str
    todo: str = ""
    """What mends it; empty: nothing needs to be done."""


def doctor() -> None:
    """Check graphics, extras, caches, ports, cluster and GPU, and say what to do.

    The exit code is 2 if something does not work that every run needs.

    Examples:

        annelid doctor
    """
    from rich.table import Table

    from annelid.cli.screen import Screen, styled

    table = Table()
    for heading in ("", "what", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    wrong = False
    for finding in findings():
        wrong = wrong or finding.state == "wrong"
        cells = (finding.what, finding.told, finding.todo)
        table.add_row(styled(*SHOWN[finding.state]), *cells)
    Screen().print(table)
    if wrong:
        raise typer.Exit(2)


def findings() -> Iterator[Finding]:
    """All that is looked at, each by itself: one that fails does not hide the others."""
    looks: tuple[Callable[[], Finding], ...] = (
        engine,
        compiled,
        folder,
        graphics,
        video,
        *(_extra(name) for name in EXTRAS),
        port,
        serial_ports,
        cluster,
        card,
    )
    for look in looks:
        yield look()


def engine() -> Finding:
    """Python, the engine and the version of Annelid, with a step made."""
    import platform

    import mujoco

    from annelid import __version__
    from annelid.errors import AnnelidError
    from annelid.trial.load import load
    from annelid.trial.simulated import simulation_of

    told = f"{__version__}, Python {platform.python_version()}, MuJoCo {mujoco.__version__}"
    try:
        simulation_of(load("push")).advance(2)
    except AnnelidError as error:
        return Finding("annelid", "wrong", f"{told}: {error}", "install it anew: make clean run")
    return Finding("annelid", "ok", f"{told}; a robot in a pipe makes its steps")


def compiled() -> Finding:
    """Where numba keeps what it compiles."""
    import os
    from pathlib import Path

    from annelid.physics import electrics

    named = os.environ.get("NUMBA_CACHE_DIR")
    place = Path(named) if named else Path(electrics.__file__).parent / "__pycache__"
    if place.is_dir() and os.access(place, os.W_OK):
        kept = len(list(place.rglob("*.nbi")))
        return Finding("cache", "ok", f"{kept} compiled parts in {place}")
    return Finding(
        "cache",
        "missing",
        f"{place} cannot be written: every run compiles for 20 s",
        "set NUMBA_CACHE_DIR to a folder of yours",
    )


def folder() -> Finding:
    """Whether runs can be written where you are."""
    import os
    import shutil
    from pathlib import Path

    place = Path("runs") if Path("runs").is_dir() else Path()
    free = shutil.disk_usage(place).free / 1e9
    if not os.access(place, os.W_OK):
        return Finding("runs", "missing", f"{place.resolve()} cannot be written", "use --out")
    todo = "" if free > 1 else "make room: a run takes 1 to 100 MB"
    return Finding("runs", "ok" if free > 1 else "missing", f"{free:.1f} GB free", todo)


def graphics() -> Finding:
    from annelid.physics.render import available

    why = available()
    if why is None:
        return Finding("graphics", "ok", "pictures and videos are drawn")
    told, _, todo = why.partition("; ")
    return Finding("graphics", "missing", told, todo)


def video() -> Finding:
    import imageio_ffmpeg

    try:
        place = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError as error:
        return Finding("video", "missing", str(error).splitlines()[0], "install ffmpeg")
    return Finding("video", "ok", place)


def _extra(name: str) -> Callable[[], Finding]:
    def look() -> Finding:
        modules, purpose = EXTRAS[name]
        lacking = [module for module in modules if not _there(module)]
        if not lacking:
            return Finding(f"extra {name}", "ok", purpose)
        told = f"{purpose}: no {', '.join(lacking)}"
        return Finding(f"extra {name}", "missing", told, f"pip install 'annelid[{name}]'")

    return look


def port() -> Finding:
    """Of the console."""
    import socket

    number = 8080
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", number)):
            return Finding("port", "ok", f"{number} is free for the console")
    return Finding("port", "missing", f"{number} is in use", "annelid console --port 8081")


def _there(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def serial_ports() -> Finding:
    if not _there("serial"):
        return Finding("serial ports", "missing", "not looked for", "pip install 'annelid[serial]'")
    from serial.tools.list_ports import comports

    names = [str(each.device) for each in comports()]
    return Finding("serial ports", "ok" if names else "missing", ", ".join(names) or "none")


def cluster() -> Finding:
    """A Dask scheduler on this machine, or the one that the environment names."""
    import os
    import socket
    from urllib.parse import urlsplit

    named = os.environ.get("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:8786")
    address = urlsplit(named)
    if not _there("distributed"):
        return Finding("cluster", "missing", "not looked for", "pip install 'annelid[cluster]'")
    try:
        with socket.create_connection((address.hostname or "", address.port or 8786), timeout=2):
            return Finding("cluster", "ok", f"{named} answers: annelid sweep … --cluster {named}")
    except (OSError, ValueError):
        told = f"no scheduler at {named}; sweeps use this machine"
        return Finding("cluster", "missing", told, "dask scheduler, dask worker ADDRESS")


def card() -> Finding:
    """An NVIDIA card, for landscapes."""
    import shutil
    import subprocess

    command = shutil.which("nvidia-smi")
    if command is None:
        return Finding("card", "missing", "no NVIDIA driver; searches use the processor")
    ask = [command, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        ran = subprocess.run(ask, capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError) as error:
        return Finding("card", "missing", f"nvidia-smi: {type(error).__name__}", "see the driver")
    return Finding("card", "ok", "; ".join(ran.stdout.split("\n")).strip("; "))
