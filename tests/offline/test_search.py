"""Looking up, failing, losing, resuming: what a search does with what it is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.offline.small import GAIT, SCENARIO, run, study, table
from tests.offline.small import study as small

from annelid.errors import InputError, SpecError, UnknownName
from annelid.offline.evaluate import Evaluator
from annelid.offline.executors import ByPool, processes
from annelid.offline.fitness import Fitness, FitnessTerm, scored
from annelid.offline.objectives import Objective
from annelid.offline.search import search
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation, Store
from annelid.offline.study import Study, StudySpec, load_study, shipped
from annelid.trial.metrics import Metrics
from annelid.trial.pool import borrowed
from annelid.trial.run import Trial


class Counting(ByPool):
    def __init__(self, made: Study) -> None:
        super().__init__(made)
        self.simulated: list[str] = []

    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        for one in super().__call__(genomes):
            self.simulated.append(one.genome)
            yield one


def test_every_genome_is_simulated_once(tmp_path: Path):
    made = study()
    counting = Counting(made)
    with Store.open(tmp_path / "s.sqlite", make=True) as store:
        result = search(made, store, counting)
        assert result.curve[-1].asked == 6 + 3 * 5
        assert len(counting.simulated) == len(set(counting.simulated)) == len(result.evaluations)
        again = search(made, store, counting)
    assert again == result.__class__(**{**vars(result), "overhead_s": again.overhead_s})
    assert len(counting.simulated) == len(result.evaluations)


def test_stopped_in_the_middle_it_ends_at_the_same_result(tmp_path: Path):
    made = study()
    whole = run(made, tmp_path / "whole.sqlite")

    class Stopping(Counting):
        def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
            for one in super().__call__(genomes):
                if len(self.simulated) == 9:
                    raise KeyboardInterrupt
                yield one

    with Store.open(tmp_path / "s.sqlite", make=True) as store:
        with pytest.raises(KeyboardInterrupt, match="--resume goes on"):
            search(made, store, Stopping(made))
        assert len(store.evaluations(1)) == 8
        resumed = search(made, store, ByPool(made))
    assert resumed.evaluations == whole.evaluations
    assert resumed.curve == whole.curve
    assert resumed.best == whole.best


def test_processes_find_the_same(tmp_path: Path):
    made = study(budget={"generations": 2})
    alone = run(made, tmp_path / "a.sqlite")
    with Store.open(tmp_path / "b.sqlite", make=True) as store, processes(made, 2) as evaluate:
        together = search(made, store, evaluate)
    assert together.evaluations == alone.evaluations
    assert together.best == alone.best


def test_any_executor_will_do_threads_too(tmp_path: Path):
    made = study(budget={"generations": 2})
    alone = run(made, tmp_path / "a.sqlite")
    with (
        Store.open(tmp_path / "b.sqlite", make=True) as store,
        ThreadPoolExecutor(3) as executor,
    ):
        together = search(made, store, ByPool(made, borrowed(executor)))
    assert together.evaluations == alone.evaluations


@pytest.mark.parametrize("drawn", [False, True])
def test_the_short_way_ends_where_a_trial_does(drawn: bool):
    made = study(scenario={**SCENARIO, "tolerances": {"draw": drawn}})
    assert made.scenario.control.system is None
    for key in ("10010110", "11111000"):
        genome = made.space.read(key)
        for repeat in (0, 1):
            short = Evaluator(made).run(genome, repeat).metrics.model_dump(exclude={"wall"})
            trial = Trial(made.at(genome, repeat=repeat)).measure().model_dump(exclude={"wall"})
            looked_at_less_often = {"tilt_max_deg", "progress_max_m"}
            differ = {name for name in trial if trial[name] != short[name]}
            assert differ <= looked_at_less_often


def test_the_short_way_repeats_itself_whatever_ran_before():
    made = study()
    one, two = (made.space.read(key) for key in ("10010110", "11111000"))
    evaluator = Evaluator(made)
    first = evaluator(one)
    evaluator(two)
    assert evaluator(one) == first
    machine = {"wall", "digest", "scenario", "interrupted"}
    assert all(machine.isdisjoint(run) for run in first.metrics), "a genome's numbers alone"
    assert evaluator.run(one, 1).metrics.distance_m != evaluator.run(one, 0).metrics.distance_m


def odd(metrics: Metrics) -> float:
    """Raises for some gaits, is no number for others."""
    if metrics.distance_m < 0.0005:
        raise ZeroDivisionError("division by nothing")
    return float("nan") if metrics.distance_m < 0.001 else metrics.distance_m


def test_a_fitness_that_raises_or_is_no_number_fails_its_genome_alone(tmp_path, installed):
    installed("annelid.objectives", Objective("odd", "raises for some", odd))
    result = run(study(fitness={"own": "odd"}), tmp_path / "s.sqlite")
    failed = [one for one in result.evaluations.values() if one.state == "failed"]
    told = " ".join(str(one.why) for one in failed)
    assert "ZeroDivisionError: division by nothing" in told
    assert "expected finite numbers" in told
    assert all(one.score is None for one in failed)
    assert result.best is not None
    assert result.best.score is not None


def test_chains_that_cannot_be_built_fail_and_refused_ones_are_not_run(tmp_path: Path):
    made = study(
        scenario={**SCENARIO, "control": {"gaits": [{"gait": "snake", "move": "forward"}]}},
        space={
            "chain": {"pattern": "T??", "alphabets": {"?": "RP"}},
            "constraints": [{"letters": "R", "at_most": 1}],
        },
        optimiser={"kind": "grid"},
    )
    result = run(made, tmp_path / "s.sqlite")
    states = {one.fields["robot.chain"]: one.state for one in result.evaluations.values()}
    assert states == {"TRR": "refused", "TRP": "ok", "TPR": "ok", "TPP": "failed"}
    assert "unknown module 'R'" in str(result.evaluations["11"].why)


def test_a_robot_that_lies_on_its_side_does_not_win():
    lying = {**SCENARIO, "duration_s": 1.0, "robot": {"chain": "RRRRRR"}}
    lying["control"] = {
        "tick_ms": 15,
        "gaits": [
            {"gait": "snake", "move": "forward"},
            {"gait": "snake", "move": "roll", "amplitude_deg": 30},
        ],
    }
    made = study(scenario=lying, fitness={"terms": [{"metric": "distance_m"}], "topple_deg": 30})
    genome = made.space.encode({GAIT + "amplitude_deg": 0, GAIT + "phase_rad": 0})
    evaluation = Evaluator(made)(genome)
    assert evaluation.metrics[0]["distance_m"] > 0.01
    assert evaluation.score == 0.0
    assert "toppled" in str(evaluation.why)


def test_a_robot_that_leaves_the_ground_does_not_win():
    ground = {"kind": "terrain", "length_mm": 150, "wavelength_mm": 100, "walls_mm": 0}
    made = study(scenario={**SCENARIO, "world": ground})
    evaluator = Evaluator(made)
    genome = made.space.read("10001000")
    assert evaluator(genome).why is None
    evaluator._gaits._sim.data.qpos[0] += 0.5  # type: ignore[union-attr]
    sim = evaluator._gaits._sim  # type: ignore[union-attr]
    sim.advance(1)
    assert evaluator._lost(sim) == "ran off the end of the ground"


@pytest.mark.parametrize("chain", ["RR", "RRT"])
def test_hopeless_runs_are_stopped_early_on_both_ways(chain: str):
    """A gait that is searched goes the short way, a chain that is searched the long one."""
    more = {} if chain == "RR" else {"chain": {"pattern": "RR?", "alphabets": {"?": "TP"}}}
    hopeless = {"after_s": 0.1, "progress_m": 5.0}
    fitness = {"terms": [{"metric": "distance_m"}], "hopeless": hopeless}
    made = small(space={**table()["space"], **more}, fitness=fitness)
    metrics = Evaluator(made).run(made.space.read("10001000" + "0" * bool(more))).metrics
    assert metrics.stopped == "hopeless"
    assert metrics.time_s == 0.09, "the last tick before that moment"


def test_a_fall_is_lost_and_ends_at_the_same_step_on_both_ways():
    """Off a wall that nothing holds it to."""
    wall = {"kind": "plane", "slope_deg": 90}
    made = study(scenario={**SCENARIO, "duration_s": 3.0, "world": wall})
    genome = made.space.read("10001000")
    short = Evaluator(made).run(genome)
    assert "no ground below" in str(short.lost)
    long = Trial(made.at(genome)).measure()
    assert (short.metrics.steps, short.metrics.fell_why) == (long.steps, long.fell_why)
    assert long.time_s < 1.0
    assert Evaluator(made)(genome).score == 0.0


def test_runs_differ_and_are_summed_up():
    made = study(repeats={"runs": 5, "vary": ["world.surface.friction~0.4..0.8"]})
    evaluation = Evaluator(made)(made.space.read("10001000"))
    assert len(set(evaluation.runs)) == 5
    mean, low, spread = evaluation.mean, evaluation.low, evaluation.spread
    assert mean is not None
    assert low is not None
    assert spread is not None
    assert evaluation.score == mean
    assert min(evaluation.runs) < low < mean
    assert spread > 0


def test_scores_are_the_statistic_asked_for():
    values = [1.0, 2.0, 3.0, 10.0]
    found = {across: scored(values, across).score for across in ("mean", "median", "low", "least")}
    assert found == {"mean": 4.0, "median": 2.5, "low": pytest.approx(1.3), "least": 1.0}
    with pytest.raises(InputError, match="finite"):
        scored([1.0, float("nan")], "mean")


@pytest.mark.parametrize(
    ("fitness", "says"),
    [
        ({}, "either terms or the name"),
        ({"terms": [{"metric": "distance"}]}, "Did you mean 'distance_m'"),
        ({"terms": [{"metric": "energy_j", "weight": -1}]}, "say what `lost` is"),
        ({"terms": [{"metric": "energy_j", "weight": 0}]}, "says nothing"),
    ],
)
def test_a_fitness_that_says_nothing_is_refused(fitness, says):
    with pytest.raises(SpecError, match=says):
        Fitness.parse(fitness, where="fitness")


def test_a_number_that_a_run_does_not_have_needs_a_substitute():
    made = study(fitness={"terms": [{"metric": "time_to_goal_s", "weight": -1}], "lost": -99})
    assert "has no time_to_goal_s" in str(Evaluator(made)(made.space.read("10001000")).why)
    assert FitnessTerm(metric="time_to_goal_s", missing=7.0).missing == 7.0


@pytest.mark.parametrize(
    ("fitness", "score"),
    [
        ({"terms": [{"metric": "speed_m_s"}]}, lambda run: run["speed_m_s"]),
        (
            {
                "terms": [{"metric": "energy_per_metre_j_m", "weight": -1, "missing": 1e3}],
                "lost": 0,
            },
            lambda run: -(run["energy_per_metre_j_m"] or 1e3),
        ),
        ({"terms": [{"metric": "success"}]}, lambda run: float(run["success"])),
        (
            {"terms": [{"metric": "time_to_goal_s", "weight": -1, "missing": 60}], "lost": -60},
            lambda run: -run["time_to_goal_s"],
        ),
    ],
    ids=["speed", "energy per metre", "success rate", "time to goal"],
)
def test_what_papers_ask_for_can_be_searched(fitness, score):
    """Through a whole trial: the goal, a millimetre away, is reached by some runs of the four."""
    near = {**SCENARIO, "success": {"progress_m": 1e-6}, "stop_at_goal": True}
    chain = {"pattern": "RR?", "alphabets": {"?": "TP"}}
    made = study(scenario=near, space={"chain": chain}, fitness=fitness, repeats={"runs": 4})
    found = Evaluator(made)(made.space.read("0"))
    assert found.state == "ok", found.why
    expected = [
        -60.0 if run["time_to_goal_s"] is None and "-60" in str(fitness) else score(run)
        for run in found.metrics
    ]
    assert found.score == pytest.approx(sum(expected) / 4)
    assert found.score != 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"optimiser": {"kind": "magic"}}, "small.toml: optimiser.kind: unknown optimiser 'magic'"),
        ({"scenario": "snaek"}, "Did you mean 'snake'"),
        (
            {"space": {"genes": [{"field": GAIT + "amplitude", "low": 0, "high": 1}]}},
            "Did you mean 'amplitude_deg'",
        ),
        ({"fitness": {"own": "nobody's"}}, "unknown objective"),
        ({"repeats": {"vary": ["world.surface.friction=1,2"]}}, "expected a spread"),
        ({"marks": {"here": {GAIT + "amplitude_deg": 3}}}, "phase_rad: no value given"),
    ],
)
def test_a_study_that_cannot_be_is_refused_before_anything_is_simulated(changes, says):
    with pytest.raises((SpecError, UnknownName, InputError), match=says):
        Study(StudySpec.parse(table(**changes), where="small.toml"), where="small.toml")


def test_a_space_of_which_nothing_can_be_built_is_refused():
    made = study(space={"genes": [{"field": GAIT + "amplitude_deg", "low": 91, "high": 99}]})
    with pytest.raises(InputError, match="at most 90"):
        made.try_some()


@pytest.mark.parametrize("name", sorted(shipped()))
def test_shipped_studies_can_be_built(name: str):
    loaded = load_study(name)
    assert loaded.spec.name == name
    assert loaded.spec.about
    loaded.try_some()


def test_marks_are_evaluated_and_do_not_count_as_found(tmp_path: Path):
    at = {GAIT + "amplitude_deg": 42.0, GAIT + "phase_rad": 1.0}
    made = study(marks={"a point": at}, budget={"generations": 1})
    result = run(made, tmp_path / "s.sqlite")
    assert result.marks["a point"].state == "ok"
    assert result.curve[-1].asked == 6
