"""Simulates many gaits of one robot at once on a GPU (mujoco_warp).

Imports nothing of Annelid and runs alone on a machine with an NVIDIA card::

    python warp_batch.py job.npz result.npz

The job (``landscape/job.py``) holds the model and, a row per gait, amplitude, angular velocity,
phase and offset of every actuator's wave, and where the robot starts.  The result holds the robot's
centre every half second, and the modules' places at the end.
"""

# mypy: disable-error-code="misc, untyped-decorator, valid-type"
# Warp reads the annotations of its kernels; to mypy they are no types.

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import reduce
from importlib.metadata import version
from operator import or_
from pathlib import Path
from time import perf_counter
from typing import Any

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

ENGINES = ("mujoco", "mujoco_warp", "warp-lang")
CHECK_S = 0.5
"""Between two looks at the robots' centres."""
ITERATIONS, LINE_SEARCH = 8, 20
CONTACTS, ROWS = 64, 192
"""Room per world: six rotation modules lying flat have 32 contacts of three rows each."""


@wp.kernel
def _command(
    step: wp.array(dtype=int),
    tick_steps: int,
    tick_s: float,
    ramp_s: float,
    amplitude: wp.array2d(dtype=float),
    omega: wp.array2d(dtype=float),
    phase: wp.array2d(dtype=float),
    offset: wp.array2d(dtype=float),
    ctrl: wp.array2d(dtype=float),
) -> None:
    """Waves, held from one control tick to the next and faded in as gaits are."""
    world, motor = wp.tid()
    t = float(step[0] // tick_steps) * tick_s
    x = 1.0
    if ramp_s > 0.0:
        x = wp.min(t / ramp_s, 1.0)
    weight = x * x * (3.0 - 2.0 * x)
    angle = omega[world, motor] * t + phase[world, motor]
    ctrl[world, motor] = weight * (amplitude[world, motor] * wp.sin(angle) + offset[world, motor])


@wp.kernel
def _count(step: wp.array(dtype=int)) -> None:
    step[0] = step[0] + 1


def load_model(job: Any) -> mujoco.MjModel:
    """The model of a job, without the flags that mujoco_warp does not know and does not need.

    Solved by conjugate gradients: in single precision, Newton's factorisation of these light, stiff
    modules fails in a third of the worlds.  Eight iterations, warm-started, are within 2.5 mm
    (median) of a hundred, and all worlds wait for the slowest.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mjb"
        path.write_bytes(job["model"].tobytes())
        model = mujoco.MjModel.from_binary_path(str(path))
    known = reduce(or_, (int(bit) for bit in mjw.DisableBit))
    flags = int(model.opt.disableflags) & known
    model.opt.disableflags = flags | int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    model.opt.solver = mujoco.mjtSolver.mjSOL_CG
    model.opt.iterations, model.opt.ls_iterations = ITERATIONS, LINE_SEARCH
    return model


def run(
    job: Any,
    *,
    worlds: int | None = None,
    seconds: float | None = None,
    say: Callable[[str], None] = print,
) -> dict[str, np.ndarray]:
    """Simulate the first ``worlds`` gaits of a job for ``seconds``; both None: as it says."""
    model = load_model(job)
    count = worlds or len(job["amplitude"])
    tick_steps = int(job["tick_steps"])
    timestep = float(model.opt.timestep)
    steps = round((seconds or float(job["seconds"])) / timestep)
    begun = perf_counter()
    device_model = mjw.put_model(model)
    device_model.opt.warn_overflow = 0  # that the iterations are used up is meant
    start = mujoco.MjData(model)
    mujoco.mj_forward(model, start)
    data = mjw.put_data(model, start, nworld=count, nconmax=CONTACTS, njmax=ROWS)
    data.qpos.assign(job["qpos"][:count].astype(np.float32))
    waves = [
        wp.array(job[name][:count].astype(np.float32), dtype=float)
        for name in ("amplitude", "omega", "phase", "offset")
    ]
    counter = wp.zeros(1, dtype=int)

    def one() -> None:
        wp.launch(
            _command,
            dim=(count, model.nu),
            inputs=[counter, tick_steps, tick_steps * timestep, float(job["ramp_s"]), *waves],
            outputs=[data.ctrl],
        )
        mjw.step(device_model, data)
        wp.launch(_count, dim=1, inputs=[counter])

    mjw.forward(device_model, data)
    centres = [_centres(model, data)]
    many = _many(one, tick_steps)
    wp.synchronize()
    compiling = perf_counter() - begun
    counter.zero_()
    data.qpos.assign(job["qpos"][:count].astype(np.float32))
    data.qvel.zero_()
    data.qacc_warmstart.zero_()
    say(f"{count} worlds, {steps} steps of {timestep * 1000:g} ms; compiled in {compiling:.1f} s")
    begun = perf_counter()
    looks = max(1, round(CHECK_S / (timestep * tick_steps)))
    for tick in range(1, steps // tick_steps + 1):
        many()
        if tick % looks == 0:
            centres.append(_centres(model, data))
    wp.synchronize()
    spent = perf_counter() - begun
    done = count * (steps // tick_steps) * tick_steps
    say(f"{spent:.2f} s, {done / spent:,.0f} steps/s")
    firsts = job["firsts"]
    lost = int((~np.isfinite(data.qpos.numpy())).any(axis=1).sum())
    say(f"{lost} worlds whose numbers ran away")
    return {
        "centre": np.array(centres),
        "place": data.xpos.numpy()[:, firsts],
        "turn": data.xquat.numpy()[:, firsts],
        "qpos": data.qpos.numpy(),
        "check_s": np.array(CHECK_S),
        "compile_s": np.array(compiling),
        "run_s": np.array(spent),
        "steps": np.array(done),
        "device": np.array(wp.get_device().name),
        "engine": np.array(", ".join(f"{name} {version(name)}" for name in ENGINES)),
    }


def _many(one: Callable[[], None], steps: int) -> Callable[[], None]:
    """A control tick, as a CUDA graph where there is one to capture."""

    def tick() -> None:
        for _ in range(steps):
            one()

    one()  # compiles
    if not wp.get_device().is_cuda:
        return tick
    with wp.ScopedCapture() as capture:
        tick()
    return lambda: wp.capture_launch(capture.graph)


def _centres(model: mujoco.MjModel, data: Any) -> np.ndarray:
    masses = model.body_mass / model.body_mass.sum()
    centres: np.ndarray = np.einsum("b,wbk->wk", masses, data.xipos.numpy().astype(np.float64))
    return centres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--worlds", type=int, help="only the first so many gaits")
    parser.add_argument("--seconds", type=float, help="shorter than the job says")
    given = parser.parse_args()
    job = np.load(given.job)
    found: dict[str, Any] = run(job, worlds=given.worlds, seconds=given.seconds)
    np.savez_compressed(given.result, **found)


if __name__ == "__main__":
    main()
