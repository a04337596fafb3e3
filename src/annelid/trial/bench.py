"""Measures our speed as ratios to the bare engine, all in one run.

Wall times on a shared machine are noisy, so what is compared is run in turns and the median of
the ratios is taken; ``verdict`` says whether it keeps to the limit.  Timestep 0.5 ms, servos as
``dcmotor``, unless a row says otherwise.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.boundary.markdown import markdown_table
from annelid.kernel.trace import Trace
from annelid.physics import electrics
from annelid.physics.native import set_callback
from annelid.physics.simulation import Simulation
from annelid.systems import SYSTEMS
from annelid.systems.front import found
from annelid.trial.bench_boards import boards_beside_physics
from annelid.trial.bench_chains import chains
from annelid.trial.bench_row import BenchRow, Tell, timed
from annelid.trial.bench_stack import stack_beside_physics
from annelid.trial.load import bound, load, parse, resolve
from annelid.trial.plugins import Plugins
from annelid.trial.pool import cores
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario

TICK_STEPS = 40
"""Physics steps in a control tick of 20 ms."""

ELBOW_CHAIN = "THRHRHRHH"
SIZES = (5, 20, 60)

MEMORY_PROBE = """
import resource, sys
from pathlib import Path
from annelid.trial.load import load
from annelid.trial.run import Trial
scenario = load("default", overrides={"duration_s": 60.0, "stop_at_goal": False})
Trial(scenario).run(Path(sys.argv[1]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def bench(
    *,
    json_path: Path | None = None,
    quick: bool = False,
    tell: Tell | None = None,
    more: Sequence[Callable[[], Sequence[BenchRow]]] = (),
    plugins: Plugins = Plugins(),  # noqa: B008
) -> list[BenchRow]:
    """All measurements; ``quick`` takes fewer repeats and leaves the 60 s run out.  ``more`` are
    those of folders that stand above this one; a system brings its own."""
    say = tell or (lambda _: None)
    repeats = 3 if quick else 9
    rows: list[BenchRow] = []
    say("a step in a pipe against open air")
    rows.append(pipe_against_open(quick=quick))
    say("long chains")
    rows += chains(quick=quick)
    for size in SIZES:
        say(f"our stepping against the bare engine's, {size} modules")
        rows += stepping(size, repeats=repeats)
    say("ten boards beside their physics")
    rows.append(boards_beside_physics(repeats=repeats))
    systems = plugins.table(SYSTEMS)
    for name in systems:
        if (own := systems[name].bench) is not None:
            rows += found(own)(quick=quick, tell=say)
    say("the full stack beside its physics")
    rows += stack_beside_physics(repeats=repeats)
    say("building 60 modules")
    rows.append(building(repeats=3))
    if not quick:
        say("memory of a 60 s run")
        rows.append(memory())
    say("real-time factors")
    rows += [real_time(name) for name in ("default", "snake", "inchworm")]
    say("the rest")
    rows += [row for measure in more for row in measure()]
    if json_path is not None:
        json_path.parent.mkdir(parents=True, exist_ok=True)
        json_path.write_text(json.dumps(report(rows), indent=2, ensure_ascii=False) + "\n")
    return rows


def report(rows: Sequence[BenchRow]) -> dict[str, Any]:
    return {
        "machine": {
            "python": platform.python_version(),
            "mujoco": mujoco.__version__,
            "processor": platform.machine(),
        },
        "rows": [{**asdict(row), "verdict": row.verdict} for row in rows],
    }


def kept_table(rows: Sequence[BenchRow], *, commit: str | None, day: str) -> str:
    """The rows as a page of Markdown, with the code and the day they were measured with."""
    lines = [
        "# How fast it is",
        "",
        f"Measured {day} at {commit or 'an unknown commit'} on {cores()} cores by "
        "`annelid bench --keep`.",
        "",
    ]
    told = ((row.name, *row.told, row.verdict, row.detail) for row in rows)
    lines += markdown_table(("what", "value", "limit", "verdict", "how"), told)
    return "\n".join(lines) + "\n"


def pipe_against_open(*, quick: bool) -> BenchRow:
    """A chain of nine on its way round an elbow, its rotation modules limp; its twin lies on a
    floor.  Both push.

    In turns of 0.4 s, from when the head is in the bend until it is well out of it: what a step
    costs depends on which wheels slide, so one place would not do.
    """
    elbow = [_straight(60), {"part": "elbow"}, _straight(400)]
    pipe, floor = (
        _driven(_scenario(ELBOW_CHAIN, world, limp=True))
        for world in ({"kind": "pipe", "parts": elbow}, {"kind": "open-air"})
    )
    floor(50)
    pipe(100)
    turns = 8 if quick else 45
    pairs = [(timed(lambda: pipe(20)), timed(lambda: floor(20))) for _ in range(turns)]
    in_pipe, on_floor = (sum(times) for times in zip(*pairs, strict=True))
    step_us = in_pipe / (turns * 20 * TICK_STEPS) * 1e6
    return BenchRow(
        "step in a pipe / in open air",
        in_pipe / on_floor,
        "×",
        1.25,
        f"{ELBOW_CHAIN} round a 90° elbow, {step_us:.0f} µs per step there; no trace, no sensors",
    )


def stepping(size: int, *, repeats: int) -> tuple[BenchRow, BenchRow]:
    """Our stepping, and a whole recorded trial, each against the engine's own loop."""
    letters = ("T" + "RRH" * size)[:size]
    world = {"kind": "pipe", "parts": [_straight(1000)]}
    duration = {5: 8.0, 20: 2.0}.get(size, 0.5)
    scenario = _scenario(letters, world, duration_s=duration)
    commands = _commands(scenario)
    bare_s, stepped_s, recorded_s = [], [], []
    for _ in range(repeats):
        bare_s.append(timed(partial(_bare, Trial(scenario).sim, commands)))
        stepped_s.append(timed(partial(_driven(scenario), len(commands))))
        with tempfile.TemporaryDirectory() as folder:
            trace = Trace.to_folder(Path(folder) / "trace")
            recorded_s.append(timed(partial(Trial(scenario).record_into, trace)))
    bare = (
        "bare: mj_step(m, d, nstep=40) of the same model with the same commands and without our "
        "electronics; straight pipe; CPU time"
    )
    return (
        BenchRow(
            f"annelid stepping / bare mj_step, {size} modules",
            median(ours / theirs for ours, theirs in zip(stepped_s, bare_s, strict=True)),
            "×",
            1.1,
            f"gaits, motors and electronics; {bare}",
        ),
        BenchRow(
            f"recorded trial / bare mj_step, {size} modules",
            median(ours / theirs for ours, theirs in zip(recorded_s, bare_s, strict=True)),
            "×",
            None,
            "as above, and kernel, metrics and trace to disk at 50 Hz (state 25 Hz); sensors off",
        ),
    )


def building(*, repeats: int) -> BenchRow:
    scenario = _scenario(("T" + "RRH" * 20)[:60], {"kind": "pipe"})
    times = [timed(lambda: Trial(scenario)) for _ in range(repeats)]
    return BenchRow(
        "build 60 modules with their world", median(times), "s", 2.0, "the default pipe"
    )


def memory() -> BenchRow:
    """Peak resident memory of a process that does nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", MEMORY_PROBE, str(Path(folder) / "run")]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    kilobytes = float(said) / (1024 if sys.platform == "darwin" else 1)
    return BenchRow(
        "memory of a 60 s run", kilobytes / 1024, "MB", 500.0, "default scenario, recorded"
    )


def real_time(name: str) -> BenchRow:
    metrics = Trial(load(name, overrides={"duration_s": 4.0})).measure()
    assert metrics.wall is not None
    factor = metrics.wall.real_time_factor
    return BenchRow(
        f"real-time factor, {name}", factor, "×", None, "no trace, no sensors; wall time"
    )


def _straight(length_mm: float) -> dict[str, Any]:
    return {"part": "straight", "length_mm": length_mm}


def _scenario(
    letters: str, world: dict[str, Any], *, limp: bool = False, **fields: Any
) -> Scenario:
    gaits: list[dict[str, Any]] = [{"gait": "push"}]
    if limp:
        gaits.append({"gait": "relax", "modules": "R"})
    elif "R" in letters:
        wave = {"amplitude_deg": 5.0, "omega_rad_s": 4.0, "phase_rad": 1.0}
        gaits.append({"gait": "wave", "modules": "R", "axis": "yaw", **wave})
    return parse(
        {
            "name": "bench",
            "robot": {"chain": letters},
            "world": world,
            "control": {"gaits": gaits},
            "record": {"sensors": False},
            **fields,
        },
        where="bench",
    )


def _driven(scenario: Scenario) -> Callable[[int], None]:
    """A function that advances a simulation by control ticks."""
    robot, world = resolve(scenario)
    sim = Simulation(robot, world, scenario.physics)
    gaits = bound(scenario, robot)

    def go(ticks: int) -> None:
        for _ in range(ticks):
            sim.actuators.write(gaits.values(sim.now_ns * 1e-9))
            sim.advance(TICK_STEPS)

    return go


Commands = list[tuple[NDArray[np.float64], NDArray[np.float64]]]


def _commands(scenario: Scenario) -> Commands:
    """The engine's control vector at every tick of a trial, and the drives' brakes."""
    robot, world = resolve(scenario)
    sim = Simulation(robot, world, scenario.physics)
    gaits = bound(scenario, robot)
    rows: Commands = []
    for tick in range(round(scenario.duration_s * 1000 / scenario.control.tick_ms)):
        sim.actuators.write(gaits.values(tick * scenario.control.tick_ms / 1000))
        rows.append((sim.data.ctrl.copy(), sim.model.tendon_frictionloss.copy()))
    return rows


def _bare(sim: Simulation, commands: Commands) -> None:
    """The engine alone: our per-step electronics are taken out meanwhile."""
    model, data = sim.model, sim.data
    set_callback("passive", None)
    try:
        for row, brakes in commands:
            data.ctrl[:] = row
            model.tendon_frictionloss[:] = brakes
            mujoco.mj_step(model, data, TICK_STEPS)
    finally:
        electrics.install()
