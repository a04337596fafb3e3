"""D9: centre follower, collision model, kinematics, centre of mass (003 §4.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import mujoco
import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.climb_run import Climb, climb, hexapod, on_plane, place
from annelid.systems.climber.executive.kinematics import KNEE_DOWN, KNEE_UP, Legs
from annelid.systems.climber.model import read_robot

MICROMETRE, NEAR_MM = 1e-6, 2.0
POINTS: Final = 150_000
WALK: Final = Climb((place(x_mm=300),))


def kinematics(rng: np.random.Generator, points: int) -> tuple[float, int]:
    """(largest |FK(IK(p)) - p| m, points that were solved), both knees, random lengths."""
    worst, solved = 0.0, 0
    for _ in range(20):
        count = 10
        legs = Legs(
            mounts=rng.uniform(-0.2, 0.2, (count, 3)),
            yaws=rng.uniform(-np.pi, np.pi, count),
            coxae=rng.uniform((-0.02, 0.0, -0.04), (0.02, 0.08, 0.04), (count, 3)),
            links=rng.uniform(0.04, 0.2, (count, 2)),
            low=np.full((count, 3), -np.pi),
            high=np.full((count, 3), np.pi),
        )
        feet = legs.mounts + rng.uniform(-0.35, 0.35, (points // 200, count, 3))
        for knee in (KNEE_UP, KNEE_DOWN):
            q = legs.inverse(feet, knee)
            good = np.isfinite(q).all(axis=-1)
            solved += int(good.sum())
            error = np.linalg.norm(legs.forward(q) - feet, axis=-1)[good]
            worst = max(worst, float(error.max(initial=0.0)))
    return worst, solved


def collisions(rng: np.random.Generator, tries: int) -> tuple[int, int, float]:
    """(pairs of legs that meet in the engine, of these foreseen, largest error of the centre of
    mass m) over random joints."""
    robot = hexapod(leg={"coxa_deg": (-90, 90)})
    model = read_robot(robot)
    sim = on_plane(robot)
    sim.data.qpos[2] = 5.0  # high above the plane
    met = foreseen = 0
    off = 0.0
    for _ in range(tries):
        q = rng.uniform(model.legs.low, model.legs.high)
        for name, row in zip(model.names, q, strict=True):
            for joint, angle in zip(model.joints, row, strict=True):
                sim.data.joint(f"{name}/{joint}").qpos[0] = angle
        mujoco.mj_fwdPosition(sim.model, sim.data)
        trunk = sim.data.body(f"{model.hub}/trunk")
        true = trunk.xmat.reshape(3, 3).T @ (sim.centre() - trunk.xpos)
        off = max(off, float(np.linalg.norm(model.masses.centre(q) - true)))
        expected = model.collision.meetings(q)
        for contact in sim.data.contact:
            bodies = [sim.model.body(int(sim.model.geom_bodyid[g])).name for g in contact.geom]
            pair = [name.partition("/")[0] for name in bodies]
            if contact.dist < 0 and all(leg in model.names for leg in pair):
                met += 1
                foreseen += bool(expected[model.names.index(pair[0]), model.names.index(pair[1])])
    return met, foreseen, off


def experiment(bench: Bench) -> Outcome:
    rng = np.random.default_rng(bench.seed)
    worst, solved = kinematics(rng, POINTS // 10 if bench.quick else POINTS)
    met, foreseen, off = collisions(rng, 500 if bench.quick else 4000)
    slopes = (0.0,) if bench.quick else (0.0, 90.0, 180.0)
    todo = [replace(WALK, slope_deg=slope, seed=bench.seed) for slope in slopes]
    walks = bench.map(climb, todo, what="D9")
    astray = max(run.odometry_mm for run in walks)
    walked = all(run.arrived and not run.fallen for run in walks)
    return Outcome(
        ours=(
            f"FK(IK) to {worst * 1e6:.1g} µm; centre within {astray:.1f} mm over 300 mm; "
            f"{foreseen} of {met} collisions foreseen; centre of mass to {off * 1e6:.2g} µm"
        ),
        passed=(
            worst <= MICROMETRE
            and walked
            and astray <= NEAR_MM
            and met > 100
            and foreseen == met
            and off <= MICROMETRE
        ),
        note=(
            f"{solved} points of legs with random lengths, both knees; walks at "
            + ", ".join(f"{slope:.0f}°" for slope in slopes)
            + ", the body as the engine has it against the follower's"
        ),
        values={
            "fk_ik_um": worst * 1e6,
            "points": float(solved),
            "centre_mm": astray,
            "collisions": float(met),
            "missed": float(met - foreseen),
            "centre_of_mass_um": off * 1e6,
        },
    )
