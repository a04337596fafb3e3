"""Every mistake a user can make gets one message, the right exit code and no traceback."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from annelid.errors import OutputError
from annelid.kernel.trace import TraceReader
from annelid.physics.warm import warm_up
from annelid.trial.folder import make_folder

ANNELID = Path(sys.executable).with_name("annelid")

PIPE = """
duration_s = 60
[robot]
chain = "TRRH"
[world]
kind = "pipe"
bore_mm = 40
parts = [{part = "straight", length_mm = 400}]
[[control.gaits]]
gait = "push"
"""

MESH = """
[robot]
chain = "TRRH"
[world]
kind = "mesh"
file = "room.stl"
"""

TRIANGLE = """solid room
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex {size} 0 0
vertex 0 {size} 0
endloop
endfacet
endsolid room
"""


def annelid(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ANNELID, *args], cwd=cwd, capture_output=True, text=True, check=False)


def refused(ran: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert ran.returncode == 2, ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stderr.startswith("annelid: ")
    assert [part for part in parts if part not in ran.stderr] == []


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("TRRH", "TRXH"), ["robot.chain[2]", "'X'", "Available: B, C, E, G, H", "--plugin FILE"]),
        (("TRRH", ""), ["mine.toml: robot", "chain is empty"]),
        (("40", "30"), ["mine.toml", "bore_mm", "36 to 200"]),
        (("length_mm = 400", "length_mm = -4"), ["mine.toml", "straight1", "length_mm"]),
        (
            ("{part =", '{part = "elbow", radius_mm = 10}, {part ='),
            ["mine.toml", "elbow1", "radius_mm"],
        ),
        (
            ("{part =", '{part = "elbow"}, ' * 4 + "{part ="),
            ["mine.toml", "overlap"],
        ),
        (("[[control.gaits]]", "[robot.each.H]\nmass_g = -50\n[[control.gaits]]"), ["mass_g"]),
        (("[world]", "[world"), ["mine.toml", "not valid TOML", "line 5"]),
        (("duration_s", "duraton_s"), ["mine.toml", "duraton_s", "unknown field"]),
    ],
    ids=["letter", "empty", "bore", "length", "radius", "overlap", "mass", "toml", "field"],
)
def test_scenario_that_cannot_be(change: tuple[str, str], parts: list[str], tmp_path: Path):
    (tmp_path / "mine.toml").write_text(PIPE.replace(*change, 1))
    refused(annelid("run", "mine.toml", cwd=tmp_path), *parts)
    assert not (tmp_path / "runs").exists()


def test_module_thicker_than_the_bore(tmp_path: Path):
    plugin = tmp_path / "wheel.py"
    assert annelid("new", "module", "wheel", cwd=tmp_path).returncode == 0
    text = plugin.read_text().replace("friction=self.friction,", "radius=0.02,")
    plugin.write_text(text)
    (tmp_path / "mine.toml").write_text(PIPE.replace("TRRH", "TWH"))
    ran = annelid("run", "mine.toml", "--plugin", "wheel.py", cwd=tmp_path)
    refused(ran, "mine.toml", "world.bore_mm", "40.0 mm", "W1", "40.5 mm")


@pytest.mark.parametrize(
    ("stl", "parts"),
    [
        ("solid broken\nfacet no", ["room.stl"]),
        (TRIANGLE.format(size=3), ["room.stl", "scale"]),
        (None, ["room.stl", "no such file"]),
    ],
    ids=["broken", "unit", "missing"],
)
def test_mesh_that_is_no_use(stl: str | None, parts: list[str], tmp_path: Path):
    (tmp_path / "mine.toml").write_text(MESH)
    if stl is not None:
        (tmp_path / "room.stl").write_text(stl)
    refused(annelid("run", "mine.toml", cwd=tmp_path), *parts)


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("run", "nowhere.toml"), ["nowhere.toml", "no such"]),
        (("run", "defualt"), ["Did you mean 'default'?"]),
        (("run", "--plugin", "no.py"), ["no.py", "no such Python file"]),
        (("run", "--set", "world.boer_mm=3"), ["Did you mean 'bore_mm'?"]),
        (("run", "--set", "bore"), ["field=value"]),
        (("modules", "X"), ["module 'X'"]),
        (("worlds", "pip"), ["Did you mean 'pipe'?"]),
        (("replay", "nowhere", "--check"), ["nowhere", "run folder"]),
        (("compare", "nowhere", "neither"), ["nowhere", "run folder"]),
        (("sweep", "snake", "--vary", "sead=1,2"), ["Did you mean 'seed'?"]),
        (("operate", "--connect", "tcp:\u00b2"), ["expected tcp:HOST:PORT"]),
    ],
    ids=lambda value: "-".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_argument_that_leads_nowhere(args: tuple[str, ...], parts: list[str], tmp_path: Path):
    refused(annelid(*args, cwd=tmp_path), *parts)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("soak", "--minutes", "inf"), "'--minutes': Input should be less than"),
        (("soak", "--minutes", "nan"), "'--minutes': Input should be"),
        (("operate", "--speed", "inf"), "'--speed': expected a finite number, got inf"),
        (("campaign", "--faults", "10000000000"), "'--faults': Input should be less than"),
        (("campaign", "--seconds", "inf"), "'--seconds': expected a finite number, got inf"),
        (("converge", "--repeats", "10000000000"), "'--repeats': Input should be less than"),
        (("bus", "x", "--since", "inf"), "'--since': expected a finite number, got inf"),
        (("sweep", "snake", "--vary", "seed=1", "--workers", "9999"), "'--workers': Input should"),
    ],
    ids=lambda value: "-".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_an_option_beyond_all_bounds(args: tuple[str, ...], said: str, tmp_path: Path):
    ran = annelid(*args, cwd=tmp_path)
    assert (ran.returncode, "Traceback" in ran.stderr) == (2, False)
    assert said in " ".join(ran.stderr.replace("│", " ").split())


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
sys.argv = ["annelid", *sys.argv[1:]]
from annelid.cli.main import run
run()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files")
def test_full_disk_keeps_what_was_written(tmp_path: Path):
    warm_up()  # or the limit would meet the compiler's cache first
    (tmp_path / "mine.toml").write_text(PIPE)
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, "run", "mine.toml", "--out", "run"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    refused(ran, "could not write the trace", "what was written is readable")
    rows = TraceReader(tmp_path / "run" / "trace").read("robot")
    assert len(rows["time_ns"]) > 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_and_sigterm_in_mid_run(tmp_path: Path, number: signal.Signals, code: int):
    (tmp_path / "mine.toml").write_text(PIPE)
    command: list[str | Path] = [ANNELID, "run", "mine.toml", "--out", "run"]
    table = tmp_path / "run" / "trace" / "robot.arrow"
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        begun = time.perf_counter()
        while not table.exists() or table.stat().st_size < 4000:
            assert process.poll() is None
            assert time.perf_counter() - begun < 300
            time.sleep(0.02)
        process.send_signal(number)
        _, said = process.communicate(timeout=300)
    assert process.returncode == code
    assert said.startswith("annelid: interrupted at ")
    assert said.count("\n") == 1
    assert "run" in said
    reader = TraceReader(tmp_path / "run" / "trace")
    assert reader.complete("robot")
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    assert metrics["interrupted"] is True
    assert metrics["time_s"] == pytest.approx(reader.read("robot")["time_ns"][-1] * 1e-9, abs=0.03)


def test_a_working_folder_that_was_removed_is_named(tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        "import os, sys\nfrom annelid.cli import main\nos.chdir(sys.argv.pop())\n"
        "os.rmdir(os.getcwd())\nmain.run()\n"
    )
    words = [sys.executable, "-c", script, "run", "snake", str(gone)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 2
    assert ran.stderr == ("annelid: the working folder was removed: No such file or directory\n")


def test_a_place_that_is_no_folder_is_named_for_what_it_is(tmp_path: Path):
    (tmp_path / "file").touch()
    kinds = {"/dev/null": "a device or a pipe", str(tmp_path / "file"): "a file"}
    for out, kind in kinds.items():
        with pytest.raises(OutputError, match=f"{out}: expected a new or empty folder, got {kind}"):
            make_folder(Path(out), runs=tmp_path, name="one")
