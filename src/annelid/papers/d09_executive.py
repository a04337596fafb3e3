"""D9: centre follower, collision model, kinematics, centre of mass (003 §4.4)."""

from __future__ import annotations

from typing import Final

import mujoco
import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Outcome
from annelid.papers.climbed import climbed, heading, paths_figure, reasons
from annelid.papers.interval import Rate
from annelid.systems.climber.executive.kinematics import KNEE_DOWN, KNEE_UP, Legs
from annelid.systems.climber.model import read_robot
from annelid.trial.load import load
from annelid.trial.simulated import simulation_of

MICROMETRE, NEAR_MM = 1e-6, 2.0
POINTS: Final = 150_000
SCENARIO: Final = "d04-inclines"
WALK: Final = {
    "control.options.way": [{"x_mm": 300}],
    "control.options.sway_deg": 8,
    "success.progress_m": 0.29,
    "duration_s": 140,
}
REPEATS: Final = 4


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
    wide = {"robot.each.L.coxa_deg": (-90, 90), "world.slope_deg": 0}
    sim = simulation_of(load(SCENARIO, overrides=wide))
    model = read_robot(sim.robot)
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
    cases = {
        slope: Case(SCENARIO, {**WALK, "world.slope_deg": slope}, varied=heading)
        for slope in ((0,) if bench.quick else (0, 90, 180))
    }
    found = bench.trials(cases, climbed, repeats=1 if bench.quick else REPEATS)
    walks = [one for each in found.values() for one in each]
    astray, arrived = max(one.follower_mm for one in walks), [one.walked for one in walks]
    return Outcome(
        ours=(
            f"FK(IK) to {worst * 1e6:.1g} µm; centre within {astray:.1f} mm, {Rate.count(arrived)} "
            f"walks done; {foreseen} of {met} collisions foreseen; centre of mass to "
            f"{off * 1e6:.2g} µm"
        ),
        passed=(
            worst <= MICROMETRE
            and all(arrived)
            and astray <= NEAR_MM
            and met > 100
            and foreseen == met
            and off <= MICROMETRE
        ),
        note=(
            f"{solved} points of legs of random lengths, both knees.  Walks of 300 mm at "
            + ", ".join(f"{slope}°" for slope in cases)
            + f", each of which must arrive, the body as it was within {NEAR_MM:.0f} mm of where "
            "its own centre follower had it above the surface, from when it leaves its place (it "
            f"sways before that, by which it finds the zeros of its joints){reasons(walks)}"
        ),
        values={
            "fk_ik_um": worst * 1e6,
            "points": float(solved),
            "centre_mm": astray,
            "collisions": float(met),
            "missed": float(met - foreseen),
            "centre_of_mass_um": off * 1e6,
        },
        plots=(paths_figure("Body", {f"{slope}°": each[0] for slope, each in found.items()}),),
    )
