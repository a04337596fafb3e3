"""Studies whose numbers are computed: nothing is run, all else is as in any study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.offline.small import GAIT, SCENARIO, run, table

from annelid.errors import InputError, SpecError, UnknownName
from annelid.offline.evaluate import Evaluator
from annelid.offline.folder import BEST, StoredStudy, write_results
from annelid.offline.measures import MeasureKind
from annelid.offline.page import study_page
from annelid.offline.store import Store
from annelid.offline.study import Study, StudySpec, load_study
from annelid.systems.climber.leg_positions import CYCLES, FALLING, LegPositions
from annelid.systems.climber.model import read_robot
from annelid.trial.load import load, resolve

FOOT = "control.options.stance_mm."
HEIGHT = "robot.each.L.height_mm"
SMALL = {"optimiser.population": 12, "budget.generations": 3}


@pytest.fixture(scope="module")
def legs() -> Study:
    return load_study("leg-positions", changes=SMALL)


def test_the_papers_thirteen_genes_are_judged_as_the_climber_does(legs: Study):
    assert len(legs.space) == 13
    fields = legs.spec.marks["as built"]
    found = Evaluator(legs)(legs.marks["as built"])
    climber = read_robot(resolve(load("climber"))[0])
    genes = [*(fields[f"{FOOT}{leg}.{axis}"] for leg in range(6) for axis in (0, 1)), -90]
    worth = LegPositions(climber).worth(np.array(genes) / 1000)
    assert found.score == pytest.approx(-worth.costs[FALLING])
    assert found.metrics[0]["distance_m"] == pytest.approx(worth.distance)
    assert found.metrics[0]["force_n"] == pytest.approx(worth.force)
    assert found.fields["world.height_mm"] == pytest.approx(90.8), "goes with the legs' height"


def test_a_stance_that_cannot_walk_is_worth_nothing(legs: Study):
    at = {**legs.spec.marks["as built"], f"{FOOT}0.0": 198.3, f"{FOOT}1.0": 60, HEIGHT: 110}
    at |= {f"{FOOT}0.1": 145.3, f"{FOOT}1.1": 243}
    found = Evaluator(legs)(legs.space.encode(at))
    assert found.state == "ok"
    assert found.score == 0
    assert "force_n" not in found.metrics[0]


def test_searched_stopped_and_resumed_as_any_study(legs: Study, tmp_path: Path):
    path = tmp_path / "s.sqlite"
    first = run(load_study("leg-positions", changes={**SMALL, "budget.generations": 2}), path)
    result = run(legs, path)
    assert result.evaluations.items() >= first.evaluations.items()
    best = result.best
    assert best is not None
    assert best.score is not None
    assert best.score > (result.marks["as built"].score or 0)
    with Store.open(path) as store:
        kept = StoredStudy(store, "leg-positions")
    text = study_page(kept, tmp_path / "page.html").read_text()
    assert "stance_mm.0.0" in text
    write_results(legs, result, tmp_path)
    made = load(tmp_path / BEST)
    stance: Any = made.model_dump(mode="json")["control"]["options"]["stance_mm"]
    half = 1000 * best.metrics[0]["distance_m"] / CYCLES / 2
    for leg, (x, y) in enumerate(stance):
        assert x == pytest.approx(best.fields[f"{FOOT}{leg}.0"] - half), "the middle of the stride"
        assert y == pytest.approx(best.fields[f"{FOOT}{leg}.1"])
    assert made.robot.each["L"]["height_mm"] == pytest.approx(best.fields[HEIGHT])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"fitness.terms": [{"metric": "distance"}]}, "Did you mean 'distance_m'"),
        ({"fitness.measure": "leg-position"}, "Did you mean 'leg-positions'"),
        ({"fitness.topple_deg": 30}, "topple_deg is about runs"),
        ({"repeats": {"runs": 3}}, "comes to the same each time"),
        ({"space.genes.0.field": "world.height_mm"}, "searched twice"),
        ({"marks": {}, "space.genes.0.field": "world.heading_deg"}, "no part of a stance"),
        ({"space.genes.0.field": FOOT + "6.0"}, "stance_mm"),
        ({"space.genes.12.also": {"world.hight_mm": 1}}, "Did you mean 'height_mm'"),
    ],
)
def test_what_cannot_be_measured_is_refused(changes: dict[str, Any], says: str):
    with pytest.raises((SpecError, UnknownName, InputError), match=says):
        load_study("leg-positions", changes=changes)


def test_only_a_climber_on_a_plane_has_leg_positions():
    fitness = {"measure": "leg-positions", "terms": [{"metric": "worth_m"}]}
    with pytest.raises(InputError, match=r'expected control\.system = "climber", got None'):
        Study(StudySpec.parse(table(fitness=fitness, scenario=SCENARIO), where="small.toml"))


class Own:
    names = ("sum",)

    def __call__(self, fields):
        amplitude = fields[GAIT + "amplitude_deg"]
        if amplitude > 80:
            raise ArithmeticError("too much")
        return {"sum": amplitude + fields[GAIT + "phase_rad"]}

    def scenario(self, fields):
        return fields


def test_a_measure_of_ones_own_comes_by_entry_point(tmp_path: Path, installed):
    own = MeasureKind("own", "somebody's", lambda scenario, plugins, fields: Own())
    installed("annelid.measures", own)
    fitness = {"measure": "own", "terms": [{"metric": "sum"}]}
    made = Study(
        StudySpec.parse(
            table(fitness=fitness, optimiser={"kind": "grid", "batch": 256}), where="own"
        )
    )
    result = run(made, tmp_path / "s.sqlite")
    assert result.best is not None
    assert result.best.fields == {GAIT + "amplitude_deg": 78.0, GAIT + "phase_rad": 3.0}
    failed = [one.why for one in result.evaluations.values() if one.state == "failed"]
    assert set(failed) == {"ArithmeticError: too much"}
