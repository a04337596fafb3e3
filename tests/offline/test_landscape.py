from __future__ import annotations

import dataclasses
import subprocess
import sys
import types
from pathlib import Path

import mujoco
import numpy as np
import pytest
from tests.offline.small import GAIT, run, study

from annelid.errors import InputError, MissingFile
from annelid.offline import landscape
from annelid.offline.evaluate import Evaluator
from annelid.offline.executors import ByPool
from annelid.offline.gpu import OnGpu
from annelid.offline.landscape.cores import checked, compare, compute, sample
from annelid.offline.landscape.file import load, save, shipped
from annelid.offline.landscape.job import continuous, grid, landscape_job
from annelid.offline.landscape.picture import landscape_page
from annelid.offline.landscape.result import Agreement, from_batch
from annelid.offline.search import search
from annelid.offline.store import Store
from annelid.offline.study import Study, StudySpec, load_study

GENES = [
    {"field": GAIT + "amplitude_deg", "low": 10, "high": 60},
    {"field": GAIT + "phase_rad", "low": 0.5, "high": 2.5},
]


@pytest.fixture(scope="module")
def made() -> Study:
    """Real genes, so that the grid's points are genomes."""
    at = {GAIT + "amplitude_deg": 35.0, GAIT + "phase_rad": 1.5}
    return study(space={"genes": GENES}, marks={"the middle": at})


def as_a_gpu_would(job, model_path: Path) -> dict[str, np.ndarray]:
    """The job computed by the engine's own loop from nothing but its arrays."""
    model_path.write_bytes(job["model"].tobytes())
    model = mujoco.MjModel.from_binary_path(str(model_path))
    masses = model.body_mass / model.body_mass.sum()
    steps, h = int(job["tick_steps"]), model.opt.timestep
    first, last, turns, places, firsts = [], [], [], [], []
    for row in range(len(job["table"])):
        data = mujoco.MjData(model)
        data.qpos[:] = job["qpos"][row]
        mujoco.mj_forward(model, data)
        first.append(masses @ data.xipos)
        for tick in range(round(float(job["seconds"]) / (steps * h))):
            t = tick * steps * h
            x = min(t / float(job["ramp_s"]), 1.0)
            angle = job["omega"][row] * t + job["phase"][row]
            wave = job["amplitude"][row] * np.sin(angle) + job["offset"][row]
            data.ctrl[:] = x * x * (3 - 2 * x) * wave
            mujoco.mj_step(model, data, steps)
        last.append(masses @ data.xipos)
        turns.append(data.xquat[job["firsts"]])
        firsts.append(data.xpos[job["firsts"]])
        places.append(data.qpos.copy())
    return {
        "centre": np.array([first, last]),
        "turn": np.array(turns),
        "place": np.array(firsts),
        "qpos": np.array(places),
        "run_s": np.array(1.0),
        "compile_s": np.array(0.0),
        "device": np.array("a loop"),
        "engine": np.array("mujoco"),
    }


def test_a_job_says_all_that_its_gaits_depend_on(made: Study, tmp_path: Path):
    """Its arrays alone lead to nearly the same distances as our own runs of the same gaits; softer
    contacts, which single precision needs, are the rest."""
    job = landscape_job(made, 3)
    found = from_batch(made, job, as_a_gpu_would(job, tmp_path / "m.mjb"))
    rows = sample(found, 5)
    another = study(space={"genes": GENES}, seed=1)
    agreement = compare(found, made, another, (ByPool(made), ByPool(another)), rows)
    assert agreement.theirs == pytest.approx(agreement.ours, rel=0.1)
    assert agreement.difference < agreement.chance
    assert agreement.correlation > 0.9
    page = landscape_page(made, found, tmp_path / "page.html", agreement=agreement)
    text = page.read_text()
    assert "the middle" in text
    assert "of 9" in text


def test_the_cores_compute_the_study(made: Study):
    found = compute(made, 3, ByPool(made))
    best = Evaluator(made)(made.space.encode(found.at(found.best)))
    assert found.scores[found.best] == best.score
    assert found.rank(found.best) == 1
    assert found.nearest(made.space.decode(made.marks["the middle"])) == 4


def test_robots_that_fell_over_or_blew_up_do_not_win(made: Study, tmp_path: Path):
    job = landscape_job(made, 2)
    result = as_a_gpu_would(job, tmp_path / "m.mjb")
    result["turn"][0] = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)
    result["qpos"][1] = np.nan
    scores = from_batch(made, job, result).scores
    assert scores[:2].tolist() == [0.0, 0.0]
    assert (scores[2:] > 0).all()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"space": {"chain": {"pattern": "R?", "alphabets": {"?": "RP"}}}}, "genes alone"),
        ({"repeats": {"vary": ["world.surface.friction~0.5..0.7"]}}, "gaits alone"),
    ],
)
def test_a_study_that_is_no_landscape_is_refused(changes, says):
    with pytest.raises(InputError, match=says):
        landscape_job(study(**changes), 2)


def test_what_runs_on_the_gpu_needs_nothing_of_ours():
    file = Path(landscape.__file__).with_name("warp_batch.py")
    script = (
        f"import ast, sys; tree = ast.parse(open({str(file)!r}).read());"
        "print(*sorted({n.module.split('.')[0] if isinstance(n, ast.ImportFrom) else a.name "
        "for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom) "
        "for a in n.names} - sys.stdlib_module_names))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["mujoco", "mujoco_warp", "numpy", "warp"]


def test_a_study_is_searched_by_what_computes_jobs(tmp_path: Path, monkeypatch):
    """With the engine's loop in place of a card: the same finds as on the cores."""
    stand_in = types.ModuleType("warp_batch")

    def run_job(job, *, say) -> dict[str, np.ndarray]:
        return as_a_gpu_would({**job, "table": job["qpos"]}, tmp_path / "m.mjb")

    stand_in.run = run_job  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "annelid.offline.landscape.warp_batch", stand_in)
    monkeypatch.setattr(landscape, "warp_batch", stand_in, raising=False)
    made = study(space={"genes": GENES}, budget={"generations": 2}, repeats={"runs": 2})
    with Store.open(tmp_path / "g.sqlite", make=True) as store:
        there = search(made, store, OnGpu(made))
    here = run(made, tmp_path / "h.sqlite")
    both = set(there.evaluations) & set(here.evaluations)
    assert len(both) >= 6
    for one, other in ((there.evaluations[key], here.evaluations[key]) for key in both):
        assert one.runs == pytest.approx(other.runs, rel=0.1)
        progress = [metrics["progress_m"] for metrics in other.metrics]
        got = [metrics["progress_m"] for metrics in one.metrics]
        assert got == pytest.approx(progress, rel=0.1, abs=1e-4)


@pytest.mark.parametrize(("lost", "floor"), [(None, 0.0), (-1.0, -1.0)])
def test_lost_runs_on_a_gpu_count_as_on_the_cores(
    tmp_path: Path, monkeypatch, lost: float | None, floor: float
):
    """One robot lies on its side, one fell through the ground, one blew up: the rest is judged."""
    stand_in = types.ModuleType("warp_batch")

    def run_job(job, *, say) -> dict[str, np.ndarray]:
        result = as_a_gpu_would({**job, "table": job["qpos"]}, tmp_path / "m.mjb")
        result["turn"][0] = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)
        result["place"][1, 0, 2] = -1.0
        result["qpos"][2] = np.nan
        return result

    stand_in.run = run_job  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "annelid.offline.landscape.warp_batch", stand_in)
    monkeypatch.setattr(landscape, "warp_batch", stand_in, raising=False)
    fitness = {"terms": [{"metric": "distance_m"}], "topple_deg": 60, "lost": lost}
    made = study(space={"genes": GENES}, fitness=fitness, repeats={"runs": 2})
    stream = np.random.default_rng(0)
    first, second = OnGpu(made)([made.space.draw(stream) for _ in range(2)])
    assert first.runs == (floor, floor)
    assert second.runs[0] == floor
    assert second.runs[1] == second.metrics[1]["distance_m"] > 0
    assert first.why == "run 0: toppled; run 1: fell: it is below the ground"
    assert second.why == "run 0: its numbers ran away"


def test_what_a_gpu_does_not_compute_is_refused():
    with pytest.raises(InputError, match="energy_j is not computed there"):
        OnGpu(study(fitness={"terms": [{"metric": "energy_j"}]}))


def test_points_of_a_landscape_are_not_rounded_to_a_genes_bits():
    bits = study()
    assert grid(bits, 5).table[1] == pytest.approx([0, 0.8])
    assert grid(continuous(bits), 5).table[1] == pytest.approx([0, 0.75])
    assert landscape_job(continuous(bits), 2)["points"] == 2


def test_a_landscape_survives_its_file(made: Study, tmp_path: Path):
    found = compute(made, 2, ByPool(made))
    another = study(space={"genes": GENES}, seed=1)
    held = compare(found, made, another, (ByPool(made), ByPool(another)), (0, 1, 3))
    read, agreement = load(save(tmp_path / "l.npz", found, held), made)
    assert read.scores == pytest.approx(found.scores, rel=1e-6)
    assert np.array_equal(read.table, found.table)
    assert (read.device, read.engine, read.date) == (found.device, found.engine, found.date)
    assert agreement is not None
    assert agreement.rows == (0, 1, 3)
    assert agreement.bias == 0
    assert agreement.within
    with pytest.raises(InputError, match=r"a landscape over .*; study 'small' searches"):
        load(tmp_path / "l.npz", study(space={"genes": GENES[:1]}))
    (tmp_path / "x.npz").write_bytes(b"no landscape")
    with pytest.raises(InputError, match="not a job or result"):
        load(tmp_path / "x.npz", made)


def test_computations_that_differ_by_more_than_chance_are_not_within_tolerance():
    stream = np.random.default_rng(0)
    ours = stream.random(200)
    again = ours + stream.normal(0, 0.05, 200)
    rows = tuple(range(200))
    assert Agreement(rows, ours + stream.normal(0, 0.05, 200), ours, again).within
    assert not Agreement(rows, 0.8 * ours, ours, again).within, "biased"
    assert not Agreement(rows, stream.permutation(ours), ours, again).within, "unrelated"


def test_the_shipped_landscape_is_whole_and_knows_where_it_comes_from():
    open_air = continuous(load_study("open-air"))
    found, agreement = load(shipped(open_air), open_air)
    assert len(found.scores) == 32**3
    assert np.isfinite(found.scores).all()
    assert "H200" in found.device
    assert "mujoco_warp" in found.engine
    assert agreement is not None
    assert agreement.correlation > 0.85
    evaluator = Evaluator(open_air)
    best = [int(row) for row in np.argsort(-found.scores)[:8]]
    here = [evaluator.run(open_air.space.encode(found.at(row))).metrics.distance_m for row in best]
    off = np.abs(np.array(here) / found.scores[best] - 1)
    assert np.median(off) < 0.15, "as far on the cores; single runs are chaotic"
    with pytest.raises(MissingFile, match=r"no landscape comes with study 'small'.*open-air"):
        shipped(study())


def test_falls_of_a_gpu_are_computed_again_here(made: Study):
    here = compute(made, 3, ByPool(made))
    scores = here.scores.copy()
    scores[[1, 4]] = 0.0
    scores[2] += 0.01
    found = checked(dataclasses.replace(here, scores=scores, engine="a card"), made, ByPool(made))
    assert np.array_equal(np.flatnonzero(found.scores != here.scores), [2])
    assert "a card; 2 falls again" in found.engine


def test_a_card_is_told_that_drawn_robots_have_no_common_model(made: Study):
    scenario = {**made.resolved()["scenario"], "tolerances": {"draw": True}}
    drawn = Study(StudySpec.parse({**made.resolved(), "scenario": scenario}, where="study"))
    with pytest.raises(InputError, match=r"tolerances\.draw = false"):
        landscape_job(drawn, 2)
